/**
 * What the analysis knows about a value: its constant, where its data came from, its qualified name and type, its parts.
 *
 * Values are immutable; a change makes a new one. `origins` is the taint: each origin remembers for which kinds of sink it has
 * been made clean, so that an HTML escape does not excuse an SQL query.
 */
import { isDrawn, isNumber } from '../../rulebook/labels.js'
import type { QualifiedName } from '../../rulebook/qualified-name.js'
import type { Constant, Ir, Lambda } from '../../syntax/ir.js'
import type { Environment } from '../environment.js'
import type { Trail } from './trail.js'
import { numericKinds } from './numeric-kinds.js'

/** A parameter, or the part of it that `part` names: keys joined by `\0`. */
export interface ParameterPart {
  readonly of: Lambda
  readonly index: number
  readonly part?: string
}

export interface Origin {
  /** `remote`, `local`, `param`, `personal`, ... */
  readonly label: string
  /** Where the source stands in the text. */
  readonly at: number
  readonly end: number
  /** For `param` origins: the function and the index, to be replaced by the caller's argument. */
  readonly parameter: ParameterPart | null
  readonly clean: ReadonlySet<string>
  /** Joined with other text on the way. */
  readonly built: boolean
  /** The end of the text in front of it, where it was joined with other text; `gap` stands for what is not known. */
  readonly lead?: string
  /** Not the first one of the pieces that a call has joined. */
  readonly isBehind?: true
  /** Went through a call that nobody models. */
  readonly opaque: boolean
  /** What it passed through since. */
  readonly trail: Trail | null
  /** Only this rule may use it. */
  readonly only?: string
  /** Says what the whole is: a part of it, or what a function makes of it, is other data. */
  readonly isWhole?: true
  /** What a method of it answered: where its name says what the whole is, this says nothing of the answer. */
  readonly isAnswer?: true
  /** The part of a source that it is, keys joined by `\0`: a test of it says nothing of its neighbours. */
  readonly piece?: string
  /** A number in a structure that is looked at as a whole: the ways to it, keys joined by `\0`. */
  readonly fields?: readonly string[]
  /** Some object of the class holds it in this field, `Class\0key`: one that is known has what was put into it. */
  readonly heldIn?: string
}

export interface FunctionValue {
  readonly lambda: Lambda
  readonly scope: Environment
  readonly className: string | null
  /** What may be called in its place: the other entries of a table of functions. */
  readonly others?: readonly FunctionValue[]
}

export interface Value {
  readonly constant?: Constant
  readonly origins: readonly Origin[]
  readonly path: QualifiedName | null
  readonly type?: string
  /** Members and elements that are known one by one. */
  readonly fields?: ReadonlyMap<string, Value>
  readonly func?: FunctionValue
  /** Marks that hold on every way here, and on some way here. */
  readonly marks: ReadonlySet<string>
  readonly mayMarks: ReadonlySet<string>
  /** The constant text that the value is known to begin with. */
  readonly prefix?: string
  /** The end of what is written of a text that was joined; `gap` stands for the unknown pieces. */
  readonly written?: string
  /** Built from pieces at run time. */
  readonly isConcat?: boolean
  /** C: bytes or elements that a buffer holds. */
  readonly size?: number
  readonly isRegex?: boolean
  /** A compiled regular expression: its pattern. */
  readonly pattern?: string
  /** A variable that holds the outcome of a test: `const ok = list.includes(x)`. */
  readonly test?: Ir
  /** A function that assigns this variable: `const [x, setX] = useState()`. */
  readonly setter?: string
  /** A module, or what was imported of one. */
  readonly isLibrary?: true
  /** What a call of that path answered: a function among such answers takes other arguments. */
  readonly isAnswer?: true
  /** An object of a class of the file that was made in sight: all that it holds is known. */
  readonly isMade?: true
}

const noStrings: ReadonlySet<string> = new Set()
/** Every value is a changed copy of this one, so that V8 knows one shape for all of them. */
export const unknown: Value = {
  constant: undefined,
  origins: [],
  path: null,
  type: undefined,
  fields: undefined,
  func: undefined,
  marks: noStrings,
  mayMarks: noStrings,
  prefix: undefined,
  written: undefined,
  isConcat: undefined,
  size: undefined,
  isRegex: undefined,
  pattern: undefined,
  test: undefined,
  setter: undefined,
  isLibrary: undefined,
  isAnswer: undefined,
  isMade: undefined,
}
export const emptySet = noStrings

