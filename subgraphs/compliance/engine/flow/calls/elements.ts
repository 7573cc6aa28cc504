/** What a function among the arguments is called with, and what becomes of its answer. */
import { elementOf } from '../assign.js'
import { isSelf } from '../own-text.js'
import type { Flow } from '../state.js'
import { anyElement, deepOrigins, joinOrigins, unknown, type Value, withOrigins } from '../values/value.js'
import type { CallSite } from './call-site.js'

/** The parameter that is given the number of the element: `list.map((x, i) => ...)`, `list.mapIndexed { i, x -> ... }`. */
export function placeOfIndex({ book }: Flow, { method, receiver }: CallSite, parameters: number): number | null {
  if (receiver === null || parameters < 2) return null
  return book.words.index_last.has(method) ? 1 : book.words.index_first.has(method) ? 0 : null
}

/** What a function among the arguments is called with: elements of the receiver, or of the list that is passed along. */
export function elementFor(flow: Flow, site: CallSite): Value {
  const { words } = flow.book
  const given = words.hands_argument.has(site.method) ? site.args[0]?.subject.value : undefined
  if (given !== undefined && given.func === undefined) return given
  if (site.receiver !== null) {
    if (words.hands_over.has(site.method)) return site.receiver.value
    // `this.load((error, data) => ...)`: what an object keeps in its fields is not what its method hands to a function.
    return isSelf(flow, site.receiver.ir) && !words.goes_through.has(site.method) ? unknown : elementOf(site.receiver.value)
  }
  const list = words.iterates.has(site.method) ? site.args.find(({ subject }) => subject.value.func === undefined) : undefined
  return list === undefined ? unknown : elementOf(list.subject.value)
}

/** What a mapping answers is what its function answers; the elements that it was given may be left behind. */
export function afterLambda({ book }: Flow, site: CallSite, result: Value, answered: Value): Value {
  if (book.words.maps.has(site.method)) {
    const fields = answered.fields === undefined ? undefined : new Map([[anyElement, answered]])
    return { ...result, origins: deepOrigins(answered), fields }
  }
  // What a condition answers is no part of what it keeps.
  const isCondition = book.words.keeps.has(site.method) || book.words.leaves_out.has(site.method)
  if (isCondition && site.receiver !== null && deepOrigins(site.receiver.value).length > 0) return result
  return withOrigins(result, joinOrigins(result.origins, answered.origins))
}
