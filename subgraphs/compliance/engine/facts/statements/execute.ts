/**
 * Statements: states in, states out.
 *
 * States that differ in what is allocated, freed or set stay apart, up to a limit, so that `if (need) p = malloc(n); ... if (need) free(p);`
 * is understood; all others are joined where ways meet.
 */
import { failureNumber } from '../numbers/failures.js'
import { restoresIds } from '../calls/restored-ids.js'
import { macroCall } from '../calls/macro-calls.js'
import { noteBehind } from '../memory/containers.js'
import { declare } from '../memory/declare.js'
import { askedAgain } from './asked.js'
import { goingBehind, isBlockSaidToEnd, isSaidToEnd } from './believed.js'
import { loop } from './loops.js'
import { checkTruncated } from '../numbers/truncation.js'
import type { Case, Expr, ExprOf, Statement } from '../program.js'
import { isLocalLambda } from '../memory/views.js'
import { endHolders } from '../memory/locks.js'
import { checkMoved } from '../memory/moves.js'
import { type Run, escape, modelOf, report, step } from '../run.js'
import { State, unknownValue } from '../state.js'
import { alive, eitherWay, settle } from './ways.js'

/** Branches of `#if`: what the function asks twice has one answer. */
function compiled({ frame: { fn, isDefined } }: Run, { branches, asked }: Statement & { op: 'either' }): readonly Statement[] {
  if (asked === null || !fn.conditions.has(asked.text)) return branches
  return branches.filter((_, at) => (at === 0) === (asked.isNegated !== isDefined))
}

/** How many ways have left what is executed. */
const leftBy = ({ frame }: Run): number => frame.exits.length + frame.breaks.length + frame.continues.length

export function execute(run: Run, states: readonly State[], statement: Statement): State[] {
  if (
    states.length === 0 &&
    statement.op !== 'label' &&
    statement.op !== 'block' &&
    statement.op !== 'either' &&
    statement.op !== 'if' &&
    statement.op !== 'loop' &&
    statement.op !== 'switch'
  )
    return []
  step(run)
  switch (statement.op) {
    case 'expression': {
      const chosen = statement.value.op === 'assign' && statement.value.operator === '' ? statement.value : null
      if (chosen !== null && makesOnOneWay(chosen.value))
        return eachWay(run, states, chosen.value, (value) => ({ ...statement, value: { ...chosen, value } }))
      checkIgnored(run, statement.value)
      const going = alive(states, (state) => discard(run, state, statement.value))
      return statement.value.op === 'call' && isSaidToEnd(run, statement.value) ? [] : going
    }
    case 'declare':
      noteBehind(run, statement.variable.name, statement.value)
      if (makesOnOneWay(statement.value)) return eachWay(run, states, statement.value, (value) => ({ ...statement, value }))
      return alive(states, (state) => declare(run, state, statement.variable, statement.value, statement.isStatic, statement))
    case 'block': {
      let going = [...states]
      const { breaks, continues } = run.frame
      const [broken, continued] = [breaks.length, continues.length]
      for (const one of statement.body) going = execute(run, going, one)
      endHolders([...going, ...breaks.slice(broken), ...continues.slice(continued)], statement.declared)
      return going
    }
    case 'if':
      return conditional(run, states, statement)
    case 'either': {
      const left = leftBy(run)
      const ways = compiled(run, statement).map((one) => execute(run, copies(states), one))
      // `#ifdef HAVE_ASSERT_H assert(false); #endif`: whoever ends the program there does not come here.
      const endsOnOne = left === leftBy(run) && ways.some((one) => one.length === 0)
      return settle(run, eitherWay(ways, endsOnOne), `${statement.start}`)
    }
    case 'switch':
      return switchCases(run, states, statement)
    case 'loop':
      return loop(run, states, statement)
    case 'return':
    case 'throw':
      return leave(run, states, statement)
    case 'try':
      return attempt(run, states, statement)
    case 'break':
      run.frame.breaks.push(...states)
      return []
    case 'continue':
      run.frame.continues.push(...states)
      return []
    case 'goto': {
      const waiting = run.frame.labels.get(statement.label) ?? []
      run.frame.labels.set(statement.label, settle(run, [...waiting, ...states], statement.label))
      return []
    }
    case 'label': {
      const jumped = run.frame.labels.get(statement.label) ?? []
      run.frame.labels.delete(statement.label)
      return execute(run, settle(run, [...states, ...copies(jumped)], statement.label), statement.body)
    }
  }
}

/** `p = n > 0 ? malloc(n) : NULL` */
function makesOnOneWay(value: Expr | null): value is ExprOf<'choice'> {
  if (value?.op !== 'choice') return false
  const isEmpty = (one: Expr): boolean => one.op === 'null' || (one.op === 'number' && one.value === 0)
  const isMade = (one: Expr): boolean => (one.op === 'cast' ? isMade(one.value) : one.op === 'call' || one.op === 'new')
  return (isEmpty(value.then) && isMade(value.otherwise)) || (isMade(value.then) && isEmpty(value.otherwise))
}

