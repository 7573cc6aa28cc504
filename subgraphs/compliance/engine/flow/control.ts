/** Branches, loops, exceptions and jumps: copies of the environment that are joined again. */
import type { Call, Catch, Conditional, Ir, Jump, Loop, Switch, Try } from '../syntax/ir.js'
import { assignTo, elementOf } from './assign.js'
import { copyEnvironment, type Environment, joinInto, lookup } from './environment.js'
import { truthOf } from './values/fold.js'
import { onReturn } from './calls/returned.js'
import { alternativesOf, isStrictPattern } from './conditions/allowlist.js'
import { narrow } from './conditions/narrow.js'
import { clean } from './conditions/narrow-clean.js'
import { nodesOf } from '../match/nodes.js'
import { bindPattern } from './patterns.js'
import { partsOf } from './prepare.js'
import { reportIf } from './report-if.js'
import type { Flow, Frame } from './state.js'
import { noParent, pathKinds } from './values/harmless-types.js'
import { assignedValue } from './values/trail.js'
import { noteExit } from './conditions/validation.js'
import { cleaned, joinValues, originAt, unknown, type Value } from './values/value.js'

export function conditional(flow: Flow, frame: Frame, ir: Conditional): Value {
  const test = flow.evaluate(frame, ir.test)
  const truth = truthOf(test.constant)
  if (truth === true) return flow.evaluate(frame, ir.then)
  if (truth === false) return ir.otherwise === null ? unknown : flow.evaluate(frame, ir.otherwise)
  const before = copyEnvironment(frame.env)
  narrow(flow, frame, ir.test, true)
  frame.tests.push(ir.test)
  const then = flow.evaluate(frame, ir.then)
  const afterThen = copyEnvironment(frame.env)
  frame.env = before
  narrow(flow, frame, ir.test, false)
  const otherwise = ir.otherwise === null ? null : flow.evaluate(frame, ir.otherwise)
  frame.tests.pop()
  const joined: Environment = { variables: new Map(), parent: before.parent, isDead: false }
  joinInto(joined, afterThen, frame.env)
  frame.env = joined
  if (otherwise === null) return afterThen.isDead ? unknown : then
  return joinValues(then, otherwise)
}

export function switchCases(flow: Flow, frame: Frame, ir: Switch): Value {
  const subject = ir.subject === null ? null : flow.evaluate(frame, ir.subject)
  const chosen = constantCase(flow, frame, ir, subject)
  const start = copyEnvironment(frame.env)
  const breaks = frame.breaks.splice(0)
  let end: Environment | null = null
  let fall: Environment | null = null
  let result: Value | null = null
  for (const [at, one] of ir.cases.entries()) {
    if (chosen !== null && at < chosen) continue
    if (chosen !== null && at > chosen && (fall === null || fall.isDead)) break
    frame.env = copyEnvironment(start)
    bindCase(flow, frame, ir, one.tests, subject)
    if (fall !== null && !fall.isDead) {
      const merged = copyEnvironment(frame.env)
      joinInto(frame.env, chosen !== null && at > chosen ? fall : merged, fall)
    }
    if (one.guard !== undefined) {
      flow.evaluate(frame, one.guard)
      narrow(flow, frame, one.guard, true)
    }
    frame.tests.push(...one.tests)
    const value = flow.evaluate(frame, one.body)
    frame.tests.length -= one.tests.length
    result = result === null ? value : joinValues(result, value)
    fall = ir.fallsThrough ? frame.env : null
    if (!ir.fallsThrough || at === ir.cases.length - 1) end = merge(end, frame.env)
    if (subject === null) narrowFurther(flow, frame, start, one.tests)
  }
  if (fall !== null) end = merge(end, fall)
  if (chosen === null && !ir.cases.some((one) => one.tests.length === 0)) end = merge(end, start)
  for (const one of frame.breaks.splice(0)) end = merge(end, { ...one, isDead: false })
  frame.breaks.push(...breaks)
  frame.env = end ?? start
  return result ?? unknown
}

/** Without a subject the tests are asked one after the other: none of those above was true. */
function narrowFurther(flow: Flow, frame: Frame, env: Environment, tests: readonly Ir[]): void {
  const after = frame.env
  frame.env = env
  for (const test of tests) if (test.op !== 'assign') narrow(flow, frame, test, false)
  frame.env = after
}

function merge(into: Environment | null, from: Environment): Environment {
  if (into === null) return copyEnvironment(from)
  joinInto(into, copyEnvironment(into), from)
  return into
}

