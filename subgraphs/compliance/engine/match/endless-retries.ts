/**
 * Loops that ask again until something outside says yes, and never give up: `while (!api.close(id)) sleep(1)`, `loop { if let Ok(s) =
 * connect(a) { return s } }`, `rescue => e; retry`; and loops that gather what they never give back.
 *
 * A counter, a clock, a word about a limit, another way out of the loop: whatever may end it makes it none.
 */
import { wordsOf } from '../rulebook/data-names.js'
import type { Call, Ir, Lambda, Loop, Try } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { namesIn, nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface EndlessRetry {
  /** First words of calls that something outside may refuse. */
  readonly acts: string
  /** Last words of calls that only wait or tell somebody. */
  readonly quiet: string
  /** Words of names that speak of an end. */
  readonly bounds: string
  /** Names of functions that go on as long as the program does. */
  readonly lasting: string
  /** Failures after which the next round is another one: a conflict with somebody else. */
  readonly conflicts: string
  /** What functions answer that answer nothing, or never. */
  readonly nothing: string
}

type Jump = Extract<Ir, { op: 'jump' }>

/** The loops, and the steps back of clauses that try again. */
export function endlessRetries(lambda: Lambda, wanted: EndlessRetry): readonly Ir[] {
  if (matchesText(wanted.lasting, lambda.name)) return []
  const nodes = nodesOf(lambda.body)
  return nodes.flatMap((ir): readonly Ir[] => {
    if (ir.op === 'try') return retriesOf(nodes, ir, wanted)
    if (ir.op !== 'loop' || ir.iterable !== null || ir.update !== null) return []
    const inside = nodesOf(ir.body)
    if (inside.some(isStep) || speaksOfEnd([ir], wanted)) return []
    const isEndless =
      ir.test === null || isAlways(ir.test)
        ? isTriedAgain(inside, wanted) || isKept(lambda, inside, wanted)
        : isAskedAgain(ir, inside, wanted)
    return isEndless ? [ir] : []
  })
}

const isAlways = (test: Ir): boolean => test.op === 'literal' && Boolean(test.value)
const isCall = (ir: Ir): ir is Call => ir.op === 'call'
const isLeaving = (ir: Ir): ir is Jump => ir.op === 'jump' && ir.kind !== 'continue'
const calledName = ({ callee }: Call): string => writtenName(callee)?.segment ?? ''
const isAct = (ir: Ir, { acts }: EndlessRetry): boolean =>
  isCall(ir) && matchesText(acts, wordsOf(calledName(ir)).slice(0, 1).join(''))

/** It counts something. */
const isStep = (ir: Ir): boolean =>
  (ir.op === 'unary' && /\+\+|--/.test(ir.operator)) ||
  (ir.op === 'assign' && ir.value !== null && ir.operator !== '=' && ir.value.op === 'literal') ||
  // `left -= sent`: only numbers get less.
  (ir.op === 'assign' && /^-=?$/.test(ir.operator)) ||
  (ir.op === 'assign' && ir.value?.op === 'binary' && namesIn(ir.target).some((name) => namesIn(ir.value ?? ir).includes(name)))

/** Names that speak of a number of times, of a clock, or of somebody who stops it. */
const speaksOfEnd = (pieces: readonly Ir[], { bounds }: EndlessRetry): boolean =>
  pieces
    .flatMap((piece) => nodesOf(piece, true))
    .some((ir) => {
      const name = ir.op === 'name' ? ir.name : ir.op === 'member' ? ir.property : ''
      return name !== '' && wordsOf(name).some((word) => matchesText(bounds, word))
    })

/** `while (!api.close(id)) sleep(1)`: the same question until the answer is another one. */
function isAskedAgain({ test }: Loop, inside: readonly Ir[], wanted: EndlessRetry): boolean {
  const calls = inside.filter((ir): ir is Call => isCall(ir) && !calledName(ir).startsWith('#'))
  if (test === null || calls.length === 0 || inside.some((ir) => isLeaving(ir) || ir.op === 'if')) return false
  const asked = askedCall(test)
  if (
    asked === null ||
    !isAct(asked, wanted) ||
    inside.some((ir) => ir.op === 'assign' && namesIn(test).some((name) => namesIn(ir.target).includes(name)))
  )
    return false
  const nested = new Set(calls.flatMap((call) => call.args.flatMap(({ value }) => nodesOf(value))))
  return calls.every((call) => nested.has(call) || matchesText(wanted.quiet, calledName(call)))
}

/** The call of `!f(x)`, `f(x) != 200`, `not await f(x)`. */
function askedCall(test: Ir): Call | null {
  if (isCall(test)) return test
  if (test.op === 'unary') return askedCall(test.operand)
  const last = test.op === 'block' ? test.body.at(-1) : undefined
  if (last !== undefined) return askedCall(last)
  const isTest = test.op === 'binary' && /^(?:[<>]=?|[!=]==?|is(?: not)?)$/.test(test.operator)
  return isTest && test.right.op === 'literal' ? askedCall(test.left) : null
}

/** `log.Fatalf(...)`, `os.Exit(1)`, `die(...)`: whoever gives up so does not try again. */
const endsProgram = /^(?:fatal(?:f|ln|w)?|_?exit|abort|die|panic(?:f|ln)?)$/i

/** All ways out of the loop are those where it went well. */
function isTriedAgain(inside: readonly Ir[], wanted: EndlessRetry): boolean {
  const leaving = inside.filter(isLeaving)
  if (leaving.length === 0 || leaving.some(({ kind }) => kind === 'throw' || kind === 'yield')) return false
  if (inside.some((ir) => isCall(ir) && endsProgram.test(calledName(ir)))) return false
  const made = new Set(
    inside.flatMap((ir) =>
      ir.op === 'assign' && ir.value !== null && nodesOf(ir.value).some((one) => isAct(one, wanted)) ? namesIn(ir.target) : [],
    ),
  )
  const isAbout = (test: Ir): boolean => nodesOf(test).some((ir) => isAct(ir, wanted) || (ir.op === 'name' && made.has(ir.name)))
  const well = new Set(
    inside.flatMap((ir) => {
      if (ir.op === 'if') return isSuccess(ir.test) && isAbout(ir.test) ? nodesOf(ir.then) : []
      if (ir.op !== 'try' || ir.catches.length === 0 || !nodesOf(ir.body).some((one) => isAct(one, wanted))) return []
      return ir.catches.every(({ body }) => !nodesOf(body).some(isLeaving)) ? nodesOf(ir.body) : []
    }),
  )
  return leaving.every((jump) => well.has(jump))
}

/** `x.is_ok()`, `err == nil`, `status === 200`, `let Ok(x) = y`; `err != nil` and `!ok` are failures. */
function isSuccess(test: Ir): boolean {
  if (isCall(test)) return !/err|fail/i.test(calledName(test))
  if (test.op === 'binary') return /^={2,3}$/.test(test.operator)
  return test.op === 'assign' || test.op === 'name' || test.op === 'member'
}

/** Nothing in the loop leaves it, and what it gathers is what the function should answer. */
function isKept({ returnType }: Lambda, inside: readonly Ir[], { nothing }: EndlessRetry): boolean {
  if (returnType === undefined || returnType === '' || matchesText(nothing, returnType) || inside.some(isLeaving)) return false
  const ends = /^(?:next|read|recv|receive|pop|take|get_?nowait|accept|exit|abort|panic|input|readline|poll|quit|fatal)/i
  const calls = inside.filter(isCall).map(calledName)
  return (
    !calls.some((name) => ends.test(name)) &&
    calls.some((name) => /^(?:append|extend|push|add|addAll|AddRange|Add|concat)$/.test(name))
  )
}

/** `rescue Timeout; retry end` without a count. */
function retriesOf(nodes: readonly Ir[], { body, catches }: Try, wanted: EndlessRetry): readonly Ir[] {
  if (nodes.some(isStep) || speaksOfEnd([body], wanted)) return []
  return catches.flatMap((clause) => {
    const inside = nodesOf(clause.body)
    const again = inside.find((ir) => ir.op === 'opaque' && ir.kind === 'retry')
    if (again === undefined || inside.some((ir) => ir.op === 'if' || isLeaving(ir)) || speaksOfEnd([clause.body], wanted))
      return []
    return clause.types.some((type) => matchesText(wanted.conflicts, type)) ? [] : [again]
  })
}
