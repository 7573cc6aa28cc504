/** What several gauges tell of. */

/**
 * Gauges are collected at the same moment: each tells what this one read found, and none what the scrape before found.
 * Answers null while it cannot be read; a database in trouble is told by other figures.
 */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T | null> {
  let underWay: Promise<T | null> | null = null
  return () =>
    (underWay ??= read()
      .catch(() => null)
      .finally(() => {
        underWay = null
      }))
}
