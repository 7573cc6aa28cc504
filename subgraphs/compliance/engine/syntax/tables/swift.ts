/** Swift. */
import type { Assign, Ir } from '../ir.js'
import { getterOf, type Custom, type LanguageTable, type Lowering, type Shape } from '../lowering/shapes.js'
import { enclosed, lastOperand, withLastOperand } from './swift-operands.js'
import { interpolatedText } from './swift-texts.js'
import { coalescing, comparison, equality } from './swift-comparisons.js'
import { guardStatement, ifStatement, whileStatement } from './swift-conditions.js'

/** `f(x) { y }` and `d["x"]` are one node type in the grammar. */
const callExpression: Custom = (lowering, node) => {
  const calleeNode = lowering.first(node, '#0')
  const suffix = lowering.first(node, '%call_suffix')
  if (calleeNode === undefined || suffix === undefined) return lowering.make.opaque(node, [])
  if (lowering.typeOf(calleeNode) === 'bang') return negation(lowering, node, suffix)
  const lowered = lowering.lower(calleeNode)
  // The grammar reads `!a.b()` as `(!a).b()` and `x + a.b()` as `(x + a).b()`.
  const callee = arrayType(lowering, calleeNode, lastOperand(lowered))
  const values = lowering.first(suffix, '%value_arguments')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const args = values === undefined ? [] : lowering.all(values, '%value_argument*').map((at) => argument(lowering, at))
  if (values !== undefined && lowering.source[lowering.startOf(values)] === '[') {
    const index = args[0]?.value ?? lowering.make.opaque(node, [])
    return withLastOperand(lowered, { op: 'index', object: callee, index, ...span, start: callee.start })
  }
  for (const lambda of lowering.all(suffix, '%lambda_literal*')) args.push({ value: lowering.lower(lambda) })
  const [first] = args
  if (first !== undefined && isSameText(callee, args))
    return withLastOperand(lowered, callee.op === 'member' ? callee.object : first.value)
  const isType = callee.op === 'name' && /^[A-Z]/.test(callee.name)
  const at = callee.op === 'member' ? Math.max(callee.start, callee.end - callee.property.length) : callee.start
  return withLastOperand(lowered, { op: 'call', callee, args, isNew: isType, at, ...span, start: callee.start })
}

/** `Task<Void, Never> { ... }`, `SQLRequest<Row>(sql: text)`: the grammar has a node of its own where a type has parameters. */
const construction: Custom = (lowering, node) => {
  const type = lowering.first(node, 'constructed_type')
  const suffix = lowering.first(node, '%constructor_suffix')
  if (type === undefined || suffix === undefined) return lowering.make.opaque(node, [])
  const name = lowering.typeOf(type) === 'user_type' ? lowering.typeName(type) : lowering.text(type)
  const callee = lowering.make.name(type, name ?? '')
  const values = lowering.all(suffix, '%value_arguments/%value_argument*').map((at) => argument(lowering, at))
  const lambdas = lowering.all(suffix, '%lambda_literal*').map((at) => ({ value: lowering.lower(at) }))
  const span = { start: callee.start, end: lowering.endOf(node) }
  return { op: 'call', callee, args: [...values, ...lambdas], isNew: true, at: callee.start, ...span }
}

