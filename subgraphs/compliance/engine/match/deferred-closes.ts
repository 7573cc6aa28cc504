/** What each round of a loop opens and closes only when the whole function ends: `for ... { f, err := open(); defer f.Close() }`. */
import type { Flow } from '../flow/state.js'
import type { Ir, Lambda, Loop } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'
import { madeIn, rootOf } from './outer-changes.js'

/** The deferred calls with one of these last words in loops of the function. */
export const deferredCloses = (flow: Flow, lambda: Lambda, closes: readonly string[]): readonly Ir[] => {
  const loops = nodesOf(lambda.body).filter((ir): ir is Loop => ir.op === 'loop')
  return [...new Set(loops.flatMap((loop) => closesIn(flow, loop, closes)))]
}

function closesIn(flow: Flow, loop: Loop, closes: readonly string[]): readonly Ir[] {
  const inside = nodesOf(loop.body)
  const made = madeIn(inside)
  return inside.filter((ir) => {
    if (ir.op !== 'call' || !isDeferred(flow, ir) || isLeftBehind(inside, ir)) return false
    // `defer func() { f.Close() }()`
    return nodesOf(ir, true).some(
      (one) =>
        one.op === 'call' &&
        one.callee.op === 'member' &&
        closes.includes(one.callee.property) &&
        made.has(rootOf(one.callee.object) ?? '') &&
        !isKept(inside, rootOf(one.callee.object) ?? ''),
    )
  })
}

/** `readers = append(readers, r)`: all of them are needed behind the loop. */
const isKept = (inside: readonly Ir[], name: string): boolean =>
  inside.some(
    (ir) =>
      (ir.op === 'assign' && ir.value !== null && isName(ir.value, name) && ir.target.op !== 'name') ||
      (ir.op === 'collection' && ir.entries.some(({ value }) => isName(value, name))) ||
      (ir.op === 'call' &&
        ir.callee.op === 'name' &&
        ir.callee.name === 'append' &&
        ir.args.some(({ value }) => isName(value, name))),
  )

const isName = (ir: Ir, name: string): boolean => ir.op === 'name' && ir.name === name

const isDeferred = ({ text }: Flow, { start }: Ir): boolean => /\bdefer\s{1,4}$/.test(text.slice(Math.max(0, start - 10), start))

/** The round in which it is deferred is the last one. */
const isLeftBehind = (inside: readonly Ir[], call: Ir): boolean =>
  inside.some((block) => {
    if (block.op !== 'block' || block.start > call.start || call.end > block.end) return false
    const last = lastOf(block)
    return last.op === 'jump' && (last.kind === 'return' || last.kind === 'break')
  })

const lastOf = (ir: Ir): Ir => {
  const last = ir.op === 'block' ? ir.body.at(-1) : undefined
  return last === undefined ? ir : lastOf(last)
}
