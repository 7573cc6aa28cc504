/**
 * Words that a grammar takes for its own where the program gives them to something else: `open(file)`, `status eq code`, `def export`.
 *
 * One of them costs the function or the whole file. So the parser reads another letter in their place: all positions stay, and names
 * are read from the text itself.
 */

const otherCase = (word: string): string => (word[0] ?? '').toUpperCase() + word.slice(1)

/** The grammar ends a statement before a word that might be `else`: `Orders.id eq id`, `a exclude b`. */
const wordLikeElse = /([\w)\]}"'`!?] +)e(?!lse\b|num\b|xternal\b|xpect\b)(?=\w* +[\w("'`[{@-])/g

const modifier =
  'open|internal|external|annotation|enum|override|sealed|abstract|public|private|final|const|lateinit|inline|infix|operator|suspend|tailrec|vararg|noinline|crossinline'
const namedLikeModifier = new RegExp(String.raw`\b(?:${modifier})(?=(?:[?!]{0,2}\.\w| ?= ?[^=\s]| \{))`, 'g')
const calledLikeModifier = /\b(?:open|enum|final|const|infix)(?=\()/g
const interfaceOfFunction = /\bfun(?= {1,4}interface\b)/g
const openRange = /\.\.</g
/** `is Order if order.isPaid ->` */
const guardOfCase = /^([ \t]{1,80}!?(?:is|in) [^\n{}"]{1,120}) if (?=[^\n{}"]{1,160}->)/gm
/** A case that begins with `in` goes on with the line before it, to the grammar. */
const caseOfRange = /^([^\n]{0,200}[^\n\s{,(-])\n(?=[ \t]{1,80}!?in [^\n"]{1,160}->)/gm
/** With two lines of annotations, the last with arguments, the class behind them begins a statement of its own. */
const annotationAlone =
  /^([ \t]{0,40}@[A-Z][\w.]{0,80}(?:\((?:[^()"]|"(?:[^"\\\n]|\\.){0,300}"|\((?:[^()"]|"[^"\n]{0,300}"){0,300}\)){0,600}\))?[ \t]{0,20})\n(?=[ \t]{0,40}(?:@[A-Z]|(?:(?:public|internal|private|open|abstract|sealed|data|final|inner|value|suspend|inline) ){0,4}(?:class|interface|object|fun)\b))/gm

export const readableKotlin = (text: string): string =>
  text
    .replaceAll(wordLikeElse, '$1E')
    .replaceAll(namedLikeModifier, otherCase)
    .replaceAll(calledLikeModifier, otherCase)
    .replaceAll(interfaceOfFunction, '   ')
    .replaceAll(openRange, '.. ')
    .replaceAll(annotationAlone, '$1 ')
    .replaceAll(guardOfCase, '$1,   ')
    .replaceAll(caseOfRange, (found, line: string) => (line.includes('//') ? found : `${line};`))

/** Names in Scala 2, keywords in Scala 3. A file that declares one so uses it so. */
const newKeywords = ['export', 'given', 'enum', 'macro', 'using', 'then', 'inline']
const declaring = new Map(
  newKeywords.map((word) => [
    word,
    new RegExp(String.raw`\b(?:def|val|var) ${word}\b(?=[ \t]*[:=(\[])|[(,]\s{0,20}(?:(?:val|var|implicit) )?${word} ?:(?!:)`),
  ]),
)
const behindDot = /\.(?:export|given|enum|macro)(?=\()/g

export function readableScala(text: string): string {
  let readable = text.replaceAll(behindDot, (found) => `.${otherCase(found.slice(1))}`)
  for (const [word, pattern] of declaring)
    if (pattern.test(text)) readable = readable.replaceAll(new RegExp(String.raw`\b${word}\b`, 'g'), otherCase)
  return readable
}

const sharpName = /\b(?:required|partial|async)(?=\??\.\w| = [^\s=>])/g
/** `*(int*)at`: the grammar multiplies. */
const readAtPointer = /([=(,] ?)\*(?=\([\w.]{1,60}\*+\)\w)/g

export const readableSharp = (text: string): string => text.replaceAll(sharpName, otherCase).replaceAll(readAtPointer, '$1 ')
