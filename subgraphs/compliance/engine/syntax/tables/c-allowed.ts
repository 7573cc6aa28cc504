/** Texts of C that hold only certain characters: asked by one call, or character by character. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { helper } from './c-scope.js'

/** `strspn(s, set) == strlen(s)`, `s[strspn(s, set)] == 0`, `s.find_first_not_of(set) == npos`: one question, `#made_of(s, set)`. */
export function madeOf(lowering: Lowering, node: number, operator: string, left: Ir, right: Ir): Ir | null {
  if (operator !== '==' && operator !== '!=') return null
  const span = spanIn(left, right) ?? spanIn(right, left) ?? restIn(left, right) ?? restIn(right, left)
  if (span === null) return null
  const asked = helper(lowering, node, '#made_of', span)
  if (operator === '==') return asked
  return { op: 'unary', operator: '!', operand: asked, start: lowering.startOf(node), end: lowering.endOf(node) }
}

function spanIn(asked: Ir, other: Ir): Ir[] | null {
  if (asked.op === 'block') return spanIn(asked.body.at(-1) ?? other, other)
  const isEnd = other.op === 'literal' && (other.value === 0 || other.value === '\0' || other.value === String.raw`\0`)
  if (asked.op === 'index') return isEnd ? spanOf(asked.index) : null
  return isEnd || other.op === 'literal' ? null : spanOf(asked)
}

/** Where the first other character stands, compared with nowhere; from the middle on it says nothing of the beginning. */
function restIn(asked: Ir, other: Ir): Ir[] | null {
  const isNowhere = (other.op === 'member' && other.property === 'npos') || (other.op === 'name' && other.name === 'npos')
  if (!isNowhere || asked.op !== 'call' || asked.callee.op !== 'member' || asked.callee.property !== 'find_first_not_of')
    return null
  const [set, from] = asked.args
  return set === undefined || from !== undefined ? null : [asked.callee.object, set.value]
}

const spanOf = (ir: Ir): Ir[] | null =>
  ir.op === 'call' && ir.callee.op === 'name' && ir.callee.name === 'strspn' && ir.args.length > 1
    ? ir.args.slice(0, 2).map(({ value }) => value)
    : null

const character = String.raw`(?:\*\s*(\w{1,40})|([\w.>-]{1,60})\[\w{1,20}\])`
const refused = new RegExp(
  String.raw`^(?:for|while)\s*\([^{]{0,200}?\)\s*\{?\s*if\s*\(\s*!\s*(?:std::)?is(?:alnum|alpha|x?digit|lower|upper)\s*\(\s*(?:\((?:unsigned char|int)\)|static_cast<unsigned char>\()?\s*${character}\s*\)?\s*\)(?:\s*&&\s*[*\w.>[\]-]{1,60}\s*!=\s*'[\w.:@, +=-]'){0,6}\s*\)\s*\{?\s*(?:return|throw|goto|exit)\b`,
)

/** `for (; *p; p++) if (!isalnum(*p)) return 0;`: behind it all of the text is `#harmless`. */
export function harmlessBehind(lowering: Lowering, node: number): Ir[] {
  const text = lowering.text(node)
  if (text.length > 600) return []
  const [, pointer, array] = refused.exec(text) ?? []
  if (array !== undefined) return [helper(lowering, node, '#harmless', [placeOf(lowering, node, array)])]
  if (pointer === undefined) return []
  const start = lowering.startOf(node)
  const before = lowering.source.slice(Math.max(0, start - 200), start)
  const begins = new RegExp(String.raw`\b${pointer}\s*=\s*([\w.>-]{1,60})\s*[;,]`)
  const base = (begins.exec(text) ?? begins.exec(before))?.[1] ?? pointer
  return [...new Set([pointer, base])].map((name) => helper(lowering, node, '#harmless', [placeOf(lowering, node, name)]))
}

function placeOf(lowering: Lowering, node: number, text: string): Ir {
  const [first = '', ...parts] = text.split(/->|\./)
  return parts.reduce<Ir>((object, part) => lowering.make.member(node, object, part), lowering.make.name(node, first))
}