/** The one case that a constant subject selects, or the first condition that is known to hold after others that do not. */
function constantCase(flow: Flow, frame: Frame, ir: Switch, subject: Value | null): number | null {
  if (ir.cases.some((one) => one.guard !== undefined)) return null
  if (subject === null) return firstTrue(flow, frame, ir)
  if (subject.constant === undefined || subject.constant === null) return null
  let fallback: number | null = null
  for (const [at, one] of ir.cases.entries()) {
    if (one.tests.length === 0) fallback = at
    for (const test of one.tests.flatMap(alternativesOf)) {
      const { constant } = flow.evaluate(frame, test)
      if (constant === undefined) return null
      if (constant === subject.constant) return at
    }
  }
  return fallback
}

/** Only tests that have no effect are evaluated twice. */
function firstTrue(flow: Flow, frame: Frame, ir: Switch): number | null {
  for (const [at, one] of ir.cases.entries()) {
    if (one.tests.length === 0) return at
    const truths = one.tests.map((test) => (isPlain(test) ? truthOf(flow.evaluate(frame, test).constant) : undefined))
    if (truths.includes(true)) return at
    if (truths.includes(undefined)) return null
  }
  return null
}

const isPlain = (ir: Ir): boolean =>
  ['literal', 'name'].includes(ir.op) ||
  (ir.op === 'binary' && isPlain(ir.left) && isPlain(ir.right)) ||
  (ir.op === 'unary' && ir.operator === '!' && isPlain(ir.operand))

function bindCase(flow: Flow, frame: Frame, ir: Switch, tests: readonly Ir[], subject: Value | null): void {
  const isConstant = tests.length > 0 && tests.flatMap(alternativesOf).every((test) => test.op === 'literal')
  if (subject === null) {
    for (const test of tests) {
      flow.evaluate(frame, test)
      narrow(flow, frame, test, true)
    }
    return
  }
  if (isConstant && ir.subject?.op === 'name') frame.env.variables.set(ir.subject.name, cleaned(subject, ['*']))
  // Of a piece nothing is said about the whole.
  else if (isConstant && ir.subject !== null && ir.subject.op !== 'concat') clean(flow, frame, ir.subject, ['*'])
  if (flow.table?.casesBind !== true) {
    for (const test of tests) bindPattern(flow, frame, test, subject)
    return
  }
  for (const test of tests) {
    // `match (a, b)`: each piece of the pattern gets its own. An extractor may have looked at its piece.
    if (test.op === 'collection') {
      const given = isPlainPattern(test) && ir.subject?.op === 'collection' ? subject : { ...unknown, origins: subject.origins }
      assignTo(flow, frame, bindingOf(test), isStrictExtractor(flow, frame, test) ? cleaned(given, ['*']) : given)
    } else if (test.op === 'name' && /^[a-z_%]/.test(test.name)) frame.env.variables.set(test.name, subject)
    else if (test.op === 'call')
      for (const argument of test.args)
        if (argument.value.op === 'name') frame.env.variables.set(argument.value.name, { ...unknown, origins: subject.origins })
  }
}

/** A constant of a pattern asks and binds nothing. */
const bindingOf = (pattern: Extract<Ir, { op: 'collection' }>): Ir => ({
  ...pattern,
  entries: pattern.entries.flatMap((entry, at) => {
    if (entry.value.op === 'literal' || entry.value.op === 'member') return []
    const key: Ir = entry.key ?? { op: 'literal', value: at, start: entry.value.start, end: entry.value.start }
    return [{ ...entry, key }]
  }),
})

/** Names, constants and lists of them: `Name()` is an extractor. */
const isPlainPattern = (test: Ir): boolean =>
  test.op === 'name' ||
  test.op === 'literal' ||
  test.op === 'member' ||
  (test.op === 'collection' && test.entries.length > 0 && test.entries.every(({ value }) => isPlainPattern(value)))

