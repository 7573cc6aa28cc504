/** `s->items[s->count++] = x` with a counter that nobody compares on the way there. */
import { limitsOf } from '../numbers/numbers.js'
import type { ExprOf, FunctionIr } from '../program.js'
import { type Run, report } from '../run.js'

const mostHops = 3

export function checkFreeCounter(run: Run, { base, index, ...place }: ExprOf<'index'>): void {
  const counter = index.op === 'step' && index.by > 0 ? index.target : index
  if (counter.op !== 'field' || base.op !== 'field' || base.type?.kind !== 'array' || base.type.count?.op !== 'number') return
  const { fn } = run.frame
  if (!fn.steppedFields.has(counter.name) || limitsOf(counter.type).high < base.type.count.value) return
  if (!isComparedOnTheWay(run, fn, counter.name)) report(run, 'overflow', place)
}

/**
 * By the function, by those that call it and by what these call. Where callers are in other files, whoever compares it at all may do so
 * for them.
 */
function isComparedOnTheWay(run: Run, fn: FunctionIr, field: string): boolean {
  const { compared, functions } = run.program
  if (!compared.has(field)) return false
  const callersOf = (name: string): FunctionIr[] => functions.filter((one) => one.calls.some((call) => call.name === name))
  const around = new Set([fn])
  for (let hops = 0, last = [fn]; last.length > 0 && hops < mostHops; hops++) {
    last = last.flatMap((one) => callersOf(one.name)).filter((one) => !around.has(one))
    for (const one of last) around.add(one)
  }
  if (around.size === 1) return true
  const called = new Set([...around].flatMap((one) => one.calls.map((call) => call.name)))
  return functions.some((one) => (around.has(one) || called.has(one.name)) && asksForRoom(run, one, field))
}

/** `i < s->count` walks over what there is, and `s->count > 0` asks whether there is something: neither asks for room. */
function asksForRoom({ text }: Run, { compared, start, end }: FunctionIr, field: string): boolean {
  const isLimit = new RegExp(
    `\\b${field}\\s{0,9}(?:[!=]=|[<>]=?(?![<>=]))(?!\\s{0,9}(?:0|1|NULL)\\b)|\\b[A-Z0-9_]{1,60}\\s{0,9}(?:[!=]=|[<>]=?)\\s{0,9}[\\w.>-]{0,60}\\b${field}\\b|[=(,]\\s{0,9}[\\w.>-]{0,60}\\b${field}\\s{0,9}[-+;,)]`,
  )
  return compared.has(field) ? isLimit.test(text.slice(start, end)) : false
}
