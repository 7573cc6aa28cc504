/** Scala 2 and 3. */
import type { Argument, Ir } from '../ir.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../lowering/shapes.js'
import { decodeEscapes, unquote } from '../strings.js'
import { classIn } from './packages.js'
import { readableScala } from './soft-words.js'

const importDeclaration: Custom = (lowering, node) => {
  const selectors = lowering.first(node, '%namespace_selectors')
  const parts = lowering.all(node, 'path*').map((part) => lowering.text(part))
  const last = parts.at(-1) ?? ''
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const isWildcard = lowering.first(node, '%namespace_wildcard') !== undefined
  const bindings = selectors === undefined ? (isWildcard ? [] : [{ local: last, path: last }]) : []
  for (const selector of selectors === undefined ? [] : lowering.children(selectors)) {
    const name = lowering.text(lowering.first(selector, 'name') ?? selector)
    const alias = lowering.first(selector, 'alias')
    bindings.push({ local: alias === undefined ? name : lowering.text(alias), path: name })
  }
  return { op: 'import', module: parts.join('.'), bindings, ...span }
}

/** `s"..."` is text; any other interpolator is a call, because `sql"..."` binds its values. */
const interpolated: Custom = (lowering, node) => {
  const interpolator = lowering.text(lowering.first(node, 'interpolator') ?? node)
  const body = lowering.first(node, '%interpolated_string')
  const text = body === undefined ? lowering.make.literal(node, '') : lowering.lower(body)
  if (interpolator === 's' || interpolator === 'f' || interpolator === 'raw') return text
  const name = interpolator === 'SQL' ? 'sql' : interpolator
  return lowering.make.call(node, lowering.make.name(node, name), [text, ...splicesOf(text)])
}

/** `sql"... #$column"`: a hash sign puts the value into the statement as text; such pieces follow as arguments of their own. */
function splicesOf(text: Ir): Ir[] {
  if (text.op !== 'concat') return []
  return text.parts.flatMap((part, at): Ir[] => {
    const before = text.parts[at - 1]
    const isSplice = before?.op === 'literal' && String(before.value).endsWith('#') && part.op !== 'literal'
    return isSplice ? [{ op: 'concat', parts: [before, part], start: part.start, end: part.end }] : []
  })
}

const infix: Custom = (lowering, node) => {
  const left = lowering.first(node, 'left')
  const right = lowering.first(node, 'right')
  const operatorNode = lowering.first(node, 'operator')
  if (left === undefined || right === undefined || operatorNode === undefined) return lowering.make.opaque(node, [])
  const operator = lowering.text(operatorNode)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const from = lowering.lower(left)
  const to = lowering.lower(right)
  if (operator === '->') return { op: 'collection', kind: 'map', entries: [{ key: from, value: to, spread: false }], ...span }
  if (/^[+\-*/|&:]{1,2}=$/.test(operator)) {
    return { op: 'assign', target: from, value: to, operator: operator.slice(0, -1), declares: false, ...span }
  }
  if (/^[a-zA-Z_]/.test(operator) || operator.includes('#') || operator.includes('!')) {
    return lowering.make.call(node, lowering.make.member(node, from, operator), [to])
  }
  return { op: 'binary', operator, left: from, right: to, ...span }
}

/** `"ls".!` runs a process: an operator in member position is a call. */
const fieldExpression: Custom = (lowering, node) => {
  const known = classIn(lowering.text(node))
  if (known !== undefined) return lowering.make.name(node, known)
  const value = lowering.first(node, 'value')
  const field = lowering.first(node, 'field')
  if (value === undefined || field === undefined) return lowering.make.opaque(node, [])
  const member = lowering.make.member(node, lowering.lower(value), lowering.text(field))
  const isCall = lowering.typeOf(field) === 'operator_identifier' || nullary.test(lowering.text(field))
  return isCall ? lowering.make.call(node, member, []) : member
}

/** Methods without arguments are called without parentheses: `request.getReader.readLine`. */
const nullary =
  /^(?:(?:get|read|open|next|create|to|new|build|exec|start|as)[A-Z]\w*|mkString|trim|head|headOption|last|lines|(?:lazyLines|lineStream|lines)_!|lazyLines|lineStream|bytes|strip|reverse|openStream|next|start|close|execute)$/

/** `f(a, name = b)`: an assignment among the arguments names one. `f(a) { x => ... }` is one call with two arguments. */
/** `f(a) { x => ... }`, `f(a)(x => ...)`: the function is one more argument of the call in front. */
function isFunctionAlone(lowering: Lowering, node: number): boolean {
  const list = lowering.first(node, '%arguments')
  if (list === undefined) return true
  const [only, more] = lowering.children(list)
  return only !== undefined && more === undefined && lowering.typeOf(only) === 'lambda_expression'
}

