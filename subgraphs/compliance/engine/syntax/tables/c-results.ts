/** What functions of the same file do with pointers: results that may be NULL, arguments that they free, variables that an arm leaves unset. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../shapes.js'
import { bare, calleeName, helper, isSetElsewhere, knownName, mentions, scopeOf } from './c-scope.js'

/** The text of a function of the file, from its parameters on, up to a limit. */
function bodyOf(lowering: Lowering, name: string): { readonly parameters: string; readonly body: string } | null {
  const found = new RegExp(`^[\\w*][\\w\\s*]{0,80}\\b${name}\\s*\\(([^(){};]{0,200})\\)\\s*\\{`, 'm').exec(lowering.source)
  if (found === null) return null
  const text = lowering.source.slice(found.index + found[0].length, found.index + found[0].length + 4000)
  const end = text.search(/\n\}|\}\s*\}?\s*(?=\n|[a-z]+ )/)
  return { parameters: found[1] ?? '', body: end === -1 ? text : text.slice(0, end) }
}

/** `#nullable(p)` for `p = find(x)` where the function of the file ends with `return NULL`. */
export function nullable(lowering: Lowering, target: number, value: number | undefined): Ir[] {
  const known = knownName(lowering, target)
  if (value === undefined || known?.kind !== 'pointer' || !known.isLocal) return []
  const call = bare(lowering, value)
  if (lowering.typeOf(call) !== 'call_expression') return []
  const name = calleeName(lowering, call)
  const found = /^\w+$/.test(name) ? bodyOf(lowering, name) : null
  return found !== null && /\breturn\s*(?:NULL|nullptr)\s*;\s*$/.test(found.body)
    ? [helper(lowering, target, '#nullable', [lowering.make.name(target, known.name)])]
    : []
}

/** `#freed_step` for `for (...; c = c->next) put(c);` where `put` of the file frees its argument. */
export function freedStep(lowering: Lowering, loop: number): Ir[] {
  const { inside } = scopeOf(lowering)
  const [update, body] = [lowering.first(loop, 'update'), lowering.first(loop, 'body')]
  if (inside === null || update === undefined || body === undefined) return []
  const name = /^(\w+)\s*=\s*(\w+)\s*->\s*\w+$/.exec(lowering.text(update))
  if (name === null || name[1] !== name[2]) return []
  const text = inside.text.slice(lowering.startOf(body) - inside.start, lowering.endOf(body) - inside.start)
  for (const call of text.slice(0, 4000).matchAll(new RegExp(`\\b(\\w+)\\s*\\(\\s*${name[1]}\\s*\\)\\s*;([^{}]*)`, 'g'))) {
    const found = bodyOf(lowering, call[1] ?? '')
    const parameter = found === null ? undefined : /^[^,]*?\*\s*(\w+)\s*$/.exec(found.parameters)?.[1]
    if (parameter === undefined || /\b(?:break|return|goto)\b/.test(call[2] ?? '')) continue
    if (new RegExp(`\\bk?free\\s*\\(\\s*${parameter}\\s*\\)`).test(found?.body ?? ''))
      return [helper(lowering, update, '#freed_step', [])]
  }
  return []
}

/** `#beyond` for `dst[i] = '\0'` behind `if (i < N) dst[i++] = c;`: `i` may have reached the end of an array of `N`. */
export function endingZero(lowering: Lowering, node: number): Ir[] {
  const [, array = '', index = ''] = /^(\w+)\s*\[\s*(\w+)\s*\]\s*=\s*(?:'\\0'|0)$/.exec(lowering.text(node)) ?? []
  const left = lowering.first(node, 'left')
  const base = left === undefined ? undefined : lowering.first(left, 'argument,#0')
  const found = index === '' ? null : mentions(lowering, index)
  const { inside } = scopeOf(lowering)
  if (base === undefined || found === null || inside === null || /^\d+$/.test(index)) return []
  const before = found.text.slice(0, lowering.startOf(node) - inside.start)
  if (!new RegExp(`\\b${array}\\s*\\[\\s*${index}\\s*\\+\\+\\s*\\]\\s*=`).test(before)) return []
  if (new RegExp(`\\b${index}\\s*(?:>=?|==|<=|!=|--|-=|=\\s*[^=0\\s])|\\b${index}\\s*[-+]\\s*\\d+\\s*[<>]`).test(before))
    return []
  const limits = [
    ...before.matchAll(new RegExp(`\\b${index}\\s*<(?![<=])\\s*([^;&|?{}]{1,60}?)\\s*(?:\\)\\s*(?![)\\w]*\\s*[-/])|&&|;)`, 'g')),
  ]
  const known = knownName(lowering, base)
  const isWhole = (limit: string): boolean =>
    limit === known?.count ||
    (known?.kind === 'array' && limit.replaceAll(/[\s()]/g, '') === `sizeof${array}` && known.bytes === 1) ||
    (known?.kind === 'pointer' &&
      /^[A-Z]\w+$/.test(limit) &&
      new RegExp(`[\\w\\]]\\s*\\[\\s*${limit}\\s*\\]\\s*;`).test(lowering.source))
  return limits.length > 0 && limits.every(([, limit = '']) => isWhole(limit.trim()))
    ? [helper(lowering, node, '#beyond', [])]
    : []
}

