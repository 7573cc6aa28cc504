/**
 * What a condition says about the values it tests: validation in the way of data.
 *
 * `if (!allowed.includes(x)) return` leaves only good values of `x`. Only conditions that restrict a value to something harmless
 * count: equality with constants, membership in constants or in something that is named like an allowlist, anchored patterns of
 * harmless characters, type tests, validation functions, and the guards of packs.
 */
import { matchesText, writtenName } from '../match/constraints.js'
import { conditionsHold } from '../match/conditions.js'
import { kindsOf } from '../rulebook/compile.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { assignTo, isPlace } from './assign.js'
import { type CallSite, matchesEntry, selectArguments } from './call-site.js'
import { copyEnvironment, joinInto } from './environment.js'
import { cleanArguments, methodOf, summaryOf } from './functions.js'
import type { Flow, Frame } from './state.js'
import { cleaned, deepOrigins, type Origin, type Value } from './value.js'

const allowlistNames = '(?i)allow|white|valid|permitted|safe|known|supported|accepted|choices|^[A-Z][A-Z0-9_]{2,}$'
const constantNames = '^[A-Z][A-Z0-9_]{2,}$'
const validatorNames =
  '(?i)^(?:is|has|check|validate|verify|ensure|assert|can)_?(?:a_?)?(?:valid|safe|allow|permitted|white|trusted|numeric|num|alnum|alpha|digit|int|number|uuid|email|url|local|internal|inside|within|sub|ip|hostname|identifier|legal|authorized)|^(?:validate|sanitize|isvalid|is_?safe)|valid(?:ate|ator)?$'
const membershipCalls = new Set(
  'includes contains has in_array containskey containsvalue indexof include? member? key? contain some any issuperset containskey array_key_exists'.split(
    ' ',
  ),
)
const patternCalls = new Set(
  'test match matches fullmatch preg_match ismatch match? is_match matchstring find matchesregex wholematch firstmatch regex_match hasmatch'.split(
    ' ',
  ),
)
const typeTests = new Set(
  'isinstance is_numeric is_int ctype_digit isdigit isdecimal isnumeric isinteger isalnum isalpha ctype_alnum is_integer isnan isfinite isidentifier isletterordigit'.split(
    ' ',
  ),
)
const numericTypes = '^(?:u?int\\d*|integer|long|short|float|double|number|decimal|bool|boolean|byte|uuid|guid)$'
const boundedKinds = ['integer', 'index', 'size', 'resource', 'loop']

/** Applies what holds when `test` turned out `truth` to the frame's environment. */
export function narrow(flow: Flow, frame: Frame, test: Ir, truth: boolean): void {
  flow.narrowing++
  narrowTest(flow, frame, test, truth)
  flow.narrowing--
}

function narrowTest(flow: Flow, frame: Frame, test: Ir, truth: boolean): void {
  switch (test.op) {
    case 'unary':
      if (test.operator === '!') narrow(flow, frame, test.operand, !truth)
      else if (truth && /^-[nfde]$/.test(test.operator)) return
      return
    case 'binary':
      return narrowBinary(flow, frame, test, truth)
    case 'call':
      return narrowCall(flow, frame, test, truth)
    case 'block': {
      const last = test.body.at(-1)
      if (last !== undefined) narrow(flow, frame, last, truth)
      return
    }
    case 'if':
      if (test.otherwise === null && truth) {
        narrow(flow, frame, test.test, true)
        narrow(flow, frame, test.then, true)
      }
      return
    case 'assign':
      if (test.value !== null) narrow(flow, frame, test.value, truth)
      return
    default:
  }
}

function narrowBinary(flow: Flow, frame: Frame, test: Extract<Ir, { op: 'binary' }>, truth: boolean): void {
  const { operator, left, right } = test
  if (operator === '&&' || operator === '||') {
    if ((operator === '&&') !== truth) return narrowEither(flow, frame, left, right, truth)
    narrow(flow, frame, left, truth)
    narrow(flow, frame, right, truth)
    return
  }
  const isEqual = ['==', '===', 'is', 'eq', 'eql?'].includes(operator)
  const isUnequal = ['!=', '!==', 'is not', 'isnot'].includes(operator)
  if (isEqual || isUnequal) return narrowEquality(flow, frame, left, right, isEqual === truth)
  if (operator === 'in' || operator === 'not in') {
    if ((operator === 'in') === truth && isAllowlist(flow, frame, right)) clean(flow, frame, left, ['*'])
    return
  }
  if (operator === 'instanceof' && truth) {
    const type = writtenName(right)?.segment
    if (type !== undefined && matchesText(`(?i)${numericTypes}`, type)) clean(flow, frame, left, ['text'])
    return
  }
  if (operator === '=~' || operator === '!~') {
    if ((operator === '=~') === truth && isStrictPattern(flow.evaluate(frame, right), false)) clean(flow, frame, left, ['*'])
    return
  }
  narrowBounds(flow, frame, test, truth)
}

