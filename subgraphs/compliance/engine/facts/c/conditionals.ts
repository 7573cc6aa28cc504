/** What `#if`, `#ifdef` and `#ifndef` ask: several of them in one function that ask the same are decided together. */
import type { Asked } from '../program.js'
import type { Cursor } from './cursor.js'

/** `null` for a condition of several parts, and in front of `#elif`. */
export function askedBy(cursor: Cursor, node: number, other: number | undefined): Asked | null {
  if (other !== undefined && cursor.typeOf(other) !== 'preproc_else') return null
  const { start } = cursor.placeOf(node)
  const line = /^#[ \t]*(ifdef|ifndef|if)\b[ \t]*([^\n]{1,200})/.exec(cursor.text.slice(start, start + 240))
  if (line === null) return null
  const [, word, rest = ''] = line
  const asked = rest.replace(/\/[/*].*$/, '').trim()
  const negated = /^(!?)[ \t]*(?:defined[ \t]*)?\(?[ \t]*(\w+)[ \t]*\)?$/.exec(asked)
  if (negated?.[2] === undefined) return asked === '' ? null : { text: asked, isNegated: false }
  return { text: negated[2], isNegated: (word === 'ifndef') !== (negated[1] === '!') }
}

/** Conditions that stand there more than once. */
export function repeated(asked: readonly string[]): ReadonlySet<string> {
  return new Set(asked.filter((one, at) => asked.indexOf(one) !== at))
}

const comparison = /^[\s(]*([A-Za-z_]\w*)\s*(==|!=|<=|>=|<|>)\s*(\d{1,9})[\s)]*$/

const plain = /^[\s(]*(\d{1,9})[\s)]*$/

/**
 * Whether a number, or a comparison of a constant with one, holds; null for all other conditions, and for what the file defines in two
 * ways. The same constant is the length of arrays and the limit of loops, which would else meet the parts that are for another one.
 */
export function holds(constants: ReadonlyMap<string, number | string>, condition: string): boolean | null {
  const [, written] = plain.exec(condition) ?? []
  if (written !== undefined) return Number(written) > 0
  const [, name = '', operator = '', text = ''] = comparison.exec(condition) ?? []
  const value = constants.get(name)
  if (typeof value !== 'number') return null
  const number = Number(text)
  switch (operator) {
    case '==':
      return value === number
    case '!=':
      return value !== number
    case '<':
      return value < number
    case '<=':
      return value <= number
    case '>':
      return value > number
    default:
      return value >= number
  }
}

const reader =
  /^(?:S_SPLINT_S|__(?:clang_analyzer|COVERITY|KLOCWORK|CPPCHECK|CHECKER|INTELLISENSE|lint)_{0,2}|lint|PVS_STUDIO|DOXYGEN\w{0,30}|SWIG)$/i

const checker = /^__(?:clang_analyzer|COVERITY|KLOCWORK|CPPCHECK)_{0,2}$/i

/**
 * Only programs that read code and never run it define such names; null for all others. Where there is one text for those that look for
 * mistakes and another one for the compiler, the author wrote the first one for us.
 */
export const holdsOutsideReaders = (asked: Asked | null, hasOther: boolean): boolean | null => {
  if (asked === null || !reader.test(asked.text)) return null
  return hasOther && checker.test(asked.text) ? !asked.isNegated : asked.isNegated
}