const ends =
  /\b(?:return|throw|goto|continue|exit|_exit|abort|panic|die|fatal|usage|assert|unreachable|__builtin_unreachable)\b|\b[A-Z][A-Z_]{3,}\s*\(/

/** `#unset` in front of the statement that reads a local which an arm of the `switch` or `if` before it left without a value. */
export function unset(lowering: Lowering, branching: number, next: number): Ir[] {
  const { inside } = scopeOf(lowering)
  const type = lowering.typeOf(branching)
  if (inside === null || !/^(?:switch|if)_statement$/.test(type)) return []
  if (!/^(?:return_statement|declaration|expression_statement)$/.test(lowering.typeOf(next))) return []
  const at = (node: number): string =>
    inside.text.slice(lowering.startOf(node) - inside.start, lowering.endOf(node) - inside.start)
  const [text, use, before] = [at(branching), at(next), inside.text.slice(0, lowering.startOf(branching) - inside.start)]
  const names = new Set([...text.matchAll(/\b([a-z_]\w*)\s*=(?!=)/g)].map(([, name = '']) => name))
  return [...names].slice(0, 8).flatMap((name) => {
    const known = inside.names.get(name)
    const word = new RegExp(`\\b${name}\\b`)
    if (known?.kind !== 'scalar' || known.bytes === undefined || isSetElsewhere(lowering, name)) return []
    if (!new RegExp(`[;{]\\s*(?:unsigned\\s+|signed\\s+)?\\w+\\s+(?:\\w+,\\s*)*${name}\\s*[;,]`).test(before)) return []
    if ((before.match(new RegExp(word, 'g')) ?? []).length !== 1 || !isRead(use, name)) return []
    const leaves =
      type === 'switch_statement' ? armUnset(lowering, branching, at, word) : branchUnset(lowering, branching, at, word)
    return leaves ? [helper(lowering, next, '#unset', [])] : []
  })
}

/** Read as a value, not set, and not given to a call, which may take a reference. */
const isRead = (use: string, name: string): boolean =>
  new RegExp(`\\b${name}\\b(?!\\s*(?:[=[(]|\\+\\+)(?!=))`).test(use) &&
  !new RegExp(`\\b${name}\\s*=(?!=)|[&,(]\\s*${name}\\s*[,)]|>>\\s*${name}\\b`).test(use)

function armUnset(lowering: Lowering, node: number, at: (node: number) => string, word: RegExp): boolean {
  const subject = lowering.first(node, 'condition')
  if (subject === undefined || word.test(at(subject))) return false
  const arms = lowering.all(node, 'body/%case_statement*').map((arm) => at(arm))
  const isLeft = (arm: string): boolean => /\bbreak\s*;[\s}]*$/.test(arm) && !word.test(arm) && !ends.test(arm)
  const falls = (index: number): boolean =>
    index > 0 && !/\b(?:break|return)\b[^;]*;[\s}]*$/.test(arms[index - 1] ?? '') && word.test(arms[index - 1] ?? '')
  if (arms.some((arm, index) => isLeft(arm) && !falls(index))) return true
  const isOpen = arms.every((arm) => /^case\s+(?:-?\d\w*|'[^']+')\s*:/.test(arm))
  return isOpen && arms.length > 0
}

/** A chain of `if` without a last `else`, or with a branch that goes on without the name. */
function branchUnset(lowering: Lowering, node: number, at: (node: number) => string, word: RegExp): boolean {
  const [condition, then] = [lowering.first(node, 'condition'), lowering.first(node, 'consequence')]
  if (condition === undefined || then === undefined || word.test(at(condition))) return false
  const isLeft = (branch: string): boolean => !word.test(branch) && !ends.test(branch) && !/\w\s*\(|\bbreak\b/.test(branch)
  if (isLeft(at(then))) return true
  const otherwise = lowering.first(node, 'alternative')
  if (otherwise === undefined) return word.test(at(then)) && !/^\s*!?\s*\(?\s*(?:1|true)\b/.test(at(condition))
  const inner = lowering.typeOf(otherwise) === 'else_clause' ? lowering.first(otherwise, '#0') : otherwise
  if (inner === undefined) return false
  return lowering.typeOf(inner) === 'if_statement' ? branchUnset(lowering, inner, at, word) : isLeft(at(inner))
}