export const constantValue = (constant: Constant): Value => ({
  ...unknown,
  constant,
  prefix: typeof constant === 'string' ? constant : undefined,
})

/** What an import binds. */
export const libraryValue = (path: QualifiedName | null): Value =>
  path === null ? unknown : { ...unknown, path, isLibrary: true }

/** Likewise for origins. */
const noOrigin: Origin = {
  label: '',
  at: 0,
  end: 0,
  parameter: null,
  clean: noStrings,
  built: false,
  lead: undefined,
  isBehind: undefined,
  opaque: false,
  trail: null,
  only: undefined,
  isWhole: undefined,
  isAnswer: undefined,
  piece: undefined,
  fields: undefined,
  heldIn: undefined,
}

/** What comes from this place of the text. */
export const originAt = (label: string, at: number, end: number): Origin => ({ ...noOrigin, label, at, end })

const maxOrigins = 8

export const isSameSource = (a: Origin, b: Origin): boolean =>
  a.at === b.at && a.label === b.label && a.parameter?.index === b.parameter?.index && a.parameter?.part === b.parameter?.part

export function joinOrigins(a: readonly Origin[], b: readonly Origin[]): readonly Origin[] {
  if (b.length === 0 || a === b) return a
  if (a.length === 0) return b
  const joined = [...a]
  for (const origin of b) {
    const at = joined.findIndex((one) => isSameSource(one, origin))
    const same = joined[at]
    if (same !== undefined) joined[at] = mergeOrigin(same, origin)
    else if (joined.length < maxOrigins) joined.push(origin)
    else if (origin.parameter?.part !== undefined) widen(joined, origin)
  }
  return joined
}

/** Too many parts of one parameter are the whole of it. */
function widen(joined: Origin[], origin: Origin): void {
  const at = joined.findIndex(
    (one) => one.parameter?.of === origin.parameter?.of && one.parameter?.index === origin.parameter?.index,
  )
  const same = joined[at]
  if (same?.parameter == null) return
  const { of, index } = same.parameter
  joined[at] = { ...mergeOrigin(same, origin), parameter: { of, index } }
}

/** What a drawn number picks is drawn. */
export function withPicking(picked: Value, ...by: readonly Value[]): Value {
  const origins = by.flatMap((one) => one.origins.filter(({ label }) => isDrawn(label)))
  return origins.length === 0 ? picked : { ...picked, constant: undefined, origins: joinOrigins(picked.origins, origins) }
}

const maxParts = 3

/** The keys on the way from a parameter to the part that an origin stands for; `anyElement` is one of them. */
export const partKeys = ({ parameter }: Origin): readonly string[] => parameter?.part?.split('\0') ?? []

/** What is left of the origins in a piece of the data: the last digits of a card are not its number. */
export const withoutWhole = (origins: readonly Origin[]): readonly Origin[] =>
  origins.some(({ isWhole }) => isWhole === true) ? origins.filter(({ isWhole }) => isWhole !== true) : origins

/** The key of an element whose place in its list is not known. */
export const anyElement = '*'

/** The origins of one part of a value: of a parameter only that part of it, and nothing of what the name of the whole said. */
export function originsOfPart(origins: readonly Origin[], key: string): readonly Origin[] {
  if (origins.length === 0) return origins
  return origins.flatMap((origin) => {
    const { parameter, isWhole, label } = origin
    if (isWhole === true) return []
    if (isNumber(label) && isFieldName(key)) return numberIn(origin, key)
    if (parameter === null) return [isFieldName(key) ? pieceOf(origin, key) : origin]
    if (partKeys(origin).length >= maxParts) return [origin]
    return [{ ...origin, parameter: { ...parameter, part: parameter.part === undefined ? key : `${parameter.part}\0${key}` } }]
  })
}

/** A part of a source, or a piece of its text such as the extension of a name. */
export function pieceOf(origin: Origin, key: string): Origin {
  const keys = piecesOf(origin)
  return keys.length >= maxParts ? origin : { ...origin, piece: [...keys, key].join('\0') }
}

export const piecesOf = ({ piece }: Origin): readonly string[] => piece?.split('\0') ?? []

/** Elements of an array are one another's: only fields are told apart. */
const isFieldName = (key: string): boolean => /^[A-Za-z_]/.test(key)