/** `a == 'x' || a == 'y'`: what holds on both ways. */
function narrowEither(flow: Flow, frame: Frame, left: Ir, right: Ir, truth: boolean): void {
  const onLeft: Frame = { ...frame, env: copyEnvironment(frame.env) }
  const onRight: Frame = { ...frame, env: copyEnvironment(frame.env) }
  narrow(flow, onLeft, left, truth)
  narrow(flow, onRight, right, truth)
  joinInto(frame.env, onLeft.env, onRight.env)
}

/** Equal to a constant: harmless. Counting results of searches (`indexOf(x) !== -1`, `strcmp() == 0`) are looked through. */
function narrowEquality(flow: Flow, frame: Frame, left: Ir, right: Ir, isEqual: boolean): void {
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const constant = flow.evaluate(frame, other).constant
    const isNamedConstant = matchesText(constantNames, writtenName(other)?.segment ?? '')
    if (constant === undefined && !isNamedConstant) continue
    if (value.op === 'call' && typeof constant === 'boolean') return narrow(flow, frame, value, constant === isEqual)
    if (value.op === 'call' && (constant === -1 || constant === null)) return narrow(flow, frame, value, !isEqual)
    if (value.op === 'call' && constant === 1) return narrow(flow, frame, value, isEqual)
    if (value.op === 'call' && constant === 0) return narrow(flow, frame, value, !isEqual)
    if (isEqual && constant !== null && constant !== '' && constant !== true) clean(flow, frame, value, ['*'])
    return
  }
}

/** `x < limit` bounds `x` from above where it holds. */
function narrowBounds(flow: Flow, frame: Frame, test: Extract<Ir, { op: 'binary' }>, truth: boolean): void {
  const { operator, left, right } = test
  if (!['<', '<=', '>', '>='].includes(operator)) return
  const isLess = operator.startsWith('<') === truth
  const bounded = isLess ? left : right
  const limit = isLess ? right : left
  const isZero = flow.evaluate(frame, limit).constant === 0
  if (!isZero && deepOrigins(flow.evaluate(frame, limit)).length === 0) clean(flow, frame, bounded, boundedKinds)
  if (left.op === 'call' && /index|search|find|pos|match/i.test(writtenName(left.callee)?.segment ?? '')) {
    const holds = operator.startsWith('>') === truth
    narrow(flow, frame, left, holds)
  }
}

function narrowCall(flow: Flow, frame: Frame, call: Call, truth: boolean): void {
  const site = callSite(flow, frame, call)
  const method = site.method.toLowerCase()
  for (const entry of flow.book.guards.candidates(site.method)) {
    if (entry.role.role !== 'guard' || !matchesEntry(flow, entry, site.names, site.receiver)) continue
    const guard = entry.role.conditions
    if (guard.when !== truth || !conditionsHold(flow, guard, site)) continue
    for (const subject of selectArguments(site, guard.argument)) {
      if (subject.ir !== null) clean(flow, frame, subject.ir, kindsOf(guard.kinds), guard.derived)
    }
  }
  const own = ownFunction(flow, frame, call, site)
  const validated = own === null ? null : summaryOf(flow, own)?.validated
  if (validated != null) {
    cleanArguments(flow, site, truth ? validated.whenTrue : validated.whenFalse)
    return
  }
  const first = site.args[0]?.subject
  if (
    method === 'startswith' ||
    method === 'hasprefix' ||
    method === 'starts_with' ||
    method === 'start_with?' ||
    method === 'str_starts_with'
  ) {
    narrowPrefix(flow, frame, site, truth)
  } else if (membershipCalls.has(method)) narrowMembership(flow, frame, site, truth)
  else if (patternCalls.has(method)) {
    if (truth) narrowPattern(flow, frame, site)
  } else if (typeTests.has(method)) {
    if (truth !== (method === 'isnan')) narrowType(flow, frame, site)
  } else if (['equals', 'equalsignorecase', 'eq', 'strcmp', 'strcasecmp', 'strncmp', 'isequal'].includes(method)) {
    const isEqual = method.startsWith('str') ? !truth : truth
    const [a, b] = site.receiver === null ? [first, site.args[1]?.subject] : [site.receiver, first]
    if (a?.ir != null && b?.ir != null) narrowEquality(flow, frame, a.ir, b.ir, isEqual)
  } else if (truth && matchesText(validatorNames, site.method)) {
    for (const { subject } of site.args) if (subject.ir !== null) clean(flow, frame, subject.ir, ['*'], true)
    if (site.args.length === 0 && site.receiver?.ir != null) clean(flow, frame, site.receiver.ir, ['*'])
  }
}

