/** Declared types whose values can do no harm inside of a text: numbers, booleans, and the enumerations of the file. */
import type { Flow } from '../state.js'

/** What a number with an upper bound is harmless for. */
export const boundedKinds = ['integer', 'narrowing', 'index', 'slice', 'size', 'resource', 'rows', 'loop']

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

/** The same of what this declaration of it says: `List<Long>` holds numbers only. */
export const isHarmlessDeclared = (
  flow: Flow,
  type: string | undefined,
  { start, end }: { readonly start: number; readonly end: number },
): boolean => isHarmlessType(flow, type) || (type !== undefined && isHarmlessType(flow, heldType(flow, type, start, end)))

const maxDeclaration = 200

/** Many of them are a text. */
const characters = /^(?:s?byte|char|character|u?int8)$/i

/** `Long` of `ids: java.util.List<Long>` */
function heldType(flow: Flow, type: string, start: number, end: number): string | undefined {
  if (!flow.book.words.holder_types.has(type)) return undefined
  const text = flow.text.slice(start, Math.min(end, start + maxDeclaration))
  const brackets = /^\s*[<[]\s*(?:\? extends )?([\w.]{1,80})\??\s*[>\]]/.exec(text.slice(text.indexOf(type) + type.length))
  const held = brackets?.[1]?.split('.').at(-1)
  return held === undefined || characters.test(held) ? undefined : held
}
