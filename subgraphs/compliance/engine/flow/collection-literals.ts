/** Literals of lists and maps: their parts one by one, and the rules and sinks that are about them. */
import { placeHolds } from '../match/conditions.js'
import { holds } from '../match/constraints.js'
import type { Subject } from '../match/subject.js'
import type { Constraint, Matcher } from '../rulebook/matcher-schema.js'
import type { Collection, Ir } from '../syntax/ir.js'
import { entryOf, farPlace, presentKeys } from './far-places.js'
import { checkGiven } from './named-sinks.js'
import { checkEntryOption } from './options.js'
import { askAboutData } from './questions.js'
import { reportIf } from './report-if.js'
import { checkArrival } from './roles.js'
import type { Flow, Frame } from './state.js'
import { deepOrigins, joinOrigins, type Origin, unknown, type Value } from './values/value.js'

export function collection(flow: Flow, frame: Frame, ir: Collection): Value {
  const fields = new Map<string, Value>()
  let origins: readonly Origin[] = []
  for (const [at, entry] of ir.entries.entries()) {
    const value = flow.evaluate(frame, entry.value)
    const key = entry.key === null ? String(at) : flow.evaluate(frame, entry.key).constant
    if (entry.spread) {
      for (const [name, field] of value.fields ?? []) fields.set(ir.kind === 'list' ? `${at}.${name}` : name, field)
      origins = joinOrigins(origins, value.origins)
    } else if (key === undefined || key === null) origins = joinOrigins(origins, deepOrigins(value))
    else if (fields.size < 200) fields.set(keyName(entry.key, entry.value, String(key), ir.kind), value)
    const name = keyName(entry.key, entry.value, String(key), ir.kind)
    if (typeof key === 'string') {
      checkGiven(flow, frame, name, value, entry.value)
      checkEntryOption(flow, frame, ir, name, { value, ir: entry.value })
    }
    const isShort = entry.key === null && ir.kind === 'map' && !entry.spread && entry.value.op === 'name'
    if (isShort || (entry.key !== null && typeof key === 'string')) {
      for (const { sink, only } of flow.book.keySinks.get(name) ?? [])
        if (placeHolds(flow, sink, frame)) checkArrival(flow, frame, sink, only, { value, ir: entry.value }, entry.value)
    }
  }
  const value: Value = { ...unknown, origins, fields, size: ir.kind === 'list' ? ir.entries.length : undefined }
  const subject: Subject = { value, ir }
  const isCarrying = frame.symbolic !== null && deepOrigins(value).length > 0
  for (const { rule, matcher } of flow.book.plain.object) {
    const { constraint, keys, needed } = wantedBy(flow, matcher)
    if (needed !== undefined && !isCarrying && !fields.has(needed)) continue
    // Few literals are what a rule is about: only they are searched for the place.
    if (!holds(flow, constraint, subject)) {
      if (isCarrying) askAboutData(frame, constraint, value)
    } else reportIf(flow, frame, rule, matcher, farPlace(flow.text, ir, entryOf(ir, keys)), constraint, subject)
  }
  return value
}

interface Wanted {
  readonly constraint: Constraint
  readonly keys: ReadonlySet<string>
  /** A key without which the matcher is about nothing: by it nearly all literals are dismissed. */
  readonly needed: string | undefined
}

const wanted = new WeakMap<Matcher, Wanted>()

/** Made once for each matcher: every literal is asked, and what is known of constraints is known by their identity. */
function wantedBy(flow: Flow, matcher: Matcher): Wanted {
  let known = wanted.get(matcher)
  if (known === undefined) {
    const { object = {} } = matcher
    const needed = Object.keys(object).find((key) => !holds(flow, object[key] ?? {}, null))
    wanted.set(matcher, (known = { constraint: { keys: object }, keys: presentKeys(object), needed }))
  }
  return known
}

/** `{ a }` is `{ a: a }`. */
const keyName = (key: Ir | null, value: Ir, index: string, kind: Collection['kind']): string =>
  key === null && kind === 'map' && value.op === 'name' ? value.name : index
