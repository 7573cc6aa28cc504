/**
 * A count that was loaded, compared with an amount, and then lowered by the amount through somebody else: `if (m.points >= cost)
 * add(id, -cost)`. Between the two another one may have lowered it. A change that asks again in its own statement is one step.
 */
import { wordsOf } from '../rulebook/data-names.js'
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface NegatedMove {
  /** What is counted, by the words of its name. */
  readonly counted: string
}

export function negatedMoves(flow: Flow, lambda: Lambda, { counted }: NegatedMove): readonly Ir[] {
  const nodes = nodesOf(lambda.body, true)
  const given = new Set(lambda.parameters.map(({ name }) => name))
  const text = (ir: Ir): string => flow.text.slice(ir.start, ir.end)
  for (const test of nodes) {
    if (test.op !== 'binary' || !/^[<>]=?$/.test(test.operator)) continue
    for (const [count, amount] of [
      [test.left, test.right],
      [test.right, test.left],
    ] as const) {
      const root = rootOf(count)
      const name = writtenName(count.op === 'call' ? count.callee : count)?.segment ?? ''
      if (root === null || given.has(root) || !matchesText(counted, wordsOf(name).join(' '))) continue
      const change = nodes.find(
        (ir) =>
          ir.op === 'call' &&
          ir.start >= test.end &&
          ir.args.some(({ value }) => isMinus(value) && text(value.operand) === text(amount)) &&
          rootOf(ir.callee) !== root &&
          !asksAgain(flow, ir),
      )
      if (change !== undefined) return [change]
    }
  }
  return []
}

const isMinus = (ir: Ir): ir is Extract<Ir, { op: 'unary' }> => ir.op === 'unary' && ir.operator === '-'

/** A part of something that the function has loaded: `m` in `m.points`. */
function rootOf(ir: Ir): string | null {
  let at = ir.op === 'call' && ir.args.length === 0 ? ir.callee : ir
  if (at.op !== 'member') return null
  while (at.op === 'member') at = at.object
  return at.op === 'name' && !/^(?:this|self)$/.test(at.name) ? at.name : null
}

/** A function of the file that compares once more, in its statement or before it. */
function asksAgain(flow: Flow, { callee }: Call): boolean {
  const name = writtenName(callee)?.segment ?? ''
  const called = [...flow.callsInside.keys()].filter((one) => one.name === name)
  return called.some(({ start, end }) => /[<>]=|[^-=<]>\s|\s<[^-=<]/.test(flow.text.slice(start, end)))
}
