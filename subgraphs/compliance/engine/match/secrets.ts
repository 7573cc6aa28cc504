/** Secrets in text: entropy, placeholders, and the text rules that look for provider shapes. */
import { compileRegex } from '../rulebook/safe-regex.js'
import type { Matcher } from '../rulebook/matcher-schema.js'

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) {
    const share = count / text.length
    entropy -= share * Math.log2(share)
  }
  return entropy
}

/** Words of placeholders, what anonymous users of FTP send, and the payload of the token that all JWT documentation shows. */
const placeholderWords =
  /example|sample|placeholder|base64[-_ ]?encoded|changeme|change[-_ ]me|change[-_ ]?this|your[-_ ]|my[-_ ]?(?:secret|password|token|key)\b|xxxx|dummy|fake|redacted|insert|replace|todo|fixme|<[^>]{1,60}>|\{\{|\$\{|%\(|process\.env|getenv|os\.environ|\*{3}|^\*+[a-z _-]{1,30}\*+$|^-[a-z]{2,20}@$|\.\.\.|^test(?:ing)?[-_]?(?:password|secret|token|key)?$|eyJzdWIiOiIxMjM0NTY3ODkw|^(?:none|null|undefined|true|false|password|passwd|secret|token|string|empty|unset|disabled?|enabled?)$/i

/** Text that stands for a secret instead of being one. */
export function isPlaceholder(text: string): boolean {
  const short = text.slice(0, 500)
  if (placeholderWords.test(short)) return true
  if (/^(.)\1*$/s.test(short) || /^(?:0123456789|1234567890|abcdefghij|abcdef)/i.test(short)) return true
  return (new Set(short).size <= 3 && short.length > 5) || counting.test(short)
}

/** Somebody went along the keys or the alphabet behind the beginning of a token. */
const counting = /(?:1234567890|0123456789)(?:abcdefghij|ABCDEFGHIJ)|(?:abcdefghijklmnop|ABCDEFGHIJKLMNOP)/

interface SecretHit {
  readonly start: number
  readonly end: number
}

type SecretMatcher = NonNullable<Matcher['secret']>

/** A text and its lower-case form, made once for all rules. */
interface SecretText {
  readonly text: string
  readonly lower: string
}

/** Letters whose lower-case form has another length would move everything behind them; they stay as they are. */
export function secretText(text: string): SecretText {
  const lower = text.toLowerCase()
  return { text, lower: lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) }
}

/** A secret rule together with what it is part of. */
interface SecretRule<T> {
  readonly owner: T
  readonly pattern: RegExp
  readonly entropy: number
  readonly group: number
  readonly followed: RegExp | null
}

interface Keyword<T> {
  readonly word: string
  readonly rules: readonly SecretRule<T>[]
}

/** Keywords by the hash of their first three characters, so that one pass over the text finds all of them. */
interface SecretIndex<T> {
  readonly byStart: ReadonlyMap<number, readonly Keyword<T>[]>
  /** 1 for hashes that some keyword begins with. */
  readonly starts: Uint8Array
  /** Too short for a hash. */
  readonly short: readonly Keyword<T>[]
}

const hashOf = (a: number, b: number, c: number): number => ((a * 1024) ^ (b * 32) ^ c) & 0xffff

export function indexSecrets<T>(rules: readonly { readonly owner: T; readonly secret: SecretMatcher }[]): SecretIndex<T> {
  const byWord = new Map<string, SecretRule<T>[]>()
  for (const { owner, secret } of rules) {
    const { pattern, keywords, entropy = 0, group = 1, followed } = secret
    const then = followed === undefined ? null : compileRegex(followed)
    const rule = { owner, pattern: compileRegex(pattern), entropy, group, followed: then }
    for (const word of new Set(keywords.map((keyword) => keyword.toLowerCase())))
      byWord.set(word, [...(byWord.get(word) ?? []), rule])
  }
  const byStart = new Map<number, Keyword<T>[]>()
  const starts = new Uint8Array(65_536)
  const short: Keyword<T>[] = []
  for (const [word, own] of byWord) {
    const keyword = { word, rules: own }
    if (word.length < 3) {
      short.push(keyword)
      continue
    }
    const hash = hashOf(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2))
    starts[hash] = 1
    byStart.set(hash, [...(byStart.get(hash) ?? []), keyword])
  }
  return { byStart, starts, short }
}

const maxHits = 50
/** So much behind a secret says whether it is one, over the ends of lines. */
const maxFollowing = 300

/** All secrets in lines with a keyword, of at most 2000 characters around it, filtered by entropy and placeholders. */
export function findSecrets<T>({ text, lower }: SecretText, index: SecretIndex<T>): (SecretHit & { owner: T })[] {
  const hits: (SecretHit & { owner: T })[] = []
  const lines = new Map<SecretRule<T>, Set<number>>()
  const counts = new Map<SecretRule<T>, number>()
  const look = ({ rules }: Keyword<T>, at: number, lineStart: number): void => {
    for (const rule of rules) {
      const seen = lines.get(rule) ?? new Set()
      const count = counts.get(rule) ?? 0
      if (seen.has(lineStart) || count >= maxHits) continue
      lines.set(rule, seen.add(lineStart))
      const hit = secretIn(text, lineStart, at, rule)
      if (hit === null) continue
      counts.set(rule, count + 1)
      hits.push({ ...hit, owner: rule.owner })
    }
  }
  let a = lower.charCodeAt(0)
  let b = lower.charCodeAt(1)
  let lineStart = 0
  for (let at = 0; at + 2 < lower.length; at++) {
    if (a === 10) lineStart = at + 1
    const c = lower.charCodeAt(at + 2)
    const hash = hashOf(a, b, c)
    a = b
    b = c
    if (index.starts[hash] === 0) continue
    for (const keyword of index.byStart.get(hash) ?? []) if (lower.startsWith(keyword.word, at)) look(keyword, at, lineStart)
  }
  for (const keyword of index.short) {
    lineStart = 0
    let from = 0
    for (let at = lower.indexOf(keyword.word); at !== -1; at = lower.indexOf(keyword.word, at + 1)) {
      const newline = lower.slice(from, at).lastIndexOf('\n')
      if (newline !== -1) lineStart = from + newline + 1
      from = at
      look(keyword, at, lineStart)
    }
  }
  return hits
}

function secretIn(text: string, lineStart: number, at: number, rule: SecretRule<unknown>): SecretHit | null {
  const newline = text.indexOf('\n', at)
  const line = text.slice(lineStart, newline === -1 ? text.length : newline)
  const from = line.length <= 2000 ? 0 : Math.max(0, at - lineStart - 200)
  const match = rule.pattern.exec(line.slice(from, from + 2000))
  const secret = match?.[rule.group] ?? match?.[0]
  if (match === null || secret === undefined) return null
  if (entropyOf(secret) < rule.entropy || isPlaceholder(secret) || /example/i.test(secret)) return null
  const start = lineStart + from + match.index + match[0].indexOf(secret)
  const end = start + secret.length
  if (rule.followed !== null && !rule.followed.test(text.slice(end, end + maxFollowing))) return null
  return { start, end }
}
