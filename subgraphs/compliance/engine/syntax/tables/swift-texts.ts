/** Swift: what is said beside a value that stands in a text, as in `\\(name, privacy: .public)`. The grammar takes it for values of their own. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

const LAYOUT = new Set(['interpolated_align', 'interpolated_format', 'interpolated_attributes'])

const labelOf = (part: Ir | undefined): string => (part?.op === 'call' && part.callee.op === 'name' ? part.callee.name : '')

/** How much of the value a log shows: `interpolated_public`, `interpolated_private`. */
function shown(lowering: Lowering, part: Ir): string | undefined {
  const said = /\.(public|private|sensitive)\b/.exec(lowering.source.slice(part.start, part.end))?.[1]
  if (said === undefined) return undefined
  return said === 'public' ? 'interpolated_public' : 'interpolated_private'
}

export const interpolatedText: Custom = (lowering, node) => {
  const text = lowering.string(node, false)
  if (text.op !== 'concat' || !text.parts.some((part) => labelOf(part) === 'interpolated_privacy')) return text
  const parts: Ir[] = []
  for (const part of text.parts) {
    if (labelOf(part) !== 'interpolated_privacy') {
      parts.push(part)
      continue
    }
    const at = parts.findLastIndex((other) => !LAYOUT.has(labelOf(other)))
    const value = parts[at]
    const name = shown(lowering, part)
    if (value === undefined || name === undefined) continue
    const place = { start: value.start, end: value.end }
    parts[at] = { op: 'call', callee: { op: 'name', name, ...place }, args: [{ value }], isNew: false, at: value.start, ...place }
  }
  return { ...text, parts }
}
