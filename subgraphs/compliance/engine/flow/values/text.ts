/** Text that is put together from values. */
import { foldBinary } from './fold.js'
import { changedOrigins, cleaned, constantValue, deepOrigins, joinOrigins, unknown, type Value } from './value.js'

/** Two pieces of text next to each other. */
export function addText(left: Value, right: Value): Value {
  const constant = foldBinary('+', left.constant, right.constant)
  if (constant !== undefined) return constantValue(constant)
  const isBuilt = left.prefix !== '' || left.origins.length > 0
  const origins = joinOrigins(
    changedOrigins(deepOrigins(left), { built: true }),
    changedOrigins(deepOrigins(right), { built: isBuilt }),
  )
  const prefix = typeof left.constant === 'string' ? left.constant + (right.prefix ?? '') : left.prefix
  return { ...unknown, origins, isConcat: true, ...(prefix === undefined ? {} : { prefix }) }
}

/** All pieces in order. */
export function joinText(pieces: readonly Value[]): Value {
  const joined = pieces.reduce<Value | null>((left, right) => (left === null ? right : addText(left, right)), null)
  return joined === null ? constantValue('') : unlessHead(joined, pieces.map(writtenIn).join(''))
}

/** Stands for data in a text. */
const gap = '?'

const writtenIn = ({ constant }: Value): string => (typeof constant === 'string' ? constant : gap)

/** Lines of the head of a message: `Location: ?` and `HTTP/1.1 ?`, each ended by CR LF. */
const headLines = /^(?:(?:HTTP\/|[^\s:<]+: )[^<\r\n]*\r\n)+(?:\r\n)?$/

/** No browser reads the head of a message as markup, whatever stands in it. `text` is all that is written of it. */
export const unlessHead = (value: Value, text: string): Value =>
  value.origins.length > 0 && text.endsWith('\r\n') && headLines.test(text) ? cleaned(value, ['html']) : value