/** A choice as the two ways that it is. */
function eachWay(
  run: Run,
  states: readonly State[],
  { test, then, otherwise, start }: ExprOf<'choice'>,
  withValue: (value: Expr) => Statement,
): State[] {
  const ended: State[] = []
  for (const state of states) {
    const { yes, no } = run.branch(state, test)
    ended.push(...execute(run, yes, withValue(then)), ...execute(run, no, withValue(otherwise)))
  }
  return settle(run, ended, `${start}`)
}

/** A call whose result says that it failed, as a statement of its own. */
function checkIgnored(run: Run, value: Expr): void {
  const call = value.op === 'cast' ? value.value : value
  if (call.op !== 'call' || call.receiver !== null || run.functions.has(call.name)) return
  const kind = modelOf(run, call.name)?.must_check
  const isHarmless = (kind === 'input' && isDrained(run, call)) || (kind === 'privileges' && restoresIds(run, call))
  if (kind !== undefined && !isHarmless) report(run, `ignored-${kind}`, call)
}

/** `recv(wake, &byte, 1, 0);` into a variable that only such calls name: it is thrown away. */
function isDrained(run: Run, { args }: ExprOf<'call'>): boolean {
  const { fn } = run.frame
  const filled = args[1]?.op === 'address' ? args[1].base : args[1]
  if (filled?.op !== 'variable' || !filled.isLocal || fn.parameters.some(({ name }) => name === filled.name)) return false
  const reads = fn.calls.filter((one) => modelOf(run, one.name)?.fills?.includes(1) === true)
  const isInRead = (at: number): boolean => reads.some(({ start, end }) => at > start && at < end)
  const mentions = [...run.text.slice(fn.start, fn.end).matchAll(new RegExp(`\\b${filled.name}\\b`, 'g'))]
  // The one that is left declares it.
  return mentions.filter(({ index }) => !isInRead(fn.start + index)).length <= 1
}

/** `return [&] { ... };`, `return std::thread([&] { ... });` */
const keepsLocals = (run: Run, value: Expr): boolean =>
  isLocalLambda(run, value) ||
  (value.op === 'call' && modelOf(run, value.name)?.runs_later === true && value.args.some((one) => isLocalLambda(run, one)))

const copies = (states: readonly State[]): State[] => states.map((state) => state.copy())

/** Nothing goes on behind it. */
function leave(run: Run, states: readonly State[], statement: Extract<Statement, { op: 'return' | 'throw' }>): State[] {
  const isThrown = statement.op === 'throw'
  const choice = statement.value
  // `return fd < 0 ? -1 : fd;` has two ways out.
  if (choice?.op === 'choice' && !isThrown) {
    for (const state of states) {
      const { yes, no } = run.branch(state, choice.test)
      leave(run, yes, { ...statement, value: choice.then })
      leave(run, no, { ...statement, value: choice.otherwise })
    }
    return []
  }
  for (const state of states) {
    const evaluated = statement.value === null ? null : run.evaluate(state, statement.value)
    const value = statement.value === null ? null : (failureNumber(run, state, statement.value) ?? evaluated)
    if (statement.value !== null) checkMoved(run, state, statement.value)
    if (statement.value !== null && keepsLocals(run, statement.value)) report(run, 'returned-local', statement)
    if (value !== null && statement.value !== null && !isThrown && statement.value.op !== 'variable')
      checkTruncated(run, state, run.frame.fn.name, run.frame.fn.returns, statement.value, value, statement.value)
    if (value !== null && isThrown) escape(run, state, value)
    if (state.object('end') === undefined)
      run.frame.exits.push({ state, value: isThrown ? null : value, place: statement, expr: statement.value, isThrown })
  }
  return []
}

function attempt(run: Run, states: readonly State[], statement: Extract<Statement, { op: 'try' }>): State[] {
  const before = copies(states)
  const { exits } = run.frame
  const known = exits.length
  const after = execute(run, states, statement.body)
  // What the body throws goes to the handlers.
  const left = exits.splice(known)
  exits.push(...left.filter((exit) => !exit.isThrown || statement.handlers.length === 0))
  before.push(...left.filter((exit) => exit.isThrown).map((exit) => exit.state))
  const handled = statement.handlers.flatMap((handler) => {
    const thrown = copies(before).map((state) => shaken(run, state))
    return execute(run, settle(run, thrown, `${statement.start} thrown`), handler)
  })
  return settle(run, [...after, ...handled], `${statement.start}`)
}

/** An exception may come from anywhere in a body: what was allocated there is left to its own. */
function shaken(run: Run, state: State): State {
  for (const [id, object] of state.allObjects())
    if (object.isOwned && !object.escaped) state.setObject(id, { ...object, escaped: true })
  for (const [place, value] of state.places()) if (value.isUnset) state.set(place, unknownValue)
  step(run)
  return state
}

