/** Data that is known by its name: what is read from a variable, a part or a function that says it holds a secret or personal data. */
import { placeHolds } from '../match/conditions.js'
import { matchesText } from '../match/constraints.js'
import { isPlaceholder } from '../match/secrets.js'
import { writtenName } from '../match/subject.js'
import type { DataNames } from '../rulebook/vocabulary-schema.js'
import type { Ir } from '../syntax/ir.js'
import type { CallSite } from './calls/call-site.js'
import { heldBy } from './held-data.js'
import type { Place } from './sink-hits.js'
import type { Flow, Frame } from './state.js'
import { isHarmlessType } from './values/harmless-types.js'
import { joinOrigins, type Origin, originAt, type Value, withOrigins } from './values/value.js'

/** The mark of what was hashed, encrypted or masked. */
const redacted = 'redacted'

/** A variable that was read, with what its name says. */
export const withNamed = (flow: Flow, frame: Frame, name: string, value: Value, place: Place): Value =>
  withHeld(flow, frame, named(flow, frame, value, flow.book.dataNames.ofName(name), place), place)

/** An object of a type of the file, with what its fields hold. */
export function withHeld(flow: Flow, frame: Frame, value: Value, place: Place, type = value.type): Value {
  const held = heldBy(flow, type)
  if (held.length === 0) return value
  const { fields, isMade } = value
  // Where only a part of it was changed, the rest is what it was.
  const isKnown =
    fields !== undefined &&
    fields.size > 0 &&
    type?.endsWith('[]') !== true &&
    (isMade === true || held.some(({ name }) => fields.has(name)))
  const filled = isKnown ? held.filter(({ name }) => isFilled(fields.get(name))) : held
  return labelled(
    flow,
    frame,
    value,
    filled.map(({ entry }) => entry),
    place,
  )
}

/** Where the object was made in sight, a field holds what it was given. */
const isFilled = (field: Value | undefined): boolean =>
  field !== undefined && field.constant === undefined && !field.marks.has(redacted)

/** A part of an object that was read. */
export const withNamedPart = (flow: Flow, frame: Frame, key: string, owner: Owner, value: Value, place: Place): Value =>
  flow.book.dataNames.knows(key) && !isCaseOf(flow, key, owner.ir)
    ? named(flow, frame, value, flow.book.dataNames.ofName(key, toldBy(flow, owner)), place)
    : withHeld(flow, frame, value, place)

/** What a part was read of. */
interface Owner {
  readonly ir: Ir
  readonly value: Value
}

/** The name of the owner, as far as it tells what it is: `t` of a type of its own is short for that, and no list of texts. */
function toldBy(flow: Flow, { ir, value }: Owner): string | null {
  const name = writtenName(ir)?.segment ?? null
  const isTyped = (value.type !== undefined && value.type !== '') || compiled.has(flow.book.language)
  return name?.length === 1 && isTyped ? null : name
}

/** Every variable has a type there, also where nobody sees it. */
const compiled: ReadonlySet<string> = new Set(['rust', 'go', 'c', 'cpp', 'java', 'kotlin', 'scala', 'csharp', 'swift'])

/** `ErrorCode.BadToken` is one of several constants. In C# and Go every member begins so. */
const isCaseOf = ({ book: { language } }: Flow, key: string, owner: Ir): boolean =>
  language !== 'csharp' && language !== 'go' && isCapitalized(key) && isCapitalized(writtenName(owner)?.segment ?? '')

const isCapitalized = (name: string): boolean => /^[A-Z]\w*[a-z]/.test(name)

/** What a function answered: by its own name, or by the name that it was asked for. */
export function withNamedResult(flow: Flow, site: CallSite, value: Value): Value {
  const { dataNames } = flow.book
  const [first] = site.args
  const asked = first?.subject.value.constant
  const found =
    typeof asked === 'string' && dataNames.isLookup(site.method)
      ? dataNames.ofLookup(asked, ownerName(flow, site))
      : site.isNew
        ? []
        : dataNames.ofCall(site.method, site.args.length)
  return found.length === 0 || isError(flow, site) || isOfMany(flow, site)
    ? value
    : named(flow, site.frame, value, found, site.ir)
}

const ownerName = (flow: Flow, { receiver }: CallSite): string | null =>
  receiver?.ir == null ? null : toldBy(flow, { ir: receiver.ir, value: receiver.value })

/** `err := c.refreshToken()`: only whether it worked. */
const isError = ({ text }: Flow, { ir: { start } }: CallSite): boolean =>
  onlyError.test(text.slice(Math.max(0, start - 60), start))

/** `name, _, _ := nameAndPassword(c)`: of three and more, each says by its own name what it is. */
const isOfMany = ({ text }: Flow, { ir: { start } }: CallSite): boolean =>
  ofMany.test(text.slice(Math.max(0, start - 100), start))

const ofMany = /(?:\w[ \t]*,[ \t]*\w{1,40}[ \t]*,[ \t]*\w{1,40})[ \t]*:?=[ \t]*(?:await[ \t]+)?$/

const onlyError = /(?:^|[\n;{(]|\bif|\bvar|\blet|\bconst)[ \t]*\w{0,20}[eE]rr(?:or)?[ \t]*:?=[ \t]*(?:await[ \t]+)?$/

/** What a name says, as far as the type of the value lets it hold that. */
const named = (flow: Flow, frame: Frame, value: Value, found: readonly DataNames[], place: Place): Value =>
  found.length === 0
    ? value
    : labelled(
        flow,
        frame,
        value,
        found.filter((entry) => isOfType(flow, entry, value.type)),
        place,
      )

function labelled(flow: Flow, frame: Frame, value: Value, found: readonly DataNames[], { start, end }: Place): Value {
  if (found.length === 0 || value.func !== undefined || value.marks.has(redacted)) return value
  let { origins } = value
  for (const entry of found) {
    const { label } = entry
    if (value.constant !== undefined && !(label === 'secret' && isWrittenSecret(value.constant))) continue
    if (origins.some((origin) => origin.label === label && !origin.opaque)) continue
    if (!placeHolds(flow, entry, frame)) continue
    flow.trace?.(`source ${label}`, start)
    origins = joinOrigins(origins, [namedOrigin(label, start, end)])
  }
  return withOrigins(value, origins)
}

/** `warehousePassword = 'Wh7!loyal'` holds one; `PASSWORD = 'password'` names a field, and `/Users/a1` a place. */
const isWrittenSecret = (constant: unknown): boolean =>
  typeof constant === 'string' &&
  /^[^\s/%{}<>$]{8,80}$/.test(constant) &&
  [/[a-z]/, /[A-Z]/, /\d/, /[^\w.-]/].filter((kind) => kind.test(constant)).length > 2 &&
  !isPlaceholder(constant)

const isOfType = (flow: Flow, { types }: DataNames, type: string | undefined): boolean =>
  type === undefined || type === '' || (!isHarmlessType(flow, type) && (types === undefined || matchesText(types, type)))

const namedOrigin = (label: string, at: number, end: number): Origin => ({ ...originAt(label, at, end), isWhole: true })
