/** The object of a method, and the text that it becomes. */
import type { Ir } from '../syntax/ir.js'
import { shownIn } from './held-data.js'
import type { Flow, Frame } from './state.js'
import { deepOrigins, joinOrigins, type Origin, type Value, withoutWhole } from './values/value.js'

export const isSelf = ({ table }: Flow, ir: Ir | null | undefined): boolean =>
  ir?.op === 'name' && (ir.name === 'this' || table?.self.includes(ir.name) === true)

/** An object that gives itself away is written down as its type describes it, not with all that its fields were given. */
export function describedOrigins(flow: Flow, { className }: Frame, value: Value): readonly Origin[] {
  const shown = shownIn(flow, className)
  if (shown === null) return joinOrigins(value.origins, withoutWhole(deepOrigins(value)))
  const parts = [...(value.fields ?? [])].flatMap(([name, part]) => (shown.has(name) ? deepOrigins(part) : []))
  return joinOrigins(value.origins, parts)
}

/** What a piece of a text is as text: `"opened ${this}"`. */
export const asPiece = (flow: Flow, frame: Frame, ir: Ir, value: Value): Value =>
  value.fields !== undefined && isSelf(flow, ir)
    ? { ...value, fields: undefined, origins: describedOrigins(flow, frame, value) }
    : value
