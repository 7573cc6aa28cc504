/** Rust. */
import { type Ir, testCode } from '../ir.js'
import { shapeOf } from '../lowering/lower-fields.js'
import type { Custom, LanguageTable, Shape } from '../lowering/shapes.js'
import { group, macro, tokenTree } from './rust-macros.js'

/** Types are known by their name, functions by their module and name: `std::fs::read` is `fs.read`. */
function shortPath(path: string): string {
  const parts = path
    .replaceAll(/<[^<>]*>/g, '')
    .split('::')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'crate' && part !== 'self' && part !== 'super')
  const last = parts.at(-1) ?? path
  return /^[A-Z]/.test(last) ? last : parts.slice(-2).join('.')
}

const useDeclaration: Custom = (lowering, node) => {
  const bindings: { local: string; path: string }[] = []
  const visit = (at: number, prefix: string): void => {
    const type = lowering.typeOf(at)
    const join = (text: string): string => (prefix === '' ? text : `${prefix}::${text}`)
    if (type === 'scoped_use_list') {
      const path = lowering.first(at, 'path')
      const inner = path === undefined ? prefix : join(lowering.text(path))
      for (const item of lowering.all(at, 'list/*')) visit(item, inner)
    } else if (type === 'use_list') for (const item of lowering.children(at)) visit(item, prefix)
    else if (type === 'use_as_clause') {
      const path = lowering.text(lowering.first(at, 'path') ?? at)
      bindings.push({
        local: lowering.text(lowering.first(at, 'alias') ?? at),
        path: shortPath(path === 'self' ? prefix : join(path)),
      })
    } else if (type !== 'use_wildcard') {
      const path = lowering.text(at) === 'self' ? prefix : join(lowering.text(at))
      bindings.push({ local: path.split('::').at(-1) ?? path, path: shortPath(path) })
    }
  }
  const argument = lowering.first(node, 'argument')
  if (argument !== undefined) visit(argument, '')
  const module = argument === undefined ? '' : lowering.text(argument)
  return { op: 'import', module, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const scopedIdentifier: Custom = (lowering, node) => {
  const parts = shortPathParts(lowering.text(node))
  const [first = '', second] = parts
  const object = lowering.make.name(node, first === 'Self' && second !== undefined ? 'this' : first)
  return second === undefined ? object : lowering.make.member(node, object, second)
}

function shortPathParts(path: string): string[] {
  const parts = path
    .replaceAll(/<[^<>]*>/g, '')
    .split('::')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'crate' && part !== 'super')
  return parts.slice(-2)
}

/** `impl T { ... }`: methods know their type. */
const impl: Custom = (lowering, node) => {
  const type = lowering.typeName(lowering.first(node, 'type')) ?? ''
  const trait = lowering.typeName(lowering.first(node, 'trait'))
  const body = lowering.first(node, 'body')
  const block = body === undefined ? undefined : lowering.lower(body)
  const members = block === undefined ? [] : block.op === 'block' ? block.body : [block]
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'class', name: type, bases: trait === undefined ? [] : [trait], decorators: [], members, ...span }
}

/** Attributes are the preceding siblings of what they decorate. What is compiled for tests alone is no part of the program. */
const items: Custom = (lowering, node) => {
  const body: Ir[] = []
  let decorators: Ir[] = []
  let isTest = false
  for (const child of lowering.children(node)) {
    if (lowering.typeOf(child) === 'attribute_item') {
      isTest ||= /^#\[\s*(?:cfg\(\s*(?:all\(\s*)?test\b|(?:\w{1,40}::)?(?:test|bench)\b)/.test(lowering.text(child))
      decorators.push(lowering.lower(child))
      continue
    }
    const item: Ir = isTest
      ? { op: 'opaque', kind: testCode, parts: [], start: lowering.startOf(child), end: lowering.endOf(child) }
      : lowering.lower(child)
    isTest = false
    body.push(decorators.length > 0 && (item.op === 'function' || item.op === 'class') ? { ...item, decorators } : item)
    decorators = []
  }
  return lowering.make.block(node, body)
}

/** Calls that change how a value is held, but not what it says: they are left out, like `&` and `?`. */
const transparent = new Set(
  'as_bytes as_ref as_str as_slice as_mut as_deref as_os_str as_path borrow clone cloned into into_bytes into_boxed_str to_owned to_string to_vec unwrap expect unwrap_or_default'.split(
    ' ',
  ),
)

/** `condition.then_some(x)` and `condition.then(|| x)`. */
function chosen(start: number, end: number, test: Ir, value: Ir): Ir {
  const then = value.op === 'function' && value.parameters.length === 0 ? value.body : value
  return { op: 'if', test, then, otherwise: null, start, end }
}

