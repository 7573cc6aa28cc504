/** Ruby. */
import { type Ir, plainFunction } from '../ir.js'
import type { Custom, LanguageTable, Shape } from '../lowering/shapes.js'
import { decodeEscape } from '../strings.js'
import { decodeSingle, quoted } from './quoted.js'

/** The body of a heredoc stands after the line of its beginning: the n-th open beginning owns the n-th body. */
const heredoc: Custom = (lowering, node) => {
  let open = 0
  for (let at = node + 1; at < node + 4000; at++) {
    const type = lowering.typeOf(at)
    if (type === 'heredoc_beginning') open++
    if (type !== 'heredoc_body') continue
    const before = lowering.startOf(at) > lowering.startOf(node)
    if (!before) return lowering.make.literal(node, '')
    let body = at
    for (; open > 0 && lowering.typeOf(body) === 'heredoc_body'; open--) body = nextBody(lowering.typeOf, body)
    return heredocText(lowering, body)
  }
  return lowering.make.literal(node, '')
}

function nextBody(typeOf: (node: number) => string, from: number): number {
  for (let at = from + 1; at < from + 4000; at++) if (typeOf(at) === 'heredoc_body') return at
  return from
}

const heredocText: Custom = (lowering, node) => {
  const parts = lowering
    .children(node)
    .filter((child) => lowering.typeOf(child) !== 'heredoc_end')
    .map((child): Ir => {
      return lowering.typeOf(child) === 'heredoc_content'
        ? lowering.make.literal(child, lowering.text(child))
        : lowering.lower(child)
    })
  return { op: 'concat', parts, start: lowering.startOf(node), end: lowering.endOf(node) }
}

const subshell: Custom = (lowering, node) => {
  const parts = lowering.children(node).map((child): Ir => {
    return lowering.typeOf(child) === 'string_content'
      ? lowering.make.literal(child, lowering.text(child))
      : lowering.lower(child)
  })
  const command: Ir = { op: 'concat', parts, start: lowering.startOf(node), end: lowering.endOf(node) }
  return lowering.make.call(node, lowering.make.name(node, '%x'), [command])
}

