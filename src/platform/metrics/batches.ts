/** Observations that wait for each other. */

const BATCH = 256

export interface Batches<T> {
  readonly add: (item: T) => void
  readonly flush: () => void
}

/**
 * Labels are looked up by text, which is slow for one request in between and quick for many in a row: observations wait until
 * there are enough, or until the figures are asked for.
 */
export function inBatches<T>(record: (items: readonly T[]) => void): Batches<T> {
  let waiting: T[] = []
  const flush = () => {
    const items = waiting
    waiting = []
    record(items)
  }
  return {
    add(item) {
      if (waiting.push(item) >= BATCH) flush()
    },
    flush,
  }
}

/** Items with the same labels, whose text is made once for each item and looked up once for all of them. */
export const groups = <T>(items: readonly T[], labelsOf: (item: T) => string): readonly [T, ...T[]][] =>
  [...Map.groupBy(items, labelsOf).values()] as [T, ...T[]][]
