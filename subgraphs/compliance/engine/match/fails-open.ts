/**
 * Checks that fail open: where a function answers that all is well, or lets a request pass, because what it asked has failed.
 *
 * A failure is a catch clause, a branch or a case whose text says so, or what stands in for a result that did not come. It opens where
 * it says yes itself, where it calls what lets pass, or where it only tells somebody and the function then does one of these.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { callsAny } from './conditions.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface FailsOpen {
  /** The answer of the function is the check: `true` opens. */
  readonly answers?: boolean | undefined
  /** Names that say yes beside `true`, where functions answer with a number. */
  readonly yes?: string | undefined
  /** The answer `true` refuses, as of `isRevoked`: `false` opens. */
  readonly refuses?: boolean | undefined
  /** Calls that fail where they refuse, and calls that let pass what they were asked about. */
  readonly checks?: readonly string[] | undefined
  readonly passes?: readonly string[] | undefined
  /** The function refuses by failing: who comes to its end may pass. */
  readonly ends?: boolean | undefined
  /** Names of what says yes or no: it says yes there, or it did so before and the failure is only logged. */
  readonly grants?: string | undefined
  /** Calls whose last argument stands in for a result that did not come. */
  readonly recovers?: readonly string[] | undefined
  /** Conditions and patterns of a failure, as they are written. */
  readonly failing?: string | undefined
  /** It lets pass where a check says yes, and in the same words behind that. */
  readonly anyway?: boolean | undefined
}

interface Failure {
  readonly body: Ir
  readonly whole: Ir
  /** What may have failed. */
  readonly guarded: readonly Ir[]
  readonly caught: string | null
}

interface Walk {
  readonly flow: Flow
  readonly lambda: Lambda
  readonly wanted: FailsOpen
  /** Everything in the function, in the order of the text. */
  readonly nodes: readonly Ir[]
}

export function opensOf(flow: Flow, lambda: Lambda, wanted: FailsOpen): readonly Ir[] {
  const mayCheck = wanted.checks === undefined || callsAny(flow, lambda, wanted.checks)
  if (!mayCheck && wanted.answers !== true) return []
  const walk: Walk = { flow, lambda, wanted, nodes: nodesOf(lambda.body) }
  const failures = mayCheck ? walk.nodes.flatMap((ir) => (mayFail.has(ir.op) ? failuresAt(walk, ir) : [])) : []
  const opened = failures.flatMap((failure) => openedBy(walk, failure) ?? [])
  if (wanted.anyway === true) opened.push(...walk.nodes.flatMap((ir) => passesAnyway(walk, ir) ?? []))
  if (wanted.refuses === true) return [...opened, ...walk.nodes.flatMap((ir) => standIn(walk, ir) ?? [])]
  return wanted.answers === true ? [...opened, ...walk.nodes.flatMap((ir) => openDefault(ir) ?? standIn(walk, ir) ?? [])] : opened
}

const mayFail: ReadonlySet<Ir['op']> = new Set(['try', 'if', 'switch'])

function failuresAt({ flow, wanted, nodes }: Walk, ir: Ir): Failure[] {
  if (ir.op === 'try') {
    const guarded = nodesOf(ir.body)
    return ir.catches.map(({ body, parameter }) => ({
      body,
      whole: ir,
      guarded,
      caught: parameter,
    }))
  }
  const { failing } = wanted
  if (failing === undefined) return []
  const isFailing = (start: number, end: number): boolean => matchesText(failing, flow.text.slice(start, end))
  if (ir.op === 'if') {
    const isElse = ir.otherwise !== null && isEmpty(ir.then)
    if (!isFailing(ir.test.start, (isElse ? ir.otherwise : ir.then)?.start ?? ir.test.end)) return []
    const guarded = [...nodes.filter(({ end }) => end <= ir.start), ...nodesOf(ir.test)]
    return [
      {
        body: isElse && ir.otherwise !== null ? ir.otherwise : ir.then,
        whole: ir,
        guarded,
        caught: null,
      },
    ]
  }
  if (ir.op !== 'switch' || ir.subject === null) return []
  const guarded = nodesOf(ir.subject)
  return ir.cases
    .filter(({ tests }) => tests.some(({ start, end }) => isFailing(start, end)))
    .map(({ body }) => ({ body, whole: ir, guarded, caught: null }))
}