/** The function of the file that a condition calls. */
function ownFunction(flow: Flow, frame: Frame, call: Call, site: CallSite): Lambda | null {
  if (call.callee.op === 'member') return methodOf(flow, site, call.callee.property)
  const named = flow.evaluate(frame, call.callee).func?.lambda
  if (named !== undefined || call.callee.op !== 'name' || frame.className === null) return named ?? null
  return flow.classes.get(frame.className)?.methods.get(call.callee.name) ?? null
}

function callSite(flow: Flow, frame: Frame, call: Call): CallSite {
  const written = writtenName(call.callee)
  const receiverIr = call.callee.op === 'member' ? call.callee.object : null
  const receiver = receiverIr === null ? null : { value: flow.evaluate(frame, receiverIr), ir: receiverIr }
  const args = call.args.map((argument) => ({
    name: argument.name,
    subject: {
      value: argument.value.op === 'function' ? flow.evaluate(frame, argument.value) : flow.evaluate(frame, argument.value),
      ir: argument.value,
    },
  }))
  const path = call.callee.op === 'name' ? flow.evaluate(frame, call.callee).path : null
  const names = [...(path === null ? [] : [path]), ...(written === null ? [] : [written])]
  return {
    frame,
    ir: call,
    start: call.start,
    end: call.end,
    method: written?.segment ?? '',
    names,
    receiver,
    args,
    isNew: false,
  }
}

/** A path that begins with its base folder, a URL that begins with its host. */
function narrowPrefix(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  if (!truth) return
  const isMethod = site.receiver !== null && site.args.length === 1
  const value = isMethod ? site.receiver : site.args[0]?.subject
  const prefix = isMethod ? site.args[0]?.subject : site.args[1]?.subject
  if (value?.ir == null || prefix === undefined) return
  const { constant } = prefix.value
  if (deepOrigins(prefix.value).length > 0 || (typeof constant === 'string' && constant.length < 2)) return
  const isHost = typeof constant === 'string' && /^https?:\/\/[^/]+\/$/.test(constant)
  const kinds = constant === undefined || !/^https?:/.test(String(constant)) ? ['path', 'upload'] : []
  clean(flow, frame, value.ir, isHost ? ['ssrf', 'redirect'] : kinds, true)
}

function narrowMembership(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  const first = site.args[0]?.subject
  const isFunction = site.receiver === null || site.method === 'in_array'
  const value = isFunction && site.method !== 'array_key_exists' ? first : site.args[0]?.subject
  const set = isFunction ? site.args[1]?.subject : site.receiver
  if (first?.value.constant === '..' && site.receiver?.ir != null) {
    if (!truth) clean(flow, frame, site.receiver.ir, ['path'])
    return
  }
  if (!truth || value?.ir == null || set?.ir == null) return
  if (isAllowlist(flow, frame, set.ir)) clean(flow, frame, value.ir, ['*'], true)
}

function isAllowlist(flow: Flow, frame: Frame, ir: Ir): boolean {
  const value = flow.evaluate(frame, ir)
  if (deepOrigins(value).length > 0) return false
  if (ir.op === 'collection') return ir.entries.length > 0
  if (
    value.fields !== undefined &&
    value.fields.size > 0 &&
    [...value.fields.values()].every((field) => field.constant !== undefined)
  )
    return true
  const name = writtenName(ir)
  return name !== null && typeof value.constant !== 'string' && matchesText(allowlistNames, name.segment)
}