/** Bodies run twice, so that data carried from one round to the next is seen; nested deeper only once. */
export function loop(flow: Flow, frame: Frame, ir: Loop): Value {
  if (ir.init !== null) flow.evaluate(frame, ir.init)
  const breaks = frame.breaks.splice(0)
  const continues = frame.continues.splice(0)
  const rounds = frame.loopDepth >= 2 || flow.isTruncated ? 1 : 2
  if (rounds === 1) forgetAssigned(frame, ir)
  const before = copyEnvironment(frame.env)
  const inner: Frame = { ...frame, loopDepth: frame.loopDepth + 1, loop: ir }
  const ends: Environment[] = []
  let tested: readonly string[] = []
  let value: Value = unknown
  for (let round = 0; round < rounds; round++) {
    if (ir.target !== null && ir.iterable !== null)
      assignTo(flow, inner, ir.target, assignedValue(elementOf(flow.evaluate(inner, ir.iterable)), ir.target))
    if (ir.test !== null && !ir.bodyFirst) {
      const test = flow.evaluate(inner, ir.test)
      if (round === 0 && truthOf(test.constant) === false && ir.update === null) break
      narrow(flow, inner, ir.test, true)
    }
    value = flow.evaluate(inner, ir.body)
    for (const one of inner.continues.splice(0)) inner.env = merge(inner.env, { ...one, isDead: false })
    ends.push(...inner.breaks.splice(0))
    const isOver = inner.env.isDead
    if (round === 0 && !isOver && ends.length === 0) tested = testedInLoop(flow, inner, ir)
    if (ir.update !== null && !isOver) flow.evaluate(inner, ir.update)
    if (ir.bodyFirst && ir.test !== null && !isOver) flow.evaluate(inner, ir.test)
    const joined = copyEnvironment(before)
    if (ir.bodyFirst || turnsOver(ir)) joinInto(joined, inner.env, inner.env)
    else joinInto(joined, before, inner.env)
    inner.env = joined
    // Nothing comes back to the beginning of the body.
    if (isOver) break
  }
  frame.env = inner.env
  frame.result = inner.result
  if (ir.test !== null && !frame.env.isDead && truthOf(flow.evaluate(frame, ir.test).constant) === undefined)
    narrow(flow, frame, ir.test, false)
  if (ir.iterable !== null && ends.length === 0 && tested.length > 0) clean(flow, frame, ir.iterable, tested, true)
  for (const one of ends) frame.env = merge(frame.env, { ...one, isDead: false })
  frame.breaks.push(...breaks)
  frame.continues.push(...continues)
  return value
}

/** `for (i = 0; i < rounds; i++) key = hash(key)`: what is made over and over is made at least once. */
function turnsOver({ update, body }: Loop): boolean {
  const only = body.op === 'block' ? (body.body.length === 1 ? body.body[0] : undefined) : body
  if (update === null || only?.op !== 'assign' || only.operator !== '=' || only.target.op !== 'name') return false
  const { target, value } = only
  return value?.op === 'call' && value.args.some((one) => one.value.op === 'name' && one.value.name === target.name)
}

/** `for (c of text) if (!isLetter(c)) return`: what each of its elements was found harmless for, all of it is. */
function testedInLoop(flow: Flow, frame: Frame, { target, body, iterable }: Loop): readonly string[] {
  if (target?.op !== 'name') return []
  const { name } = target
  const written = iterable?.op === 'name' ? writtenBack(body, iterable.name) : null
  const isReplaced = nodesOf(body).some((ir) => ir.op === 'assign' && ir.target.op === 'name' && ir.target.name === name)
  const origins = written === null ? lookup(frame.env, name)?.origins : flow.evaluate(frame, written).origins
  const [first, ...others] = isReplaced ? [] : (origins ?? [])
  const kinds = first === undefined ? [] : [...first.clean].filter((kind) => others.every((one) => one.clean.has(kind)))
  return kinds.includes(noParent) && isOfPath(iterable) ? [...kinds, ...pathKinds] : kinds
}

/** `for part in path.split("/")`: the folders that it leads through. */
const isOfPath = (ir: Ir | null): boolean =>
  ir?.op === 'call'
    ? ir.args.some(({ value }) => value.op === 'literal' && /^[\\/]$/.test(String(value.value)))
    : ir?.op === 'name' && /part|seg|elem|comp|piece/i.test(ir.name)

/** `foreach ($row as $k => $v) $row[$k] = escape($v);`: what takes the place of each element. */
function writtenBack(body: Ir, name: string): Ir | null {
  const statements = body.op === 'block' ? body.body.flatMap((one) => (one.op === 'block' ? one.body : [one])) : [body]
  const keys = statements.flatMap((one) =>
    one.op === 'assign' && one.target.op === 'name' && one.value?.op === 'call' && lastSegment(one.value) === '%key'
      ? [one.target.name]
      : [],
  )
  for (const one of statements)
    if (one.op === 'assign' && one.operator === '=' && one.target.op === 'index') {
      const { object, index } = one.target
      if (object.op === 'name' && object.name === name && index.op === 'name' && keys.includes(index.name)) return one.value
    }
  return null
}

