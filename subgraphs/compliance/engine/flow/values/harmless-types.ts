/** Declared types whose values can do no harm inside of a text: numbers, booleans, and the enumerations of the file. */
import type { Parameter } from '../../syntax/ir.js'
import type { Flow } from '../state.js'

interface Place {
  readonly start: number
  readonly end: number
}

export const pathKinds = ['path', 'upload']

/** Beside other kinds: a condition asked, and no escaping or type made it so. */
export const byTest = 'tested'

/** What a part of a path is clean for that is not the parent folder. */
export const noParent = 'parent-folder'

/** What a number with an upper bound is harmless for. */
export const boundedKinds = ['integer', 'narrowing', 'index', 'slice', 'size', 'resource', 'rows', 'loop']

const maxDeclaration = 200

/** What a number that is not below zero is harmless for. */
export const flooredKinds = ['signed-amount']

/** `u64`, `uint32_t`, `ulong`, `UInt`: nothing is below zero there. */
const isUnsigned = (type: string | undefined): boolean =>
  type !== undefined &&
  /^(?:std::)?(?:unsigned\b.{0,20}|u(?:8|16|32|64|128|size|short|int|long)|[uU][iI]nt(?:8|16|32|64)?(?:_t)?|U(?:Short|Long)|u?size_t|NonZeroU\w+|Positive\w*|NonNegative\w*|dword)$/.test(
    type,
  )

/** The same of what stands in its declaration: `@Positive int cents`, `cents: int = Field(gt=0)`. */
export function isFloored(
  flow: Flow,
  type: string | undefined,
  { start, end }: Place,
  decorators: readonly Place[] = [],
): boolean {
  if (isUnsigned(type)) return true
  const floors = flow.book.words.validators_of_floors
  const written = [...decorators, { start, end: Math.min(end, start + maxDeclaration) }].map((one) =>
    flow.text.slice(one.start, one.end),
  )
  return written.some((text) => (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => floors.has(word)))
}

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
export const isHarmlessDeclared = (flow: Flow, type: string | undefined, { start, end }: Place): boolean =>
  isHarmlessType(flow, type) || (type !== undefined && isHarmlessType(flow, heldType(flow, type, start, end)))

/** Many of them are a text. */
const characters = /^(?:s?byte|char|character|u?int8)$/i

/** What the declaration of a parameter says that it is harmless for. */
export const declaredKinds = (flow: Flow, parameter: Parameter): readonly string[] => [
  ...(isHarmlessDeclared(flow, parameter.type, parameter) ? ['text'] : []),
  ...(isFloored(flow, parameter.type, parameter, parameter.decorators) ? flooredKinds : []),
]

/** `Long` of `ids: java.util.List<Long>`, also of a tuple that holds nothing else. */
function heldType(flow: Flow, type: string, start: number, end: number): string | undefined {
  const held = heldTypes(flow, type, start, end)
  return held.every((one) => isHarmlessType(flow, one)) ? held[0] : undefined
}

/** `i64` and `String` of `Path((id, name)): Path<(i64, String)>`; characters are left out, many of them are a text. */
export function heldTypes(flow: Flow, type: string, start: number, end: number): readonly (string | undefined)[] {
  if (!flow.book.words.holder_types.has(type)) return []
  const text = flow.text.slice(start, Math.min(end, start + maxDeclaration))
  const brackets = new RegExp(
    `\\b${type}\\s*[<[]\\s*(?:\\? extends )?(?:([\\w.:]{1,80})|\\(([\\w.:, ]{1,120})\\))\\??\\s*[>\\]]`,
  ).exec(text)
  const names = (brackets?.[1] ?? brackets?.[2] ?? '').split(',').map((one) => one.trim().split(/[.:]/).at(-1) ?? '')
  return names.map((one) => (one === '' || characters.test(one) ? undefined : one))
}
