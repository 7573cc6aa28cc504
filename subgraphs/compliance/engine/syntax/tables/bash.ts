/**
 * Shell scripts.
 *
 * A command is a call of its name; `a | b` is a call of `|` with the commands as arguments; `$x` is the name `$x`, marked when it
 * stands outside of double quotes; `$(...)` has the value of its commands.
 */
import type { Ir } from '../ir.js'
import type { Custom, LanguageTable, Lowering, Shape } from '../lowering/shapes.js'
import { functionDefinition, isInFunction, shifted } from './bash-functions.js'
import { arithmetic, arithmeticCommand, asNumber, numericTest } from './bash-arithmetic.js'
import { caseStatement, isOfFolders } from './bash-case.js'
import { changeOf } from './bash-expansion.js'
import { filteredInput } from './bash-filter.js'
import {
  isHereString,
  readingOf,
  pipeline,
  namesOf,
  printedBy,
  printedInto,
  readFrom,
  readInto,
  redirected,
  redirectName,
  whileStatement,
  withText,
} from './bash-input.js'

const variable = (lowering: Lowering, node: number, unquoted: boolean): Ir => {
  const name = lowering.first(node, '%variable_name|special_variable_name|subscript')
  const written = name === undefined ? '' : lowering.text(name).replace(/\[.*$/, '')
  const text = written === '*' ? '@' : written
  return { op: 'name', name: `$${text}`, unquoted, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** `${x:-default}` is either; `${#x}` is a number. */
const expansion: Custom = (lowering, node) => {
  const base = variable(lowering, node, true)
  const changed = changeOf(lowering.text(node))
  if (changed !== null) return lowering.make.call(node, lowering.make.name(node, changed), [base])
  const offset = /^\$\{\w+(?:\[[^\]]*\])?:([^-=?+].*)\}$/s.exec(lowering.text(node))?.[1] ?? ''
  const numbers = [...new Set(offset.match(/(?<![\w#{])[A-Za-z_]\w*/g))].map((name) => lowering.make.name(node, `$${name}`))
  if (numbers.length > 0) return lowering.make.call(node, lowering.make.name(node, '%substitution'), [base, ...numbers])
  const isDefault = /^\$\{!?\w+(?:\[[^\]]*\])?:?[-=+]/.test(lowering.text(node))
  const rest = lowering.children(node).slice(1)
  if (!isDefault || rest.length === 0) return base
  return { op: 'binary', operator: '||', left: base, right: lowering.lowerAll(rest, node), start: base.start, end: base.end }
}

/** Inside of double quotes nothing is split into words. */
const quoted: Custom = (lowering, node) => {
  const parts = lowering.children(node).map((child): Ir => {
    if (lowering.typeOf(child) === 'string_content') return lowering.make.literal(child, lowering.text(child))
    return protect(lowering.lower(child))
  })
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const [only] = parts
  if (parts.length === 0) return lowering.make.literal(node, lowering.text(node).slice(1, -1))
  if (parts.length === 1 && only?.op === 'literal') return { ...only, ...span }
  return { op: 'concat', parts, ...span }
}

const protect = (ir: Ir): Ir => {
  if (ir.op === 'name') return { ...ir, unquoted: false }
  if (ir.op === 'binary') return { ...ir, left: protect(ir.left), right: protect(ir.right) }
  return ir
}

const concatenation: Custom = (lowering, node) => ({
  op: 'concat',
  parts: lowering.children(node).map((child) => lowering.lower(child)),
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})

const command: Custom = (lowering, node) => {
  const nameNode = lowering.first(node, 'name/#0')
  const prefix = lowering.all(node, '%variable_assignment*').map((at) => lowering.lower(at))
  const args = lowering.all(node, 'argument*').map((at) => argument(lowering, at))
  const redirects = lowering.all(node, 'redirect*').map((at) => lowering.lower(at))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (nameNode === undefined) return lowering.make.block(node, [...prefix, ...redirects])
  const isPlain = lowering.typeOf(nameNode) === 'word'
  const written = lowering.text(nameNode).replace(/^\\/, '').replace(/^.*\//, '')
  const name = written === '.' ? 'source' : written
  const callee = lowering.make.name(nameNode, isPlain ? name : '%dynamic')
  const every = isPlain ? args : [{ value: lowering.lower(nameNode) }, ...args]
  // `[[ $a = ${1:-x} && $b = y ]]`: the grammar takes what stands behind `&&` for a command.
  if (!isPlain && isComparison(args[0]?.value))
    return lowering.make.opaque(
      node,
      every.map(({ value }) => value),
    )
  const all = isPlain && name === 'eval' && isOwnVariable(lowering, node) ? [...every, ownVariable(lowering, node)] : every
  const leave = isPlain && (name === 'exit' || name === 'return')
  if (isPlain && name === 'shift' && isInFunction(lowering)) return lowering.make.block(node, shifted(lowering, node))
  const reading = name === 'read' ? readingOf(lowering) : null
  const call: Ir = {
    op: 'call',
    callee: reading === null ? callee : lowering.make.name(nameNode, reading),
    args: all,
    isNew: false,
    at: lowering.startOf(nameNode),
    ...span,
  }
  if (leave) {
    const [code] = args
    const number = name === 'return' && code?.value.op === 'literal' ? code.value.value : null
    const status = typeof number === 'number' ? { status: lowering.make.literal(node, number === 0) } : {}
    const kind = name === 'exit' ? 'throw' : 'return'
    return lowering.make.block(node, [call, { op: 'jump', kind, value: null, ...status, ...span }])
  }
  // The rest of the round is left out.
  if (isPlain && (name === 'continue' || name === 'break'))
    return lowering.make.block(node, [call, { op: 'jump', kind: name, value: null, ...span }])
  const given = isPlain && name === 'read' ? readFrom(lowering, node, call, redirects) : call
  const read = isPlain && name === 'read' ? lowering.all(node, 'argument*').flatMap((at) => readInto(lowering, at, given)) : []
  if (read.length > 0) return lowering.make.block(node, [...redirects, ...read])
  const printed = isPlain && name === 'printf' ? printedInto(lowering, node, call) : []
  if (printed.length > 0) return lowering.make.block(node, [...redirects, call, ...printed])
  if (prefix.length === 0 && redirects.length === 0) return call
  const texts = redirects.filter(isHereString)
  const result =
    texts.length === 0 ? call : withText(lowering.make.call(node, lowering.make.name(node, 'redirect'), [call]), texts)
  if (prefix.length === 0 && texts.length === redirects.length) return filteredInput(result, call, texts)
  return lowering.make.block(node, [...prefix, ...redirects.filter((one) => !isHereString(one)), result])
}

const isComparison = (ir: Ir | undefined): boolean =>
  ir?.op === 'literal' && typeof ir.value === 'string' && /^(?:=[=~]?|!=)$/.test(ir.value)

/** `"$@"`, `"${list[@]}"`: any number of words. */
function argument(lowering: Lowering, node: number): { value: Ir; spread?: true } {
  const value = wholeList(lowering.lower(node))
  return /^"?\$(?:[@*]|\{[@*]|\{\w+\[[@*]\])/.test(lowering.text(node)) ? { value, spread: true } : { value }
}

/** `"$@"` is the list itself, no text around it. */
const wholeList = (value: Ir): Ir =>
  value.op === 'concat' && value.parts.length === 1 && value.parts[0]?.op === 'name' && value.parts[0].name === '$@'
    ? value.parts[0]
    : value

/** `eval $x`, where the script itself gives `$x` its value: marked with the argument `#own`. */
function isOwnVariable(lowering: Lowering, node: number): boolean {
  const name = /^\S+\s+["']?\$\{?([A-Za-z_]\w*)/.exec(lowering.text(node))?.[1]
  if (name === undefined) return false
  return new RegExp(`(?:^|[\\s;&|(])${name}\\+?=|\\bfor\\s+${name}\\b|\\$\\{${name}(?::?[-=])`).test(lowering.source)
}

const ownVariable = (lowering: Lowering, node: number): { name: string; value: Ir } => ({
  name: '#own',
  value: lowering.make.literal(node, true),
})

const named =
  (name: string): Custom =>
  (lowering, node) =>
    lowering.make.call(
      node,
      lowering.make.name(node, name),
      lowering.children(node).map((child) => lowering.lower(child)),
    )

/** `$(mktemp -d)` is what `mktemp` returns. */
const substitution: Custom = (lowering, node) => {
  const [only, ...others] = lowering.children(node)
  if (only === undefined || others.length > 0) return named('%substitution')(lowering, node)
  if (/^mktemp\b/.test(lowering.text(only))) return lowering.lower(only)
  return lowering.make.call(node, lowering.make.name(node, '%substitution'), printedBy(lowering, only))
}

/** `export X=1`, `local x`, `declare -r`: assignments; a name that is text is given to `#declared`. */
const declarationCommand: Custom = (lowering, node) => {
  const isNumber = /^\w+(?:\s+-\w+)*?\s+-\w*i/.test(lowering.text(node))
  return lowering.make.block(
    node,
    lowering.children(node).flatMap((at) => {
      const kind = lowering.typeOf(at)
      const isLocal = isInFunction(lowering) && /^(?:local|declare|typeset)\b(?!.{0,20}\s-\w{0,5}g)/.test(lowering.text(node))
      if (kind === 'variable_assignment') {
        const ir = declared(lowering.lower(at), isLocal)
        return [isNumber && ir.op === 'assign' ? asNumber(lowering, at, ir) : ir]
      }
      if (kind === 'variable_name' && isLocal) {
        const span = { start: lowering.startOf(at), end: lowering.endOf(at) }
        return [{ op: 'assign', target: lowering.lower(at), value: null, operator: '=', declares: true, ...span }]
      }
      if (!/^(?:string|concatenation|simple_expansion|expansion)$/.test(kind)) return []
      return [lowering.make.call(at, lowering.make.name(at, '#declared'), [lowering.lower(at)])]
    }),
  )
}

const declared = (ir: Ir, isLocal: boolean): Ir => (ir.op === 'assign' && isLocal ? { ...ir, declares: true } : ir)

/** An element of a list or map is one of several. */
const assignment: Custom = (lowering, node) => {
  const name = lowering.first(node, 'name')
  const value = lowering.first(node, 'value')
  if (name === undefined) return lowering.make.opaque(node, [])
  const isElement = lowering.typeOf(name) === 'subscript'
  const operator = lowering.source.slice(lowering.endOf(name), lowering.endOf(name) + 2) === '+=' ? '+' : isElement ? '||' : '='
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const target = lowering.make.name(name, `$${lowering.text(name).replace(/\[.*$/, '')}`)
  return {
    op: 'assign',
    target,
    value: value === undefined ? lowering.make.literal(node, '') : protect(lowering.lower(value)),
    operator,
    declares: false,
    ...span,
  }
}

const ifStatement: Custom = (lowering, node) => {
  const children = lowering.children(node)
  const tests = new Set(lowering.all(node, 'condition*'))
  const clauses = children.filter((child) => /^(?:elif|else)_clause$/.test(lowering.typeOf(child)))
  const isElif = lowering.typeOf(node) === 'elif_clause'
  const first = isElif ? children[0] : undefined
  const test = isElif && first !== undefined ? first : [...tests].find((at) => lowering.text(at) !== ';')
  const body = children.filter((child) => !tests.has(child) && !clauses.includes(child) && child !== first)
  let otherwise: Ir | null = null
  for (const clause of clauses.toReversed()) {
    const lowered = lowering.lower(clause)
    otherwise = lowered.op === 'if' ? { ...lowered, otherwise } : lowered
  }
  return {
    op: 'if',
    test: test === undefined ? lowering.make.opaque(node, []) : lowering.lower(test),
    then: lowering.lowerAll(body, node),
    otherwise,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

const forStatement: Custom = (lowering, node) => {
  const name = lowering.first(node, 'variable')
  const values = lowering.all(node, 'value*')
  const body = lowering.first(node, 'body')
  const entries = values.map((at) => ({ key: null, value: namesOf(lowering, at), spread: true }))
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return {
    op: 'loop',
    init: null,
    test: null,
    update: null,
    target: name === undefined ? null : lowering.make.name(name, `$${lowering.text(name)}`),
    iterable: { op: 'collection', kind: 'list', entries, ...span },
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    bodyFirst: false,
    ...span,
  }
}

/** `[ -f "$x" ]`, `[[ $x =~ ^[0-9]+$ ]]`; the grammar reads `! $x =~ y` as `(! $x) =~ y`. */
const binary: Custom = (lowering, node) => {
  const left = lowering.first(node, 'left,#0')
  const right = lowering.first(node, 'right,#-1')
  if (left === undefined || right === undefined || left === right) return lowering.make.opaque(node, [])
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  const value: Ir =
    operator === '=~'
      ? { op: 'literal', kind: 'regex', value: lowering.text(right), start: lowering.startOf(right), end: lowering.endOf(right) }
      : lowering.lower(right)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (/^(?:==?|!=)$/.test(operator) && isOfFolders(lowering.text(right))) {
    const holds = lowering.make.call(node, lowering.make.member(node, whole(lowering, left), 'contains'), [
      lowering.make.literal(right, '..'),
    ])
    return operator === '!=' ? { op: 'unary', operator: '!', operand: holds, ...span } : holds
  }
  return compared(
    whole(lowering, left),
    operator === '=' || operator === '==' ? equality(lowering, right) : operator,
    value,
    span,
  )
}

/** `[[ $x == build* ]]` knows a piece of the text only. */
const equality = (lowering: Lowering, right: number): string => {
  const text = lowering.text(right).replaceAll(/"[^"]*"|'[^']*'|\\./g, '')
  return /[*?]/.test(text.replaceAll(/\$[*?]/g, '')) ? '==*' : '=='
}

/** `${x%%=*}` says nothing about the rest of `$x`. */
function whole(lowering: Lowering, node: number): Ir {
  const ir = lowering.lower(node)
  const isPart = /^"?\$\{\w+(?:\[[^\]]{0,40}\])?[%#/:^,](?![-=?+])/.test(lowering.text(node))
  return isPart ? lowering.make.call(node, lowering.make.name(node, '%part'), [ir]) : ir
}

/** The grammar gives `! $a =~ x || ! $b =~ y` as `(! ($a =~ x || ! $b)) =~ y`: the last comparison is of `$b` alone. */
function compared(left: Ir, operator: string, right: Ir, span: { start: number; end: number }): Ir {
  const isLogical = (ir: Ir): ir is Extract<Ir, { op: 'binary' }> =>
    ir.op === 'binary' && (ir.operator === '||' || ir.operator === '&&')
  const isComparison = operator !== '||' && operator !== '&&'
  const not = (operand: Ir): Ir => ({ op: 'unary', operator: '!', operand, ...span })
  if (isComparison && left.op === 'unary' && left.operator === '!') {
    const { operand } = left
    if (!isLogical(operand)) return not(compared(operand, operator, right, span))
    return { ...operand, left: not(operand.left), right: compared(operand.right, operator, right, span), ...span }
  }
  if (isComparison && isLogical(left)) return { ...left, right: compared(left.right, operator, right, span), ...span }
  return { op: 'binary', operator, left, right, ...span }
}

const list: Custom = (lowering, node) => {
  const [left, right] = lowering.children(node)
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const from = lowering.lower(left)
  const to = lowering.lower(right)
  const otherwise = operator === '||' ? to : null
  const then = operator === '||' ? lowering.make.block(node, []) : to
  return { op: 'if', test: from, then, otherwise, ...span }
}

const word: Shape = (lowering, node) => lowering.make.literal(node, lowering.text(node).replaceAll(/\\(.)/g, '$1'))

/** The grammar takes the line after `a= b=` for the command that gets both: a semicolon ends it. */
const withEndedAssignments = (text: string): string =>
  text.replaceAll(/^([ \t]*(?:[A-Za-z_]\w*=[^\s;|&()<>"'`$#]*[ \t]+)+[A-Za-z_]\w*=)\n(?![ \t]*\w+[ \t]*(?:\n|$))/gm, '$1;')

/** A semicolon of what is put in a text's place, as in `${text//</&lt;}`, ends the command to the grammar. */
const withReadableEntities = (text: string): string =>
  text.replaceAll(/\$\{\w{1,60}\/[^{}\n]{1,80};\}/g, (expansion) => expansion.replaceAll(';', ','))

export const bash: LanguageTable = {
  readable: (text) => withEndedAssignments(withReadableEntities(text)),
  self: [],
  constructors: [],
  assignsGlobals: true,
  strings: { content: ['string_content'] },
  nodes: {
    program: 'block',
    compound_statement: arithmeticCommand,
    do_group: 'block',
    subshell: 'block',
    else_clause: 'block',
    word,
    number: 'number',
    raw_string: (lowering, node) => lowering.make.literal(node, lowering.text(node).slice(1, -1)),
    ansi_c_string: (lowering, node) => lowering.make.literal(node, lowering.text(node).slice(2, -1)),
    string: quoted,
    translated_string: 'through',
    extglob_pattern: word,
    regex: word,
    variable_name: (lowering, node) => lowering.make.name(node, `$${lowering.text(node)}`),
    simple_expansion: (lowering, node) => variable(lowering, node, true),
    expansion,
    command_substitution: substitution,
    process_substitution: named('%process'),
    arithmetic_expansion: arithmetic,
    concatenation,
    array: { is: 'list', items: '*' },
    command,
    declaration_command: declarationCommand,
    unset_command: 'skip',
    variable_assignment: assignment,
    pipeline,
    list,
    negated_command: (lowering, node) => {
      const operand = lowering.first(node, '#0')
      const inner = operand === undefined ? lowering.make.opaque(node, []) : lowering.lower(operand)
      return { op: 'unary', operator: '!', operand: inner, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    test_command: numericTest,
    binary_expression: binary,
    unary_expression: (lowering, node) => {
      const operand = lowering.first(node, '#-1')
      const inner = operand === undefined ? lowering.make.opaque(node, []) : lowering.lower(operand)
      const operator = /^\S+/.exec(lowering.text(node))?.[0] ?? ''
      if (operator === '-v') return lowering.make.call(node, lowering.make.name(node, '#isset'), [inner])
      return { op: 'unary', operator, operand: inner, start: lowering.startOf(node), end: lowering.endOf(node) }
    },
    test_operator: 'skip',
    redirected_statement: redirected,
    file_redirect: (lowering, node) => named(redirectName(lowering.text(node)))(lowering, node),
    herestring_redirect: { is: 'call', named: 'herestring', args: '#-1' },
    heredoc_redirect: named('heredoc'),
    heredoc_body: concatenation,
    heredoc_content: word,
    heredoc_start: 'skip',
    heredoc_end: 'skip',
    file_descriptor: 'skip',
    if_statement: ifStatement,
    elif_clause: ifStatement,
    for_statement: forStatement,
    c_style_for_statement: { is: 'loop', body: 'body' },
    while_statement: whileStatement,
    case_statement: caseStatement,
    function_definition: functionDefinition,
  },
}
