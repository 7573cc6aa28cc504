/** Findings: taint that reaches a sink, and patterns that match. */
import { isExcused } from '../match/conditions.js'
import { functionName, isCalled } from './callers.js'
import { isChosen, isDrawn } from '../rulebook/labels.js'
import type { Rule, Severity } from '../rulebook/schema.js'
import { isCollaborator } from './collaborators.js'
import { noteForgotten, noteTested } from './habits.js'
import { askAround } from './questions.js'
import { compileRegex } from '../rulebook/safe-regex.js'
import { addHit, type Arrival, type Place, type SinkHit } from './sink-hits.js'
import { isSpokenFor } from './spoken-parameters.js'
import type { Flow, Frame } from './state.js'
import { shownText } from './values/text.js'
import { writtenConstant } from './written-constants.js'
import type { Lambda } from '../syntax/ir.js'
import { stepsOf } from './values/trail.js'
import { asDirect, asWhole, type Origin, piecesOf, type Value } from './values/value.js'
import { numericKinds } from './values/numeric-kinds.js'

const isCleanFor = (origin: Origin, kind: string): boolean =>
  // What was tested or escaped is still what its name says.
  (origin.clean.has('*') && origin.isWhole !== true && !isDrawn(origin.label)) ||
  origin.clean.has(kind) ||
  (!origin.built && isCleanUnjoined(origin, kind)) ||
  origin.clean.has(origin.label) ||
  (origin.clean.has('text') && !numericKinds.has(kind))

/** By itself, or as a part that its source holds directly. */
const isCleanUnjoined = (origin: Origin, kind: string): boolean =>
  (origin.piece === undefined && origin.clean.has(asWhole(kind))) ||
  (piecesOf(origin).length < 2 && origin.clean.has(asWhole(asDirect(kind))))

/** Harmless where the access stays inside of what it reaches into, the result inside of its type, and where the divisor is not zero. */
const PROVED_KINDS = new Set(['index', 'underflow', 'size', 'integer', 'underflow-arithmetic', 'divide'])

const rank: Record<Severity, number> = { critical: 3, high: 2, medium: 1, low: 0 }

export function addFinding(
  flow: Flow,
  rule: Rule,
  place: Place,
  functionName: string,
  found?: { severity: Severity; source: Origin; kind: string },
): void {
  const reported = found !== undefined && rule.taint?.report === 'source' ? startOf(found.source) : placeOf(flow, rule, place)
  const key = `${rule.id}:${reported.start}`
  const severity = found?.severity ?? rule.severity
  const existing = flow.findings.get(key)
  if (existing !== undefined && rank[existing.severity] >= rank[severity]) return
  const source = found === undefined ? {} : { source: { at: found.source.at, label: found.source.label } }
  const steps = found === undefined ? [] : stepsOf(flow.text, found.source, { ...place, kind: found.kind })
  const isWeak = found?.source.opaque === true || found?.source.label === 'param'
  const confidence = isWeak && rule.confidence === 'high' ? 'medium' : rule.confidence
  const { start, end } = reported
  flow.findings.set(key, { rule, severity, start, end, confidence, functionName, ...source, steps })
  flow.trace?.(`finding ${rule.id} (${severity})`, place.start)
}

/** What is wrong may stand where a constant of the file is written. */
const placeOf = (flow: Flow, rule: Rule, place: Place): Place =>
  rule.at_constant ? (writtenConstant(flow, place) ?? place) : place

const startOf = ({ at, end }: Origin): Place => ({ start: at, end })

/** Tainted data arrived at a sink: a finding per rule, or a note in the summary when only the caller knows the data. */
export function arrive(flow: Flow, frame: Frame, arrival: Arrival, origins: readonly Origin[]): void {
  for (const origin of origins) {
    if (isCleanFor(origin, arrival.kind)) {
      noteTested(flow, arrival, origin)
      continue
    }
    // Nothing of the caller's is written here, but the caller knows what it is written to.
    const isAsked = arrival.unmarked !== undefined && arrival.unmarked.of === frame.symbolic
    if (isAsked || (origin.parameter !== null && origin.parameter.of === frame.symbolic)) {
      addHit(frame.hits, arrival, origin)
      continue
    }
    if (origin.parameter !== null && (isKnown(flow, origin.parameter.of) || isCollaborator(flow, origin))) {
      askAround(frame, 'data')
      continue
    }
    reportArrival(flow, arrival, origin)
  }
}