function conditional(run: Run, states: readonly State[], statement: Extract<Statement, { op: 'if' }>): State[] {
  const yes: State[] = []
  const no: State[] = []
  for (const state of states) {
    const branches = askedAgain(run, state, statement)
    yes.push(...branches.yes)
    no.push(...branches.no)
  }
  const isLive = (state: State): boolean => state.object('end') === undefined
  run.frame.guards.push(statement)
  const then = execute(run, settle(run, yes.filter(isLive), `${statement.start} then`), statement.then)
  const started = settle(run, no.filter(isLive), `${statement.start} else`)
  const otherwise = statement.otherwise === null ? started : execute(run, started, statement.otherwise)
  run.frame.guards.pop()
  if (isBlockSaidToEnd(run, statement)) return []
  const going = [
    ...goingBehind(run, statement.then, then, otherwise),
    ...(statement.otherwise === null ? otherwise : goingBehind(run, statement.otherwise, otherwise, then)),
  ]
  return settle(run, going, `${statement.end}`)
}

function switchCases(run: Run, states: readonly State[], statement: Extract<Statement, { op: 'switch' }>): State[] {
  const { frame } = run
  const breaks = frame.breaks.splice(0)
  for (const state of states) run.evaluate(state, statement.subject)
  let fall: State[] = []
  let rest = copies(states)
  const isEnum = statement.cases.some((one) =>
    one.tests.some((test) => test.op !== 'number' || /^[A-Za-z_]/.test(run.text.slice(test.start, test.end))),
  )
  let hasDefault = false
  for (const one of statement.cases) {
    const entered: State[] = []
    if (one.tests.length === 0) hasDefault = true
    for (const state of states) {
      const [test] = one.tests
      if (test === undefined) entered.push(state.copy())
      else entered.push(...run.branch(state.copy(), equals(statement.subject, test)).yes)
    }
    const [test] = one.tests
    if (test !== undefined) rest = rest.flatMap((state) => run.branch(state, equals(statement.subject, test)).no)
    fall = settle(run, [...entered, ...fall], `${statement.start} case`)
    const broken = frame.breaks.length
    run.frame.guards.push(statement)
    for (const inner of one.body) fall = execute(run, fall, inner)
    run.frame.guards.pop()
    if (one.tests.length === 0 && one === statement.cases.at(-1))
      fall = goingBehind(run, bodyOf(one, statement), [...fall, ...frame.breaks.splice(broken)], frame.breaks)
  }
  const ended = [...fall, ...frame.breaks.splice(0)]
  frame.breaks.push(...breaks)
  // The labels of an enumeration are all there are.
  if (isEnum)
    for (const state of rest) for (const [place, value] of state.places()) if (value.isUnset) state.set(place, unknownValue)
  const isWhole = hasDefault || (isEnum && statement.cases.length > 2 && ended.length > 0)
  return settle(run, isWhole ? ended : [...ended, ...rest], `${statement.end}`)
}

const bodyOf = ({ body }: Case, { start, end }: Statement): Statement => ({ op: 'block', body, declared: [], start, end })

/** A switch looks at its subject once: comparisons of it must have no effects. */
const equals = (subject: Expr, right: Expr): Expr => {
  // `switch (c = *s)`
  const left = subject.op === 'assign' && subject.operator === '' ? subject.target : subject
  const isPlain = left.op === 'variable' || left.op === 'field'
  return {
    op: 'binary',
    operator: '==',
    left: isPlain ? left : { op: 'opaque', parts: [], type: left.type, start: left.start, end: left.end },
    right,
    type: null,
    start: right.start,
    end: right.end,
  }
}

/** Also by a function of the file that only makes it: `createHandler(socket);` */
function makesKnown(run: Run, value: Expr): boolean {
  if (value.op === 'new') return value.args.length > 0
  let last = value.op === 'call' ? run.functions.get(value.name)?.body : undefined
  while (last?.op === 'block') last = last.body.at(-1)
  return last?.op === 'return' && last.value?.op === 'new' && last.value.args.length > 0
}

/** `emalloc(p, T, n, "here");`: of a function, nobody would have what it answers. */
function assignsFirst(run: Run, { name, args, receiver }: ExprOf<'call'>): boolean {
  const [first] = args
  const model = receiver === null && !run.functions.has(name) ? modelOf(run, name) : null
  if (model?.allocates === undefined || model.frees !== undefined || args.length < 2) return false
  return first?.op === 'variable' && first.isLocal && first.type?.kind !== 'integer'
}

/** `new Handler(queue);`: an object that nobody takes, but that got others, has made itself known to them. */
function discard(run: Run, state: State, value: Expr): void {
  // `move(position);`: a method of that name; a value that nobody takes is not moved.
  if (value.op === 'call' && value.receiver === null && modelOf(run, value.name)?.moves !== undefined) {
    for (const argument of value.args) run.evaluate(state, argument)
    return
  }
  if (value.op === 'call' && assignsFirst(run, value)) {
    macroCall(run, state, value)
    return
  }
  const made = run.evaluate(state, value)
  if (makesKnown(run, value)) escape(run, state, made)
  // `open("/dev/null", O_RDWR); dup(0);`: it only has to be open.
  if (value.op === 'call' && made.to?.[0]?.object.startsWith('descriptor ') === true) escape(run, state, made)
}
