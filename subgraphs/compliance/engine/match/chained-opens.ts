/**
 * What is opened in the middle of a chain and read at once, so that nobody has it in hand to close it: `File.OpenRead(p).Length`,
 * `Files.lines(p).count()`, `Source.fromFile(f).getLines().next()`.
 */
import type { Call, Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'

interface Chains {
  /** Last words of calls and parts that answer with something else than the thing itself. */
  readonly ends: readonly string[]
  readonly isOpening: (call: Call) => boolean
  /** Closes it, or hands it to whoever does. */
  readonly isClosing: (call: Call) => boolean
  /** Closes itself, because this end has asked for all of it. */
  readonly isSpent: (call: Call, end: string) => boolean
}

export function chainedOpens(body: Ir, { ends, isOpening, isClosing, isSpent }: Chains): Call[] {
  return nodesOf(body, true).flatMap((ir) => {
    const place = ir.op === 'call' ? ir.callee : ir
    if (place.op !== 'member' || !ends.includes(place.property)) return []
    for (let at: Ir = place.object; ;) {
      if (at.op === 'call') {
        if (isClosing(at) || isSpent(at, place.property)) return []
        if (isOpening(at)) return [at]
        at = at.callee
      } else if (at.op === 'member') at = at.object
      else return []
    }
  })
}