/** `'...'` and `%q(...)` know two escapes only. */
const string: Custom = (lowering, node) => {
  const isSingle = /^(?:'|%q\W)/.test(lowering.text(node).slice(0, 3))
  return quoted(lowering, node, (child, type) => {
    if (type === 'string_content') return isSingle ? decodeSingle(lowering.text(child)) : lowering.text(child)
    if (type === 'escape_sequence') return isSingle ? decodeSingle(lowering.text(child)) : decodeEscape(lowering.text(child))
    return null
  })
}

const rest: Shape = { is: 'through', of: '*' }
const list: Shape = { is: 'list', items: '*' }
/** `&:to_i` calls the method on each element, as `{ |one| one.to_i }` does. */
const blockArgument: Custom = (lowering, node) => {
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const [given] = lowering.children(node)
  if (given === undefined) return { op: 'name', name: '&', ...span }
  if (lowering.typeOf(given) !== 'simple_symbol') return lowering.lower(given)
  const parameter = { name: '%one', decorators: [], rest: false, ...span }
  const callee: Ir = {
    op: 'member',
    object: { op: 'name', name: parameter.name, ...span },
    property: lowering.text(given).slice(1),
    ...span,
  }
  const body: Ir = { op: 'call', callee, args: [], isNew: false, at: span.start, ...span }
  return plainFunction({ name: '', declares: false, parameters: [parameter], body, isExpressionBody: true, ...span })
}

const methodShape: Shape = { is: 'function', name: 'name', params: 'parameters', body: 'body' }

/** `get '/users/:id' do`: a handler of Sinatra and its relatives, known by the verb in front of the block. */
const route =
  /(?:^|\n)[ \t]*(get|post|put|patch|delete)[ \t]*\(?[ \t]*(?:"([^"\n]{0,150})"|'([^'\n]{0,150})'|:(\w{1,60}))(?:,[^\n]{1,60}:[^\n]{1,60})?[ \t]*\)?[ \t]*$/

/** Handlers count as functions with the verb as their decorator, so that what they return is an answer. */
const block: Custom = (lowering, node) => {
  const start = lowering.startOf(node)
  const [, verb, double, single, symbol] = route.exec(lowering.source.slice(Math.max(0, start - 250), start)) ?? []
  const path = double ?? single ?? symbol ?? ''
  const parameters = lowering.first(node, 'parameters')
  const body = lowering.first(node, 'body')
  return {
    op: 'function',
    name: verb === undefined ? '' : `${verb} ${path}`,
    declares: verb !== undefined,
    parameters: lowering.parameters(parameters === undefined ? [] : lowering.children(parameters)),
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    decorators:
      verb === undefined ? [] : [lowering.make.call(node, lowering.make.name(node, verb), [lowering.make.literal(node, path)])],
    modifiers: [],
    isExpressionBody: true,
    isConstructor: false,
    start,
    end: lowering.endOf(node),
  }
}
/** `work rescue nil`: what is answered in place of a failure may be nothing. */
const rescueModifier: Custom = (lowering, node) => {
  const [body, handler] = [lowering.first(node, 'body'), lowering.first(node, 'handler')]
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (body === undefined || handler === undefined) return lowering.make.opaque(node, [])
  const isNothing = lowering.typeOf(handler) === 'nil'
  const instead = isNothing ? lowering.make.block(handler, []) : lowering.lower(handler)
  const clause = { parameter: null, types: ['StandardError'], body: instead, ...span }
  return { op: 'try', resources: [], body: lowering.lower(body), catches: [clause], finalizer: null, ...span }
}

const instanceVariable: Custom = (lowering, node) =>
  lowering.make.member(node, lowering.make.name(node, 'this'), lowering.text(node).replace(/^@+/, ''))

/** `a << b` on text or a list changes `a`; on numbers nothing is lost by saying the same. */
const binary: Custom = (lowering, node) => {
  const left = lowering.first(node, 'left')
  const right = lowering.first(node, 'right')
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const from = lowering.lower(left)
  const to = lowering.lower(right)
  if (operator !== '<<') {
    const words: Record<string, string> = { and: '&&', or: '||' }
    return { op: 'binary', operator: words[operator] ?? operator, left: from, right: to, ...span }
  }
  return lowering.make.call(node, lowering.make.member(node, from, '<<'), [to])
}

export const ruby: LanguageTable = {
  self: ['self'],
  constructors: ['initialize'],
  fieldReaders: ['attr_reader', 'attr_accessor', 'attr'],
  lastIsResult: true,
  definesInBlocks: true,
  implicitThis: false,
  strings: { content: ['string_content', 'heredoc_content'], escape: ['escape_sequence'], ignore: ['heredoc_end'] },
  nodes: {
    program: 'block',
    body_statement: { is: 'try', body: '!rescue|ensure*', catches: '%rescue*', finalizer: '%ensure' },
    block_body: 'block',
    then: 'block',
    do: 'block',
    else: 'block',
    ensure: 'block',
    parenthesized_statements: 'block',
    begin_block: 'block',
    empty_statement: 'skip',
    heredoc_body: 'skip',
    identifier: 'name',
    constant: 'name',
    global_variable: 'name',
    instance_variable: instanceVariable,
    class_variable: instanceVariable,
    self: 'self',
    super: 'name',
    nil: 'null',
    true: 'true',
    false: 'false',
    integer: 'number',
    float: 'number',
    character: 'char',
    string,
    bare_string: string,
    bare_symbol: 'symbol',
    chained_string: (lowering, node) => ({
      op: 'concat',
      parts: lowering.children(node).map((child) => lowering.lower(child)),
      start: lowering.startOf(node),
      end: lowering.endOf(node),
    }),
    heredoc_beginning: heredoc,
    subshell,
    interpolation: rest,
    simple_symbol: 'symbol',
    hash_key_symbol: 'symbol',
    delimited_symbol: 'string',
    regex: 'regex',
    scope_resolution: { is: 'member', object: 'scope', property: 'name' },
    argument_list: 'args',
    method_parameters: 'args',
    block_parameters: 'args',
    lambda_parameters: 'args',
    optional_parameter: { is: 'param', name: 'name', value: 'value' },
    keyword_parameter: { is: 'param', name: 'name', value: 'value' },
    splat_parameter: { is: 'param', name: 'name', rest: true },
    hash_splat_parameter: { is: 'param', name: 'name', rest: true },
    block_parameter: { is: 'param', name: 'name' },
    destructured_parameter: list,
    splat_argument: { is: 'spread', value: '#0' },
    hash_splat_argument: { is: 'spread', value: '#0' },
    block_argument: blockArgument,
    pair: { is: 'pair', key: 'key', value: 'value,key' },
    call: { is: 'call', object: 'receiver', method: 'method', args: 'arguments', block: 'block' },
    element_reference: (lowering, node) => {
      const [object, index, ...more] = lowering.children(node)
      const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
      if (object === undefined) return lowering.make.opaque(node, [])
      if (index !== undefined && /^(?:Sorted)?Set$|^Array$/.test(lowering.text(object))) {
        const entries = [index, ...more].map((one) => ({ key: null, value: lowering.lower(one), spread: false }))
        return { op: 'collection', kind: 'list', entries, ...span }
      }
      const at = index === undefined ? lowering.make.opaque(node, []) : lowering.lower(index)
      return { op: 'index', object: lowering.lower(object), index: at, ...span }
    },
    yield: { is: 'call', named: 'yield', args: '%argument_list' },
    binary,
    unary: { is: 'unary', operand: 'operand' },
    conditional: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    if: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    elsif: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative' },
    unless: { is: 'if', test: 'condition', then: 'consequence', otherwise: 'alternative', negate: true },
    if_modifier: { is: 'if', test: 'condition', then: 'body' },
    unless_modifier: { is: 'if', test: 'condition', then: 'body', negate: true },
    rescue_modifier: rescueModifier,
    while: { is: 'loop', test: 'condition', body: 'body' },
    until: { is: 'loop', test: 'condition', body: 'body' },
    while_modifier: { is: 'loop', test: 'condition', body: 'body' },
    until_modifier: { is: 'loop', test: 'condition', body: 'body' },
    for: { is: 'loop', target: 'pattern', iterable: 'value/#0', body: 'body' },
    case: { is: 'switch', subject: 'value', cases: '%when|else*' },
    when: { is: 'case', tests: 'pattern/#0*', body: 'body' },
    case_match: { is: 'switch', subject: 'value', cases: '%in_clause|else*' },
    in_clause: { is: 'case', tests: 'pattern', guard: 'guard', body: 'body' },
    begin: { is: 'try', body: '!rescue|ensure*', catches: '%rescue*', finalizer: '%ensure' },
    rescue: { is: 'catch', parameter: 'variable/#0', types: 'exceptions/*', body: 'body' },
    return: { is: 'jump', kind: 'return', value: '%argument_list/*' },
    break: 'break',
    next: { is: 'jump', kind: 'return', value: '%argument_list/*' },
    assignment: { is: 'assign', target: 'left', value: 'right', operator: '=' },
    operator_assignment: { is: 'assign', target: 'left', value: 'right' },
    left_assignment_list: list,
    right_assignment_list: list,
    array: list,
    string_array: list,
    symbol_array: list,
    hash: { is: 'map', entries: '*' },
    method: methodShape,
    singleton_method: methodShape,
    do_block: block,
    block,
    lambda: { is: 'function', params: 'parameters', body: 'body/body,body', declares: false },
    class: { is: 'class', name: 'name', bases: 'superclass/#0', body: 'body' },
    module: { is: 'class', name: 'name', body: 'body' },
    singleton_class: { is: 'through', of: 'body' },
  },
}
