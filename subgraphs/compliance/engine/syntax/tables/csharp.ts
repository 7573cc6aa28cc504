/** C#. */
import type { Assign, Ir } from '../ir.js'
import { getterOf, type Custom, type LanguageTable, type Shape } from '../lowering/shapes.js'
import { memberOrClass } from './packages.js'
import { readableSharp } from './soft-words.js'

const usingDirective: Custom = (lowering, node) => {
  const alias = lowering.first(node, 'name')
  const target = lowering.all(node, '*').at(-1) ?? node
  const path = lowering.text(target)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const bindings = alias === undefined ? [] : [{ local: lowering.text(alias), path: lowering.typeName(target) ?? path }]
  return { op: 'import', module: path, bindings, ...span }
}

/** `Options o = new() { ... }` makes what is declared. */
const made = (value: Ir, type: string | undefined): Ir =>
  value.op === 'call' && value.isNew && type !== undefined && value.callee.op === 'name' && value.callee.name === 'new'
    ? { ...value, callee: { ...value.callee, name: type } }
    : value

const declarations: Custom = (lowering, node) => {
  const type = lowering.typeName(lowering.first(node, 'type'))
  const declared = type === 'var' ? undefined : type
  const body = lowering.all(node, '%variable_declarator*').map((item): Ir => {
    const name = lowering.first(item, 'name') ?? item
    const value = lowering.all(item, '#1')[0]
    const span = { start: lowering.startOf(item), end: lowering.endOf(item) }
    return {
      op: 'assign',
      target: lowering.make.name(name, lowering.name(name)),
      value: value === undefined ? null : made(lowering.lower(value), declared),
      operator: '=',
      declares: true,
      type: declared,
      ...span,
    }
  })
  const [only] = body
  return body.length === 1 && only !== undefined ? only : lowering.make.block(node, body)
}