/** `!(a || b)`, which the grammar takes for a call of `!`. */
function negation(lowering: Parameters<Custom>[0], node: number, suffix: number): Ir {
  const parts = lowering.all(suffix, '%value_arguments/%value_argument*').map((at) => argument(lowering, at).value)
  const [operand] = parts
  if (operand === undefined || parts.length > 1) return lowering.make.opaque(node, parts)
  enclosed.add(operand)
  return { op: 'unary', operator: '!', operand, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `[UInt8](repeating: 0, count: 16)` constructs an array. */
function arrayType(lowering: Parameters<Custom>[0], node: Parameters<Custom>[1], callee: Ir): Ir {
  if (callee.op !== 'collection' || callee.kind !== 'list' || callee.entries.length !== 1) return callee
  const element = callee.entries[0]?.value
  return element?.op === 'name' && /^[A-Z]/.test(element.name) ? lowering.make.name(node, 'Array') : callee
}

/** `text.data(using: .utf8)` and `Data(text.utf8)` are the text itself, in another form. */
const isSameText = (callee: Ir, args: readonly { name?: string }[]): boolean =>
  (callee.op === 'member' && callee.property === 'data' && args[0]?.name === 'using') ||
  (callee.op === 'name' &&
    /^(?:Data|Array|Substring|NSString)$/.test(callee.name) &&
    args.length === 1 &&
    args[0]?.name === undefined)

function argument(lowering: Lowering, node: number): { value: Ir; name?: string } {
  const label = lowering.first(node, 'name')
  const valueNode = lowering.first(node, 'value,#-1')
  const value = valueNode === undefined ? lowering.make.opaque(node, []) : lowering.lower(valueNode)
  return label === undefined ? { value } : { value, name: lowering.text(label) }
}

/** `defer { ... }` runs on every way out of what follows it. */
const statements: Custom = (lowering, node) => {
  let body: Ir[] = []
  const written = lowering.children(node).map((child) => lowering.lower(child))
  for (const statement of written.toReversed()) {
    const finalizer = deferredBody(statement)
    const span = { start: statement.start, end: lowering.endOf(node) }
    if (finalizer === null) body.unshift(asserted(statement))
    else body = [{ op: 'try', resources: [], body: { op: 'block', body, ...span }, catches: [], finalizer, ...span }]
  }
  return lowering.make.block(node, body)
}

function deferredBody(statement: Ir): Ir | null {
  if (statement.op !== 'call' || statement.callee.op !== 'name' || statement.callee.name !== 'defer') return null
  const lambda = statement.args[0]?.value
  return lambda?.op === 'function' ? lambda.body : null
}

/** After `precondition(a < b)` the condition holds; else the program ends there and then. */
function asserted(statement: Ir): Ir {
  if (statement.op !== 'call' || statement.callee.op !== 'name') return statement
  const test = statement.args[0]?.value
  if (!/^(?:precondition|assert)$/.test(statement.callee.name) || test === undefined) return statement
  const span = { start: statement.start, end: statement.end }
  return {
    op: 'if',
    test,
    then: { op: 'block', body: [], ...span },
    otherwise: { op: 'block', body: [{ ...statement, callee: { ...statement.callee, name: 'fatalError' }, args: [] }], ...span },
    ...span,
  }
}

const transfer: Custom = (lowering, node) => {
  const text = lowering.text(node)
  const thrown = text.startsWith('throw') ? lowering.children(node).at(-1) : undefined
  const result = lowering.first(node, 'result') ?? thrown
  const value = result === undefined ? null : lowering.lower(result)
  const kind = text.startsWith('return')
    ? 'return'
    : text.startsWith('throw')
      ? 'throw'
      : text.startsWith('break')
        ? 'break'
        : 'continue'
  return { op: 'jump', kind, value, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `let a: T = x, b = y` lists names and values in one node. */
const property: Custom = (lowering, node) => {
  const type = lowering.typeName(lowering.first(node, '%type_annotation/name'))
  const decorators = lowering.all(node, '%modifiers/%attribute*').map((at) => lowering.lower(at))
  const assignments: Ir[] = []
  let target: number | undefined
  for (const child of lowering.children(node)) {
    const isName = lowering.all(node, 'name*').includes(child)
    const isValue = lowering.all(node, 'value*,computed_value*').includes(child)
    if (isName) target = child
    if (!isName && !isValue) continue
    const span = { start: lowering.startOf(node), end: lowering.endOf(child) }
    if (target === undefined) continue
    const value = isValue ? lowering.lower(child) : null
    if (isValue) assignments.pop()
    const common = { operator: '=', declares: true, type, decorators } as const
    const assigned: Assign = { op: 'assign', target: lowering.lower(target), value, ...common, ...span }
    const isMade = value?.op === 'block' && lowering.all(node, 'computed_value*').includes(child)
    assignments.push(isMade && !isConstant(value) ? getterOf(assigned, value) : assigned)
  }
  const [only] = assignments
  return assignments.length === 1 && only !== undefined ? only : lowering.make.block(node, assignments)
}

/** `{ "text" }` is no more than the text. */
const isConstant = (ir: Ir): boolean =>
  ir.op === 'literal' || (ir.op === 'block' && ir.body.length === 1 && ir.body.every(isConstant))

const dictionary: Custom = (lowering, node) => {
  const keys = lowering.all(node, 'key*')
  const values = lowering.all(node, 'value*')
  const entries = values.map((value, at) => {
    const key = keys[at]
    return { key: key === undefined ? null : lowering.lower(key), value: lowering.lower(value), spread: false }
  })
  return { op: 'collection', kind: 'map', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const binary: Shape = { is: 'binary', left: 'lhs,#0', right: 'rhs,#1' }

const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: '%parameter*',
  body: 'body',
  decorators: '%modifiers/%attribute*',
  modifiers: '%modifiers/%visibility_modifier*',
}
const unary: Custom = (lowering, node) => {
  const operand = lowering.first(node, 'target,#-1')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (operand === undefined) return lowering.make.opaque(node, [])
  const operator = lowering.source.slice(span.start, lowering.startOf(operand)).trim()
  return { op: 'unary', operator, operand: lowering.lower(operand), ...span }
}

export const swift: LanguageTable = {
  typeAliases: /^[ \t]*(?:\w+ )?typealias (\w+) = ([\w.]+)$/gm,
  self: ['self', 'Self'],
  constructors: ['init'],
  implicitThis: true,
  lastIsResult: true,
  casesBind: true,
  strings: {
    content: ['line_str_text', 'multi_line_str_text', 'raw_str_part', 'raw_str_end_part'],
    escape: ['str_escaped_char'],
  },
  nodes: {
    import_declaration: (lowering, node) => ({
      op: 'import',
      module: lowering.text(lowering.first(node, '#-1') ?? node),
      bindings: [],
      start: lowering.startOf(node),
      end: lowering.endOf(node),
    }),
    source_file: 'block',
    statements,
    function_body: 'block',
    class_body: 'block',
    enum_class_body: 'block',
    protocol_declaration: 'skip',
    computed_property: 'block',
    modifiers: 'skip',
    attribute: { is: 'call', callee: '#0', args: '#1*' },
    throws: 'skip',
    simple_identifier: 'name',
    type_identifier: 'name',
    user_type: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    pattern: (lowering, node) => {
      const bound = lowering.first(node, 'bound_identifier')
      const children = lowering.children(node).filter((child) => lowering.typeOf(child) !== 'value_binding_pattern')
      if (bound !== undefined && children.length <= 1) return lowering.lower(bound)
      const [only] = children
      // `.read` and `Mode.read` name a case, they bind nothing.
      const dot = lowering.text(node).search(/\.\w+$/)
      if (
        only !== undefined &&
        dot >= 0 &&
        children.every((child) => /^(?:simple_identifier|user_type)$/.test(lowering.typeOf(child)))
      )
        return lowering.make.member(node, lowering.make.name(node, ''), lowering.text(node).slice(dot + 1))
      if (children.length === 1 && only !== undefined) return lowering.lower(only)
      const entries = children
        .filter((child) => lowering.typeOf(child) !== 'simple_identifier' && lowering.typeOf(child) !== 'user_type')
        .map((child) => ({ key: null, value: lowering.lower(child), spread: false }))
      return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    value_binding_pattern: 'skip',
    type_annotation: 'skip',
    self_expression: 'self',
    super_expression: 'name',
    nil: 'null',
    boolean_literal: (lowering, node) => lowering.make.literal(node, lowering.text(node) === 'true'),
    integer_literal: 'number',
    hex_literal: 'number',
    oct_literal: 'number',
    bin_literal: 'number',
    real_literal: 'number',
    line_string_literal: interpolatedText,
    multi_line_string_literal: interpolatedText,
    raw_string_literal: (lowering, node) =>
      lowering.make.literal(
        node,
        lowering
          .text(node)
          .replace(/^#+"{1,3}/, '')
          .replace(/"{1,3}#+$/, ''),
      ),
    interpolated_expression: (lowering, node) => {
      const value = lowering.first(node, 'value,#0')
      const label = lowering.first(node, 'name')
      if (value === undefined) return lowering.make.opaque(node, [])
      if (label === undefined) return lowering.lower(value)
      return lowering.make.call(node, lowering.make.name(node, `interpolated_${lowering.text(label)}`), [lowering.lower(value)])
    },
    regex_literal: 'regex',
    call_expression: callExpression,
    constructor_expression: construction,
    navigation_expression: (lowering, node) => {
      const target = lowering.first(node, 'target')
      const suffix = lowering.first(node, 'suffix/suffix')
      if (target === undefined || suffix === undefined) return lowering.make.opaque(node, [])
      const property = lowering.text(suffix)
      const object = lowering.lower(target)
      if (property === 'utf8' || property === 'self') return object
      const owner = lastOperand(object)
      return withLastOperand(object, { ...lowering.make.member(node, owner, property), start: owner.start })
    },
    value_argument: { is: 'argument', name: 'name', value: 'value' },
    additive_expression: binary,
    multiplicative_expression: binary,
    comparison_expression: comparison,
    equality_expression: equality,
    conjunction_expression: binary,
    disjunction_expression: binary,
    infix_expression: equality,
    bitwise_operation: binary,
    nil_coalescing_expression: coalescing,
    range_expression: { is: 'binary', left: 'start', right: 'end' },
    prefix_expression: unary,
    postfix_expression: { is: 'through', of: 'target' },
    try_expression: { is: 'through', of: 'expr' },
    await_expression: { is: 'through', of: 'expr,#-1' },
    as_expression: { is: 'cast', value: 'expr', type: 'name' },
    check_expression: (lowering, node) => {
      const target = lowering.first(node, 'target')
      const type = lowering.make.name(node, lowering.typeName(lowering.first(node, 'name')) ?? '')
      const left = target === undefined ? lowering.make.opaque(node, []) : lowering.lower(target)
      return { op: 'binary', operator: 'is', left, right: type, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    ternary_expression: { is: 'if', test: 'condition', then: 'if_true', otherwise: 'if_false' },
    if_statement: ifStatement,
    guard_statement: guardStatement,
    switch_statement: { is: 'switch', subject: 'expr', cases: '%switch_entry*' },
    switch_entry: { is: 'case', tests: '%switch_pattern/#0*', body: '%statements' },
    for_statement: { is: 'loop', target: 'item', iterable: 'collection', body: '%statements' },
    while_statement: whileStatement,
    repeat_while_statement: { is: 'loop', test: 'condition', body: '%statements', bodyFirst: true },
    do_statement: { is: 'try', body: '%statements', catches: '%catch_block*' },
    catch_block: { is: 'catch', parameter: 'error//bound_identifier', body: '%statements' },
    catch_keyword: 'skip',
    control_transfer_statement: transfer,
    assignment: { is: 'assign', target: 'target', value: 'result' },
    directly_assignable_expression: 'through',
    property_declaration: property,
    array_literal: { is: 'list', items: '*' },
    dictionary_literal: dictionary,
    tuple_expression: (lowering, node) => {
      const values = lowering.all(node, 'value*').map((value) => lowering.lower(value))
      const [only] = values
      if (values.length === 1 && only !== undefined) {
        enclosed.add(only)
        return only
      }
      const entries = values.map((value) => ({ key: null, value, spread: false }))
      return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    function_declaration: functionShape,
    init_declaration: { ...functionShape, name: '.', isConstructor: true },
    // It runs last: what it frees is not freed for the methods.
    deinit_declaration: { ...functionShape, name: '.' },
    parameter: {
      is: 'param',
      label: 'external_name,name',
      name: 'name',
      type: '%user_type|optional_type|array_type|dictionary_type|tuple_type',
    },
    lambda_literal: {
      is: 'function',
      params: 'type/%lambda_function_type_parameters/*',
      body: '%statements',
      declares: false,
    },
    lambda_parameter: { is: 'param', name: 'name', type: '%user_type|optional_type|array_type' },
    class_declaration: {
      is: 'class',
      name: 'name',
      bases: '%inheritance_specifier*/inherits_from',
      body: 'body',
      decorators: '%modifiers/%attribute*',
    },
    else: 'skip',
    try_operator: 'skip',
    where_clause: 'skip',
  },
}
