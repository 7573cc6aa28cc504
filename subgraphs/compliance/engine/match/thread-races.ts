/**
 * What a started thread and the rest of a file touch at the same time: one of them changes it, and not both hold a lock.
 *
 * Fields of the class, variables of the file, and variables of the function that a lambda refers to. Whoever runs before the start, after
 * waiting for the thread, or when an object is made or ends runs alone.
 */
import type { Flow } from '../flow/state.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { isOfType } from './declared-types.js'
import { lockedRanges } from './lock-scopes.js'
import { nodesOf } from './nodes.js'
import { capturesOf, madeIn } from './outer-changes.js'
import {
  calledBy,
  lastWord,
  type Started,
  type ThreadRace,
  type Touch,
  touchesOf,
  type Unit,
  unitOf,
  unitsOf,
  waitsOf,
} from './thread-units.js'

/** What is handed over before the start, as a rule. */
const sets = /^(?:set|on|add|register)[A-Z_]/

/** Words that are about threads alone. */
const joins = /^(?:join|wait)/

interface File {
  readonly units: readonly Unit[]
  /** Fields by their class, variables of the file under ''. */
  readonly shared: ReadonlyMap<string, ReadonlySet<string>>
}

const files = new WeakMap<Flow, Map<ThreadRace, File>>()

function fileOf(flow: Flow, wanted: ThreadRace): File {
  const known = files.get(flow) ?? new Map<ThreadRace, File>()
  files.set(flow, known)
  const file = known.get(wanted) ?? { units: unitsOf(flow, wanted), shared: sharedOf(flow, wanted) }
  known.set(wanted, file)
  return file
}

function sharedOf(flow: Flow, wanted: ThreadRace): ReadonlyMap<string, ReadonlySet<string>> {
  const shared = new Map([['', declaredIn(flow, wanted, flow.root.op === 'block' ? flow.root.body : [])]])
  for (const [name, { ir }] of flow.classes) shared.set(name, declaredIn(flow, wanted, ir.members))
  return shared
}

/** What may change and does not care for itself. */
function declaredIn(flow: Flow, wanted: ThreadRace, members: readonly Ir[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const ir of members.flatMap((one) => (one.op === 'block' ? one.body : [one]))) {
    if (ir.op !== 'assign' || !ir.declares || ir.target.op !== 'name') continue
    const line = flow.text.slice(flow.text.lastIndexOf('\n', ir.start) + 1, ir.end)
    const { name } = ir.target
    if (/\b(?:const|constexpr|let|volatile)\b/.test(line) || ir.value?.op === 'function') continue
    if (!isOfType(flow, wanted.safe, name)) names.add(name)
  }
  return names
}

/** The first place of each start of a function where two threads meet. */
export function threadRaces(flow: Flow, lambda: Lambda, wanted: ThreadRace): readonly Ir[] {
  if (!lambda.declares) return []
  const file = fileOf(flow, wanted)
  const unit = file.units.find((one) => one.lambda === lambda)
  if (unit === undefined || unit.starts.length === 0) return []
  const found = unit.starts.flatMap((start) => raceOf(flow, file, wanted, unit, start) ?? [])
  return found.slice(0, 1)
}

function raceOf(flow: Flow, file: File, wanted: ThreadRace, unit: Unit, start: Started): Ir | null {
  const entry = entryOf(flow, file, wanted, unit, start)
  if (entry === null) return null
  const reached = reachedFrom(file, entry)
  const wait = allWaitsOf(file, wanted, unit).find(({ start: at }) => at > start.at.end)
  const own = localRace(flow, wanted, unit, start, entry, wait ?? null)
  if (own !== null || wait !== undefined) return own
  const names = new Set([...(file.shared.get(entry.owner ?? '') ?? []), ...(file.shared.get('') ?? [])])
  const inside = reached.flatMap((one) => touchesOf(flow, wanted, one, names))
  if (inside.length === 0) return null
  const outside = outsideOf(flow, file, wanted, unit, start, reached, names)
  return meeting(inside, outside)
}

function entryOf(flow: Flow, { units }: File, wanted: ThreadRace, { owner }: Unit, { lambda, name }: Started): Unit | null {
  if (lambda !== null) return unitOf(flow, wanted, lambda, owner)
  return units.find((one) => one.name === name && (one.owner === owner || one.owner === null)) ?? null
}

