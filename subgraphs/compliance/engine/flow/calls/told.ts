/** Calls that end the program by the level at which they tell something. */
import { endsProgramBy } from '../../syntax/fatal-levels.js'
import type { Call, Ir } from '../../syntax/ir.js'
import { isOfC } from '../open-globals.js'
import type { Flow } from '../state.js'

export const endsByLevel = (flow: Flow, { args }: Call, callee: string): boolean =>
  isOfC(flow) &&
  args.length > 1 &&
  endsProgramBy(
    callee,
    args.slice(0, 2).map(({ value }) => textOf(flow, value)),
  )

const textOf = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, Math.min(end, start + 120))
