/** What a try clause is for. */
import type { Flow } from '../flow/state.js'
import type { Catch, Ir } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

/** The call that stands alone at its end, so that nothing but its failure tells what it found. */
export function endsWithCall(flow: Flow, body: Ir, names: readonly string[]): boolean {
  const last = body.op === 'block' ? body.body.at(-1) : body
  return last?.op === 'call' && matchesAnyName(names, writtenName(last.callee), flow.book.ignoreCase)
}

export interface Attempt {
  readonly calls: readonly string[]
  /** Of a call with its arguments, where its name alone does not say what it does. */
  readonly text?: string | undefined
  /** Also in functions inside, which what is called there runs. */
  readonly functions?: boolean | undefined
  /** Whether a comment in the clause may say why it may fail. */
  readonly excusable?: boolean | undefined
}

/** Whether something is tried that is missed when it has not happened. Whoever says in the clause why it may fail has thought of it. */
export function attempts(flow: Flow, tried: Ir, { start, end }: Catch, wanted: Attempt): boolean {
  const { calls, text, functions = false, excusable = true } = wanted
  if (excusable && /#|\/\/|\/\*/.test(flow.text.slice(start, end))) return false
  return nodesOf(tried, functions).some(
    (ir) =>
      ir.op === 'call' &&
      matchesAnyName(calls, writtenName(ir.callee), flow.book.ignoreCase) &&
      (text === undefined || matchesText(text, flow.text.slice(ir.start, Math.min(ir.end, ir.start + 2000)))),
  )
}
