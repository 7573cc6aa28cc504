/** Text that is put together from values. */
import { foldBinary } from './fold.js'
import { changedOrigins, constantValue, deepOrigins, joinOrigins, unknown, type Value } from './value.js'

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
export const joinText = (pieces: readonly Value[]): Value =>
  pieces.reduce<Value | null>((left, right) => (left === null ? right : addText(left, right)), null) ?? constantValue('')
