/** What the rulebook says about a call or a name takes effect: rules, sinks, sources and marks. */
import { conditionsHold, isExcused, placeHolds } from '../match/conditions.js'
import { holds, matchesText as textMatches } from '../match/constraints.js'
import type { Subject } from '../match/subject.js'
import { kindsOf, type Role, type RoleOf } from '../rulebook/compile.js'
import type { Candidates } from '../rulebook/name-index.js'
import { nameOf } from '../rulebook/qualified-name.js'
import type { Matcher } from '../rulebook/matcher-schema.js'
import type { Mark, Sink, Source } from '../rulebook/model-schema.js'
import type { Assign, Ir } from '../syntax/ir.js'
import { movedValues } from './moved-columns.js'
import { isSignAsked } from './asked-next.js'
import { updatePlace } from './assign.js'
import { type CallSite, matchingEntries, selectArguments } from './calls/call-site.js'
import { entryOf, farPlace, presentKeys } from './far-places.js'
import { ask, askAboutData, excusesParts, isAboutData, isGiven } from './questions.js'
import { addFinding, arrive, isBehind, isChoice, isSafePrefix, isSpokenTo } from './report.js'
import { numericKinds } from './values/numeric-kinds.js'
import type { Arrival, Place } from './sink-hits.js'
import { describedOrigins, isSelf } from './own-text.js'
import type { Flow, Frame } from './state.js'
import { unmarkedBy } from './unmarked.js'
import { elementsOf, isList } from './values/parts.js'
import {
  asDirect,
  asWhole,
  changedOrigins,
  deepOrigins,
  emptySet,
  joinOrigins,
  type Origin,
  originAt,
  unknown,
  type Value,
  withOrigins,
} from './values/value.js'
import { isBehindBase } from './values/text.js'
import { wordlessPlaces } from './values/verbs.js'

/** The first of this kind whose conditions hold at the call. */
export const roleAt = <K extends 'callback' | 'returns'>(
  flow: Flow,
  site: CallSite,
  roles: readonly Role[],
  kind: K,
): RoleOf<K> | undefined =>
  roles.find((role): role is RoleOf<K> => role.role === kind && conditionsHold(flow, role.conditions, site))

/** What a pack says of the result: a type by name, or the one that an argument names. */
export function typeOfResult(flow: Flow, site: CallSite, roles: readonly Role[]): string | undefined {
  const told = roleAt(flow, site, roles, 'returns')
  if (told?.of === undefined) return told?.type
  return selectArguments(site, told.of)
    .map(({ ir }) => typeNamed(ir))
    .find((name) => name !== undefined)
}

/** `Member`, `module.Member`, and what a chain of calls begins with: `Member.query(on: db).filter(x)`. */
function typeNamed(ir: Ir | null): string | undefined {
  if (ir?.op === 'call') return ir.callee.op === 'member' ? typeNamed(ir.callee.object) : undefined
  return ir?.op === 'name' ? ir.name : ir?.op === 'member' ? ir.property : undefined
}

export function runRules(flow: Flow, site: CallSite, roles: readonly Role[]): void {
  for (const role of roles) {
    if (role.role !== 'rule' || !conditionsHold(flow, role.conditions, site)) continue
    const excused = role.rule.unless?.some((matcher) => {
      const index = matcher.call ?? matcher.new
      const isSame = index === undefined || index.some((text) => matchesText(flow, text, site))
      return isSame && conditionsHold(flow, matcher, site)
    })
    if (excused !== true) addFinding(flow, role.rule, placeOf(flow, site, role.conditions), functionName(site.frame))
  }
}

/** The call, or the option that a rule is about where it stands on a line of its own further down. */
function placeOf(flow: Flow, site: CallSite, { args }: Matcher): Place {
  if (args === undefined || site.args.length === 0) return site
  const wanted = presentKeys(args)
  const named = site.args.find(({ name, subject }) => name !== undefined && wanted.has(name) && subject.ir !== null)?.subject.ir
  if (named != null) return farPlace(flow.text, site, named)
  for (const { subject } of site.args) {
    const entry = entryOf(subject.ir, wanted)
    if (entry !== undefined) return farPlace(flow.text, site, entry)
  }
  return site
}

