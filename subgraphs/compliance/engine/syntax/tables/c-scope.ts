/**
 * What the lowering of C remembers of names while it walks a file: element sizes of arrays and pointers, lengths of `#define`d texts.
 *
 * Names never leave the function that declares them. Helper calls and variables that the lowering adds have a `#` in their names, so
 * that no program can mean them; docs/scanner-rules.md does not list them, the rules for C use them.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { type Macro, readMacro } from './c-macros.js'

export interface KnownName {
  readonly kind: 'array' | 'pointer' | 'scalar'
  /** Size of one element, when the type is a plain one. */
  readonly bytes: number | undefined
  readonly isLocal: boolean
  /** How the number of elements of an array is written. */
  readonly count?: string
  readonly isSigned?: boolean
  /** It is a number with a fraction, or leads to such. */
  readonly isFraction?: boolean
}

export interface FieldArray {
  readonly count: string
  readonly bytes: number | undefined
}

interface FileScope {
  readonly globals: Map<string, KnownName>
  readonly aliases: Map<string, string>
  readonly texts: Map<string, number>
  /** Arrays in structures and classes by the name of the field, with how their length is written; `null` when two differ. */
  fields: Map<string, FieldArray | null> | null
  /** Names that are declared as a map of C++ anywhere. */
  maps: Set<string> | null
  macroWords: Set<string> | null
  macros: Map<string, Macro> | null
  /** The function around, `null` at the top level. */
  inside: FunctionScope | null
}

export interface FunctionScope {
  readonly names: Map<string, KnownName>
  readonly text: string
  readonly start: number
  readonly body: number | undefined
  /** The jumps that led to the code that is lowered now. */
  readonly hops: { readonly from: number; readonly to: number }[]
  /** Characters that were lowered once more behind jumps. */
  copied: number
  /** What the function frees or closes, by its text. */
  readonly freed: Map<string, number>
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
    scopes.set(
      lowering,
      (scope = {
        globals: new Map(),
        aliases: new Map(),
        texts: new Map(),
        fields: null,
        maps: null,
        macroWords: null,
        macros: null,
        inside: null,
      }),
    )
  return scope
}

const mapDeclared = /(?:map|QHash|QMultiHash|QMap|QMultiMap)<[^;{}()]{1,200}>\s{0,4}&?(\w{1,60})\s{0,4}[;={,)]/g

/** An element of a map is found by its key: nothing is stored behind an end. */
export function mapsOf(lowering: Lowering): ReadonlySet<string> {
  const scope = scopeOf(lowering)
  scope.maps ??= new Set([...lowering.source.matchAll(mapDeclared)].map((match) => match[1] ?? ''))
  return scope.maps
}

