/** What a condition says of the lower end of a number: `n > 0`, `MIN <= n`, `n.signum() > 0` refuse what is less than nothing. */
import { writtenName } from '../../match/subject.js'
import type { Ir } from '../../syntax/ir.js'
import { clean } from './narrow-clean.js'
import type { Flow, Frame } from '../state.js'
import { boundedKinds, flooredKinds } from '../values/harmless-types.js'
import { deepOrigins } from '../values/value.js'

/** Say by their own sign how two numbers stand to each other, or what sign one has. */
const compares = /^(?:signum|sign|compareTo|compare|compare_to|cmp|isgreaterthan|bccomp)$/i

/** `floor < n` gives `n` a lower bound where it holds. */
export function narrowFloor(flow: Flow, frame: Frame, test: Extract<Ir, { op: 'binary' }>, truth: boolean): void {
  const { operator, left, right } = test
  if (!['<', '<=', '>', '>='].includes(operator)) return
  const isLess = operator.startsWith('<') === truth
  const [floor, above] = isLess ? [left, right] : [right, left]
  // How much there is of something is no amount of anybody.
  if (isMeasured(flow, above) || !isFloor(flow, frame, floor)) return
  for (const ir of [above, ...comparedIn(above)]) clean(flow, frame, ir, flooredKinds)
}

function isMeasured({ book }: Flow, ir: Ir): boolean {
  const name = writtenName(ir.op === 'call' ? ir.callee : ir)?.segment ?? ''
  const { measures, lengths, folds } = book.words
  return [measures, lengths, folds.length].some((words) => words.has(name))
}

/** The number itself of `n.compareTo(least) > 0` and `bccomp(n, '0') > 0`. */
function comparedIn(ir: Ir): Ir[] {
  if (ir.op !== 'call' || !compares.test(writtenName(ir.callee)?.segment ?? '')) return []
  const [first, second] = ir.args
  if (ir.callee.op === 'member' && second === undefined && !isTypeName(ir.callee.object)) return [ir.callee.object]
  return first === undefined ? [] : [first.value]
}

/** `Math.sign(n)`, `decimal.Sign(n)` */
const isTypeName = (ir: Ir): boolean => ir.op === 'name' && /^(?:[A-Z]\w*|decimal|math|np)$/.test(ir.name)

/** `n in 1..14`, `(1 to 14).contains(n)`: inside of two ends that the program has chosen. */
export function narrowRange(flow: Flow, frame: Frame, range: Ir, tested: Ir): boolean {
  const ends = endsOf(range)
  if (ends === null || !ends.every((end) => deepOrigins(flow.evaluate(frame, end)).length === 0)) return false
  clean(flow, frame, tested, isFloor(flow, frame, ends[0]) ? [...boundedKinds, ...flooredKinds] : boundedKinds)
  return true
}

function endsOf(range: Ir): readonly [Ir, Ir] | null {
  if (range.op === 'block' && range.body.length === 1 && range.body[0] !== undefined) return endsOf(range.body[0])
  if (range.op === 'binary')
    return /^(?:\.\.[.=<]?|\.\.\.<|to|until|downTo)$/.test(range.operator) ? [range.left, range.right] : null
  const [first, last] =
    range.op === 'opaque' && /range/.test(range.kind)
      ? range.parts
      : range.op === 'call' && writtenName(range.callee)?.segment === 'range'
        ? range.args.map(({ value }) => value)
        : []
  return first === undefined || last === undefined ? null : [first, last]
}

/** A number that is not below zero, or one that the program has chosen itself. */
function isFloor(flow: Flow, frame: Frame, ir: Ir): boolean {
  const value = flow.evaluate(frame, ir)
  if (typeof value.constant === 'number') return value.constant >= 0
  return value.constant !== null && deepOrigins(value).length === 0 && !(ir.op === 'unary' && ir.operator === '-')
}