const callExpression: Custom = (lowering, node) => {
  const functionNode = lowering.first(node, 'function')
  if (functionNode === undefined) return lowering.make.opaque(node, [])
  const lowered = lowering.lower(functionNode)
  if (lowered.op === 'cast') return lowered
  const isCurried = lowering.typeOf(functionNode) === 'call_expression' && isFunctionAlone(lowering, node)
  const isBare = lowering.typeOf(functionNode) !== 'call_expression' && lowered.op === 'call' && lowered.args.length === 0
  const callee = lowered.op === 'call' && (isBare || isCurried) ? lowered.callee : lowered
  const first = lowered.op === 'call' && isCurried ? lowered.args : []
  const rest = lowering
    .all(node, 'arguments*')
    .flatMap((list) => (lowering.typeOf(list) === 'arguments' ? lowering.children(list) : [list]))
    .map((child): Argument => {
      const lowered = lowering.lower(child)
      const only = lowered.op === 'block' && lowered.body.length === 1 ? lowered.body[0] : undefined
      const value = only?.op === 'function' ? only : lowered
      if (value.op !== 'assign' || value.target.op !== 'name' || value.value === null || value.operator !== '=') return { value }
      return { name: value.target.name, value: value.value }
    })
  const at = callee.op === 'member' ? Math.max(callee.start, callee.end - callee.property.length) : callee.start
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const plain: Ir = { op: 'call', callee, args: [...first, ...rest], isNew: false, at, ...span }
  return combinedDirectives(plain) ?? rotated(lowering, functionNode, plain) ?? plain
}

/** `a *> Logger[F].info(x)`: the grammar gives the types, and so the call, to all of `a *> Logger`. */
function rotated(lowering: Lowering, functionNode: number, call: CallIr): Ir | null {
  const generic = lowering.typeOf(functionNode) === 'field_expression' ? lowering.first(functionNode, 'value') : undefined
  const inner =
    generic !== undefined && lowering.typeOf(generic) === 'generic_function' ? lowering.first(generic, 'function') : undefined
  if (inner === undefined || lowering.typeOf(inner) !== 'infix_expression') return null
  const { callee } = call
  if (callee.op !== 'member' || callee.object.op !== 'binary') return null
  const { right } = callee.object
  const [start, object] = [right.start, right]
  return { ...callee.object, right: { ...call, callee: { ...callee, object, start }, start }, end: call.end }
}

type CallIr = Extract<Ir, { op: 'call' }>

/** `(post & path("a" / Segment) & formField("b")) { (a, b) => ... }`: each directive gives the function some of its parameters. */
function combinedDirectives(call: CallIr): Ir | null {
  const inner = call.args[0]?.value
  if (call.callee.op !== 'binary' || call.callee.operator !== '&' || call.args.length !== 1 || inner?.op !== 'function')
    return null
  const directives = operandsOf(call.callee).filter((one) => one.op === 'call' && extractedBy(one) > 0) as CallIr[]
  const total = directives.reduce((sum, one) => sum + extractedBy(one), 0)
  if (directives.length === 0 || total !== inner.parameters.length) return null
  let last = inner.parameters.length
  return directives.reduceRight<Ir>((body, one) => {
    const from = last - extractedBy(one)
    const parameters = inner.parameters.slice(from, last)
    last = from
    const value: Ir = { ...inner, parameters, body: body === inner ? inner.body : body }
    return { ...one, args: [...one.args, { value }] }
  }, inner)
}

const operandsOf = (ir: Ir): Ir[] =>
  ir.op === 'binary' && ir.operator === '&' ? [...operandsOf(ir.left), ...operandsOf(ir.right)] : [ir]

/** How many values a directive hands on: a path as many as it has matchers, parameters and fields one each, all others one. */
function extractedBy(directive: CallIr): number {
  const name = directive.callee.op === 'name' ? directive.callee.name : ''
  if (/^(?:path|pathPrefix|pathSuffix|rawPathPrefix)/.test(name))
    return directive.args.reduce((sum, one) => sum + matchersIn(one.value), 0)
  if (/^(?:parameters?|formFields?)$/.test(name)) return directive.args.length
  return /^(?:host|scheme|method|withRequestTimeout|withSizeLimit|respondWith\w*|validate|authorize\w*|handle\w*)$/.test(name)
    ? 0
    : 1
}

const matchersIn = (ir: Ir): number =>
  ir.op === 'binary' ? matchersIn(ir.left) + matchersIn(ir.right) : ir.op === 'name' && /^[A-Z](?!\w*End$)/.test(ir.name) ? 1 : 0

