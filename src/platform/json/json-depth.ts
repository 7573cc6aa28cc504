/** How deep JSON from outside may be nested, so that recursive code of ours or a provider's does not run out of stack. */

/** Whether `value` holds objects or arrays in more than `maxDepth` levels. Stops at that depth, so it recurses no deeper. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (maxDepth === 0) return true
  // No for-in: V8 compiles it for the shapes seen last, and throws the code away at every request of another shape.
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === 'object' && isDeeperThan(child, maxDepth - 1)) return true
  }
  return false
}