/** `{ {"a", 1}, ["b"] = 2, C = 3 }` after `new`: members, elements and pairs. */
const initializer: Custom = (lowering, node) => {
  const entries = lowering.children(node).map((child) => {
    const [left, right] = lowering.children(child)
    const type = lowering.typeOf(child)
    if (left === undefined || right === undefined || (type !== 'assignment_expression' && type !== 'initializer_expression')) {
      return { key: null, value: lowering.lower(child), spread: false }
    }
    const place = lowering.lower(left)
    const key = place.op === 'collection' ? (place.entries[0]?.value ?? place) : place
    return { key: key.op === 'name' ? lowering.make.literal(left, key.name) : key, value: lowering.lower(right), spread: false }
  })
  const kind = entries.some((entry) => entry.key !== null) ? 'map' : 'list'
  return { op: 'collection', kind, entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `["a", "b"]`: the grammar takes a list for the `[0]` of `x?[0]`. */
const bracketed: Custom = (lowering, node) => {
  const items = lowering
    .children(node)
    .flatMap((child) => (lowering.typeOf(child) === 'bracketed_argument_list' ? lowering.children(child) : [child]))
    .filter((child) => lowering.text(child) !== '')
  const entries = items.map((child) => ({
    key: null,
    value: lowering.lower(child),
    spread: lowering.text(child).startsWith('..'),
  }))
  return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const conditionalAccess: Custom = (lowering, node) => {
  const object = lowering.first(node, 'condition,#0')
  const binding = lowering.first(node, '#1')
  if (object === undefined || binding === undefined) return lowering.make.opaque(node, [])
  return graft(lowering.lower(binding), lowering.lower(object))
}

/** Puts `object` under the `?.member` that a conditional access ends in. */
function graft(ir: Ir, object: Ir): Ir {
  if (ir.op === 'name') return { op: 'member', object, property: ir.name, start: object.start, end: ir.end }
  if (ir.op === 'member') return { ...ir, object: graft(ir.object, object) }
  if (ir.op === 'call') return { ...ir, callee: graft(ir.callee, object) }
  if (ir.op === 'index') return { ...ir, object: graft(ir.object, object) }
  const [at] = ir.op === 'collection' ? ir.entries : []
  if (at !== undefined) return { op: 'index', object, index: at.value, start: object.start, end: ir.end }
  return { op: 'opaque', kind: 'conditional-access', parts: [object, ir], start: object.start, end: ir.end }
}

/** `x is not null && y`: the grammar takes `null && y` for the pattern. */
const isPattern: Custom = (lowering, node) => {
  const [left, right] = [lowering.first(node, 'expression,#0'), lowering.first(node, 'pattern,#1')]
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const tested = lowering.lower(left)
  const asks = (pattern: Ir, start: number): Ir => {
    const inner = pattern.op === 'unary' && pattern.operator === '!' ? pattern.operand : pattern
    if (inner.op !== 'binary' || !/^(?:&&|\|\|)$/.test(inner.operator))
      return { op: 'binary', operator: 'is', left: tested, right: pattern, ...span, end: pattern.end }
    const first = inner === pattern ? inner.left : { ...pattern, operand: inner.left, end: inner.left.end }
    return { ...inner, left: asks(first, start), start, end: span.end }
  }
  return asks(lowering.lower(right), span.start)
}

/** `new T[] { a, b }` is its elements; `new byte[16]` is a construction of `byte[]` with the size as argument. */
const arrayCreation: Custom = (lowering, node) => {
  const elements = lowering.first(node, '%initializer_expression')
  if (elements !== undefined) return lowering.lower(elements)
  const type = lowering
    .text(node)
    .replace(/^new\s*/, '')
    .replace(/\[[^]*$/, '')
    .trim()
  const args = lowering.all(node, '%array_type/rank/*,type/rank/*').map((size) => ({ value: lowering.lower(size) }))
  const at = lowering.startOf(node)
  return {
    op: 'call',
    callee: lowering.make.name(node, `${type}[]`),
    args,
    isNew: true,
    at,
    start: at,
    end: lowering.endOf(node),
  }
}

const switchExpression: Custom = (lowering, node) => {
  const subject = lowering.first(node, '#0')
  const cases = lowering.all(node, '%switch_expression_arm*').map((arm) => {
    const parts = lowering.children(arm)
    const pattern = parts[0]
    const value = parts.at(-1) ?? arm
    const isDefault = pattern !== undefined && lowering.typeOf(pattern) === 'discard'
    return { tests: isDefault || pattern === undefined ? [] : [lowering.lower(pattern)], body: lowering.lower(value) }
  })
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'switch', subject: subject === undefined ? null : lowering.lower(subject), cases, fallsThrough: false, ...span }
}

const attributes = '%attribute_list*/%attribute*'
const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: 'parameters',
  body: 'body',
  type: 'returns,type',
  decorators: attributes,
  modifiers: '%modifier*',
}
const classShape: Shape = {
  is: 'class',
  name: 'name',
  bases: '%base_list/*',
  body: 'body',
  params: '%parameter_list/%parameter*',
  decorators: attributes,
}
const declared: Shape = { is: 'through', of: '%variable_declaration' }

export const csharp: LanguageTable = {
  readable: readableSharp,
  typeAliases: /^(?:global )?using (\w+) = ([\w.]+);\r?$/gm,
  self: ['this'],
  constructors: [],
  implicitThis: true,
  hasLooseRest: true,
  strings: {
    content: ['string_literal_content', 'string_content', 'raw_string_content'],
    escape: ['escape_sequence'],
    ignore: ['interpolation_start', 'interpolation_quote', 'raw_string_start', 'raw_string_end', 'string_literal_encoding'],
  },
  nodes: {
    using_directive: usingDirective,
    compilation_unit: 'block',
    block: 'block',
    declaration_list: 'block',
    namespace_declaration: { is: 'through', of: 'body' },
    file_scoped_namespace_declaration: { is: 'through', of: '#1*' },
    modifier: 'skip',
    attribute_list: 'skip',
    attribute: { is: 'call', callee: 'name', args: '%attribute_argument_list' },
    attribute_argument_list: 'args',
    attribute_argument: { is: 'argument', name: 'name', value: '#-1' },
    type_argument_list: 'skip',
    type_parameter_list: 'skip',
    accessor_list: 'block',
    accessor_declaration: { is: 'function', name: 'name', body: 'body' },
    identifier: 'name',
    predefined_type: 'name',
    implicit_type: 'name',
    generic_name: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    qualified_name: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    alias_qualified_name: 'name',
    this: 'self',
    this_expression: 'self',
    base: 'name',
    base_expression: 'name',
    null_literal: 'null',
    boolean_literal: (lowering, node) => lowering.make.literal(node, lowering.text(node) === 'true'),
    integer_literal: 'number',
    real_literal: 'number',
    character_literal: 'char',
    string_literal: 'string',
    verbatim_string_literal: (lowering, node) =>
      lowering.make.literal(node, lowering.text(node).replace(/^@"/, '').replace(/"$/, '').replaceAll('""', '"')),
    raw_string_literal: 'raw-string',
    interpolated_string_expression: 'string',
    interpolation: { is: 'through', of: '!interpolation_brace|interpolation_format_clause|interpolation_alignment_clause' },
    interpolation_brace: 'skip',
    argument_list: 'args',
    bracketed_argument_list: 'through',
    parameter_list: 'args',
    parameter: { is: 'param', name: 'name', type: 'type', decorators: attributes },
    implicit_parameter: 'name',
    argument: { is: 'argument', name: 'name', value: '#-1' },
    declaration_expression: { is: 'assign', target: 'name', type: 'type', operator: '=', declares: true },
    invocation_expression: { is: 'call', callee: 'function', args: 'arguments' },
    object_creation_expression: { is: 'call', callee: 'type', args: 'arguments', initializer: 'initializer', isNew: true },
    implicit_object_creation_expression: {
      is: 'call',
      named: 'new',
      args: '%argument_list',
      initializer: '%initializer_expression',
      isNew: true,
    },
    anonymous_object_creation_expression: (lowering, node) => {
      const children = lowering.children(node)
      const entries = children.map((child) => ({ key: null, value: lowering.lower(child), spread: false }))
      return { op: 'collection', kind: 'map', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    initializer_expression: initializer,
    implicit_array_creation_expression: { is: 'through', of: '%initializer_expression' },
    array_creation_expression: arrayCreation,
    collection_expression: { is: 'list', items: '*' },
    element_binding_expression: bracketed,
    member_access_expression: memberOrClass('expression', 'name'),
    member_binding_expression: { is: 'through', of: 'name' },
    conditional_access_expression: conditionalAccess,
    element_access_expression: { is: 'index', object: 'expression', index: 'subscript' },
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    prefix_unary_expression: { is: 'unary', operand: '#0' },
    postfix_unary_expression: 'through',
    cast_expression: { is: 'cast', value: 'value', type: 'type' },
    as_expression: { is: 'cast', value: 'left', type: 'right' },
    is_expression: { is: 'binary', left: 'left', right: 'right' },
    negated_pattern: { is: 'unary', operand: '#0' },
    is_pattern_expression: isPattern,
    constant_pattern: 'through',
    conditional_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    if_statement: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    switch_statement: { is: 'switch', subject: 'value', cases: 'body/*', fallsThrough: true },
    switch_section: {
      is: 'case',
      tests:
        '%constant_pattern|declaration_pattern|recursive_pattern|list_pattern|type_pattern|relational_pattern|or_pattern|and_pattern|negated_pattern|case_switch_label*',
      body: '!constant_pattern|declaration_pattern|recursive_pattern|list_pattern|type_pattern|relational_pattern|or_pattern|and_pattern|negated_pattern|case_switch_label|when_clause*',
    },
    switch_expression: switchExpression,
    for_statement: { is: 'loop', init: 'initializer', test: 'condition', update: 'update*', body: 'body' },
    foreach_statement: { is: 'loop', target: 'left', iterable: 'right', body: 'body' },
    while_statement: { is: 'loop', test: 'condition', body: 'body' },
    do_statement: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
    try_statement: { is: 'try', body: 'body', catches: '%catch_clause*', finalizer: '%finally_clause' },
    catch_clause: {
      is: 'catch',
      parameter: '%catch_declaration/name',
      types: '%catch_declaration/type',
      body: 'body',
    },
    finally_clause: 'through',
    using_statement: { is: 'through', of: '*' },
    lock_statement: { is: 'through', of: '#1' },
    return_statement: { is: 'jump', kind: 'return' },
    throw_statement: { is: 'jump', kind: 'throw' },
    throw_expression: { is: 'jump', kind: 'throw' },
    yield_statement: { is: 'jump', kind: 'yield' },
    break_statement: 'break',
    continue_statement: 'continue',
    assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    variable_declaration: declarations,
    local_declaration_statement: declared,
    field_declaration: declared,
    event_field_declaration: 'skip',
    property_declaration: (lowering, node) => {
      const name = lowering.first(node, 'name') ?? node
      const value = lowering.first(node, 'value')
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      const accessors = lowering.first(node, 'accessors')
      const type = lowering.typeName(lowering.first(node, 'type'))
      const property: Assign = {
        op: 'assign',
        target: lowering.make.name(name, lowering.text(name)),
        value: value === undefined ? null : made(lowering.lower(value), type),
        operator: '=',
        declares: true,
        type,
        decorators: lowering.all(node, attributes).map((at) => lowering.lower(at)),
        ...span,
      }
      const isMade = property.value !== null && property.value.op !== 'literal' && accessors === undefined
      if (isMade && property.value !== null) return getterOf(property, property.value)
      const bodies = accessors === undefined ? [] : lowering.all(accessors, '*/body').map((at) => lowering.lower(at))
      return bodies.length === 0 ? property : lowering.make.block(node, [property, ...bodies])
    },
    arrow_expression_clause: 'through',
    method_declaration: functionShape,
    local_function_statement: functionShape,
    constructor_declaration: { ...functionShape, isConstructor: true },
    operator_declaration: functionShape,
    lambda_expression: { is: 'function', params: 'parameters', body: 'body', declares: false },
    anonymous_method_expression: { is: 'function', params: 'parameters', body: '%block', declares: false },
    class_declaration: classShape,
    struct_declaration: classShape,
    record_declaration: classShape,
    interface_declaration: classShape,
    enum_declaration: 'skip',
    delegate_declaration: 'skip',
    checked_expression: 'through',
    global_statement: 'through',
    await_expression: 'through',
    typeof_expression: { is: 'call', named: 'typeof', args: 'type' },
    sizeof_expression: { is: 'call', named: 'sizeof', args: 'type' },
    unsafe_statement: (lowering, node) =>
      lowering.make.opaque(
        node,
        lowering.children(node).map((child) => lowering.lower(child)),
      ),
    ref_expression: 'through',
    array_type: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    nullable_type: 'through',
    tuple_expression: { is: 'list', items: '*' },
    discard: 'name',
    parenthesized_expression: 'through',
  },
}
