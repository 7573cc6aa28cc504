/**
 * What the rounds of a loop change at the same time, because each of them starts a function that runs beside the others.
 *
 * Variables of the round are its own, and a list may have a place for each. A lock that is taken and given back in the started function
 * holds for what stands between.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda, Loop } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { isDeclaredWith, mapTypes, safeTypes } from './declared-types.js'
import { changed, isChange, isUnsafeBeside, madeIn, rootOf } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface RoundChange {
  /** Calls that run their first argument beside everything else. */
  readonly starts: readonly string[]
  /** Functions that change what they are given first. */
  readonly changes: readonly string[]
  /** How the loop waits for what it has started before the next round. */
  readonly waits: string
}

/** The first change of each thing that the rounds of a loop share. */
export function roundChanges(flow: Flow, lambda: Lambda, wanted: RoundChange): readonly Ir[] {
  if (!(flow.callsInside.get(lambda) ?? []).some((ir) => isStart(flow, ir, wanted))) return []
  return outerLoops(lambda).flatMap((loop) => {
    const own = madeIn(nodesOf(loop, true))
    const started = nodesOf(loop.body).flatMap((ir) => startedBy(flow, loop, ir, wanted) ?? [])
    return started.flatMap((one) => firstChanges(flow, one, own, wanted))
  })
}

/** Loops that stand in no other. */
function outerLoops({ body }: Lambda): Loop[] {
  const loops: Loop[] = []
  for (const ir of nodesOf(body)) if (ir.op === 'loop' && ir.start >= (loops.at(-1)?.end ?? 0)) loops.push(ir)
  return loops
}

const isStart = ({ book }: Flow, ir: Ir, { starts }: RoundChange): ir is Call =>
  ir.op === 'call' && matchesAnyName(starts, writtenName(ir.callee), book.ignoreCase)

/** `go func() { ... }()`, `group.Go(func() error { ... })` */
function startedBy(flow: Flow, loop: Loop, ir: Ir, wanted: RoundChange): Lambda | null {
  if (!isStart(flow, ir, wanted) || matchesText(wanted.waits, flow.text.slice(ir.end, loop.end))) return null
  const first = ir.args[0]?.value
  const started = first?.op === 'call' ? first.callee : first
  return started?.op === 'function' ? started : null
}

function firstChanges(flow: Flow, started: Lambda, own: ReadonlySet<string>, wanted: RoundChange): Ir[] {
  const isUnsafeAt = isUnsafeBeside(flow.text, started)
  const first = new Map<string, Ir>()
  for (const ir of nodesOf(started.body)) {
    const place = changedBy(flow, ir, wanted)
    const name = place === null ? null : rootOf(place)
    if (place === null || name === null || own.has(name) || !isShared(flow, place) || isDeclaredWith(flow, safeTypes, name))
      continue
    const whole = flow.text.slice(place.start, place.op === 'index' ? place.object.end : place.end)
    if (!first.has(whole) && isUnsafeAt(ir.start)) first.set(whole, ir)
  }
  return [...first.values()]
}

/** `n++`, `seen[k] = 1`, `all = append(all, x)`, `delete(seen, k)` */
function changedBy(flow: Flow, ir: Ir, { changes }: RoundChange): Ir | null {
  const isOne = (call: Ir): call is Call => call.op === 'call' && matchesAnyName(changes, writtenName(call.callee), false)
  if (isChange(flow, ir, true)) return changed(ir)
  if (isOne(ir)) return ir.args[0]?.value ?? null
  return ir.op === 'assign' && !ir.declares && ir.value !== null && isOne(ir.value) ? ir.target : null
}

/** Not an element of a list, or a part of one, which each round may have for itself. */
function isShared(flow: Flow, place: Ir): boolean {
  if (place.op === 'member') return isShared(flow, place.object)
  if (place.op !== 'index') return place.op === 'name'
  const map = place.object.op === 'member' ? place.object.property : rootOf(place.object)
  return map !== null && isDeclaredWith(flow, mapTypes, map)
}