const copyingWords =
  /\b(?:w?mem(?:cpy|move|set)|strn?cpy|strn?cat|stpcpy|wcs\w+|strlen|lstr\w+|_tcs\w+|w?v?sn?w?printf|fgets|fgetws|read|recv\w*|bcopy)\s*\(/
const owningWords =
  /\b(?:\w*free|\w*alloc\w*|delete|new|NULL|nullptr|strn?dup|fopen|strr?chr|strstr|strpbrk|memchr|getpw\w+|gethostbyname|localtime|gmtime)\b|\w\s*\*+\s*\w+\s*[;,=]/

/** Helper variables about texts are only written where something is copied. */
export const isCopying = (lowering: Lowering): boolean => scopeOf(lowering).inside?.isCopying !== false

/** Helper calls about pointers are only written where memory is taken, freed or checked. */
export const isOwning = (lowering: Lowering): boolean => scopeOf(lowering).inside?.isOwning !== false

/** Comments as blanks, so that places stay where they are. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '))

/** Runs `body` with names of its own. */
export function inFunction<T>(lowering: Lowering, node: number, body: () => T): T {
  const scope = scopeOf(lowering)
  const outer = scope.inside
  const text = withoutComments(lowering.text(node))
  scope.inside = {
    names: new Map(),
    text,
    start: lowering.startOf(node),
    body: lowering.first(node, 'body'),
    hops: [],
    copied: 0,
    freed: new Map(),
    words: null,
    isCopying: copyingWords.test(text),
    isOwning: owningWords.test(text),
  }
  const result = body()
  scope.inside = outer
  return result
}

/** The text of the function around and the places of a word in it; `null` outside of functions and in very long ones. */
function mentions(lowering: Lowering, word: string): { readonly text: string; readonly at: readonly number[] } | null {
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

export function noteName(
  lowering: Lowering,
  name: string,
  kind: KnownName['kind'],
  bytes: number | undefined,
  more: Pick<KnownName, 'count' | 'isSigned' | 'isFraction'> = {},
): void {
  const { inside, globals } = scopeOf(lowering)
  const names = inside?.names ?? globals
  names.set(name, { kind, bytes, isLocal: inside !== null, ...more })
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

export const calleeName = (lowering: Lowering, call: number): string => {
  const callee = lowering.first(call, 'function')
  const name = callee === undefined ? '' : lowering.text(callee).replace(/^(?:std)?::/, '')
  return scopeOf(lowering).aliases.get(name) ?? name
}

export const argumentsOf = (lowering: Lowering, call: number): number[] => {
  const list = lowering.first(call, 'arguments')
  return list === undefined ? [] : lowering.children(list)
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

/** The file's function-like macros that have one definition. */
export function macroNamed(lowering: Lowering, name: string): Macro | undefined {
  const scope = scopeOf(lowering)
  if (scope.macros === null) {
    const found = new Map<string, Macro | null>()
    const definitions = /^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^()\n]{0,200}\))((?:\\\r?\n|[^\n])*)/gm
    for (const [, macro = '', parameters = '', body = ''] of lowering.source.matchAll(definitions))
      found.set(macro, found.has(macro) ? null : readMacro(parameters, body))
    scope.macros = new Map([...found].flatMap(([macro, read]) => (read === null ? [] : [[macro, read] as const])))
  }
  return scope.macros.get(name)
}

/** Words in the bodies of the file's macros: a macro may set them where nobody sees it. */
function macroWords(lowering: Lowering): ReadonlySet<string> {
  const scope = scopeOf(lowering)
  if (scope.macroWords !== null) return scope.macroWords
  scope.macroWords = new Set()
  for (const [body] of lowering.source.matchAll(/^[ \t]*#[ \t]*define[ \t](?:\\\r?\n|[^\n])*/gm))
    for (const [word] of body.slice(0, 4000).matchAll(/\b[a-z_]\w*\b/g)) scope.macroWords.add(word)
  return scope.macroWords
}

/** A call that stands as a statement and is not known to look only, a macro with a block behind it, an operand of assembler. */
const setters =
  /(?:[;{}]|^)\s*(?!(?:if|while|for|switch|return|sizeof|w?printf|f?puts|fputs|putchar|free|delete|print\w*|Print\w*|strlen|strcpy|fprintf|sn?printf|std)\b)[A-Za-z_]\w*\s*\([^;(){}]{0,80}$|"[=+][^"]{0,8}"\s*\(\s*$/

/** Whether the function gives the address of a name away, or hands it to a macro, a call or a stream that may set it. */
export function isSetElsewhere(lowering: Lowering, name: string): boolean {
  const found = mentions(lowering, name)
  if (found === null || macroWords(lowering).has(name)) return true
  return found.at.some(
    (at) =>
      /(?:&|>>)\s*\(?$|\b[A-Z][A-Z0-9_]{2,40}\s*\([^;()]{0,60}$/.test(found.text.slice(Math.max(0, at - 110), at)) ||
      setters.test(found.text.slice(Math.max(0, at - 110), at)),
  )
}

/** Nothing behind it in the function speaks of the name again, but to free it. */
export function isLastMention(lowering: Lowering, node: number, name: string): boolean {
  const found = mentions(lowering, name)
  const end = lowering.endOf(node) - (scopeOf(lowering).inside?.start ?? 0)
  return found?.at.every((at) => at < end || /\bfree\s*\(\s*$/.test(found.text.slice(Math.max(0, at - 20), at))) === true
}

const fieldPattern =
  /(?:^[ \t]+|\bstruct \w{0,60} ?\{ |; )(?:(?:unsigned|signed|const|struct|volatile|mutable)\s+)*(\w+)([\s*]+)(\w+)\[([^\]\n]{1,40})\]\s*(?=[;={])/gm

const standardArray = /^[ \t]+(?:mutable\s+)?std::array<\s*([\w:]+)\s*,\s*([\w:]{1,40})\s*>\s+(\w+)\s*[;={]/gm

/** Arrays that the file declares inside of braces. Locals of functions are among them, but only fields are looked up here. */
function fieldsOf(lowering: Lowering): Map<string, FieldArray | null> {
  const scope = scopeOf(lowering)
  if (scope.fields !== null) return scope.fields
  const fields = new Map<string, FieldArray | null>()
  for (const [, type = '', space = '', name = '', count = ''] of lowering.source.matchAll(fieldPattern)) {
    if (type === 'return' || type === 'case') continue
    const known = fields.get(name)
    const found = { count: count.trim(), bytes: sizeOfType(space.includes('*') ? '*' : type) }
    fields.set(name, known === undefined || known?.count === found.count ? found : null)
  }
  for (const [, type = '', count = '', name = ''] of lowering.source.matchAll(standardArray))
    if (!fields.has(name)) fields.set(name, { count: count.trim(), bytes: sizeOfType(type.replace(/^std::/, '')) })
  scope.fields = fields
  return fields
}

/** The array that `p->name`, `s.name` or, inside of methods, `name_` means. */
export function fieldOf(lowering: Lowering, node: number): FieldArray | null {
  const at = bare(lowering, node)
  const type = lowering.typeOf(at)
  if (type !== 'field_expression' && type !== 'identifier') return null
  const name = type === 'identifier' ? lowering.text(at) : lowering.text(lowering.first(at, 'field') ?? at)
  const { inside, globals } = scopeOf(lowering)
  // Fields that stand before the methods of their class are among the globals, by their name alone.
  if (type === 'identifier' && (inside?.names.has(name) === true || globals.get(name)?.count !== undefined)) return null
  return fieldsOf(lowering).get(name) ?? null
}
