/**
 * What the lowering of C remembers of names while it walks a file: element sizes of arrays and pointers, lengths of `#define`d texts.
 *
 * Names never leave the function that declares them. Helper calls and variables that the lowering adds have a `#` in their names, so
 * that no program can mean them; docs/scanner-rules.md does not list them, the rules for C use them.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'

export interface KnownName {
  readonly kind: 'array' | 'pointer' | 'scalar'
  /** Size of one element, when the type is a plain one. */
  readonly bytes: number | undefined
  readonly isLocal: boolean
}

interface FileScope {
  readonly globals: Map<string, KnownName>
  readonly aliases: Map<string, string>
  readonly texts: Map<string, number>
  /** The function around, `null` at the top level. */
  inside: FunctionScope | null
}

interface FunctionScope {
  readonly names: Map<string, KnownName>
  readonly text: string
  /** Where each word of the text stands; made when first needed, never for texts of more than 20,000 characters. */
  words: Map<string, number[]> | null
  /** Whether it copies texts or memory at all. */
  readonly isCopying: boolean
  /** Whether it takes, frees or checks memory at all. */
  readonly isOwning: boolean
}

const scopes = new WeakMap<Lowering, FileScope>()
const maxFunctionText = 20_000

export function scopeOf(lowering: Lowering): FileScope {
  let scope = scopes.get(lowering)
  if (scope === undefined)
    scopes.set(lowering, (scope = { globals: new Map(), aliases: new Map(), texts: new Map(), inside: null }))
  return scope
}

const copyingWords =
  /\b(?:w?mem(?:cpy|move|set)|strn?cpy|strn?cat|stpcpy|wcs\w+|strlen|lstr\w+|_tcs\w+|w?v?sn?w?printf|fgets|fgetws|read|recv\w*|bcopy)\s*\(/
const owningWords = /\b(?:\w*free|\w*alloc\w*|delete|new|NULL|nullptr|strn?dup|fopen)\b|\w\s*\*+\s*\w+\s*[;,]/

/** Helper variables about texts are only written where something is copied. */
export const isCopying = (lowering: Lowering): boolean => scopeOf(lowering).inside?.isCopying !== false

/** Helper calls about pointers are only written where memory is taken, freed or checked. */
export const isOwning = (lowering: Lowering): boolean => scopeOf(lowering).inside?.isOwning !== false

/** Runs `body` with names of its own. */
export function inFunction<T>(lowering: Lowering, node: number, body: () => T): T {
  const scope = scopeOf(lowering)
  const outer = scope.inside
  const text = lowering.text(node)
  scope.inside = { names: new Map(), text, words: null, isCopying: copyingWords.test(text), isOwning: owningWords.test(text) }
  const result = body()
  scope.inside = outer
  return result
}

/** The text of the function around and the places of a word in it; `null` outside of functions and in very long ones. */
export function mentions(lowering: Lowering, word: string): { readonly text: string; readonly at: readonly number[] } | null {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.text.length > maxFunctionText) return null
  if (inside.words === null) {
    inside.words = new Map()
    for (const match of inside.text.matchAll(/\w+/g)) {
      const places = inside.words.get(match[0])
      if (places === undefined) inside.words.set(match[0], [match.index])
      else places.push(match.index)
    }
  }
  return { text: inside.text, at: inside.words.get(word) ?? [] }
}

/** Sizes of the plain types on 64-bit systems, so that `10 * sizeof(int)` is a number. */
const typeSizes: Record<string, number> = {
  char: 1,
  int8_t: 1,
  uint8_t: 1,
  bool: 1,
  BYTE: 1,
  u8: 1,
  short: 2,
  int16_t: 2,
  uint16_t: 2,
  u16: 2,
  int: 4,
  float: 4,
  wchar_t: 4,
  int32_t: 4,
  uint32_t: 4,
  u32: 4,
  DWORD: 4,
  long: 8,
  double: 8,
  int64_t: 8,
  uint64_t: 8,
  u64: 8,
  size_t: 8,
}

export const sizeOfType = (type: string | undefined): number | undefined =>
  type === undefined || type === '' ? undefined : type.endsWith('*') ? 8 : typeSizes[type]

export const pointerBytes = 8

export function noteName(lowering: Lowering, name: string, kind: KnownName['kind'], bytes: number | undefined): void {
  const { inside, globals } = scopeOf(lowering)
  const names = inside?.names ?? globals
  names.set(name, { kind, bytes, isLocal: inside !== null })
}

export const lookupName = (lowering: Lowering, name: string): KnownName | undefined => {
  const { inside, globals } = scopeOf(lowering)
  return inside?.names.get(name) ?? globals.get(name)
}

export const knownName = (lowering: Lowering, node: number | undefined): (KnownName & { readonly name: string }) | undefined => {
  if (node === undefined || lowering.typeOf(node) !== 'identifier') return undefined
  const name = lowering.text(node)
  const known = lookupName(lowering, name)
  return known === undefined ? undefined : { ...known, name }
}

/** Without parentheses and casts. */
export function bare(lowering: Lowering, node: number): number {
  let at = node
  for (let hops = 0; hops < 10; hops++) {
    const type = lowering.typeOf(at)
    const inner =
      type === 'parenthesized_expression'
        ? lowering.first(at, '#0')
        : type === 'cast_expression'
          ? lowering.first(at, 'value')
          : undefined
    if (inner === undefined) return at
    at = inner
  }
  return at
}

/** A helper call such as `#deref(p)`, at the place of `node`. */
export const helper = (lowering: Lowering, node: number, name: string, args: readonly Ir[]): Ir =>
  lowering.make.call(node, lowering.make.name(node, name), args)

/** Sets a helper variable such as `#len:text`; `null` for unknown. */
export const remember = (lowering: Lowering, node: number, name: string, value: Ir | null): Ir => ({
  op: 'assign',
  target: lowering.make.name(node, name),
  value: value ?? lowering.make.opaque(node, []),
  operator: '=',
  declares: true,
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})

/** `value * bytes`, as a shift so that it is no multiplication of the program. */
export function scaled(lowering: Lowering, node: number, value: Ir, bytes: number): Ir {
  if (bytes === 1) return value
  const right = lowering.make.literal(node, Math.log2(bytes))
  return { op: 'binary', operator: '<<', left: value, right, start: value.start, end: value.end }
}

export const sum = (lowering: Lowering, node: number, left: Ir, operator: '+' | '-', right: Ir): Ir => ({
  op: 'binary',
  operator,
  left,
  right,
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})

/** Whether the function gives the address of a name away, or hands it to a macro or a stream that may set it. */
export function isSetElsewhere(lowering: Lowering, name: string): boolean {
  const found = mentions(lowering, name)
  if (found === null) return true
  return found.at.some((at) =>
    /(?:&|>>)\s*\(?$|\b[A-Z][A-Z0-9_]{2,40}\s*\([^;()]{0,60}$/.test(found.text.slice(Math.max(0, at - 110), at)),
  )
}
