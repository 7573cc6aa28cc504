/** How much text a parsed JSON value holds, to tell what is too large for the event loop. */

/** Whether the texts within `value` have more than `most` characters together. Stops there; names of members do not count. */
export function isLongerThan(value: unknown, most: number): boolean {
  let left = most
  const spend = (part: unknown): boolean => {
    if (typeof part === 'string') return (left -= part.length) < 0
    if (part === null || typeof part !== 'object') return false
    return (Array.isArray(part) ? part : Object.values(part)).some(spend)
  }
  return spend(value)
}