/** Extractors of numbers and of identifiers: what they bind is harmless. */
const typedExtractors = new Set(['IntVar', 'LongVar', 'UUIDVar', 'IntNumber', 'LongNumber', 'JavaUUID'])

/** `case GET -> Root / "people" / name`: the names that a pattern of operators binds. */
const infixPattern: Custom = (lowering, node) => {
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const entries = lowering
    .children(node)
    .filter((child) => lowering.typeOf(child) !== 'operator_identifier')
    .flatMap((child): Ir[] => {
      const isTyped =
        lowering.typeOf(child) === 'case_class_pattern' && typedExtractors.has(/^\w*/.exec(lowering.text(child))?.[0] ?? '')
      const part = isTyped ? lowering.make.opaque(child, []) : lowering.lower(child)
      if (part.op === 'collection') return part.entries.map((entry) => entry.value)
      return part.op === 'name' && !/^[a-z]/.test(part.name) ? [] : [part]
    })
    .map((value) => ({ key: null, value, spread: false }))
  return { op: 'collection', kind: 'list', entries, ...span }
}

/** `x => e`: the parameters come without a list. */
const lambda: Custom = (lowering, node) => {
  const children = lowering.children(node)
  const body = children.slice(lowering.all(node, 'parameters*').length)
  const names = lowering
    .all(node, 'parameters*')
    .flatMap((at) => (lowering.typeOf(at) === 'bindings' ? lowering.children(at) : [at]))
    .filter((at) => lowering.typeOf(at) !== 'type_identifier' && lowering.typeOf(at) !== 'generic_type')
  return {
    op: 'function',
    name: '',
    declares: false,
    parameters: lowering.parameters(names),
    body: lowering.lowerAll(body, node),
    decorators: [],
    modifiers: [],
    isExpressionBody: true,
    isConstructor: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

/** `{ case (k, v) => ... }` in argument position is a function of one parameter. */
const caseFunction: Custom = (lowering, node) => {
  const cases = lowering.all(node, '%case_clause*').map((clause) => {
    const pattern = lowering.first(clause, 'pattern')
    const bodies = lowering.all(clause, 'body*').map((at) => lowering.lower(at))
    const guard = lowering.first(clause, '%guard/condition')
    return {
      tests: pattern === undefined ? [] : [lowering.lower(pattern)],
      ...(guard === undefined ? {} : { guard: lowering.lower(guard) }),
      body: lowering.make.block(clause, bodies),
    }
  })
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const subject = lowering.make.name(node, '%case')
  const body: Ir = { op: 'switch', subject, cases, fallsThrough: false, ...span }
  const parameters = [{ name: '%case', decorators: [], rest: false, ...span }]
  return {
    op: 'function',
    name: '',
    declares: false,
    parameters,
    body,
    decorators: [],
    modifiers: [],
    isExpressionBody: true,
    isConstructor: false,
    ...span,
  }
}

/** `x.as[Int]` and `x.asInstanceOf[Int]` are casts; type arguments of other methods say nothing. */
const genericFunction: Custom = (lowering, node) => {
  const functionNode = lowering.first(node, 'function')
  if (functionNode === undefined) return lowering.make.opaque(node, [])
  const called = lowering.lower(functionNode)
  // `x.asInstanceOf` is the name of a method without arguments, too.
  const lowered = called.op === 'call' && called.args.length === 0 && called.callee.op === 'member' ? called.callee : called
  const type = lowering.typeName(lowering.first(node, 'type_arguments/*'))
  const isCast = lowered.op === 'member' && /^(?:as|asInstanceOf|asOpt|convertTo|extract)$/.test(lowered.property)
  if (!isCast || type === undefined || lowered.op !== 'member') return called
  return { op: 'cast', type, value: lowered.object, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const forExpression: Custom = (lowering, node) => {
  const body = lowering.first(node, 'body')
  const steps = lowering.all(node, 'enumerators/%enumerator*,%enumerators/%enumerator*').flatMap((one): Ir[] => {
    const [target, value] = lowering.children(one)
    if (target === undefined) return []
    if (value === undefined) return [lowering.lower(target)]
    const span = { start: lowering.startOf(one), end: lowering.endOf(one) }
    const element = lowering.make.call(one, lowering.make.name(one, '%element'), [lowering.lower(value)])
    return [{ op: 'assign', target: lowering.lower(target), value: element, operator: '=', declares: true, ...span }]
  })
  return lowering.make.block(node, [...steps, body === undefined ? lowering.make.block(node, []) : lowering.lower(body)])
}

const functionShape: Shape = {
  is: 'function',
  name: 'name',
  params: 'parameters*',
  body: 'body',
  type: 'return_type',
  decorators: '%annotation*',
  modifiers: '%modifiers*',
}
const parameterShape: Shape = {
  is: 'param',
  name: 'name',
  type: 'type',
  value: 'default_value',
  decorators: '%annotation*',
  rest: '%repeated_parameter_type',
}
const classShape: Shape = {
  is: 'class',
  name: 'name',
  bases: 'extend/type*',
  body: 'body',
  params: 'class_parameters*/*',
  decorators: '%annotation*',
}
const valueShape: Shape = { is: 'assign', target: 'pattern', value: 'value', type: 'type', operator: '=', declares: true }
const list: Shape = { is: 'list', items: '*' }

export const scala: LanguageTable = {
  readable: readableScala,
  self: ['this'],
  constructors: [],
  implicitThis: true,
  lastIsResult: true,
  casesBind: true,
  strings: { content: [], escape: ['escape_sequence'], gaps: true },
  nodes: {
    import_declaration: importDeclaration,
    package_clause: { is: 'through', of: 'body' },
    compilation_unit: 'block',
    block: 'block',
    indented_block: 'block',
    template_body: 'block',
    modifiers: 'skip',
    type_parameters: 'skip',
    type_arguments: 'skip',
    annotation: { is: 'call', callee: 'name', args: '%arguments*' },
    identifier: 'name',
    operator_identifier: 'name',
    type_identifier: 'name',
    wildcard: 'name',
    this: 'self',
    super: 'name',
    null_literal: 'null',
    unit: 'null',
    boolean_literal: (lowering, node) => lowering.make.literal(node, lowering.text(node) === 'true'),
    integer_literal: 'number',
    floating_point_literal: 'number',
    character_literal: 'char',
    string: (lowering, node) => {
      // What stands in three quotes has no escapes.
      const text = lowering.text(node)
      return lowering.make.literal(node, text.startsWith('"""') ? unquote(text) : decodeEscapes(unquote(text)))
    },
    interpolated_string_expression: interpolated,
    interpolated_string: 'string',
    interpolation: 'through',
    symbol_literal: 'symbol',
    arguments: 'args',
    parameters: 'args',
    class_parameters: 'args',
    parameter: parameterShape,
    class_parameter: parameterShape,
    binding: { is: 'param', name: 'name', type: 'type' },
    vararg: { is: 'spread', value: '#0' },
    call_expression: callExpression,
    generic_function: genericFunction,
    instance_expression: { is: 'call', callee: '#0', args: 'arguments*', isNew: true, body: '%template_body' },
    generic_type: { is: 'through', of: 'type' },
    stable_type_identifier: { is: 'through', of: '#1' },
    field_expression: fieldExpression,
    infix_expression: infix,
    prefix_expression: { is: 'unary', operand: '#0' },
    postfix_expression: (lowering, node) => {
      const [value, operator] = lowering.children(node)
      if (value === undefined || operator === undefined) return lowering.make.opaque(node, [])
      return lowering.make.call(node, lowering.make.member(node, lowering.lower(value), lowering.text(operator)), [])
    },
    ascription_expression: { is: 'through', of: '#0' },
    assignment_expression: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    val_definition: valueShape,
    var_definition: valueShape,
    val_declaration: 'skip',
    var_declaration: 'skip',
    type_definition: 'skip',
    function_declaration: 'skip',
    if_expression: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    match_expression: { is: 'switch', subject: 'value', cases: 'body/%case_clause*' },
    case_clause: { is: 'case', tests: 'pattern/%alternative_pattern/*,pattern', guard: '%guard/condition', body: 'body*' },
    alternative_pattern: list,
    case_class_pattern: { is: 'list', items: 'pattern*' },
    tuple_pattern: list,
    infix_pattern: infixPattern,
    typed_pattern: { is: 'through', of: 'pattern' },
    capture_pattern: list,
    case_block: caseFunction,
    for_expression: forExpression,
    while_expression: { is: 'loop', test: 'condition', body: 'body' },
    do_while_expression: { is: 'loop', test: 'condition', body: 'body', bodyFirst: true },
    try_expression: { is: 'try', body: 'body', catches: '%catch_clause/#0/%case_clause*', finalizer: '%finally_clause' },
    finally_clause: 'through',
    return_expression: { is: 'jump', kind: 'return' },
    throw_expression: { is: 'jump', kind: 'throw' },
    tuple_expression: list,
    lambda_expression: lambda,
    function_definition: functionShape,
    class_definition: classShape,
    object_definition: classShape,
    trait_definition: classShape,
    package_object: { is: 'through', of: 'body' },
    extension_definition: 'through',
  },
}
