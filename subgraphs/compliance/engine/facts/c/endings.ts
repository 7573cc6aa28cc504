/** Functions that a file declares never to return: `_Noreturn`, `[[noreturn]]`, `__attribute__((noreturn))`, and macros named so. */

const mark = /\b(?:_Noreturn|noreturn|__noreturn__|[A-Z_]{0,20}NO_?RETURN[A-Z_]{0,20}|__dead2?)\b/g
const attributes =
  /__attribute__\s{0,9}\(\((?:[^()]|\((?:[^()]|\([^()]{0,99}\)){0,99}\)){0,400}\)\)|\[\[[^\]]{0,99}\]\]|__declspec\s{0,9}\([^()]{0,99}\)/g
const called = /\b([A-Za-z_]\w{0,99})\s{0,9}\(/g
const longestDeclaration = 600
/** Text that is made of such words only must not take seconds. */
const mostMarks = 2_000

export function endingsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let marks = 0
  for (const { index } of text.matchAll(mark)) {
    if (++marks > mostMarks) break
    const before = text.slice(Math.max(0, index - longestDeclaration), index)
    // A definition of such a word, or a comment.
    if (/^#|\/\/|\/\*|^\s*\*/.test(before.slice(before.lastIndexOf('\n') + 1))) continue
    const name = declaredAround(before, text.slice(index, index + longestDeclaration))
    if (name !== null) found.add(name)
  }
  return found
}

function declaredAround(before: string, after: string): string | null {
  const head = before
    .slice(Math.max(...[';', '{', '}', ':\n'].map((end) => before.lastIndexOf(end))) + 1)
    .replaceAll(/^\s{0,9}#.{0,200}$/gm, '')
  const end = after.search(/[;{]/)
  if (end < 0) return null
  const bare = (head + after.slice(0, end)).replaceAll(attributes, ' ')
  for (const [, name] of bare.matchAll(called)) if (name !== undefined && !/^[A-Z][A-Z0-9_]*$/.test(name)) return name
  return null
}
