/**
 * What a condition says about the values it tests: validation in the way of data.
 *
 * `if (!allowed.includes(x)) return` leaves only good values of `x`. Only conditions that restrict a value to something harmless
 * count: equality with constants, membership in constants or in something that is named like an allowlist, anchored patterns of
 * harmless characters, type tests, validation functions, and the guards of packs.
 */
import { matchesText } from '../../match/constraints.js'
import { writtenName } from '../../match/subject.js'
import { conditionsHold } from '../../match/conditions.js'
import { kindsOf } from '../../rulebook/compile.js'
import type { Call, Ir, Lambda } from '../../syntax/ir.js'
import { isAllowlist, isFoundAnywhere, isLiteralPattern, isStrictPattern } from './allowlist.js'
import { type CallSite, entriesAbout, selectArguments, testedSite } from '../calls/call-site.js'
import { methodOf } from '../calls/classes.js'
import { boundedKinds, isNumericType, noParent, pathKinds } from '../values/harmless-types.js'
import { copyEnvironment, joinInto } from '../environment.js'
import { cleanArguments, summaryOf } from '../calls/functions.js'
import { isPermission, passRefusal, vouch } from './enforced.js'
import { boundsFor } from './limits.js'
import { narrowFloor, narrowRange } from './narrow-floor.js'
import { areHosts, clean, cleanAddress } from './narrow-clean.js'
import { hostAsked, lastOf, narrowSome } from './narrow-some.js'
import { isFolderOf, narrowParent, narrowPrefix, narrowSuffix } from './narrow-prefix.js'
import { narrowMembership, narrowPattern, narrowType } from './narrow-tests.js'
import { applyMark } from '../roles.js'
import type { Flow, Frame } from '../state.js'
import { deepOrigins, unknown, type Value } from '../values/value.js'

const constantNames = '^[A-Z][A-Z0-9_]{2,}$'

const validatorNames =
  '(?i)^(?:is|has|check|validate|verify|ensure|assert|can)_?(?:a_?)?(?:valid|safe|allow|permitted|white|trusted|numeric|num|alnum|alpha|digit|int|number|uuid|email|url|local|internal|inside|within|sub|ip|hostname|identifier|legal|authorized)|^(?:validate|sanitize|isvalid|is_?safe)|valid(?:ate|ator)?$'

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
    case 'name':
      return narrowVariable(flow, frame, test, truth)
    case 'index':
      if (truth && isAllowlist(flow, frame, test.object)) clean(flow, frame, test.index, ['*'], true)
      return
    case 'member':
      if (!truth) narrowToNothing(flow, frame, test)
      return
    default:
  }
}

/** Null, an empty text or zero holds nothing of anybody; where a host is not there, the address is a relative one. */
function narrowToNothing(flow: Flow, frame: Frame, ir: Ir): void {
  // An object whose parts nobody has filled in sight stays one, as `process` behind `process.env.PORT ? ... : ...`.
  const isPart = ir.op === 'member' || ir.op === 'index'
  if (isPart && flow.evaluate(frame, ir.object).fields === undefined) cleanAddress(flow, frame, ir)
  else clean(flow, frame, ir, ['*'])
}

/** A variable that holds the outcome of a test. */
function narrowVariable(flow: Flow, frame: Frame, name: Extract<Ir, { op: 'name' }>, truth: boolean): void {
  const { test } = flow.evaluate(frame, name)
  // `ok = ok && f(x)` asks about itself.
  if (test !== undefined && !flow.openTests.has(test)) {
    flow.openTests.add(test)
    narrow(flow, frame, test, truth)
    flow.openTests.delete(test)
  }
  if (!truth) narrowToNothing(flow, frame, name)
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
  if (isEqual && right.op === 'unary' && right.operator === '!')
    return narrowBinary(flow, frame, { ...test, right: right.operand }, !truth)
  if (isEqual && right.op === 'opaque' && isLiteralPattern(right)) {
    if (truth) clean(flow, frame, left, ['*'])
    return
  }
  if (isEqual || isUnequal) return narrowEquality(flow, frame, left, right, isEqual === truth)
  if (operator === 'in' || operator === 'not in' || operator === '!in') {
    if ((operator === 'in') === truth) narrowIn(flow, frame, left, right)
    return
  }
  // `LIST[x] ?? null` is something only for what is in the list.
  if (operator === '??' && truth && flow.evaluate(frame, right).constant === null) return narrow(flow, frame, left, true)
  if (operator === 'instanceof' && truth) {
    const type = writtenName(right)?.segment
    if (isNumericType(flow, type)) clean(flow, frame, left, ['text'])
    return
  }
  if (operator === '=~' || operator === '!~') {
    if ((operator === '=~') === truth && isStrictPattern(flow.evaluate(frame, right), false, flow.book.language))
      clean(flow, frame, left, ['*'])
    return
  }
  narrowFloor(flow, frame, test, truth)
  narrowBounds(flow, frame, test, truth)
}