const matchesText = (flow: Flow, text: string, { names, receiver }: CallSite): boolean =>
  matchingEntries(flow, flow.book.calls.entriesOf(text), names, receiver).length > 0

export const functionName = (frame: Frame): string => frame.lambda?.name ?? ''

export function checkSink(flow: Flow, site: CallSite, { conditions: sink, only }: RoleOf<'sink'>): void {
  if (sink.call === undefined && sink.new === undefined) return
  const selectors = sink.key !== undefined && sink.key.length > 0 ? sink.key : [sink.argument].flat()
  const { moves } = sink
  const subjects =
    moves === undefined ? selectors.flatMap((selector) => selectArguments(site, selector)) : movedValues(flow, site, moves)
  // Few arguments carry data: only they are worth the conditions.
  const carrying = withText(
    site,
    sink,
    subjects.filter(
      (subject) =>
        deepOrigins(subject.value).length > 0 &&
        !isWordsOfCommand(site, sink, subject) &&
        (sink.spread !== true || site.args.some((one) => one.subject === subject && one.spread === true)) &&
        (sink.which === undefined || holds(flow, sink.which, subject)),
    ),
  )
  if (carrying.length === 0 || isOfPattern(site, sink) || !conditionsHold(flow, sink, site)) return
  const unmarked = unmarkedBy(flow, site, sink)
  for (const subject of carrying) {
    const isFollowed = site.args.length > 0 && site.args.at(-1)?.subject !== subject
    checkArrival(flow, site.frame, sink, only, subject, site, { isFollowed, unmarked })
  }
}

/** `spawn(*words)`: a list that is spread is no line for a shell. */
const isWordsOfCommand = ({ args }: CallSite, { kind }: Sink, subject: Subject): boolean =>
  kind === 'command' && args[0]?.spread === true && args[0].subject === subject

/** `log.Printf("%d bytes for %s", n, name)`: a number is no text, whatever it was read from. */
function withText({ args }: CallSite, { kind }: Sink, subjects: readonly Subject[]): readonly Subject[] {
  if (subjects.length === 0 || args.length < 2 || numericKinds.has(kind)) return subjects
  const places = wordlessPlaces(args.map(({ subject }) => subject.value))
  if (places.size === 0) return subjects
  return subjects.filter((subject) => !args.some((one, at) => one.subject === subject && places.has(at)))
}

/** What the functions among the arguments answer, where a sink asks them for its text. */
export function checkAnswers(flow: Flow, site: CallSite, roles: readonly Role[], answered: Value): void {
  if (deepOrigins(answered).length === 0) return
  for (const role of roles)
    if (role.role === 'sink' && role.conditions.answers === true && conditionsHold(flow, role.conditions, site))
      checkArrival(flow, site.frame, role.conditions, role.only, { value: answered, ir: null }, site)
}

/** `PATTERN.exec(text)` matches a text, whatever an `exec` without a known receiver may be. */
const isOfPattern = ({ receiver }: CallSite, { kind }: Sink): boolean =>
  kind !== 'regex' && (receiver?.value.pattern !== undefined || receiver?.value.isRegex === true)

export function checkArrival(
  flow: Flow,
  frame: Frame,
  sink: Sink,
  only: string | null,
  subject: Subject,
  place: { start: number; end: number },
  { isFollowed = false, unmarked }: Pick<Arrival, 'isFollowed' | 'unmarked'> = {},
): void {
  const arrived = sink.whole === true ? subject.value.origins : arriving(flow, frame, subject)
  if (arrived.length === 0 || (sink.joins === false && isList(subject.value))) return
  const origins = sink.joins === true && isList(subject.value) ? changedOrigins(arrived, { built: true }) : arrived
  const { prefix } = subject.value
  if (isSafePrefix(sink.safe_prefix, prefix)) return
  const relevant = origins.filter(
    (origin) =>
      (sink.built !== true || origin.built) &&
      isBehind(sink.behind, origin) &&
      isSpokenTo(sink.speaks, origin, subject.value) &&
      !isBehindBase(sink.kind, prefix, origin.lead),
  )
  if (relevant.length < origins.length) ask(frame, 'data', subject.value)
  // How the text begins and which elements the list has is known to the caller.
  const isOpen =
    (sink.safe_prefix !== undefined && prefix === undefined) || (elementsOf(subject.value) === null && excusesParts(sink))
  const isAsked = isOpen && isGiven(frame, subject.value)
  if (isAsked) ask(frame, 'data', subject.value)
  const { start, end } = place
  const arrival = {
    kind: sink.kind,
    only,
    functionName: functionName(frame),
    frame,
    start,
    end,
    isAsked,
    isFollowed,
    unmarked,
    ...(sink.labels !== undefined && { labels: sink.labels }),
    ...(sink.other_labels !== undefined && { otherLabels: sink.other_labels }),
    ...choicesIn(sink, origins),
  }
  arrive(flow, frame, arrival, relevant)
}

