/** The object of a method, and the text that it becomes. */
import type { Ir } from '../syntax/ir.js'
import type { Flow } from './state.js'
import { deepOrigins, joinOrigins, type Origin, type Value, withoutWhole } from './values/value.js'

export const isSelf = ({ table }: Flow, ir: Ir | null | undefined): boolean =>
  ir?.op === 'name' && (ir.name === 'this' || table?.self.includes(ir.name) === true)

/** An object that gives itself away is written down as its type describes it, not with all that its fields were given. */
export const describedOrigins = ({ origins, ...value }: Value): readonly Origin[] =>
  joinOrigins(origins, withoutWhole(deepOrigins({ origins, ...value })))

/** What a piece of a text is as text: `"opened ${this}"`. */
export const asPiece = (flow: Flow, ir: Ir, value: Value): Value =>
  value.fields !== undefined && isSelf(flow, ir) ? { ...value, fields: undefined, origins: describedOrigins(value) } : value