function narrowIn(flow: Flow, frame: Frame, left: Ir, right: Ir): void {
  if (narrowRange(flow, frame, right, left)) return
  if (isAllowlist(flow, frame, right)) return clean(flow, frame, left, ['*'])
  const isParents = right.op === 'member' && right.property === 'parents'
  if (isParents && !deepOrigins(flow.evaluate(frame, left)).some(({ label }) => label === 'remote'))
    clean(flow, frame, right.object, pathKinds, true)
}

/** `a == 'x' || a == 'y'`: what holds on both ways. */
function narrowEither(flow: Flow, frame: Frame, left: Ir, right: Ir, truth: boolean): void {
  if (isFolderOf(flow, left, right, truth)) return narrow(flow, frame, right, truth)
  if (isFolderOf(flow, right, left, truth)) return narrow(flow, frame, left, truth)
  const onLeft: Frame = { ...frame, env: copyEnvironment(frame.env) }
  const onRight: Frame = { ...frame, env: copyEnvironment(frame.env) }
  narrow(flow, onLeft, left, truth)
  narrow(flow, onRight, right, truth)
  joinInto(frame.env, onLeft.env, onRight.env)
}

/** `real === await realpath(BASE)`: it is the folder itself. */
function narrowFolder(flow: Flow, frame: Frame, left: Ir, right: Ir): boolean {
  if (left.op !== 'name' && left.op !== 'member') return false
  const folder = flow.evaluate(frame, right)
  if (folder.path === null || !flow.book.words.normalizes.has(folder.path.segment) || deepOrigins(folder).length > 0) return false
  clean(flow, frame, left, pathKinds)
  return true
}

const isLength = ({ book }: Flow, ir: Ir): boolean =>
  ir.op === 'call' && book.words.measures.has(writtenName(ir.callee)?.segment ?? '')

/** Equal to a constant: harmless. Counting results of searches (`indexOf(x) !== -1`, `strcmp() == 0`) are looked through. */
function narrowEquality(flow: Flow, frame: Frame, left: Ir, right: Ir, isEqual: boolean): void {
  if (isEqual && areHosts(flow, frame, left, right)) cleanAddress(flow, frame, left)
  if (isEqual && (narrowParent(flow, frame, left, right) || narrowParent(flow, frame, right, left))) return
  if (isEqual && (narrowFolder(flow, frame, left, right) || narrowFolder(flow, frame, right, left))) return
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const { constant, origins } = flow.evaluate(frame, other)
    // `len(b) != n + 2`: it is as long as the data says.
    if (isEqual && origins.length === 0 && isLength(flow, other)) clean(flow, frame, value, boundedKinds)
    if (value.op === 'call' && origins.length === 0 && narrowBeginning(flow, frame, value, other, constant, isEqual)) return
    // C++: `set.find(x) != set.end()`.
    if (value.op === 'call' && other.op === 'call' && /^c?end$/.test(writtenName(other.callee)?.segment ?? ''))
      return narrow(flow, frame, value, !isEqual)
    const isSize = other.op === 'call' && writtenName(other.callee)?.segment === 'sizeof'
    const isNamedConstant = isSize || matchesText(constantNames, writtenName(other)?.segment ?? '')
    if (constant === undefined && !isNamedConstant) continue
    if (value.op === 'unary' && value.operator === 'typeof') return narrowTypeof(flow, frame, value.operand, constant, isEqual)
    if (value.op === 'call' && typeof constant === 'boolean') return narrow(flow, frame, value, constant === isEqual)
    if (value.op === 'call' && (constant === -1 || constant === null)) return narrow(flow, frame, value, !isEqual)
    if (isEqual && constant === null) passRefusal(flow, frame, value)
    if (value.op === 'name' && constant === null) return narrow(flow, frame, value, !isEqual)
    if (value.op === 'call' && constant === 1) return narrow(flow, frame, value, isEqual)
    if (value.op === 'call' && constant === 0) return narrow(flow, frame, value, !isEqual)
    if (!isEqual && constant === '..') clean(flow, frame, value, [noParent])
    if (!isEqual || constant === true) return
    if (constant === null || constant === '') narrowToNothing(flow, frame, value)
    else clean(flow, frame, value, ['*'])
    return
  }
}

/** A text holds no operators of a database, a number no text. */
function narrowTypeof(flow: Flow, frame: Frame, operand: Ir, type: Value['constant'], isEqual: boolean): void {
  if (isEqual)
    clean(flow, frame, operand, type === 'string' ? ['nosql'] : type === 'number' || type === 'boolean' ? ['text'] : [])
}