/** A number that stands in this field, and not in another one; what an unknown function made of it is no number of ours. */
function numberIn(origin: Origin, key: string): readonly Origin[] {
  const { fields, ...plain } = origin
  if (fields === undefined) return origin.opaque ? [] : [origin]
  const left = fields.filter((path) => path === key || path.startsWith(`${key}\0`)).map((path) => path.slice(key.length + 1))
  if (left.length === 0) return []
  return [left.includes('') ? plain : { ...plain, fields: left }]
}

/** Numbers remember the field that they stand in. */
function inField(origins: readonly Origin[], key: string): readonly Origin[] {
  if (!isFieldName(key) || !origins.some(({ label }) => isNumber(label))) return origins
  return origins.map((origin) =>
    isNumber(origin.label) ? { ...origin, fields: origin.fields?.map((path) => `${key}\0${path}`) ?? [key] } : origin,
  )
}

const maxFields = 12

/** Of a number that is itself on one of the ways, nothing is told apart. */
const joinedFields = (a: Origin, b: Origin): readonly string[] | undefined =>
  a.fields === undefined || b.fields === undefined
    ? undefined
    : a.fields === b.fields
      ? a.fields
      : [...new Set([...a.fields, ...b.fields])].slice(0, maxFields)

function mergeOrigin(a: Origin, b: Origin): Origin {
  if (a === b) return a
  return {
    ...a,
    piece: a.piece === b.piece ? a.piece : undefined,
    isAnswer: b.isAnswer === true ? a.isAnswer : undefined,
    clean: a.piece === b.piece ? commonKinds(a.clean, b.clean) : withoutWholes(commonKinds(a.clean, b.clean)),
    built: a.built || b.built,
    // Where it stands in a text is known from the way on which it was joined with one.
    lead: !a.built && b.built && b.lead !== undefined ? b.lead : a.lead,
    opaque: a.opaque && b.opaque,
    trail: isCleaner(a, b) ? b.trail : a.trail,
    fields: isNumber(a.label) ? joinedFields(a, b) : a.fields,
    heldIn: a.heldIn === b.heldIn ? a.heldIn : undefined,
  }
}

/** Clean for this kind as long as it is the whole of its source, and neither a part of it nor joined with other text. */
export const asWhole = (kind: string): string => `whole:${kind}`
export const asDirect = (kind: string): string => `direct:${kind}`

const withoutWholes = (kinds: ReadonlySet<string>): ReadonlySet<string> =>
  kinds.size === 0 ? kinds : new Set([...kinds].filter((kind) => !kind.startsWith(asWhole(''))))

/** The way that is shown is the one on which less was made clean. */
const isCleaner = (a: Origin, b: Origin): boolean => !b.clean.has('*') && (a.clean.has('*') || a.clean.size > b.clean.size)

/** What both are clean for; `*` stands for every kind, `text` for those that are about no number. */
function commonKinds(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a === b || b.has('*')) return a
  if (a.has('*')) return b
  const common = [...a].filter((kind) => covers(b, kind))
  return new Set(a.has('text') ? [...common, ...[...b].filter((kind) => covers(a, kind))] : common)
}

const covers = (kinds: ReadonlySet<string>, kind: string): boolean =>
  kinds.has(kind) || (kinds.has('text') && !numericKinds.has(kind))

/** The origins of a value and of everything inside it. */
export function deepOrigins(value: Value, depth = 3): readonly Origin[] {
  if (value.fields === undefined || depth === 0) return value.origins
  let origins = value.origins
  for (const [key, field] of value.fields) {
    const inside = deepOrigins(field, depth - 1)
    if (inside.length > 0) origins = joinOrigins(origins, inField(inside, key))
  }
  return origins
}

export const withOrigins = (value: Value, origins: readonly Origin[]): Value =>
  origins === value.origins ? value : { ...value, origins }

/** Adds kinds that the value is clean for; `*` is all of them. Known parts are cleaned too. */
export function cleaned(value: Value, kinds: readonly string[], depth = 3): Value {
  if (kinds.length === 0) return value
  const origins = value.origins.map((origin) => ({ ...origin, clean: new Set([...origin.clean, ...kinds]) }))
  if (value.fields === undefined || depth === 0) return value.origins.length === 0 ? value : { ...value, origins }
  const fields = new Map([...value.fields].map(([key, field]) => [key, cleaned(field, kinds, depth - 1)]))
  return { ...value, origins, fields }
}