const isEmpty = (ir: Ir): boolean => ir.op === 'block' && ir.body.length === 0

function openedBy(walk: Walk, { body, whole, guarded, caught }: Failure): Ir | null {
  const { flow, lambda, wanted, nodes } = walk
  if (wanted.checks !== undefined && !guarded.some((ir) => isCallOf(flow, ir, wanted.checks))) return null
  if (wanted.answers === true || wanted.refuses === true) {
    const answer = answerOf(body)
    if (wanted.answers === true ? isYes(wanted, answer) : isFalse(answer) && !isAbsence(flow, whole)) return answer
  }
  const passing = nodesOf(body).find((ir) => isCallOf(flow, ir, wanted.passes) && !mentions(ir, caught))
  if (passing !== undefined) return passing
  const granted = nodesOf(body).find((ir) => ir.op === 'assign' && isTrue(ir.value) && isGrant(wanted, ir.target))
  if (granted !== undefined) return granted
  if (!onlyTells(flow, body)) return null
  const rest = nodes.filter(({ start }) => start >= whole.end)
  const place = body.end > body.start ? body : whole
  // What is tested in between may still refuse.
  if (guarded.some((ir) => ir.op === 'assign' && !ir.declares && staysGranted(walk, ir.target, whole))) return place
  // Told inside of a branch that then leaves: `if (denied) { if (!answer(error)) log(); return }`.
  const isPassing = (ir: Ir): boolean => isCallOf(flow, ir, wanted.passes)
  const next = rest.find((ir) =>
    ir.op === 'jump' ? !nodesOf(ir).some((part) => isPassing(part)) : ir.op === 'if' || ir.op === 'try' || isPassing(ir),
  )
  if (next?.op === 'call') return place
  if (wanted.ends === true) return rest.length === 0 && !nodes.some(isAnswer) ? place : null
  if (wanted.answers !== true || rest.some(({ op }) => op === 'if' || op === 'switch' || op === 'try')) return null
  const last = rest.find(isAnswer) ?? (lambda.isExpressionBody ? rest.at(-1) : undefined)
  const answer = last === undefined ? null : answerOf(last)
  if (isYes(wanted, answer)) return answer
  return answer?.op === 'name' && beginsTrue(nodes, answer.name, whole) ? place : null
}

/** `if check(x) { pass(x); return }; log(); pass(x)` */
function passesAnyway({ flow, wanted, nodes }: Walk, ir: Ir): Ir | null {
  if (ir.op !== 'if' || !nodesOf(ir.test).some((one) => isCallOf(flow, one, wanted.checks))) return null
  const passing = nodesOf(ir.then).find((one) => isCallOf(flow, one, wanted.passes))
  const from = ir.otherwise?.start ?? ir.end
  const next = nodes.find(({ op, start }, at) => start >= from && (mayFail.has(op) || isCallOf(flow, nodes[at]!, wanted.passes)))
  if (passing === undefined || next?.op !== 'call') return null
  const text = (one: Ir): string => flow.text.slice(one.start, one.end)
  return text(next) === text(passing) ? next : null
}

const isAnswer = (ir: Ir): boolean => ir.op === 'jump' && ir.kind === 'return' && ir.value !== null

const isCallOf = (flow: Flow, ir: Ir, names: readonly string[] | undefined): ir is Call =>
  names !== undefined && ir.op === 'call' && matchesAnyName(names, writtenName(ir.callee), flow.book.ignoreCase)

const mentions = (ir: Ir, name: string | null): boolean =>
  name !== null && nodesOf(ir).some((part) => part.op === 'name' && part.name === name)

const isTrue = (ir: Ir | null): boolean => ir?.op === 'literal' && ir.value === true

const isYes = ({ yes }: FailsOpen, ir: Ir | null): boolean =>
  isTrue(ir) || (yes !== undefined && ir?.op === 'name' && matchesText(yes, ir.name))

const isFalse = (ir: Ir | null): boolean => ir?.op === 'literal' && ir.value === false