const arriving = (flow: Flow, frame: Frame, { value, ir }: Subject): readonly Origin[] =>
  isSelf(flow, ir) ? describedOrigins(flow, frame, value) : deepOrigins(value)

/** What whoever calls a function of a library may choose of a statement. */
function choicesIn({ callers, clauses }: Sink, origins: readonly Origin[]): Pick<Arrival, 'callers' | 'clauses'> {
  if (callers === undefined) return {}
  const isTold = origins.some(({ parameter, lead }) => parameter !== null && isChoice(callers, lead) && /\w/.test(lead ?? ''))
  return { callers, ...(isTold && clauses !== undefined && { clauses }) }
}

/** Sinks that are keys of any call's named arguments. */
export function checkKeySinks(flow: Flow, site: CallSite): void {
  if (flow.book.keySinks.size === 0) return
  for (const { name, subject } of site.args) {
    for (const { sink, only } of flow.book.keySinks.get(name ?? '') ?? []) {
      if (conditionsHold(flow, sink, site)) checkArrival(flow, site.frame, sink, only, subject, site)
    }
  }
}

/** `new T { A = x }` assigns `T.A`. */
export function checkInitializer(flow: Flow, site: CallSite): void {
  const initializer = site.isNew ? site.args.find(({ name }) => name === '{}')?.subject : undefined
  for (const [name, value] of initializer?.value.fields ?? []) {
    const sinks = flow.book.sets.candidates(name).ofRole('sink')
    const written = nameOf(name, site.names[0] ?? null)
    if (sinks.entries.length === 0) continue
    const place = farPlace(flow.text, site.ir, entryOf(initializer?.ir ?? null, new Set([name])))
    checkNamed(flow, site.frame, sinks, place, [written], null, { value, ir: null })
  }
}

export function applyMarks(flow: Flow, site: CallSite, roles: readonly Role[]): void {
  for (const role of roles) {
    if (role.role !== 'mark' || role.conditions.on === 'result') continue
    if (conditionsHold(flow, role.conditions, site)) applyMark(flow, site, role.conditions)
  }
}

/** A way that does not set the mark knows the place as well, so that both are compared where they meet. */
export function applyMark(flow: Flow, site: CallSite, { mark, on, clears }: Mark, isSet = true): void {
  for (const subject of selectArguments(site, on))
    updatePlace(flow, site.frame, subject.ir, (old) => (isSet ? marked(old, mark, clears) : old))
}

export function marked(value: Value, mark: string, clears: boolean): Value {
  const change = (marks: ReadonlySet<string>): ReadonlySet<string> => {
    const next = new Set(marks)
    if (clears) next.delete(mark)
    else next.add(mark)
    return next
  }
  return { ...value, marks: change(value.marks), mayMarks: change(value.mayMarks) }
}

export const originOf = (flow: Flow, source: Source, only: string | null, { start, end }: Place): Origin => ({
  ...originAt(source.label, start, end),
  clean: cleanFor(source),
  only: only ?? undefined,
  isWhole: flow.book.dataNames.labels.has(source.label) ? true : undefined,
})

function cleanFor({ clean = [], parts_only: partsOnly = [], nested_only: nestedOnly = [] }: Source): ReadonlySet<string> {
  const wholes = [...partsOnly, ...nestedOnly.map((kind) => asDirect(kind))].map((kind) => asWhole(kind))
  const kinds = [...clean, ...wholes]
  return kinds.length === 0 ? emptySet : new Set(kinds)
}

