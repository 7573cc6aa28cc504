/** Formats by which texts are taken apart: `sscanf(line, "%d%n", &number, &length)`. */
import { type CallSite, selectArguments } from './call-site.js'
import type { Subject } from '../../match/subject.js'

const CONVERSION = /%(?:%|(\*)?\d{0,9}(?:hh?|ll?|[jztLqm]|I64)?(?:\[\^?\]?[^\]]{0,200}\]|([A-Za-z])))/g

/** What is filled in: how much was read is no part of what was read. */
export function filledBy(site: CallSite, targets: readonly (number | string)[], scans: number | undefined): Subject[] {
  const filled = targets.flatMap((selector) => selectArguments(site, selector))
  const format = scans === undefined ? undefined : site.args[scans]?.subject.value.constant
  if (scans === undefined || typeof format !== 'string') return filled
  const taken = [...format.matchAll(CONVERSION)].filter(([whole, skipped]) => whole !== '%%' && skipped === undefined)
  const counts = new Set(taken.flatMap(([, , letter], at) => (letter === 'n' ? [site.args[scans + 1 + at]?.subject] : [])))
  return filled.filter((subject) => !counts.has(subject))
}
