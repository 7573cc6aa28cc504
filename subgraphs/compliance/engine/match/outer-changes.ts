/** What a function changes that others have too: counters, entries of maps, lists. */
import type { Flow } from '../flow/state.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { isDeclaredWith, mapTypes, safeTypes } from './declared-types.js'
import { nodesOf } from './nodes.js'

/** Whoever says one of these words has thought of it. */
export const careful = /lock|synchroni[sz]ed|atomic|mutex|semaphore|transaction|monitor|critical|barrier|actor|\bsync\./i

/** A lock holds for all that stands in it, an atomic number only for itself. */
const locks = /(?<!inter)lock|synchroni[sz]ed|mutex|semaphore|monitor|critical|barrier|\bactor\b(?!\.)|\bsync\./i

/** Whether a function changes what it has not made itself, without a word of a lock. Each round of a loop may have its own entry. */
export function changesOuter(flow: Flow, lambda: Lambda): boolean {
  if (locks.test(flow.text.slice(lambda.start, lambda.end))) return false
  const own = ownNames(lambda)
  const captures = capturesOf(flow, lambda)
  const isOwn = (name: string): boolean => own.has(name) || captures?.copied.has(name) === true
  return nodesOf(lambda.body, true).some((ir) => {
    const place = ir.op === 'call' ? addedTo(flow, ir) : isChange(flow, ir, true) ? changed(ir) : null
    const name = place === null ? null : rootOf(place)
    if (place === null || name === null || isOwn(name) || isDeclaredWith(flow, safeTypes, name)) return false
    return (
      place.op !== 'index' ||
      (captures?.others !== '=' && !isOwn(rootOf(place.index) ?? '')) ||
      isDeclaredWith(flow, mapTypes, rootOf(place.object) ?? '')
    )
  })
}

/** Calls that take a lock or give it back. */
const lockCalls = /(?<!\w)(?:[\w.]{1,60}\.)(?<back>[Uu]nlock|RUnlock|Lock|lock|RLock)\(\)/g
const depthOf = (text: string): number => text.split('{').length - text.split('}').length

/**
 * Where in a function nothing is locked, as far as its text tells: in front of the first lock that it takes, and behind one that it gives
 * back where it took it. Other words of locks are trusted.
 */
export function isUnsafeBeside(text: string, { start, end }: Lambda): (at: number) => boolean {
  const body = text.slice(start, end)
  if (locks.test(body.replace(lockCalls, ''))) return () => false
  const steps: { at: number; isFree: boolean }[] = []
  let depth = 0
  let taken = 0
  let from = 0
  for (const { index, groups } of body.matchAll(lockCalls)) {
    depth += depthOf(body.slice(from, index))
    from = index
    const isBack = groups?.['back']?.toLowerCase().endsWith('unlock') === true
    // In a branch it is given back by those alone who leave there.
    if (isBack && (depth > taken || /\bdefer\s[^;\n]{0,40}$/.test(body.slice(Math.max(0, index - 60), index)))) continue
    taken = isBack ? 0 : depth
    steps.push({ at: start + index, isFree: isBack })
  }
  return (at) => steps.findLast((step) => step.at < at)?.isFree ?? true
}

/** `seen.add(x)`: the list. */
function addedTo({ book: { words } }: Flow, { callee }: Extract<Ir, { op: 'call' }>): Ir | null {
  if (callee.op !== 'member') return null
  const { property, object } = callee
  const changes = [words.adds, words.prepends, words.inserts, words.puts, words.removes, words.clears]
  return changes.some((names) => names.has(property)) ? object : null
}

/** The variable or the field that a place is a part of: `this.seen[k]` is of `seen`. */
export function rootOf(ir: Ir): string | null {
  if (ir.op === 'name') return ir.name
  if (ir.op === 'index') return rootOf(ir.object)
  if (ir.op !== 'member') return null
  return ir.object.op === 'name' && /^(?:this|self)$/.test(ir.object.name) ? ir.property : rootOf(ir.object)
}

export const changed = (ir: Ir): Ir => (ir.op === 'assign' ? ir.target : ir.op === 'unary' ? ir.operand : ir)

/** `n++`, `n += 1`, `n = n + 1`, `views[page] = 1`. */
export function isChange(flow: Flow, ir: Ir, countsEntries: boolean): boolean {
  if (ir.op === 'assign') {
    if (ir.declares || ir.value === null) return false
    if (/^[-+*]$/.test(ir.operator) || (ir.target.op === 'index' && countsEntries)) return true
    return ir.operator === '=' && isOwnValue(flow, ir.target, ir.value)
  }
  if (ir.op === 'unary') return ir.operator === '++' || ir.operator === '--' || (ir.operator === '' && isStep(flow, ir.operand))
  return (ir.op === 'name' || ir.op === 'member' || ir.op === 'index') && isStep(flow, ir)
}

const isStep = ({ text }: Flow, { end }: Ir): boolean => /^\s{0,2}(?:\+\+|--)/.test(text.slice(end, end + 4))

/** `n = n + 1`, `views[page] = views.get(page, 0) + 1` */
function isOwnValue({ text }: Flow, target: Ir, value: Ir): boolean {
  if (value.op !== 'binary' || !/^[-+*]$/.test(value.operator)) return false
  const whole = target.op === 'index' ? target.object : target
  const written = text.slice(whole.start, whole.end)
  return nodesOf(value).some(({ start, end }) => text.slice(start, end) === written)
}

/** What the function has for itself. */
export function ownNames(lambda: Lambda): ReadonlySet<string> {
  return madeIn([lambda, ...nodesOf(lambda.body, true)])
}

export function madeIn(all: readonly Ir[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const ir of all) {
    if (ir.op === 'function') for (const { name, pattern } of ir.parameters) addNames(names, pattern ?? null, name)
    else if (ir.op === 'assign' && ir.declares) addNames(names, ir.target)
    else if (ir.op === 'loop' && ir.target !== null) addNames(names, ir.target)
    else if (ir.op === 'collection') for (const { value } of ir.entries) if (value.op === 'assign') addNames(names, value.target)
  }
  return names
}

function addNames(names: Set<string>, target: Ir | null, name = ''): void {
  if (name !== '') names.add(name)
  if (target !== null) for (const ir of nodesOf(target)) if (ir.op === 'name') names.add(ir.name)
}

interface Captures {
  readonly copied: ReadonlySet<string>
  readonly referred: ReadonlySet<string>
  /** What stands for all others: `&`, `=` or nothing. */
  readonly others: string
}

/** What stands between the brackets of a lambda of C++: `[=, &sum]`, `[this, n]`; `null` where it says nothing of that kind. */
export function capturesOf({ text }: Flow, { start }: Lambda): Captures | null {
  const captures = /^\[([^\]]{0,400})\]/
    .exec(text.slice(start, start + 402))?.[1]
    ?.split(',')
    .map((one) => one.trim())
  if (captures === undefined) return null
  const [copied, referred] = [new Set<string>(), new Set<string>()]
  for (const one of captures) {
    const [, ampersand, name] = /^(&?)\s*(\w+)/.exec(one) ?? []
    if (name !== undefined) (ampersand === '&' ? referred : copied).add(name)
  }
  return { copied, referred, others: captures.find((one) => one === '&' || one === '=') ?? '' }
}