/** Assignments and reads share this: sinks and rules that are about a name. */
export function checkNamed(
  flow: Flow,
  frame: Frame,
  candidates: Candidates,
  ir: Ir,
  names: CallSite['names'],
  receiver: Subject | null,
  value: Subject | null,
  key: Subject | null = null,
): Value | null {
  let origins: readonly Origin[] = []
  let marks: Value | null = null
  let clean: readonly string[] = []
  const args = value === null ? [] : [{ name: undefined, subject: value }]
  const site: CallSite = {
    frame,
    ir,
    start: ir.start,
    end: ir.end,
    method: names[0]?.segment ?? '',
    names,
    receiver,
    args,
    isNew: false,
  }
  for (const { role } of matchingEntries(flow, candidates, names, receiver)) {
    if (!conditionsHold(flow, role.conditions, site)) continue
    if (role.role === 'source') {
      origins = joinOrigins(origins, [originOf(flow, role.conditions, role.only, ir)])
      flow.trace?.(`source ${role.conditions.label}`, ir.start)
    } else if (role.role === 'sink' && role.conditions.argument === 'key') {
      if (key !== null) checkArrival(flow, frame, role.conditions, role.only, key, ir)
    } else if (role.role === 'sink' && value !== null) checkArrival(flow, frame, role.conditions, role.only, value, ir)
    else if (role.role === 'sink' && receiver !== null) checkArrival(flow, frame, role.conditions, role.only, receiver, ir)
    else if (role.role === 'sanitizer') clean = [...clean, ...kindsOf(role.conditions.kinds)]
    else if (role.role === 'mark' && receiver?.ir != null) {
      const { mark, clears, value: constraint } = role.conditions
      if (constraint === undefined || holds(flow, constraint, value))
        updatePlace(flow, frame, receiver.ir, (old) => marked(old, mark, clears))
    } else if (role.role === 'rule') {
      const { value: constraint } = role.conditions
      if (flow.inlined.length > 0 && !isAboutData(constraint)) continue
      if (constraint !== undefined && !holds(flow, constraint, value)) askAboutData(frame, constraint, value?.value)
      else if (!isExcused(flow, role.rule, frame)) addFinding(flow, role.rule, ir, functionName(frame))
    }
  }
  if (origins.length > 0) marks = { ...unknown, origins }
  if (clean.length > 0) marks = { ...(marks ?? unknown), marks: new Set(clean) }
  return marks
}

/** What is converted is the argument 0 of the conditions. */
export function checkCast(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'cast' }>, value: Value): void {
  const subject: Subject = { value, ir: ir.value }
  for (const { sink, only } of flow.book.castSinks) {
    if (sink.cast === undefined || !textMatches(sink.cast, ir.type)) continue
    const wanted = sink.args?.['0']
    if (wanted !== undefined && !holds(flow, wanted, subject)) continue
    if (placeHolds(flow, sink, frame)) checkArrival(flow, frame, sink, only, subject, ir)
  }
}

/** `held -= n` is an operator of its own, so that sinks say which of both they are about. */
export function checkStep(flow: Flow, frame: Frame, { operator, start, end }: Assign, left: Subject, right: Subject): void {
  if (left.ir !== null && right.ir !== null)
    checkOperands(
      flow,
      frame,
      { op: 'binary', operator: `${operator}=`, left: left.ir, right: right.ir, start, end },
      left,
      right,
    )
}

/** Operands are the arguments 0 and 1 of the conditions. */
export function checkOperands(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'binary' }>, left: Subject, right: Subject): void {
  for (const { sink, only } of flow.book.binarySinks) {
    if (sink.binary?.includes(ir.operator) !== true || (ir.of !== undefined && sink.unless_of?.includes(ir.of) === true)) continue
    const wanted = [sink.args?.['0'], sink.args?.['1']]
    if (![left, right].every((side, at) => wanted[at] === undefined || holds(flow, wanted[at], side))) continue
    const joined = withOrigins(left.value, joinOrigins(left.value.origins, right.value.origins))
    if (joined.origins.length > 0 && sink.unless_signed !== undefined && isSignAsked(flow, frame, sink.unless_signed, ir))
      continue
    checkArrival(flow, frame, sink, only, sink.argument === 1 ? right : { value: joined, ir: ir.left }, ir)
  }
}
