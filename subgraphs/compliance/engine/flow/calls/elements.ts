/** What a function among the arguments is called with. */
import { elementOf } from '../assign.js'
import type { Flow } from '../state.js'
import { unknown, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'

/** The parameter that is given the number of the element: `list.map((x, i) => ...)`, `list.mapIndexed { i, x -> ... }`. */
export function placeOfIndex({ book }: Flow, { method, receiver }: CallSite, parameters: number): number | null {
  if (receiver === null || parameters < 2) return null
  return book.words.index_last.has(method) ? 1 : book.words.index_first.has(method) ? 0 : null
}

/** What a function among the arguments is called with: elements of the receiver, or of the list that is passed along. */
export function elementFor({ book }: Flow, site: CallSite): Value {
  if (site.receiver !== null) return book.words.hands_over.has(site.method) ? site.receiver.value : elementOf(site.receiver.value)
  const list = book.words.iterates.has(site.method)
    ? site.args.find(({ subject }) => subject.value.func === undefined)
    : undefined
  return list === undefined ? unknown : elementOf(list.subject.value)
}
