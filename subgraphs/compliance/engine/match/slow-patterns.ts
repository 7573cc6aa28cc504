/**
 * Whether a regular expression can take exponential time: some text can be split by a repetition in ever more ways, and what follows
 * can refuse them all. The library knows expressions of ECMAScript, so those of other engines are written in that way first; an
 * expression that cannot be, or that keeps its engine from going back, is taken to be quick.
 */
import type { AST } from '@eslint-community/regexpp'

/** Whether the whole text must match, or a part of it will do. */
export type Extent = 'whole' | 'part'

type Library = typeof import('scslre')

let library: Library | undefined

/** Without a repeated group no expression of the text is slow, and the library need not be there. */
export const mayHoldSlowPattern = (text: string): boolean => /\)[+*{]/.test(text)

export async function loadSlowPatterns(): Promise<void> {
  library ??= await import('scslre')
}

/** Characters; longer expressions are left out. */
const MAX_LENGTH = 500
const known = new Map<string, boolean>()
const MAX_KNOWN = 2_000

/** `pattern` may stand between delimiters, with flags behind them. Asks for `loadSlowPatterns` before. */
export function isSlowPattern(pattern: string, extent: Extent): boolean {
  if (library === undefined || pattern.length > MAX_LENGTH || !mayHoldSlowPattern(pattern)) return false
  const key = `${extent} ${pattern}`
  const before = known.get(key)
  if (before !== undefined) return before
  const slow = isSlow(library, pattern, extent)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, slow)
  return slow
}

function isSlow({ analyse }: Library, pattern: string, extent: Extent): boolean {
  const written = inEcmaScript(pattern)
  if (written === null) return false
  const source = extent === 'whole' ? `^(?:${written.source})$` : written.source
  try {
    const { parsed, reports } = analyse(
      { source, flags: written.flags },
      { reportTypes: { Move: false, Self: true, Trade: true } },
    )
    return reports.some(({ exponential }) => exponential) || hasSplitChoice(parsed.pattern)
  } catch {
    return false
  }
}

/** Groups and repetitions that never give back, comments, conditions and recursion: nothing of ECMAScript says the same. */
const UNTRANSLATED = /\(\?>|[+*?]\+|\{\d+(?:,\d*)?\}\+|\(\?[#(&R\d]|\\Q|\(\?[a-z]*x|\(\?P>|\\G/
/** `[.*+]`, where signs are only characters. */
const SETS = /\[(?:\\.|[^\]\\])*\]/g

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
}

function inEcmaScript(pattern: string): { source: string; flags: string } | null {
  const delimited = /^(?:%r\{([\s\S]*)\}|([/#~@!|])([\s\S]*)\2)([a-zA-Z]*)$/.exec(pattern)
  const body = delimited?.[1] ?? delimited?.[3] ?? pattern
  const written = delimited?.[4] ?? ''
  if (UNTRANSLATED.test(body.replaceAll(SETS, '[]')) || (delimited !== null && /[xvU]/.test(written))) return null
  const inline = /^\(\?([ims]+)\)/.exec(body)
  const source = body
    .slice(inline?.[0].length ?? 0)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`)
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll(/\\h/g, String.raw`[ \t]`)
    .replaceAll(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all)
    .replaceAll(
      /\\p\{(?:Is)?(Alpha|Alnum|Digit|Lower|Upper|Space|Punct|XDigit)\}/g,
      (_, name: string) => `[${CLASSES[name.toLowerCase()]}]`,
    )
  const flags = ['i', 'm', 's'].filter((flag) => `${written}${inline?.[1] ?? ''}`.includes(flag)).join('')
  return { source, flags: /\\[pP]\{/.test(source) ? `${flags}u` : flags }
}

/** `(a|aa)+`, `(\w|\d)+`: what the library does not look for, a choice of which the same text can be made in two ways. */
function hasSplitChoice(pattern: AST.Pattern): boolean {
  return pattern.alternatives.some(({ elements }) => splitsAmong(elements, false))
}

function splitsAmong(elements: readonly AST.Element[], isFollowed: boolean): boolean {
  return elements.some((element, at) => {
    const follows = isFollowed || elements.slice(at + 1).some(canRefuse)
    if (element.type === 'Quantifier') {
      if (element.max === Infinity && follows && isSplitChoice(element.element)) return true
      return splitsAmong([element.element], follows)
    }
    const { alternatives } = element as { alternatives?: readonly AST.Alternative[] }
    return alternatives?.some((one) => splitsAmong(one.elements, follows)) ?? false
  })
}

const canRefuse = (element: AST.Element): boolean =>
  element.type === 'Quantifier' ? element.min > 0 : element.type !== 'Assertion' || element.kind !== 'start'

function isSplitChoice(element: AST.Element): boolean {
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return false
  const { alternatives } = element
  if (alternatives.length < 2) return false
  if (alternatives.every(({ elements }) => elements.length > 0 && elements.every(({ type }) => type === 'Character'))) {
    return !isCode(alternatives.map(({ raw }) => raw))
  }
  const single = alternatives.filter(({ elements }) => elements.length === 1 && elements[0]!.type.startsWith('Character'))
  const tests = single.map(({ raw }) => new RegExp(`^(?:${raw})$`))
  return samples.some((one) => tests.filter((test) => test.test(one)).length > 1)
}

const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)), 'é', '\u2028']

/** Whether every text can be made of the words in one way at most (Sardinas and Patterson, 1953). */
function isCode(words: readonly string[]): boolean {
  if (new Set(words).size < words.length) return false
  const rest = (long: string, short: string): string[] =>
    long !== short && long.startsWith(short) ? [long.slice(short.length)] : []
  const seen = new Set<string>()
  let left = words.flatMap((one) => words.flatMap((other) => rest(one, other)))
  while (left.length > 0) {
    if (left.some((one) => words.includes(one))) return false
    for (const one of left) seen.add(one)
    const now = left
    left = [...new Set(now.flatMap((one) => words.flatMap((word) => [...rest(one, word), ...rest(word, one)])))].filter(
      (one) => !seen.has(one),
    )
  }
  return true
}
