/** Data that is known by its name: what is read from a variable, a part or a function that says it holds a secret or personal data. */
import { placeHolds } from '../match/conditions.js'
import { matchesText } from '../match/constraints.js'
import { writtenName } from '../match/subject.js'
import type { DataNames } from '../rulebook/vocabulary-schema.js'
import type { Ir } from '../syntax/ir.js'
import type { CallSite } from './calls/call-site.js'
import type { Place } from './sink-hits.js'
import type { ClassInfo, Flow, Frame } from './state.js'
import { isHarmlessType } from './values/harmless-types.js'
import { emptySet, joinOrigins, type Origin, type Value, withOrigins } from './values/value.js'

/** The mark of what was hashed, encrypted or masked. */
const redacted = 'redacted'

/** A variable that was read, with what its name says. */
export const withNamed = (flow: Flow, frame: Frame, name: string, value: Value, place: Place): Value =>
  labelled(flow, frame, value, [...flow.book.dataNames.ofName(name), ...shownBy(flow, value)], place)

/** What an object of a type of the file shows of itself as a whole: its fields, where the type does not say otherwise. */
function shownBy(flow: Flow, { type, fields, origins }: Value): readonly DataNames[] {
  if (type === undefined || type === '' || (fields !== undefined && origins.length === 0)) return []
  const shape = flow.shapes.get(type)
  if (shape !== undefined) return shownNames(flow, shape)
  const info = flow.classes.get(type)
  return info === undefined || flow.table?.showsFields === undefined
    ? []
    : shownNames(flow, fieldsShown(flow, info, flow.table.showsFields))
}

const shown = new WeakMap<ClassInfo, readonly string[]>()

function fieldsShown({ text, book }: Flow, info: ClassInfo, head: RegExp): readonly string[] {
  const known = shown.get(info)
  if (known !== undefined) return known
  const isShown = head.test(text.slice(Math.max(0, info.ir.start - 20), info.ir.start + 200))
  const isOwn = [...info.methods.keys()].some((name) => book.words.universal.has(name))
  const names = isShown && !isOwn ? [...info.fieldTypes.keys()] : []
  shown.set(info, names)
  return names
}

const labelsOf = new WeakMap<readonly string[], readonly DataNames[]>()

/** How a person is reached stands in most objects. */
function shownNames({ book }: Flow, names: readonly string[]): readonly DataNames[] {
  const known = labelsOf.get(names)
  if (known !== undefined) return known
  const found = names.flatMap((name) => book.dataNames.ofName(name)).filter(({ label }) => label !== 'contact')
  const made = found.map((entry) => ({ ...entry, types: undefined }))
  labelsOf.set(names, made)
  return made
}

/** A part of an object that was read. */
export const withNamedPart = (flow: Flow, frame: Frame, key: string, owner: Ir, value: Value, place: Place): Value =>
  flow.book.dataNames.knows(key)
    ? labelled(flow, frame, value, flow.book.dataNames.ofName(key, writtenName(owner)?.segment ?? null), place)
    : value

/** What a function answered: by its own name, or by the name that it was asked for. */
export function withNamedResult(flow: Flow, site: CallSite, value: Value): Value {
  const { dataNames } = flow.book
  const [first] = site.args
  const asked = first?.subject.value.constant
  const found =
    typeof asked === 'string' && dataNames.isLookup(site.method)
      ? dataNames.ofName(asked)
      : site.isNew
        ? []
        : dataNames.ofCall(site.method, site.args.length)
  return labelled(flow, site.frame, value, found, site.ir)
}

function labelled(flow: Flow, frame: Frame, value: Value, found: readonly DataNames[], { start, end }: Place): Value {
  if (found.length === 0 || value.constant !== undefined || value.func !== undefined || value.marks.has(redacted)) return value
  let { origins } = value
  for (const entry of found) {
    const { label } = entry
    if (origins.some((origin) => origin.label === label && !origin.opaque) || !isOfType(flow, entry, value.type)) continue
    if (!placeHolds(flow, entry, frame)) continue
    flow.trace?.(`source ${label}`, start)
    origins = joinOrigins(origins, [namedOrigin(label, start, end)])
  }
  return withOrigins(value, origins)
}

const isOfType = (flow: Flow, { types }: DataNames, type: string | undefined): boolean =>
  type === undefined || type === '' || (!isHarmlessType(flow, type) && (types === undefined || matchesText(types, type)))

const namedOrigin = (label: string, at: number, end: number): Origin => ({
  label,
  at,
  end,
  parameter: null,
  clean: emptySet,
  built: false,
  opaque: false,
  trail: null,
  isWhole: true,
})