/** What holds of a value that is `a` on one way and `b` on another. */
export function joinValues(a: Value, b: Value, depth = 3): Value {
  if (a === b) return a
  return {
    ...unknown,
    constant: a.constant === b.constant ? a.constant : undefined,
    origins: joinOrigins(a.origins, b.origins),
    path: a.path ?? b.path,
    type: a.type ?? b.type,
    func: joinFunctions(a.func, b.func),
    marks: a.marks === b.marks ? a.marks : new Set([...a.marks].filter((mark) => b.marks.has(mark))),
    mayMarks: a.mayMarks === b.mayMarks ? a.mayMarks : new Set([...a.mayMarks, ...b.mayMarks]),
    fields: joinFields(a, b, depth),
    prefix: a.prefix === b.prefix ? a.prefix : undefined,
    isConcat: a.isConcat === true ? true : b.isConcat,
    size: joinSizes(a, b),
    isRegex: b.isRegex === true ? a.isRegex : undefined,
    pattern: a.pattern === b.pattern ? a.pattern : undefined,
    test: a.test === b.test ? a.test : undefined,
    isMade: a.isMade === true ? b.isMade : undefined,
  }
}

const maxOthers = 15

function joinFunctions(a: FunctionValue | undefined, b: FunctionValue | undefined): FunctionValue | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const known = new Set([a.lambda, ...(a.others ?? []).map(({ lambda }) => lambda)])
  const added = [b, ...(b.others ?? [])].filter(({ lambda }) => !known.has(lambda))
  return added.length === 0 ? a : { ...a, others: [...(a.others ?? []), ...added].slice(0, maxOthers) }
}

/** Null has no size: where the buffer is used it is the other one. */
function joinSizes(a: Value, b: Value): number | undefined {
  if (a.constant === null && a.size === undefined) return b.size
  if (b.constant === null && b.size === undefined) return a.size
  return a.size === undefined || b.size === undefined ? undefined : Math.min(a.size, b.size)
}

function joinFields(a: Value, b: Value, depth: number): ReadonlyMap<string, Value> | undefined {
  if (a.fields === b.fields) return a.fields
  if (a.fields === undefined) return b.fields === undefined || a.origins.length > 0 ? undefined : withoutTested(b.fields)
  if (b.fields === undefined) return b.origins.length > 0 ? undefined : withoutTested(a.fields)
  if (depth === 0) return undefined
  const fields = new Map<string, Value>()
  for (const [key, value] of a.fields)
    if (!b.fields.has(key) && !isTested(value)) fields.set(key, withOrigins(value, joinOrigins(value.origins, b.origins)))
  for (const [key, value] of b.fields) {
    const other = a.fields.get(key)
    if (other === undefined && isTested(value)) continue
    fields.set(
      key,
      other === undefined ? withOrigins(value, joinOrigins(value.origins, a.origins)) : joinValues(other, value, depth - 1),
    )
  }
  return fields
}

/** A part that a condition found harmless on one way; on the other it is read again. */
const isTested = ({ origins }: Value): boolean => origins.length > 0 && origins.every(({ clean }) => clean.has('*'))

const withoutTested = (fields: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  [...fields.values()].some(isTested) ? new Map([...fields].filter(([, field]) => !isTested(field))) : fields

/** What is left of a value that only one of two ways knows. */
export function onOneWay(value: Value): Value {
  if (value.fields === undefined) return value
  const fields = withoutTested(value.fields)
  return fields === value.fields ? value : { ...value, fields }
}

/** Same origin, now part of a longer text or passed through something unknown. */
export const changedOrigins = (origins: readonly Origin[], change: { built?: boolean; opaque?: boolean }): readonly Origin[] =>
  origins.map((origin) => ({
    ...origin,
    built: origin.built || change.built === true,
    opaque: origin.opaque || change.opaque === true,
  }))

/** The same value with other origins, in its parts too. */
export function mapOrigins(value: Value, replace: (origins: readonly Origin[]) => readonly Origin[], depth: number): Value {
  const origins = replace(value.origins)
  if (value.fields === undefined || depth === 0) return withOrigins(value, origins)
  const fields = new Map([...value.fields].map(([key, field]) => [key, mapOrigins(field, replace, depth - 1)]))
  return { ...value, origins, fields }
}
