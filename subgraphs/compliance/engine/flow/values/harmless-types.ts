/** Declared types whose values can do no harm inside of a text: numbers, booleans, and the enumerations of the file. */
import type { Flow } from '../state.js'

export const isNumericType = (flow: Flow, type: string | undefined): boolean =>
  type !== undefined && flow.book.words.harmless_types.has(type)

const enums = new WeakMap<Flow, ReadonlySet<string>>()

/** The enumerations that the file declares; those whose cases hold data do not count. */
export function enumsOf(flow: Flow): ReadonlySet<string> {
  let names = enums.get(flow)
  if (names === undefined) {
    const isPlain = !['rust', 'swift', 'scala'].includes(flow.book.language)
    const found = isPlain ? flow.text.matchAll(/\benum\s+(?:class\s+|struct\s+)?(\w+)|\bclass\s+(\w+)\([^)\n]{0,80}Enum\)/g) : []
    names = new Set([...found].map((one) => one[1] ?? one[2] ?? ''))
    enums.set(flow, names)
  }
  return names
}

/** Values of this type can do no harm inside of a text. */
export const isHarmlessType = (flow: Flow, type: string | undefined): boolean =>
  isNumericType(flow, type) || (type !== undefined && enumsOf(flow).has(type))