/** A pattern that is anchored on both sides and allows no character that means something to any sink. */
function isStrictPattern(pattern: Value, isWholeMatch: boolean): boolean {
  const text = typeof pattern.constant === 'string' ? pattern.constant : null
  if (text === null) return false
  const body = text.replace(/^(\W)(.*)\1[a-z]*$/s, '$2')
  const isAnchored = isWholeMatch || (/^\(?(?:\^|\\A)/.test(body) && /(?:\$|\\[zZ])\)?$/.test(body))
  if (!isAnchored) return false
  const bare = body
    .replaceAll(/\\[dwAzZ.\-_@]/g, 'a')
    .replaceAll(/\[[^\]]*\]/g, (set) => (/^\[\^|['"`;|&<>$\\]|\s/.test(set) ? '.' : 'a'))
  return !/\.|['"`;|&<>]|\\[SWsD]/.test(bare.replaceAll(/\\\./g, 'a'))
}

function narrowPattern(flow: Flow, frame: Frame, site: CallSite): void {
  const subjects = [...(site.receiver === null ? [] : [site.receiver]), ...site.args.map((argument) => argument.subject)]
  const isWhole = ['fullmatch', 'matches', 'wholematch', 'regex_match'].includes(site.method.toLowerCase())
  const pattern = subjects.find(
    (subject) => typeof subject.value.constant === 'string' && deepOrigins(subject.value).length === 0,
  )
  if (pattern === undefined || !isStrictPattern(pattern.value, isWhole)) return
  for (const subject of subjects) if (subject !== pattern && subject.ir !== null) clean(flow, frame, subject.ir, ['*'])
}

function narrowType(flow: Flow, frame: Frame, site: CallSite): void {
  const [first, second] = site.args
  if (site.method === 'isinstance') {
    const type = second?.subject.ir == null ? undefined : writtenName(second.subject.ir)?.segment
    if (type === undefined || !matchesText(`(?i)${numericTypes}`, type)) return
  }
  const target = first?.subject.ir ?? site.receiver?.ir
  if (target != null) clean(flow, frame, target, ['text'])
}

/** Methods whose result says everything about the receiver: `x.trim() == "a"`, but not `cookie.getName() == "a"`. */
const sameText =
  /^(?:to_?(?:lower|upper|string|text|s|str|sym|ascii)\w*|as_?str\w*|lower\w*|upper\w*|downcase|upcase|casefold|trim\w*|strip\w*|chomp|normalize|intern|clone|to_owned|unwrap\w*|get_?(?:host|hostname|authority|scheme|protocol)|host_?(?:name|_str)?|netloc|origin|charAt|getOrElse|value|get)$/i

/** Makes a tested expression clean; with `derived`, everything that stems from the same source. */
function clean(flow: Flow, frame: Frame, ir: Ir, kinds: readonly string[], derived = false): void {
  const value = flow.evaluate(frame, ir)
  const origins = deepOrigins(value)
  if (origins.length === 0) return
  if (isPlace(ir)) assignTo(flow, frame, ir, cleaned(value, kinds))
  else if (ir.op === 'call') {
    const inner = ir.callee.op === 'member' ? ir.callee.object : ir.args[0]?.value
    const isSame = ir.callee.op !== 'member' || sameText.test(ir.callee.property)
    if (inner !== undefined && isSame) clean(flow, frame, inner, kinds)
  } else if (ir.op === 'assign') clean(flow, frame, ir.target, kinds)
  else if (ir.op === 'concat' || ir.op === 'collection') {
    const parts = ir.op === 'concat' ? ir.parts : ir.entries.map((entry) => entry.value)
    for (const part of parts) clean(flow, frame, part, kinds)
  }
  if (derived || (ir.op !== 'name' && isPlace(ir)))
    cleanDerived(frame, origins, derived ? kinds : kinds.filter((kind) => kind === 'path'))
}

function cleanDerived(frame: Frame, origins: readonly Origin[], kinds: readonly string[]): void {
  if (kinds.length === 0) return
  const places = new Set(origins.map((origin) => `${origin.at}:${origin.parameter?.index ?? ''}`))
  for (const [name, value] of frame.env.variables) {
    if (value.origins.some((origin) => places.has(`${origin.at}:${origin.parameter?.index ?? ''}`))) {
      frame.env.variables.set(name, cleaned(value, kinds))
    }
  }
}
