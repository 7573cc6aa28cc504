/**
 * Fields and variables that a lock protects: what most functions change under it must not be used without it.
 *
 * A lock protects what stands in the same object, or beside it in the file. Functions that make or end an object, that some caller runs under
 * the lock, or that use locks which are not followed here say nothing.
 */
import type { FunctionIr, Place, Type } from '../program.js'
import { type Run, modelOf, report } from '../run.js'
import { type State, unknownValue } from '../state.js'

const begins =
  /(?:^|_|[a-z])(?:init|initiali[sz]e|create|new|alloc|setup|destroy|free|fini|cleanup|teardown|release|close)\d?(?:_|$|[A-Z])/i
/** One who reads it in first, unless it is asked for beside those that take the lock. */
const reads = /(?:^|_|[a-z])(?:open|load)\d?(?:_|$|[A-Z])/i
const isHeldByCaller = /(?:locked|unlocked|no_?lock|unsafe|internal|impl)_?$/i

/** The object that a place is in, and the name of the field for the whole file. */
function keyOf(fn: FunctionIr, place: string, type: Type | null): { readonly key: string; readonly home: string } | null {
  if (type?.kind === 'other' || type?.name.includes('atomic') === true || type?.name === 'sig_atomic_t') return null
  if (/^::\w+$/.test(place)) return { key: place, home: '::' }
  // A record of the file with a lock in it.
  const record = /^(::\w+\.)\w+$/.exec(place)?.[1]
  if (record !== undefined) return { key: place, home: record }
  const [, variable, field] = /^\*&(\w+) 0\.(\w+)$/.exec(place) ?? []
  if (variable === undefined || field === undefined) return null
  const of = variable === 'this' ? fn.owner : fn.parameters.find(({ name }) => name === variable)?.type?.of?.name
  return of == null ? null : { key: `${of}.${field}`, home: `*&${variable} 0.` }
}

export function noteUse(run: Run, state: State, place: string, type: Type | null, isWrite: boolean, at: Place): void {
  const { fn } = run.frame
  if (run.isQuiet || fn.name === '' || (!run.hasLocks && run.frame.lockedUnder.size === 0)) return
  const found = keyOf(fn, place, type)
  if (found === null) return
  let known = run.protected.get(found.key)
  if (known === undefined)
    run.protected.set(
      found.key,
      (known = { lockedIn: new Set(), lockedUses: 0, lockedWrites: 0, open: new Map(), openWrites: new Set() }),
    )
  if (holdsLock(run, state, found.home)) {
    known.lockedIn.add(fn)
    known.lockedUses++
    if (isWrite) known.lockedWrites++
  } else if (state.value(made) === undefined) {
    if (!known.open.has(fn)) known.open.set(fn, at)
    if (isWrite) known.openWrites.add(fn)
  }
}

function holdsLock(run: Run, state: State, home: string): boolean {
  if (run.frame.lockedUnder.size === 0) return false
  for (const [id, object] of state.allObjects()) if (object.isLocked && (id.startsWith(home) || id.startsWith('::'))) return true
  return false
}

const made = 'lock made'

/** `pthread_mutex_init(&mu, NULL); count = 0;`: no other thread runs yet. */
export function noteMadeLock(run: Run, state: State, name: string): void {
  const model = modelOf(run, name)
  if (model?.makes_lock === true) state.set(made, unknownValue)
  else if (model?.starts_thread !== undefined || run.functions.has(name)) state.forget((place) => place === made)
}

/** Whoever is called under a lock does not take it. */
export function noteCalledUnderLock(run: Run, state: State, name: string): void {
  if (run.frame.lockedUnder.size > 0 && holdsLock(run, state, '')) run.calledUnderLock.add(name)
}

export function checkProtected(run: Run): void {
  // A function that forgets the lock does so once, whatever it uses behind that.
  const first = new Map<FunctionIr, Place>()
  for (const { lockedIn, lockedUses, lockedWrites, open, openWrites } of run.protected.values()) {
    if (lockedWrites === 0 || lockedUses < 2) continue
    // All who take the lock write it without the lock too: that is for something else.
    if (lockedIn.size > 1 && [...lockedIn].every((fn) => openWrites.has(fn))) continue
    const loose = [...open].filter(([fn]) => !isExcused(run, fn) && !(reads.test(fn.name) && !isBeside(run, fn, lockedIn)))
    if (loose.length > lockedIn.size) continue
    for (const [fn, place] of loose) if (place.start < (first.get(fn)?.start ?? Infinity)) first.set(fn, place)
  }
  for (const [fn, place] of first) {
    run.frame = { ...run.frame, fn }
    report(run, 'unlocked-use', place)
  }
}

/** `case LOAD: return load(dev, arg); case STORE: return store(dev, arg);` */
const isBeside = ({ program }: Run, fn: FunctionIr, others: ReadonlySet<FunctionIr>): boolean =>
  program.functions.some(({ name, calls }) => {
    const called = new Set(calls.map((call) => call.name))
    return !/^w?main$/.test(name) && called.has(fn.name) && [...others].some((one) => called.has(one.name))
  })

const isExcused = (run: Run, fn: FunctionIr): boolean =>
  fn.name === fn.owner ||
  fn.name.startsWith('~') ||
  fn.name.startsWith('operator') ||
  /^w?main$/.test(fn.name) ||
  begins.test(fn.name) ||
  isHeldByCaller.test(fn.name) ||
  run.calledUnderLock.has(fn.name) ||
  run.lockCareful.has(fn)
