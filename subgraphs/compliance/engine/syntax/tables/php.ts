/** PHP, with the markup around it. */
import type { Ir } from '../ir.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../lowering/shapes.js'
import { echoed, isShort, withTagsOfPhp } from './php-markup.js'
import { decodeKnown, decodeSingle, quoted } from './quoted.js'

/** Classes and functions are known by their last name; `use a\b as c` binds c to b. */
const useDeclaration: Custom = (lowering, node) => {
  const clauses = lowering.all(
    node,
    '%namespace_use_clause*,%namespace_use_group/%namespace_use_clause|namespace_use_group_clause*',
  )
  const bindings = clauses.map((clause) => {
    const last = (text: string): string => text.split('\\').at(-1) ?? text
    const alias = lowering.first(clause, 'alias')
    const path = last(lowering.text(lowering.first(clause, '#0') ?? clause))
    return { local: alias === undefined ? path : lowering.text(alias), path }
  })
  const module = lowering
    .text(node)
    .replace(/^use\s+(?:function\s+|const\s+)?/, '')
    .replace(/;$/, '')
  return { op: 'import', module, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `$list as $key => $value`; a list that is a call is not called again. */
function keyOf(lowering: Lowering, key: number, list: Ir): Ir {
  const isPlace = list.op === 'name' || list.op === 'member' || list.op === 'index'
  const value = lowering.make.call(key, lowering.make.name(key, '%key'), isPlace ? [list] : [])
  const span = { start: lowering.startOf(key), end: lowering.endOf(key) }
  return { op: 'assign', target: lowering.lower(key), value, operator: '=', declares: false, ...span }
}

const foreach: Custom = (lowering, node) => {
  const [iterable, target] = lowering.children(node)
  const body = lowering.first(node, 'body')
  const value = target === undefined ? undefined : lowering.typeOf(target) === 'pair' ? lowering.first(target, '#1') : target
  const key = target !== undefined && value !== target ? lowering.first(target, '#0') : undefined
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const rounds = body === undefined ? lowering.make.block(node, []) : lowering.lower(body)
  const list = iterable === undefined ? null : lowering.lower(iterable)
  return {
    op: 'loop',
    init: null,
    test: null,
    update: null,
    target: value === undefined ? null : lowering.lower(value),
    iterable: list,
    body: key === undefined || list === null ? rounds : lowering.make.block(node, [keyOf(lowering, key, list), rounds]),
    bodyFirst: false,
    ...span,
  }
}

/** `<?= $x ?>`: the tag before the expression makes it an echo. */
const expressionStatement: Custom = (lowering, node) => {
  const inner = lowering.first(node, '#0')
  if (inner === undefined) return lowering.make.block(node, [])
  const value = lowering.lower(inner)
  return isShort(lowering, node) ? echoed(lowering, node, value) : value
}

const echo: Custom = (lowering, node) => {
  const [only, more] = lowering.children(node)
  if (only !== undefined && more === undefined) return echoed(lowering, node, lowering.lower(only))
  const values = lowering.children(node).map((child) => lowering.lower(child))
  return lowering.make.call(node, lowering.make.name(node, 'echo'), values)
}

const arrayElement: Custom = (lowering, node) => {
  const [first, second] = lowering.children(node)
  if (first === undefined) return lowering.make.opaque(node, [])
  if (second === undefined) return lowering.lower(first)
  const entries = [{ key: lowering.lower(first), value: lowering.lower(second), spread: false }]
  return { op: 'collection', kind: 'map', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const array: Custom = (lowering, node) => {
  const elements = lowering.children(node)
  const entries = elements.map((element) => {
    const [key, value] = lowering.children(element)
    const isPair = lowering.typeOf(element) === 'array_element_initializer' && key !== undefined && value !== undefined
    if (isPair) return { key: lowering.lower(key), value: lowering.lower(value), spread: false }
    const isSpread = key !== undefined && lowering.typeOf(key) === 'variadic_unpacking'
    return { key: null, value: lowering.lower(element), spread: isSpread }
  })
  const kind = entries.some((entry) => entry.key !== null) ? 'map' : 'list'
  return { op: 'collection', kind, entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const operatorOf = (lowering: Lowering, left: number, right: number): string =>
  lowering.source
    .slice(lowering.endOf(left), lowering.startOf(right))
    .replaceAll(/[()\s]|\/\*[^*]{0,200}\*\/|\/\/[^\n]*|#[^\n]*/g, '')
    .toLowerCase()

const words: Record<string, string> = { and: '&&', or: '||', '<>': '!=' }

/** In PHP these operators always make numbers (text is joined by a dot), so data is only a number afterwards. */
const arithmetic = new Set(['+', '-', '*', '/', '%', '**'])
const numeric = (value: Ir): Ir => ({ op: 'cast', type: 'float', value, start: value.start, end: value.end })

/** Iterative: a page can be joined of thousands of pieces. */
const binary: Custom = (lowering, node) => {
  const spine: { left: number; right: number; end: number }[] = []
  let at = node
  while (lowering.typeOf(at) === 'binary_expression') {
    const left = lowering.first(at, 'left')
    const right = lowering.first(at, 'right')
    if (left === undefined || right === undefined) break
    spine.push({ left, right, end: lowering.endOf(at) })
    at = left
  }
  if (spine.length === 0) return lowering.make.opaque(node, [])
  let result = lowering.lower(at)
  for (const { left, right, end } of spine.toReversed()) {
    const written = operatorOf(lowering, left, right)
    const operator = words[written] ?? written
    const one: Ir = { op: 'binary', operator, left: result, right: lowering.lower(right), start: lowering.startOf(left), end }
    result = arithmetic.has(operator) ? numeric(one) : one
  }
  return result
}

const augmented: Custom = (lowering, node) => {
  const left = lowering.first(node, 'left')
  const right = lowering.first(node, 'right')
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const operator = operatorOf(lowering, left, right).replace(/=$/, '')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const rest = { target: lowering.lower(left), declares: false, decorators: [], modifiers: [], ...span }
  const value = lowering.lower(right)
  if (!arithmetic.has(operator)) return { op: 'assign', value, operator, ...rest }
  const sum: Ir = { op: 'binary', operator, left: lowering.lower(left), right: value, ...span }
  return { op: 'assign', value: numeric(sum), operator: '=', ...rest }
}

const call = (named: string, args = '*'): Shape => ({ is: 'call', named, args })
const attributes = 'attributes/%attribute_group*/%attribute*'
const modifiers = '%visibility_modifier|static_modifier|final_modifier|abstract_modifier*'
const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: 'parameters',
  body: 'body',
  type: 'return_type',
  decorators: attributes,
  modifiers,
}
const classShape: Shape = {
  is: 'class',
  name: 'name',
  bases: '%base_clause|class_interface_clause/*',
  body: 'body',
  decorators: attributes,
}
/** `__construct(private string $path)` declares the field `path` and assigns it. */
const classBody: Custom = (lowering, node) => {
  const members = lowering.children(node).flatMap((child): Ir[] => {
    const member = lowering.lower(child)
    if (member.op !== 'function' || !member.isConstructor || member.body.op !== 'block') return [member]
    const declared: Ir[] = []
    const assigned: Ir[] = []
    for (const parameter of lowering.all(child, 'parameters/%property_promotion_parameter*')) {
      const value = lowering.lower(lowering.first(parameter, 'name') ?? parameter)
      if (value.op !== 'name') continue
      const name = value.name.replace(/^\$/, '')
      const { start, end } = value
      const type = lowering.typeName(lowering.first(parameter, 'type'))
      const target = lowering.make.name(parameter, name)
      const field = lowering.make.member(parameter, lowering.make.name(parameter, 'this'), name)
      declared.push({ op: 'assign', target, value: null, operator: '=', declares: true, type, start, end })
      assigned.push({ op: 'assign', target: field, value, operator: '=', declares: false, start, end })
    }
    return [...declared, { ...member, body: { ...member.body, body: [...assigned, ...member.body.body] } }]
  })
  return lowering.make.block(node, members)
}

const param: Shape = { is: 'param', name: 'name', type: 'type', value: 'default_value', decorators: attributes }
/** Between double quotes and in heredocs. */
const encapsed: Custom = (lowering, node) =>
  quoted(lowering, node, (child, type) => {
    if (type === 'string_content' || type === 'string_value') return lowering.text(child)
    if (type === 'escape_sequence') return decodeKnown(lowering.text(child))
    return type === 'heredoc_start' || type === 'heredoc_end' ? '' : null
  })

const shellCommand: Custom = (lowering, node) => {
  const parts = lowering.children(node).map((child): Ir => {
    return lowering.typeOf(child) === 'string_content'
      ? lowering.make.literal(child, lowering.text(child))
      : lowering.lower(child)
  })
  const command: Ir = { op: 'concat', parts, start: lowering.startOf(node), end: lowering.endOf(node) }
  return lowering.make.call(node, lowering.make.name(node, 'shell_exec'), [command])
}

export const php: LanguageTable = {
  readable: withTagsOfPhp,
  self: ['$this', 'self', 'static'],
  constructors: ['__construct'],
  ignoreCase: true,
  strings: {
    content: ['string_content', 'string_value', 'nowdoc_string'],
    escape: ['escape_sequence'],
    ignore: ['heredoc_start', 'heredoc_end'],
  },
  nodes: {
    namespace_use_declaration: useDeclaration,
    namespace_definition: { is: 'through', of: 'body' },
    program: 'block',
    compound_statement: 'block',
    declaration_list: classBody,
    colon_block: 'block',
    text: 'skip',
    php_tag: 'skip',
    php_end_tag: 'skip',
    text_interpolation: 'skip',
    visibility_modifier: 'skip',
    static_modifier: 'skip',
    name: 'name',
    variable_name: 'name',
    qualified_name: (lowering, node) => lowering.make.name(node, lowering.text(node).split('\\').at(-1) ?? ''),
    named_type: 'through',
    relative_scope: 'name',
    dynamic_variable_name: 'name',
    null: 'null',
    boolean: (lowering, node) => lowering.make.literal(node, lowering.text(node).toLowerCase() === 'true'),
    integer: 'number',
    float: 'number',
    string: (lowering, node) =>
      lowering.make.literal(
        node,
        decodeSingle(
          lowering
            .text(node)
            .replace(/^[bB]?'/, '')
            .replace(/'$/, ''),
        ),
      ),
    encapsed_string: encapsed,
    heredoc: (lowering, node) => {
      const body = lowering.first(node, 'value')
      return body === undefined ? lowering.make.literal(node, '') : lowering.lower(body)
    },
    heredoc_body: encapsed,
    nowdoc: (lowering, node) => lowering.make.literal(node, lowering.text(lowering.first(node, 'value') ?? node)),
    shell_command_expression: shellCommand,
    arguments: 'args',
    formal_parameters: 'args',
    argument: { is: 'argument', name: 'name', value: '#-1' },
    variadic_unpacking: { is: 'spread', value: '#0' },
    simple_parameter: param,
    property_promotion_parameter: param,
    variadic_parameter: { is: 'param', name: 'name', type: 'type', rest: true },
    attribute: { is: 'call', callee: '#0', args: 'parameters' },
    function_call_expression: { is: 'call', callee: 'function', args: 'arguments' },
    member_call_expression: { is: 'call', object: 'object', method: 'name', args: 'arguments' },
    nullsafe_member_call_expression: { is: 'call', object: 'object', method: 'name', args: 'arguments' },
    scoped_call_expression: { is: 'call', object: 'scope', method: 'name', args: 'arguments' },
    object_creation_expression: { is: 'call', callee: '#0', args: '%arguments', isNew: true },
    member_access_expression: { is: 'member', object: 'object', property: 'name' },
    nullsafe_member_access_expression: { is: 'member', object: 'object', property: 'name' },
    scoped_property_access_expression: { is: 'member', object: 'scope', property: 'name' },
    class_constant_access_expression: { is: 'member', object: '#0', property: '#1' },
    subscript_expression: (lowering, node) => {
      const [object, index] = lowering.children(node)
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      if (object === undefined) return lowering.make.opaque(node, [])
      const at = index === undefined ? lowering.make.opaque(node, []) : lowering.lower(index)
      return { op: 'index', object: lowering.lower(object), index: at, ...span }
    },
    binary_expression: binary,
    unary_op_expression: { is: 'unary', operand: 'argument,#0' },
    update_expression: { is: 'unary', operand: 'argument' },
    error_suppression_expression: 'through',
    cast_expression: { is: 'cast', value: 'value', type: 'type' },
    conditional_expression: { is: 'if', test: 'condition', then: 'body,condition', otherwise: 'alternative' },
    if_statement: { is: 'if', test: 'condition', then: 'body', otherwise: 'alternative*' },
    else_if_clause: { is: 'if', test: 'condition', then: 'body' },
    else_clause: { is: 'through', of: 'body' },
    switch_statement: { is: 'switch', subject: 'condition', cases: 'body/*', fallsThrough: true },
    case_statement: { is: 'case', tests: 'value', body: '#1*' },
    default_statement: { is: 'case', body: '#0*' },
    match_expression: { is: 'switch', subject: 'condition', cases: 'body/*' },
    match_conditional_expression: { is: 'case', tests: 'conditional_expressions/*', body: 'return_expression' },
    match_default_expression: { is: 'case', body: 'return_expression' },
    foreach_statement: foreach,
    for_statement: { is: 'loop', init: 'initialize', test: 'condition', update: 'update', body: 'body' },
    while_statement: { is: 'loop', test: 'condition', body: 'body' },
    do_statement: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
    try_statement: { is: 'try', body: 'body', catches: '%catch_clause*', finalizer: '%finally_clause' },
    catch_clause: { is: 'catch', parameter: 'name', types: 'type/*', body: 'body' },
    finally_clause: { is: 'through', of: 'body' },
    return_statement: { is: 'jump', kind: 'return' },
    throw_expression: { is: 'jump', kind: 'throw' },
    yield_expression: { is: 'jump', kind: 'yield' },
    break_statement: 'break',
    continue_statement: 'continue',
    exit_statement: (lowering, node) => {
      const args = lowering.children(node).map((child) => lowering.lower(child))
      const leave: Ir = { op: 'jump', kind: 'throw', value: null, start: lowering.startOf(node), end: lowering.endOf(node) }
      return lowering.make.block(node, [lowering.make.call(node, lowering.make.name(node, 'exit'), args), leave])
    },
    expression_statement: expressionStatement,
    echo_statement: echo,
    print_intrinsic: call('print'),
    include_expression: call('include'),
    include_once_expression: call('include'),
    require_expression: call('require'),
    require_once_expression: call('require'),
    unset_statement: call('unset'),
    sequence_expression: 'block',
    assignment_expression: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    reference_assignment_expression: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    augmented_assignment_expression: augmented,
    list_literal: { is: 'list', items: '*' },
    array_creation_expression: array,
    array_element_initializer: arrayElement,
    property_declaration: {
      is: 'declarations',
      items: '%property_element*',
      type: 'type',
      target: 'name',
      value: 'default_value',
      modifiers,
    },
    const_declaration: { is: 'declarations', items: '%const_element*', target: '#0', value: '#1' },
    global_declaration: 'skip',
    static_variable_declaration: { is: 'assign', target: 'name', value: 'value', operator: '=', declares: true },
    function_definition: functionShape,
    method_declaration: functionShape,
    anonymous_function: { ...functionShape, declares: false },
    anonymous_function_creation_expression: { ...functionShape, declares: false },
    arrow_function: { ...functionShape, declares: false },
    class_declaration: classShape,
    interface_declaration: classShape,
    trait_declaration: classShape,
    enum_declaration: classShape,
    clone_expression: 'through',
  },
}