const lastSegment = ({ callee }: Call): string => (callee.op === 'name' ? callee.name : '')

/** One round only: what the body assigns is not known at its beginning. */
function forgetAssigned(frame: Frame, ir: Loop): void {
  const stack: Ir[] = [ir.body, ...(ir.update === null ? [] : [ir.update])]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const target = at.op === 'assign' ? at.target : at.op === 'unary' ? at.operand : null
    const old = target?.op === 'name' ? lookup(frame.env, target.name) : undefined
    if (target?.op === 'name' && typeof old?.constant === 'number')
      frame.env.variables.set(target.name, { ...old, constant: undefined })
    stack.push(...partsOf(at))
  }
}

export function tryCatch(flow: Flow, frame: Frame, ir: Try): Value {
  const before = copyEnvironment(frame.env)
  for (const resource of ir.resources) flow.evaluate(frame, resource)
  let value = flow.evaluate(frame, ir.body)
  const after = frame.env
  const thrown = copyEnvironment(after)
  joinInto(thrown, before, { ...copyEnvironment(after), isDead: false })
  const ends = [after]
  for (const one of ir.catches) {
    const inner: Frame = { ...frame, env: copyEnvironment(thrown), inCatch: true }
    if (one.parameter !== null) inner.env.variables.set(one.parameter, exceptionOf(one))
    flow.onCatch(inner, one, ir.body)
    const caught = flow.evaluate(inner, one.body)
    value = joinValues(value, caught)
    frame.result = inner.result
    ends.push(inner.env)
  }
  const [first = after, ...rest] = ends
  frame.env = rest.reduce((a, b) => merge(copyEnvironment(a), b), first)
  if (ir.finalizer !== null) {
    const wasDead = frame.env.isDead
    frame.env.isDead = false
    flow.evaluate(frame, ir.finalizer)
    frame.env.isDead ||= wasDead
  }
  return value
}

/** What an exception tells was not meant for callers. */
const exceptionOf = ({ types, start }: Catch): Value => ({
  ...unknown,
  type: types[0] ?? 'Exception',
  origins: [originAt('exception', start, start)],
})

export function jump(flow: Flow, frame: Frame, ir: Jump): Value {
  const value = ir.value === null ? unknown : flow.evaluate(frame, ir.value)
  if (ir.kind === 'return' || ir.kind === 'yield') {
    frame.result = frame.result === null ? value : joinValues(frame.result, value)
    if (ir.value !== null) onReturn(flow, frame, value, ir.value)
    if (ir.kind === 'return') noteReturn(flow, frame, ir, value)
    if (ir.kind === 'return' && frame.closure === null) keepParameters(frame)
  }
  if (ir.kind === 'throw') {
    for (const { rule, matcher } of flow.book.plain.throws)
      reportIf(flow, frame, rule, matcher, ir, matcher.throws, { value, ir: ir.value })
  }
  if (ir.kind === 'break') frame.breaks.push(copyEnvironment(frame.env))
  if (ir.kind === 'continue') frame.continues.push(copyEnvironment(frame.env))
  if (ir.kind !== 'yield') frame.env.isDead = true
  return value
}

/** A parameter that was filled on this way is filled, whatever the others leave in it. */
function keepParameters({ env, left }: Frame): void {
  for (const [name, kept] of left) {
    const value = env.variables.get(name)
    if (value === undefined || value === kept.begun || value === kept.changed) continue
    kept.changed = kept.changed === null ? value : joinValues(kept.changed, value)
  }
}

function noteReturn(flow: Flow, frame: Frame, { value: ir, status }: Jump, value: Value): void {
  if (status === undefined) return noteExit(flow, frame, ir, value)
  noteExit(flow, frame, status, status.op === 'literal' ? { ...unknown, constant: status.value } : unknown)
}

/** Scala: `case Name(x)`, where `Name` is a pattern that lets nothing through but harmless characters. */
function isStrictExtractor(flow: Flow, frame: Frame, { start, end }: Ir): boolean {
  const name = /^([A-Z]\w{0,60})\(/.exec(flow.text.slice(start, Math.min(end, start + 64)))?.[1]
  return name !== undefined && isStrictPattern(flow.evaluate(frame, { op: 'name', name, start, end: start + name.length }), true)
}
