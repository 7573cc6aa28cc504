/** Labels that others choose: their number is bounded, because each is a series that is kept for the life of the process. */

export const OTHER = 'other'

/** Answers the first `most` different names as they are, and `other` for the rest. */
export function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= most) return OTHER
    known.add(name)
    return name
  }
}