/** The functions of the file that run in the thread. */
function reachedFrom({ units }: File, entry: Unit): Unit[] {
  const reached = [entry]
  for (const one of reached) {
    const names = new Set(calledBy(one).map(({ name }) => name))
    const more = units.filter(({ name, owner, lambda }) => names.has(name) && owner === entry.owner && lambda !== entry.lambda)
    reached.push(...more.filter((next) => !reached.includes(next)).slice(0, 8))
    if (reached.length > 24) break
  }
  return reached
}

/** What other functions touch while the thread runs. */
function outsideOf(
  flow: Flow,
  file: File,
  wanted: ThreadRace,
  unit: Unit,
  start: Started,
  reached: readonly Unit[],
  names: ReadonlySet<string>,
): Touch[] {
  const fields = reached[0]?.owner ?? null
  const others = file.units.filter(
    (one) =>
      !reached.some(({ lambda }) => lambda === one.lambda) && !isAlone(one, wanted) && (one.owner === fields || fields === null),
  )
  const covered = new Set(others.filter((one) => isCalledUnderLock(flow, file, wanted, one)))
  return others.flatMap((one) => {
    const waits = allWaitsOf(file, wanted, one).map((call) => call.start)
    const until = waits.length === 0 ? Infinity : Math.min(...waits)
    const from = one === unit ? start.at.end : 0
    return touchesOf(flow, wanted, one, names)
      .filter(({ ir, isWrite }) => ir.start >= from && ir.start < until && !(isWrite && sets.test(one.name)))
      .map((touch) => (covered.has(one) ? { ...touch, isLocked: true } : touch))
  })
}

/** Also by functions of its own: `void finish() { thread_.join(); }`. */
function allWaitsOf({ units }: File, wanted: ThreadRace, unit: Unit): Ir[] {
  const finishing = units.filter(
    (one) =>
      one.owner === unit.owner && one.starts.length === 0 && waitsOf(wanted, one).some((call) => joins.test(lastWord(call))),
  )
  const names = new Set(finishing.map(({ name }) => name))
  return [...waitsOf(wanted, unit), ...calledBy(unit).flatMap(({ name, at }) => (names.has(name) ? [at] : []))]
}

const isAlone = ({ name, owner, lambda }: Unit, { alone }: ThreadRace): boolean =>
  lambda.isConstructor || name === owner || name.startsWith('~') || matchesText(alone, name)

/** All who call it hold the lock. */
function isCalledUnderLock(flow: Flow, { units }: File, wanted: ThreadRace, { name, owner }: Unit): boolean {
  const calls = units
    .filter((one) => one.owner === owner)
    .flatMap((one) => calledBy(one).flatMap((call) => (call.name === name ? [{ one, at: call.at }] : [])))
  return (
    calls.length > 0 &&
    calls.every(({ one: { lambda }, at }) =>
      lockedRanges(flow.text.slice(lambda.start, lambda.end), wanted).some(
        ({ from, to }) => lambda.start + from <= at.start && at.start < lambda.start + to,
      ),
    )
  )
}

/** Where one of two changes it, and one of them without a lock. */
function meeting(inside: readonly Touch[], outside: readonly Touch[]): Ir | null {
  for (const { name } of inside) {
    const all = [inside.filter((one) => one.name === name), outside.filter((one) => one.name === name)]
    if (all.some((touches) => touches.length === 0) || !all.flat().some(({ isWrite }) => isWrite)) continue
    const open = all.flat().filter(({ isLocked }) => !isLocked)
    const place = open.find(({ isWrite }) => isWrite) ?? open[0]
    if (place !== undefined) return place.ir
  }
  return null
}

/** Variables of the function that the thread refers to, and that the function goes on to use before it waits. */
function localRace(flow: Flow, wanted: ThreadRace, unit: Unit, start: Started, entry: Unit, wait: Ir | null): Ir | null {
  if (start.lambda === null) return null
  const captures = capturesOf(flow, start.lambda)
  const copies = (name: string): boolean =>
    captures !== null && (captures.copied.has(name) || (captures.others !== '&' && !captures.referred.has(name)))
  const made = madeIn(nodesOf(unit.lambda.body).filter((ir) => ir.op === 'assign' && ir.end <= start.at.start))
  const names = new Set([...made].filter((name) => !copies(name) && !isOfType(flow, wanted.safe, name)))
  if (names.size === 0 || wait === null) return null
  const inside = touchesOf(flow, wanted, entry, names)
  const around: Unit = { ...unit, lambda: { ...unit.lambda, body: { op: 'block', body: [], start: 0, end: 0 }, parameters: [] } }
  const outside = touchesOf(flow, wanted, around, names).filter(({ ir }) => ir.start >= start.at.end && ir.start < wait.start)
  return meeting(inside, outside)
}
