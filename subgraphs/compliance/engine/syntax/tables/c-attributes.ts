/**
 * Macros that stand for attributes: `EXPORT int f(void)`, `class API Name {`, `BEGIN_NAMESPACE` on a line of its own.
 *
 * The grammars take such a word for a type, and the class or the namespace behind it for a function. So the parser reads the text
 * without them: blanks in their place, so that all positions stay.
 */

/** By custom such names have no small letters, and types of a program have some. */
const word = String.raw`[A-Z][A-Z\d_]{2,60}`
const macro = String.raw`${word}(?:\([^()\n]{0,80}\))?`
const beginsDefinition =
  /^\s*(?:namespace|class|struct|union|enum|template|using|typedef|static|inline|extern|virtual|constexpr|explicit|friend)\b/
const alone = new RegExp(String.raw`^\s*${macro}\s*$`)
// `struct PAIR pair;` is a variable of a type in capitals.
const ofClass = new RegExp(
  String.raw`\b(?:class|struct|union|enum)\s+(${macro}\s+)(?=[A-Za-z_][\w:]*\s*(?:final\s*)?(?:[{:]|$)|[A-Z]\w*\s*;)`,
)
const inFront = new RegExp(
  String.raw`^\s*(${macro}\s+)(?=(?:static|inline|extern|virtual|constexpr|explicit|friend|thread_local|unsigned|struct|void|int|char|bool|auto|double|float|long|template)\b)`,
)
const storage = String.raw`(?:static|inline|extern|virtual|const|constexpr|explicit|friend|struct)\b`
const typeName = String.raw`(?:${storage}\s+){0,4}(?!${storage})[A-Za-z_][\w:<>,]{0,80}`
const beforeType = new RegExp(String.raw`^\s*(${macro}\s+)(?=${typeName}[*&\s]+(?:${word}\s+){0,2}[A-Za-z_~][\w:~]{0,80}\s*\()`)
const beforeName = new RegExp(
  String.raw`^\s*(?!(?:return|else|case|goto|throw|new|delete)\b)${typeName}(?:\s+const)?\s*[*&\s]\s*(${word}\s+)(?=(?:${word}\s+)?[A-Za-z_~][\w:~]{0,80}\s*\()`,
)
const behindMember = new RegExp(String.raw`^\s*[A-Za-z_][\w:<>,*& ]{0,120}[*&>\s]\w+\s+(${word}\([^()\n]{0,80}\))\s*[;={]`)
const behindHead = new RegExp(String.raw`\)\s*(?:const\s*)?(?:noexcept\s*)?(${macro})\s*\{?\s*$`)
// `f(BAD_CAST text.c_str())`: a cast without parentheses.
const beforeValue = new RegExp(String.raw`(?:[(,=?:]|\breturn\b)\s*(${word}\s+)(?=[A-Za-z_]\w*(?:\.|->))`)
const cast = new RegExp(String.raw`(?:[(,=?:]|\breturn\b)\s*([A-Z\d_]{0,40}CAST\s+)(?=[A-Za-z_"&*])`)

const qualifier = String.raw`(?:const|volatile|struct|union|enum|unsigned|signed|register)\s+`
const keyword =
  'const|volatile|struct|union|enum|unsigned|signed|static|extern|register|inline|typedef|typename|auto|return|else|case|goto|throw|new|delete|do|if|while|for|switch|sizeof|using|public|private|protected|friend|virtual|template|operator|not|co_return|co_yield|co_await'
// `gs_unref Item *one = NULL;`, `_cleanup_(item_free) Item *one;`: with two words in front of a pointer the first is a macro.
const beforePointer = new RegExp(
  String.raw`^\s*((?!(?:${keyword})\b)[A-Za-z_]\w{2,60}(?:\(\w{1,60}\))?\s+)(?=(?:${qualifier}){0,3}(?!(?:${keyword})\b)[A-Za-z_]\w{0,60}\s*\*{1,3}\s*[A-Za-z_]\w{0,60}\s*(?:=[^=]|;|$))`,
)

/** Words of the kernel for where memory lies and when a function is needed: `(void __user *)arg`. */
const kernelWord =
  /(?<![\w"])__(?:user|kernel|iomem|rcu|percpu|force|init|exit|initdata|initconst|exitdata|must_check|read_mostly|ro_after_init)(?=[\s*])/g

const patterns = [ofClass, inFront, beforeType, beforeName, beforeName, behindMember, beforeValue, beforeValue, cast, cast]

export function withoutAttributes(text: string): string {
  const lines = text.split('\n')
  let isDefinition = false
  for (const [at, line] of lines.entries()) {
    // A `#define` goes on behind `\`.
    const isInside: boolean = isDefinition
    isDefinition = (isInside || /^\s*#/.test(line)) && /\\\r?$/.test(line)
    if (isInside || line.length > 400) continue
    if (line.includes('__') && !/^\s*#/.test(line)) lines[at] = line.replaceAll(kernelWord, (found) => ' '.repeat(found.length))
    if (line.includes('*')) lines[at] = withoutWord(lines[at] ?? line, beforePointer)
    if (!/[A-Z]{2}/.test(line) || /^\s*(?:#|\/[/*]|\*)/.test(line)) continue
    if (alone.test(line)) {
      if (beginsDefinition.test(nextLine(lines, at))) lines[at] = blank(line, 0, line.length)
      continue
    }
    lines[at] = withoutAttribute(lines[at] ?? line, nextLine(lines, at))
  }
  return lines.join('\n')
}

function withoutAttribute(line: string, next: string): string {
  let result = line
  for (const pattern of patterns) result = withoutWord(result, pattern)
  const [whole, taken] = behindHead.exec(result) ?? []
  if (whole === undefined || taken === undefined || !(/\{\s*$/.test(whole) || /^\s*\{/.test(next))) return result
  const start = result.lastIndexOf(taken)
  return blank(result, start, start + taken.length)
}

function withoutWord(line: string, pattern: RegExp): string {
  const found = pattern.exec(line)
  const [whole, taken] = found ?? []
  if (found === null || whole === undefined || taken === undefined) return line
  const start = found.index + whole.lastIndexOf(taken)
  return blank(line, start, start + taken.length)
}

function nextLine(lines: readonly string[], at: number): string {
  for (let next = at + 1; next < at + 6; next++) if ((lines[next] ?? '').trim() !== '') return lines[next] ?? ''
  return ''
}

const blank = (line: string, start: number, end: number): string =>
  line.slice(0, start) + line.slice(start, end).replaceAll(/[^\r]/g, ' ') + line.slice(end)