/** Calls tell what arrives; and who calls a function without a name is known to whoever was given it. */
const isKnown = (flow: Flow, lambda: Lambda): boolean => functionName(flow, lambda) === '' || isCalled(flow, lambda)

function reportArrival(flow: Flow, arrival: Arrival, origin: Origin): void {
  if (PROVED_KINDS.has(arrival.kind) && flow.within.has(`${arrival.start}:${arrival.end}`)) return
  for (const rule of flow.book.taintRules.get(arrival.kind) ?? []) {
    if (rule.taint === undefined || (arrival.only !== null && arrival.only !== rule.id)) continue
    if (origin.only !== undefined && origin.only !== rule.id) continue
    if (arrival.labels?.includes(origin.label) === false || arrival.otherLabels?.includes(origin.label) === true) continue
    const severity = rule.taint.from[origin.label]
    if (origin.clean.has(`rule:${rule.id}`)) continue
    if (isExcused(flow, rule, arrival.frame) || isCallersChoice(arrival, origin)) continue
    if (severity === undefined) {
      if (!origin.opaque) noteForgotten(flow, rule, arrival, origin)
      continue
    }
    if (isSpokenFor(flow.book.words, origin, arrival.kind)) continue
    if (rule.taint.built.includes(origin.label) && !origin.built) continue
    if (arrival.isFollowed === true && rule.taint.last.includes(origin.label)) continue
    if ((rule.taint.opaque === 'safe' || origin.label === 'param') && origin.opaque) continue
    const place = rule.taint.report === 'call' ? handedAt(flow, arrival, origin) : arrival
    addFinding(flow, rule, place, arrival.functionName, { severity, source: origin, kind: arrival.kind })
  }
}

/** The call with which the function that the data comes from has handed it on. */
function handedAt({ lookedFrom }: Flow, arrival: Arrival, { at }: Origin): Place {
  const [outermost] = lookedFrom
  const own = lookedFrom.find(({ lambda }) => lambda !== null && lambda.start <= at && at < lambda.end)
  return own ?? outermost ?? arrival.handed ?? arrival
}

const isCallersChoice = ({ callers, clauses }: Arrival, { label, lead }: Origin): boolean =>
  isChosen(label) && [callers, clauses].some((pattern) => pattern !== undefined && isChoice(pattern, lead))

export const isChoice = (pattern: string, lead = ''): boolean => compileRegex(pattern).test(shownText(lead))

/** Whether the known beginning of the value makes the sink harmless. */
export function isSafePrefix(pattern: string | undefined, prefix: string | undefined): boolean {
  if (pattern === undefined || prefix === undefined) return false
  return compileRegex(pattern).test(prefix.slice(0, 500))
}

/** Whether the data stands behind a text that a sink asks for. */
export const isBehind = (pattern: string | undefined, { lead }: Origin): boolean =>
  pattern === undefined || (lead !== undefined && compileRegex(pattern).test(shownText(lead)))

/** Whether the text around the data is in the language that a sink asks for; data that was passed on whole may be. */
export function isSpokenTo(pattern: string | undefined, { built, lead }: Origin, { written }: Value): boolean {
  const known = [lead, written]
    .flatMap((text) => (text === undefined ? [] : [shownText(text)]))
    .filter((text) => /[^?]/.test(text))
  if (pattern === undefined || !built || (lead === undefined && written === undefined)) return true
  const language = compileRegex(pattern)
  return known.some((text) => language.test(text))
}

/** Parameters of functions that nobody in the file calls: rules decide whether such input counts. */
export function reportUncalled(flow: Flow, hits: readonly SinkHit[]): void {
  for (const hit of hits) for (const origin of hit.origins) if (!isCollaborator(flow, origin)) reportArrival(flow, hit, origin)
}
