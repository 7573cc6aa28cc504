/**
 * Strings of languages that keep the backslash of an escape they do not know: `'\d'` has two characters in Python, PHP, and between
 * single quotes in Ruby. Patterns of regular expressions stand in such strings, so the backslash matters.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { decodeEscape } from '../strings.js'

const known = /\\(?:x[0-9a-fA-F]{1,2}|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\\'"`abefnrtv])/g

/** Escapes that the language knows become their character, all others stay as they are. */
export const decodeKnown = (text: string): string => (text.includes('\\') ? text.replaceAll(known, decodeEscape) : text)

/** Between single quotes only the quote and the backslash can be escaped. */
export const decodeSingle = (text: string): string => text.replaceAll(/\\([\\'])/g, '$1')

/** The pieces of a string: text by `decode` (`null` for pieces without text), everything else by its own lowering. */
export function quoted(lowering: Lowering, node: number, decode: (child: number, type: string) => string | null): Ir {
  const parts: Ir[] = []
  let text = ''
  let textStart = lowering.startOf(node)
  const flush = (end: number): void => {
    if (text !== '') parts.push({ op: 'literal', value: text, start: textStart, end })
    text = ''
  }
  for (const child of lowering.children(node)) {
    const piece = decode(child, lowering.typeOf(child))
    if (piece !== null) {
      if (text === '') textStart = lowering.startOf(child)
      text += piece
      continue
    }
    flush(lowering.startOf(child))
    parts.push(lowering.lower(child))
  }
  flush(lowering.endOf(node))
  const [only] = parts
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  if (parts.length === 0) return lowering.make.literal(node, '')
  return parts.length === 1 && only?.op === 'literal' ? { ...only, ...span } : { op: 'concat', parts, ...span }
}