/** Other ways to say that a text begins with another: `indexOf(base) === 0`, `substr(p, 0, 5) === base`, `commonpath([base, p]) == base`. */
function narrowBeginning(
  flow: Flow,
  frame: Frame,
  call: Call,
  other: Ir,
  constant: Value['constant'],
  isEqual: boolean,
): boolean {
  const { words } = flow.book
  const method = writtenName(call.callee)?.segment ?? ''
  if (words.shares.has(method)) {
    const [paths] = call.args
    if (isEqual && paths !== undefined) clean(flow, frame, paths.value, pathKinds, true)
    return true
  }
  if (words.searches.has(method) && constant === 0) {
    narrowPrefix(flow, frame, testedSite(flow, frame, call), isEqual)
    return false
  }
  if (!words.cuts.has(method) || !isEqual) return false
  const site = testedSite(flow, frame, call)
  const [text, from] = call.callee.op === 'member' ? [site.receiver, site.args[0]] : [site.args[0]?.subject, site.args[1]]
  const start = from?.subject.value.constant
  if (text?.ir == null || (start !== 0 && start !== null)) return false
  narrowPrefix(
    flow,
    frame,
    { ...site, receiver: text, args: [{ name: undefined, subject: { value: flow.evaluate(frame, other), ir: other } }] },
    true,
  )
  return true
}

/** `x < limit` bounds `x` from above where it holds. */
function narrowBounds(flow: Flow, frame: Frame, test: Extract<Ir, { op: 'binary' }>, truth: boolean): void {
  const { operator, left, right } = test
  if (!['<', '<=', '>', '>='].includes(operator)) return
  const isLess = operator.startsWith('<') === truth
  const bounded = isLess ? left : right
  const limit = isLess ? right : left
  const kinds = boundsFor(flow, frame, limit, bounded)
  if (kinds.length > 0) clean(flow, frame, bounded, kinds)
  // `end := offset + n`: where the sum is inside, so is each of its parts, unless it has wrapped around.
  if (deepOrigins(flow.evaluate(frame, bounded)).some(({ label }) => label === 'wrapped')) return
  const parts = isLength(flow, limit) ? kinds.filter((kind) => kind === 'slice' || kind === 'integer') : ['slice']
  if (kinds.includes('slice')) clean(flow, frame, bounded, parts, true)
  if (left.op === 'call' && /index|search|find|pos|match|count/i.test(writtenName(left.callee)?.segment ?? '')) {
    const holds = operator.startsWith('>') === truth
    narrow(flow, frame, left, holds)
  }
}

function narrowCall(flow: Flow, frame: Frame, call: Call, truth: boolean): void {
  const site = testedSite(flow, frame, call)
  const { words } = flow.book
  const method = site.method.toLowerCase()
  const isLoose = words.tests.has(method) && site.receiver !== null && isFoundAnywhere(site.receiver.value)
  for (const { role } of entriesAbout(flow, flow.book.guards, site)) {
    if (role.role === 'mark' && conditionsHold(flow, role.conditions, site))
      applyMark(flow, site, role.conditions, role.conditions.when === truth)
    if (role.role !== 'guard') continue
    const guard = role.conditions
    if (guard.when !== truth || isLoose || !conditionsHold(flow, guard, site)) continue
    for (const subject of selectArguments(site, guard.argument)) {
      if (subject.ir !== null) clean(flow, frame, subject.ir, kindsOf(guard.kinds), guard.derived)
    }
    if (guard.everything) vouch(frame, kindsOf(guard.kinds))
  }
  const own = ownFunction(flow, frame, call, site)
  const validated = own === null ? null : summaryOf(flow, own)?.validated
  if (validated != null) {
    cleanArguments(flow, site, truth ? validated.whenTrue : validated.whenFalse)
    return
  }
  const first = site.args[0]?.subject
  const lambda = call.args.find(({ value }) => value.op === 'function')?.value
  if (words.begins.has(method)) narrowPrefix(flow, frame, site, truth)
  else if (words.folds.ends.has(site.method)) narrowSuffix(flow, frame, site, truth)
  else if (method === 'matches!') {
    const pattern = call.args[1]?.value
    if (truth && first?.ir != null && pattern !== undefined && isLiteralPattern(pattern)) clean(flow, frame, first.ir, ['*'])
  } else if (words.every.has(method) && narrowEvery(flow, frame, call, site, truth !== (method === 'any'))) return
  else if (lambda?.op === 'function' || hostAsked(flow, frame, call) !== null) {
    if (truth) narrowSome(flow, frame, call, site)
  } else if (call.callee.op === 'name' && flow.readCallee(frame, call.callee).fields !== undefined) {
    if (truth && first?.ir != null && isAllowlist(flow, frame, call.callee)) clean(flow, frame, first.ir, ['*'], true)
  } else if (method === 'isset') {
    if (truth && first?.ir?.op === 'index') narrow(flow, frame, first.ir, true)
  } else if (words.folds.is_empty.has(site.method) || words.folds.is_blank.has(site.method)) {
    const text = site.receiver ?? first
    if (truth && text?.ir != null) narrowToNothing(flow, frame, text.ir)
  } else if (words.contains.has(method) || (method === 'find' && site.receiver?.value.fields !== undefined))
    narrowMembership(flow, frame, site, truth)
  else if (words.tests.has(method)) narrowPattern(flow, frame, site, truth)
  else if (words.tests_type.has(method)) {
    if (truth !== words.tests_no_type.has(method)) narrowType(flow, frame, site)
  } else if (words.equal.has(method)) {
    const isEqual = words.equal_zero.has(method) ? !truth : truth
    const [a, b] = site.receiver === null ? [first, site.args[1]?.subject] : [site.receiver, first]
    if (a?.ir != null && b?.ir != null && !isOnlyPrefix(site)) narrowEquality(flow, frame, a.ir, b.ir, isEqual)
  } else if (truth && (matchesText(validatorNames, site.method) || isPermission(site))) {
    for (const { subject } of site.args) if (subject.ir !== null) clean(flow, frame, subject.ir, ['*'], true)
    if (site.args.length === 0 && site.receiver?.ir != null) clean(flow, frame, site.receiver.ir, ['*'])
  }
}