/** A list without an entry was read: who is not in it is not meant. */
const isAbsence = ({ text }: Flow, whole: Ir): boolean =>
  whole.op === 'try' &&
  whole.catches.every(({ types }) =>
    types.some((type) => /(?:Key|Index|NotFound|NoSuch|DoesNotExist|NoResult|Lookup|Missing|NoEntry|ENOENT)/.test(type)),
  ) &&
  !/\bcatch\s*\{/.test(text.slice(whole.start, whole.end))

/** What a branch or a statement comes to. */
function answerOf(ir: Ir): Ir | null {
  if (ir.op === 'block') return ir.body.length === 0 ? null : answerOf(ir.body.at(-1) ?? ir)
  if (ir.op === 'jump') return ir.kind === 'return' && ir.value !== null ? ir.value : null
  // Scala: a clause of a catch.
  if (ir.op === 'opaque') return ir.parts.length === 0 ? null : answerOf(ir.parts.at(-1) ?? ir)
  const wrapped = ir.op === 'call' && ir.args.length === 1 && wraps.has(writtenName(ir.callee)?.segment ?? '') ? ir.args[0] : null
  return wrapped?.value ?? ir
}

/** What only stands around an answer: `Future.successful(true)`, `IO.pure(true)`, `Task.FromResult(true)`, `Right(true)`. */
const wraps: ReadonlySet<string> = new Set(
  'pure successful succeed just of resolve completedFuture completedStage FromResult ValueTask right Right Ok success Success now value some Some point'.split(
    ' ',
  ),
)

/** Nothing, or lines of a log. */
function onlyTells(flow: Flow, ir: Ir): boolean {
  if (ir.op === 'block') return ir.body.every((one) => onlyTells(flow, one))
  if (ir.op === 'opaque') return ir.parts.every((one) => onlyTells(flow, one))
  if (ir.op !== 'call') return ir.op === 'literal' || ir.op === 'name'
  const name = writtenName(ir.callee)
  return name !== null && (flow.book.words.tells.has(name.segment) || /log/i.test(name.parent?.segment ?? ''))
}

/** `let ok = true; try { ok = check() } catch {}`: it stays what it was. */
const beginsTrue = (nodes: readonly Ir[], name: string, failing: Ir): boolean =>
  nodes.some((ir) => ir.op === 'assign' && ir.end <= failing.start && isNamed(ir.target, name) && isTrue(ir.value))

const isGrant = ({ grants }: FailsOpen, target: Ir): boolean =>
  grants !== undefined && matchesText(grants, writtenName(target)?.segment ?? '')

/** `allowed = true; try { allowed = ask() } catch { warn() }; if (!allowed) refuse()` */
const staysGranted = ({ nodes, wanted }: Walk, target: Ir, failing: Ir): boolean =>
  target.op === 'name' && isGrant(wanted, target) && beginsTrue(nodes, target.name, failing)

const isNamed = (ir: Ir, name: string): boolean => ir.op === 'name' && ir.name === name

/** Some are refused by name, and whoever is not known passes. */
function openDefault(ir: Ir): Ir | null {
  if (ir.op !== 'switch' || ir.subject === null) return null
  const answers = ir.cases.map(({ tests, body }) => ({
    isDefault: tests.length === 0,
    answer: answerOf(body),
  }))
  const refuses = answers.some(({ isDefault, answer }) => !isDefault && answer?.op === 'literal' && answer.value === false)
  const other = answers.find(({ isDefault }) => isDefault)?.answer ?? null
  return refuses && isTrue(other) ? other : null
}

/** `.catch(() => true)`, `.unwrap_or(true)`; of what refuses when it says yes `.getOrDefault(false)`. */
function standIn({ flow, wanted }: Walk, ir: Ir): Ir | null {
  if (!isCallOf(flow, ir, wanted.recovers)) return null
  const last = ir.args.at(-1)?.value
  if (last === undefined) return null
  // Scala: `recover { case _: IOException => true }`
  const inner = last.op === 'function' && last.body.op === 'block' && last.body.body.length === 1 ? last.body.body[0] : undefined
  const body = inner ?? (last.op === 'function' ? last.body : last)
  const answers = body.op === 'switch' ? body.cases.map((one) => answerOf(one.body)) : [answerOf(body)]
  return answers.some((answer) => (wanted.refuses === true ? isFalse(answer) : isTrue(answer))) ? last : null
}
