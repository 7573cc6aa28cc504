/** Kotlin. */
import { extensionModifier, type Assign, type Ir, type Parameter } from '../ir.js'
import { getterOf, type Custom, type LanguageTable, type Lowering, type Shape } from '../lowering/shapes.js'
import { memberOrClass } from './packages.js'
import { readableKotlin } from './soft-words.js'

const importHeader: Custom = (lowering, node) => {
  const path = lowering.text(lowering.first(node, '%identifier') ?? node)
  const last = path.split('.').at(-1) ?? path
  const alias = lowering.first(node, '%import_alias/#0')
  const isWildcard = lowering.first(node, '%wildcard_import') !== undefined
  const bindings = isWildcard ? [] : [{ local: alias === undefined ? last : lowering.text(alias), path: last }]
  return { op: 'import', module: path, bindings, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** The objects that calls without a receiver go to, innermost last: in `x.apply { ... }` that is `x`. */
const receivers = new WeakMap<Lowering, Ir[]>()
const topLevel =
  /^(?:(?:mutable|array|linked|hash|sorted)?(?:list|set|map)of|\w*arrayof|empty\w+|print(?:ln)?|read(?:ln|line)\w*|require\w*|check\w*|error|todo|with|run|runcatching|build[a-z]+|lazy|repeat|maxof|minof|synchronized|runblocking|launch|async|withcontext|sequence|flow|assert\w*)$/i

/** The implicit receiver of a name, unless the file has something of its own by that name. */
function implicitReceiver(lowering: Lowering, name: string): Ir | undefined {
  const receiver = receivers.get(lowering)?.at(-1)
  if (receiver === undefined || !/^[a-z]/.test(name) || topLevel.test(name)) return undefined
  return new RegExp(`\\b(?:fun|va[lr])\\s+${name}\\b`).test(lowering.source) ? undefined : receiver
}

function withReceiver(lowering: Lowering, receiver: Ir, lambdaNode: number): Ir {
  const stack = receivers.get(lowering) ?? []
  receivers.set(lowering, stack)
  stack.push(receiver)
  const body = lowering.first(lambdaNode, '%statements')
  const lowered = body === undefined ? lowering.make.block(lambdaNode, []) : lowering.lower(body)
  stack.pop()
  return lowered
}

const builders: Record<string, string> = {
  buildString: 'StringBuilder',
  buildList: 'ArrayList',
  buildSet: 'HashSet',
  buildMap: 'HashMap',
}

/** `x.apply { ... }`, `x.run { ... }`, `with(x) { ... }` and `buildString { ... }` are blocks about an object that goes without saying. */
function scopeFunction(lowering: Lowering, node: number, calleeNode: number, suffix: number): Ir | undefined {
  const lambdaNode = lowering.first(suffix, '%annotated_lambda/%lambda_literal')
  if (lambdaNode === undefined) return undefined
  const isMember = lowering.typeOf(calleeNode) === 'navigation_expression'
  const isCall = lowering.typeOf(calleeNode) === 'call_expression'
  const word = lowering.text(lowering.first(calleeNode, isMember ? '%navigation_suffix/#0' : isCall ? '#0' : '.') ?? calleeNode)
  const builder = isMember ? undefined : builders[word]
  const isApply = isMember && word === 'apply'
  const subject = lowering.first(calleeNode, isMember ? '#0' : '%call_suffix/%value_arguments/%value_argument/#-1')
  if (builder === undefined && !isApply && !(isMember && word === 'run') && !(!isMember && word === 'with')) return undefined
  if (builder === undefined && subject === undefined) return undefined
  const value =
    subject === undefined || builder !== undefined
      ? { ...lowering.make.call(node, lowering.make.name(node, builder ?? ''), []), isNew: true }
      : lowering.lower(subject)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const isPlace = value.op === 'name' || (value.op === 'member' && value.object.op === 'name')
  const receiver = isPlace ? value : lowering.make.name(node, `%with${span.start}`)
  const first: Ir[] = isPlace ? [] : [{ op: 'assign', target: receiver, value, operator: '=', declares: true, ...span }]
  const body = withReceiver(lowering, receiver, lambdaNode)
  return lowering.make.block(node, [...first, body, ...(isApply || builder !== undefined ? [receiver] : [])])
}

const callExpression: Custom = (lowering, node) => {
  const calleeNode = lowering.first(node, '#0')
  const suffix = lowering.first(node, '%call_suffix')
  if (calleeNode === undefined || suffix === undefined) return lowering.make.opaque(node, [])
  const scoped = scopeFunction(lowering, node, calleeNode, suffix)
  if (scoped !== undefined) return scoped
  let callee = lowering.lower(calleeNode)
  const implied = callee.op === 'name' ? implicitReceiver(lowering, callee.name) : undefined
  if (implied !== undefined && callee.op === 'name') callee = lowering.make.member(calleeNode, implied, callee.name)
  const values = lowering.first(suffix, '%value_arguments')
  const args: { value: Ir; name?: string }[] =
    values === undefined ? [] : lowering.all(values, '%value_argument*').flatMap((at) => argument(lowering, at))
  for (const lambda of lowering.all(suffix, '%annotated_lambda*')) args.push({ value: lowering.lower(lambda) })
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (callee.op === 'call' && values === undefined && lowering.typeOf(calleeNode) === 'call_expression') {
    args.unshift(...callee.args)
    callee = callee.callee
  }
  const isNew = callee.op === 'name' && /^[A-Z]/.test(callee.name)
  const at = callee.op === 'member' ? Math.max(callee.start, callee.end - callee.property.length) : callee.start
  const call: Ir = { op: 'call', callee, args, isNew, at, ...span }
  return isThrowing(lowering, callee) ? { op: 'jump', kind: 'throw', value: call, ...span } : call
}

/** `error("no")` and `TODO()` of the language throw; a logger's own is called on something. */
const isThrowing = (lowering: Lowering, callee: Ir): boolean =>
  callee.op === 'name' && /^(?:error|TODO)$/.test(callee.name) && !hasOwnError(lowering)

const ownErrors = new WeakMap<Lowering, boolean>()

function hasOwnError(lowering: Lowering): boolean {
  const known = ownErrors.get(lowering)
  if (known !== undefined) return known
  const found = /\bfun\s+(?:[\w.]{1,60}\.)?error\b/.test(lowering.source)
  ownErrors.set(lowering, found)
  return found
}

function argument(lowering: Lowering, node: number): { value: Ir; name?: string }[] {
  const children = lowering.children(node)
  const last = children.at(-1)
  if (last === undefined) return []
  const first = children[0]
  const value = lowering.lower(last)
  const isNamed = children.length > 1 && first !== undefined && lowering.typeOf(first) === 'simple_identifier'
  return isNamed ? [{ value, name: lowering.text(first) }] : [{ value }]
}

const returnBefore = /(?:^|[^\w.`])return(?:@\w+)?[ \t]+$/

/**
 * The grammar sometimes ends a `return` before its operand and makes a statement of the operand: in source order it is the node
 * after the jump, and it starts on the same line.
 */
function cutOperand(lowering: Lowering, node: number): number | undefined {
  const end = lowering.endOf(node)
  let at = node + 1
  while (at <= node + 3 && lowering.startOf(at) < end) at++
  const start = lowering.startOf(at)
  const isOperand = lowering.text(node).startsWith('return') && /^[ \t]+$/.test(lowering.source.slice(end, Math.max(end, start)))
  return isOperand ? at : undefined
}

/** Without the operands that a `return` before them takes. */
const statementsOf = (lowering: Lowering, node: number): number[] =>
  lowering.children(node).filter((child) => {
    const start = lowering.startOf(child)
    return !returnBefore.test(lowering.source.slice(Math.max(0, start - 60), start))
  })

const jump: Custom = (lowering, node) => {
  const text = lowering.text(node)
  const operand = lowering.first(node, '!label') ?? cutOperand(lowering, node)
  const value = operand === undefined ? null : lowering.lower(operand)
  const kind = text.startsWith('return')
    ? 'return'
    : text.startsWith('throw')
      ? 'throw'
      : text.startsWith('break')
        ? 'break'
        : 'continue'
  return { op: 'jump', kind, value, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** An assignable chain is a flat list: name, `.b`, `[0]`. */
const assignable: Custom = (lowering, node) => {
  const [head, ...suffixes] = lowering.children(node)
  if (head === undefined) return lowering.make.opaque(node, [])
  let result = lowering.lower(head)
  const implied = result.op === 'name' && suffixes.length === 0 ? implicitReceiver(lowering, result.name) : undefined
  if (implied !== undefined && result.op === 'name') result = lowering.make.member(head, implied, result.name)
  for (const suffix of suffixes) {
    const inner = lowering.first(suffix, '#0')
    const span = { start: result.start, end: lowering.endOf(suffix) }
    if (inner === undefined) continue
    if (lowering.typeOf(suffix) === 'indexing_suffix')
      result = { op: 'index', object: result, index: lowering.lower(inner), ...span }
    else result = { op: 'member', object: result, property: lowering.text(inner), ...span }
  }
  return result
}

const infix: Custom = (lowering, node) => {
  const [left, word, right] = lowering.children(node)
  if (left === undefined || word === undefined || right === undefined) return lowering.make.opaque(node, [])
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const from = lowering.lower(left)
  const to = lowering.lower(right)
  if (lowering.text(word) === 'to') {
    return { op: 'collection', kind: 'map', entries: [{ key: from, value: to, spread: false }], ...span }
  }
  return lowering.make.call(node, lowering.make.member(node, from, lowering.text(word)), [to])
}

/** `in`, `!in`, `is` and `!is`, by the names that they have in other languages. */
const check: Custom = (lowering, node) => {
  const [left, right] = lowering.children(node)
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const word = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const operator = word.endsWith('in') ? 'in' : 'instanceof'
  const test: Ir = { op: 'binary', operator, left: lowering.lower(left), right: lowering.lower(right), ...span }
  return word.startsWith('!') ? { op: 'unary', operator: '!', operand: test, ...span } : test
}

/** The last expression of a lambda is its result. */
const lambda: Custom = (lowering, node) => {
  const body = lowering.first(node, '%statements')
  return {
    op: 'function',
    name: '',
    declares: false,
    parameters: lowering.parameters(lowering.all(node, '%lambda_parameters/*')),
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    decorators: [],
    modifiers: [],
    isExpressionBody: true,
    isConstructor: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

const whenEntry: Shape = { is: 'case', tests: '%when_condition/#0*', body: '%control_structure_body' }
const binary: Shape = { is: 'binary', left: '#0', right: '#1' }
const annotations = '%modifiers/%annotation*'
/** Annotations of parameters stand before them in the list, and defaults behind them, not inside of them. */
function parametersOf(lowering: Lowering, node: number): Parameter[] {
  const parameters: Parameter[] = []
  let decorators: readonly Ir[] = []
  let rest = false
  for (const child of lowering.all(node, '%function_value_parameters/*')) {
    const type = lowering.typeOf(child)
    const last = parameters.at(-1)
    if (type === 'parameter_modifiers') {
      decorators = lowering.all(child, '%annotation*').map((at) => lowering.lower(at))
      rest = lowering.all(child, '%parameter_modifier*').some((at) => lowering.text(at) === 'vararg')
    } else if (type === 'parameter') {
      const own = { decorators, rest }
      decorators = []
      rest = false
      parameters.push(...lowering.parameters([child]).map((parameter) => ({ ...parameter, ...own })))
    } else if (last !== undefined) parameters[parameters.length - 1] = { ...last, fallback: lowering.lower(child) }
  }
  return parameters
}

/** `fun Receiver.name()`: a type stands before the name. */
const isExtension = (lowering: Lowering, node: number, name: number | undefined): boolean =>
  name !== undefined &&
  lowering.all(node, '%user_type|nullable_type*').some((type) => lowering.startOf(type) < lowering.startOf(name))

const functionOf =
  (options: { declares: boolean; constructs: boolean }): Custom =>
  (lowering, node) => {
    const bodyNode = lowering.first(node, options.constructs ? '%statements' : '%function_body')
    const nameNode = options.constructs ? undefined : lowering.first(node, '%simple_identifier')
    return {
      op: 'function',
      name: nameNode === undefined ? '' : lowering.text(nameNode).replaceAll('`', ''),
      declares: options.declares && nameNode !== undefined,
      parameters: parametersOf(lowering, node),
      body: bodyNode === undefined ? lowering.make.block(node, []) : lowering.lower(bodyNode),
      decorators: lowering.all(node, annotations).map((at) => lowering.lower(at)),
      modifiers: [
        ...lowering.all(node, '%modifiers/%visibility_modifier*').map((at) => lowering.text(at)),
        ...(isExtension(lowering, node, nameNode) ? [extensionModifier] : []),
      ],
      isExpressionBody: bodyNode !== undefined && lowering.text(bodyNode).startsWith('='),
      isConstructor: options.constructs,
      start: lowering.startOf(node),
      end: lowering.endOf(node),
    }
  }

const property: Custom = (lowering, node) => {
  const target = lowering.first(node, '%variable_declaration|multi_variable_declaration')
  const valueNode = lowering.all(
    node,
    '!modifiers|binding_pattern_kind|variable_declaration|multi_variable_declaration|type_parameters|getter|setter|type_constraints|user_type',
  )[0]
  if (target === undefined) return lowering.make.opaque(node, [])
  const made = lowering.first(node, '%getter/%function_body')
  const assigned: Assign = {
    op: 'assign',
    target: lowering.lower(target),
    value: valueNode === undefined ? null : lowering.lower(valueNode),
    operator: '=',
    declares: true,
    type: lowering.typeName(lowering.first(target, '%user_type|nullable_type')),
    decorators: lowering.all(node, annotations).map((at) => lowering.lower(at)),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
  return made === undefined || valueNode !== undefined ? assigned : getterOf(assigned, lowering.lower(made))
}
const classShape: Shape = {
  is: 'class',
  name: '%type_identifier|simple_identifier',
  bases: '%delegation_specifier*/#0',
  body: '%class_body|enum_class_body',
  params: '%primary_constructor/%class_parameter*',
  decorators: annotations,
}

export const kotlin: LanguageTable = {
  readable: readableKotlin,
  typeAliases: /^(?:\w+ )?typealias (\w+) = ([\w.]+)$/gm,
  self: ['this'],
  constructors: [],
  implicitThis: true,
  strings: { content: ['string_content'], escape: ['character_escape_seq'] },
  nodes: {
    import_header: importHeader,
    package_header: 'skip',
    source_file: 'block',
    statements: (lowering, node) =>
      lowering.make.block(
        node,
        statementsOf(lowering, node).map((child) => lowering.lower(child)),
      ),
    class_body: 'block',
    function_body: 'through',
    control_structure_body: (lowering, node) => lowering.lowerAll(statementsOf(lowering, node), node),
    modifiers: 'skip',
    parameter_modifiers: 'skip',
    binding_pattern_kind: 'skip',
    type_parameters: 'skip',
    type_arguments: 'skip',
    simple_identifier: 'name',
    type_identifier: 'name',
    interpolated_identifier: 'name',
    interpolated_expression: 'through',
    identifier: 'name',
    this_expression: 'self',
    super_expression: 'name',
    user_type: (lowering, node) => lowering.make.name(node, lowering.typeName(node) ?? ''),
    null: 'null',
    null_literal: 'null',
    boolean_literal: (lowering, node) => lowering.make.literal(node, lowering.text(node) === 'true'),
    integer_literal: 'number',
    long_literal: 'number',
    hex_literal: 'number',
    real_literal: 'number',
    character_literal: 'char',
    string_literal: 'string',
    annotation: (lowering, node) => lowering.lower(lowering.first(node, '!use_site_target') ?? node + 1),
    constructor_invocation: { is: 'call', callee: '#0', args: '%value_arguments/*', isNew: true },
    value_argument: (lowering, node) => argument(lowering, node)[0]?.value ?? lowering.make.opaque(node, []),
    call_expression: callExpression,
    navigation_expression: memberOrClass('#0', '%navigation_suffix/#0'),
    callable_reference: { is: 'member', object: '#0', property: '#1' },
    indexing_expression: { is: 'index', object: '#0', index: '%indexing_suffix/#0' },
    directly_assignable_expression: assignable,
    infix_expression: infix,
    additive_expression: binary,
    multiplicative_expression: binary,
    comparison_expression: binary,
    equality_expression: binary,
    conjunction_expression: binary,
    disjunction_expression: binary,
    elvis_expression: binary,
    range_expression: binary,
    check_expression: check,
    // `!a || b` is one operand to the grammar.
    prefix_expression: { is: 'unary', operand: '#0', tight: true, unless: '%annotation|label' },
    postfix_expression: 'through',
    as_expression: { is: 'cast', value: '#0', type: '#1' },
    spread_expression: { is: 'spread', value: '#0' },
    if_expression: { is: 'if', test: '#0', then: '#1', otherwise: '#2' },
    when_expression: { is: 'switch', subject: '%when_subject/#-1', cases: '%when_entry*' },
    when_entry: whenEntry,
    type_test: { is: 'through', of: '#0' },
    for_statement: {
      is: 'loop',
      target: '%variable_declaration|multi_variable_declaration',
      iterable: '#-2',
      body: '%control_structure_body',
    },
    while_statement: { is: 'loop', test: '#0', body: '%control_structure_body' },
    do_while_statement: { is: 'loop', test: '#-1', body: '%control_structure_body', bodyFirst: true },
    try_expression: { is: 'try', body: '%statements', catches: '%catch_block*', finalizer: '%finally_block' },
    catch_block: { is: 'catch', parameter: '%simple_identifier', types: '%user_type', body: '%statements' },
    finally_block: 'through',
    jump_expression: jump,
    assignment: { is: 'assign', target: '#0', value: '#1' },
    property_declaration: property,
    property_delegate: 'through',
    variable_declaration: { is: 'through', of: '#0' },
    multi_variable_declaration: { is: 'list', items: '*' },
    function_declaration: functionOf({ declares: true, constructs: false }),
    secondary_constructor: functionOf({ declares: false, constructs: true }),
    anonymous_initializer: 'through',
    anonymous_function: functionOf({ declares: false, constructs: false }),
    annotated_lambda: { is: 'through', of: '%lambda_literal' },
    lambda_literal: lambda,
    parameter: { is: 'param', name: '#0', type: '#1' },
    class_parameter: {
      is: 'param',
      name: '%simple_identifier',
      type: '%user_type|nullable_type',
      decorators: annotations,
      rest: '%modifiers/%parameter_modifier',
    },
    getter: { is: 'function', body: '%function_body', declares: false },
    class_declaration: classShape,
    object_declaration: classShape,
    companion_object: { is: 'through', of: '%class_body' },
    object_literal: { is: 'class', bases: '%delegation_specifier*/#0', body: '%class_body' },
    collection_literal: { is: 'list', items: '*' },
  },
}
