/** Options that stand on a line of their own, far below the call or the literal that they belong to: a finding about one is shown there. */
import type { Ir } from '../syntax/ir.js'
import type { Place } from './sink-hits.js'

const maxLinesBetween = 3

/** The option, when it stands far below where it belongs, else that. */
export const farPlace = <T extends Place>(text: string, place: T, option: Ir | null | undefined): Ir | T =>
  option != null && option.start > place.start && text.slice(place.start, option.start).split('\n').length > maxLinesBetween
    ? option
    : place

/** What the literal holds under one of these keys. */
export function entryOf(ir: Ir | null, keys: ReadonlySet<string>): Ir | undefined {
  if (ir?.op !== 'collection') return undefined
  return ir.entries.find(({ key }) => key !== null && keys.has(keyText(key)))?.value
}

const keyText = (key: Ir): string => (key.op === 'literal' ? String(key.value) : key.op === 'name' ? key.name : '')

/** The keys that a matcher wants to be there. */
export const presentKeys = (wanted: Readonly<Record<string, { missing?: boolean | undefined }>> = {}): ReadonlySet<string> =>
  new Set(Object.entries(wanted).flatMap(([selector, { missing }]) => (missing === true ? [] : selector.split('|'))))
