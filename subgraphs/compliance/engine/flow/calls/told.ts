/** Calls that end the program by the level at which they tell something. */
import { endsProgramBy } from '../../syntax/fatal-levels.js'
import type { Call, Ir } from '../../syntax/ir.js'
import { isOfC } from '../open-globals.js'
import type { Flow } from '../state.js'

export const endsByLevel = (flow: Flow, { args }: Call, callee: string): boolean =>
  isOfC(flow) &&
  (endsByName(flow, callee) ||
    (args.length > 1 &&
      endsProgramBy(
        callee,
        args.slice(0, 2).map(({ value }) => textOf(flow, value)),
      )))

/** `app_fatal("too long")` of another file; what writes a log goes on, and a function of this file says itself what it does. */
const endsByName = ({ text }: Flow, callee: string): boolean =>
  /^(?!\w{0,30}log)[a-z]\w{0,30}_(?:fatalx?|panic)$/i.test(callee) &&
  !new RegExp(`\\b${callee}\\s*\\([^;{}()]{0,200}\\)\\s*\\{`).test(text)

const textOf = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, Math.min(end, start + 120))