/** `strncmp(line, "GET ", 4)` says nothing of what comes behind. */
function isOnlyPrefix({ args }: CallSite): boolean {
  const [left, right, count] = args.map(({ subject }) => subject.value.constant)
  if (args.length < 3) return false
  const text = typeof right === 'string' ? right : left
  return typeof count !== 'number' || (typeof text === 'string' && count <= text.length)
}

/** `text.every(c => isLetter(c))`: when the test cleans one character, it cleans the text. */
/** `all_of(s.begin(), s.end(), isDigit)`: what the algorithm goes through. */
function rangeOf({ args }: Call): Ir | undefined {
  const first = args.length > 1 ? args[0]?.value : undefined
  return first?.op === 'call' && first.callee.op === 'member' && /^c?begin$/.test(first.callee.property)
    ? first.callee.object
    : undefined
}

function narrowEvery(flow: Flow, frame: Frame, call: Call, site: CallSite, truth: boolean): boolean {
  const lambda = call.args.find(({ value }) => value.op === 'function')?.value
  const steps = call.args[0]?.value
  let subject: Ir | undefined
  let name: string | undefined
  let test: Ir | undefined
  if (lambda?.op === 'function') {
    subject = rangeOf(call) ?? (call.callee.op === 'member' ? call.callee.object : undefined)
    name = lambda.parameters[0]?.name ?? 'it'
    test = lastOf(lambda.body)
  } else if (steps !== undefined && (steps.op === 'member' || steps.op === 'name')) {
    // `code.All(char.IsLetter)`: the test by its name.
    subject = call.callee.op === 'member' ? call.callee.object : undefined
    const { start, end } = steps
    name = 'it'
    test = {
      op: 'call',
      callee: steps,
      args: [{ value: { op: 'name', name, start, end }, spread: false }],
      isNew: false,
      at: start,
      start,
      end,
    }
  } else if (steps?.op === 'block') {
    const [step, list] = [steps.body[0], steps.body.at(-1)]
    if (step?.op === 'assign' && step.target.op === 'name' && step.value?.op === 'call') {
      subject = step.value.args[0]?.value
      name = step.target.name
    }
    test = list?.op === 'collection' ? list.entries[0]?.value : undefined
  }
  if (subject === undefined || name === undefined || test === undefined) return false
  const { origins } = flow.evaluate(frame, subject)
  if (origins.length === 0) return true
  const inner: Frame = { ...frame, env: copyEnvironment(frame.env), hits: new Map() }
  const isNegated = site.method === 'any'
  inner.env.variables.set(name, { ...unknown, origins })
  narrow(flow, inner, test, !isNegated)
  const after = inner.env.variables.get(name)?.origins ?? []
  const kinds = after[0] === undefined ? [] : [...after[0].clean].filter((kind) => after.every((one) => one.clean.has(kind)))
  if (truth) clean(flow, frame, subject, kinds, true)
  return true
}

/** The function of the file that a condition calls. */
function ownFunction(flow: Flow, frame: Frame, call: Call, site: CallSite): Lambda | null {
  if (call.callee.op === 'member') return methodOf(flow, site, call.callee.property)
  const named = flow.readCallee(frame, call.callee).func?.lambda
  if (named !== undefined || call.callee.op !== 'name' || frame.className === null) return named ?? null
  return flow.classes.get(frame.className)?.methods.get(call.callee.name) ?? null
}