const call: Custom = (lowering, node) => {
  const callee = lowering.first(node, 'function')
  const list = lowering.first(node, 'arguments')
  const nodes = list === undefined ? [] : lowering.children(list)
  if (callee === undefined)
    return lowering.make.opaque(
      node,
      nodes.map((at) => lowering.lower(at)),
    )
  const lowered = lowering.lower(callee)
  const isMethod = lowering.typeOf(callee) === 'field_expression'
  if (isMethod && lowered.op === 'member' && transparent.has(lowered.property) && nodes.length <= 1) return lowered.object
  const args = nodes.map((at) => ({ value: lowering.lower(at) }))
  if (
    isMethod &&
    lowered.op === 'member' &&
    args[0] !== undefined &&
    (lowered.property === 'then_some' || lowered.property === 'then')
  )
    return chosen(lowering.startOf(node), lowering.endOf(node), lowered.object, args[0].value)
  const at = lowered.op === 'member' ? Math.max(lowered.start, lowered.end - lowered.property.length) : lowered.start
  return { op: 'call', callee: lowered, args, isNew: false, at, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `&x` is x. Who is given `&mut x` may change it. */
const reference: Custom = (lowering, node) => {
  const operand = lowering.lower(lowering.first(node, 'value') ?? node)
  const isMutable = lowering.first(node, '%mutable_specifier') !== undefined
  if (!isMutable) return operand
  return { op: 'unary', operator: '&mut', operand, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** The fields of a struct. `Option<u32>` holds a number, or nothing. */
const struct: Custom = (lowering, node) =>
  shapeOf(
    lowering,
    node,
    lowering.typeName(lowering.first(node, 'name')) ?? '',
    lowering.all(node, 'body/%field_declaration*'),
    (field) => {
      const type = lowering.first(field, 'type')
      const isOptional = type !== undefined && lowering.text(type).startsWith('Option<')
      return isOptional ? (lowering.first(field, 'type/%type_arguments/#0') ?? type) : type
    },
  )

/** What `*x` points to is what x says. */
const dereferenced: Custom = (lowering, node) => {
  const operand = lowering.lower(lowering.first(node, '#0') ?? node)
  const operator = lowering.source[lowering.startOf(node)] ?? ''
  if (operator === '*') return operand
  return { op: 'unary', operator, operand, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const closure: Shape = { is: 'function', params: 'parameters', body: 'body', declares: false }
/** `Err(e)` of a call that reads from outside is the program's or a library's own, as an exception is, and not what was read. */
const tupleStructPattern: Custom = (lowering, node) => {
  const [type, ...inner] = lowering.children(node)
  const variant = type === undefined ? '' : lowering.text(type)
  if (variant === 'Err') return lowering.make.opaque(node, [])
  // What they hold is the value itself, as behind `?`.
  if ((variant === 'Ok' || variant === 'Some') && inner.length === 1 && inner[0] !== undefined) return lowering.lower(inner[0])
  const entries = inner.map((one) => ({ key: null, value: lowering.lower(one), spread: false }))
  return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}
const list: Shape = { is: 'list', items: '*' }
const letShape: Custom = (lowering, node) => {
  const target = lowering.first(node, 'pattern')
  const value = lowering.first(node, 'value')
  const alternative = lowering.first(node, 'alternative')
  // `let _ = f(x)` calls f all the same.
  if (target === undefined) return lowering.make.opaque(node, value === undefined ? [] : [lowering.lower(value)])
  const assign: Ir = {
    op: 'assign',
    target: lowering.lower(target),
    value: value === undefined ? null : lowering.lower(value),
    operator: '=',
    declares: true,
    type: lowering.typeName(lowering.first(node, 'type')),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
  if (alternative === undefined) return assign
  const test = lowering.make.opaque(node, [])
  const otherwise: Ir = {
    op: 'if',
    test,
    then: lowering.lower(alternative),
    otherwise: null,
    start: assign.start,
    end: assign.end,
  }
  return lowering.make.block(node, [assign, otherwise])
}

export const rust: LanguageTable = {
  typeAliases: /^[ \t]*(?:pub(?:\(\w+\))? )?type (\w+) = ([\w:]+)(?:<[^;=\n]*>)?;$/gm,
  self: ['self'],
  constructors: [],
  lastIsResult: true,
  casesBind: true,
  strings: { content: ['string_content'], escape: ['escape_sequence'] },
  nodes: {
    use_declaration: useDeclaration,
    extern_crate_declaration: 'skip',
    source_file: items,
    declaration_list: items,
    block: 'block',
    mod_item: { is: 'through', of: 'body' },
    foreign_mod_item: 'skip',
    macro_definition: 'skip',
    visibility_modifier: 'skip',
    function_modifiers: 'skip',
    mutable_specifier: 'skip',
    type_parameters: 'skip',
    type_arguments: 'skip',
    struct_item: struct,
    enum_item: 'skip',
    empty_statement: 'skip',
    attribute_item: 'through',
    attribute: (lowering, node) => {
      const name = lowering.first(node, '#0')
      const tokens = lowering.first(node, '%token_tree')
      const callee = name === undefined ? lowering.make.name(node, '') : lowering.lower(name)
      return lowering.make.call(node, callee, tokens === undefined ? [] : tokenTree(lowering, tokens))
    },
    identifier: 'name',
    field_identifier: 'name',
    type_identifier: 'name',
    primitive_type: 'name',
    shorthand_field_identifier: 'name',
    self: 'self',
    scoped_identifier: scopedIdentifier,
    scoped_type_identifier: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    generic_type: { is: 'through', of: 'type' },
    generic_function: { is: 'through', of: 'function' },
    boolean_literal: (lowering, node) => lowering.make.literal(node, lowering.text(node) === 'true'),
    integer_literal: 'number',
    float_literal: 'number',
    char_literal: 'char',
    string_literal: 'string',
    raw_string_literal: 'raw-string',
    unit_expression: 'null',
    arguments: 'args',
    parameters: 'args',
    closure_parameters: 'args',
    self_parameter: 'skip',
    parameter: {
      is: 'param',
      name: 'pattern',
      type: 'type/%type_arguments/%primitive_type,type',
      held: 'type/%type_arguments/%type_identifier',
    },
    call_expression: call,
    macro_invocation: macro,
    token_tree: group,
    field_expression: { is: 'member', object: 'value', property: 'field' },
    index_expression: { is: 'index', object: '#0', index: '#1' },
    reference_expression: reference,
    try_expression: 'through',
    await_expression: 'through',
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    unary_expression: dereferenced,
    type_cast_expression: { is: 'cast', value: 'value', type: 'type' },
    range_expression: (lowering, node) =>
      lowering.make.opaque(
        node,
        lowering.children(node).map((child) => lowering.lower(child)),
      ),
    let_declaration: letShape,
    let_condition: { is: 'assign', target: 'pattern', value: 'value', operator: '=', declares: true },
    const_item: { is: 'assign', target: 'name', value: 'value', type: 'type', operator: '=', declares: true },
    static_item: { is: 'assign', target: 'name', value: 'value', type: 'type', operator: '=', declares: true },
    assignment_expression: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    compound_assignment_expr: { is: 'assign', target: 'left', value: 'right' },
    tuple_struct_pattern: tupleStructPattern,
    tuple_pattern: list,
    slice_pattern: list,
    struct_pattern: (lowering, node) => {
      const entries = lowering.all(node, '%field_pattern*').map((field) => {
        const name = lowering.first(field, 'name') ?? field
        const target = lowering.first(field, 'pattern,name') ?? field
        return { key: lowering.make.literal(field, lowering.text(name)), value: lowering.lower(target), spread: false }
      })
      return { op: 'collection', kind: 'map', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    mut_pattern: 'through',
    ref_pattern: 'through',
    reference_pattern: 'through',
    captured_pattern: { is: 'through', of: '#0' },
    match_pattern: { is: 'through', of: '#0' },
    if_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    else_clause: 'through',
    let_chain: { is: 'binary', left: '#0', right: '#1' },
    match_expression: { is: 'switch', subject: 'value', cases: 'body/%match_arm*' },
    match_arm: {
      is: 'case',
      tests: 'pattern/%or_pattern/*,pattern/#0,pattern',
      guard: 'pattern/condition',
      body: 'value',
    },
    for_expression: { is: 'loop', target: 'pattern', iterable: 'value', body: 'body' },
    while_expression: { is: 'loop', test: 'condition', body: 'body' },
    loop_expression: { is: 'loop', body: 'body' },
    return_expression: { is: 'jump', kind: 'return' },
    break_expression: 'break',
    continue_expression: 'continue',
    array_expression: list,
    tuple_expression: list,
    struct_expression: (lowering, node) => {
      const fields = lowering.first(node, 'body')
      const name = lowering.typeName(lowering.first(node, 'name')) ?? ''
      const args = (fields === undefined ? [] : lowering.children(fields)).map((field) => {
        const label = lowering.first(field, 'field')
        const value = lowering.lower(lowering.first(field, 'value,#-1') ?? field)
        if (label !== undefined) return { value, name: lowering.text(label) }
        return lowering.typeOf(field) === 'shorthand_field_initializer' ? { value, name: lowering.text(field) } : { value }
      })
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      return { op: 'call', callee: lowering.make.name(node, name), args, isNew: true, at: span.start, ...span }
    },
    function_item: {
      is: 'function',
      name: 'name',
      params: 'parameters',
      body: 'body',
      type: 'return_type',
      modifiers: '%visibility_modifier|function_modifiers*',
    },
    closure_expression: closure,
    impl_item: impl,
    trait_item: { is: 'class', name: 'name', body: 'body' },
    unsafe_block: (lowering, node) =>
      lowering.make.opaque(
        node,
        lowering.children(node).map((child) => lowering.lower(child)),
      ),
    async_block: 'through',
    const_block: 'through',
  },
}
