/** Secrets in text: entropy, placeholders, and the text rules that look for provider shapes. */
import { compileRegex } from '../rulebook/safe-regex.js'
import type { Matcher } from '../rulebook/schema.js'

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

const placeholderWords =
  /example|sample|placeholder|changeme|change[-_ ]me|change[-_ ]?this|your[-_ ]|my[-_ ]?(?:secret|password|token|key)\b|xxxx|dummy|fake|redacted|insert|replace|todo|fixme|<[^>]{1,60}>|\{\{|\$\{|%\(|process\.env|getenv|os\.environ|\*{3}|\.\.\.|^test(?:ing)?[-_]?(?:password|secret|token|key)?$|^(?:none|null|undefined|true|false|password|passwd|secret|token|string|empty|unset|disabled?|enabled?)$/i

/** Text that stands for a secret instead of being one. */
export function isPlaceholder(text: string): boolean {
  const short = text.slice(0, 500)
  if (placeholderWords.test(short)) return true
  if (/^(.)\1*$/s.test(short) || /^(?:0123456789|1234567890|abcdefghij|abcdef)/i.test(short)) return true
  return new Set(short).size <= 3 && short.length > 5
}

export interface SecretHit {
  readonly start: number
  readonly end: number
}

/** A text and its lower-case form, made once for all rules. */
export interface SecretText {
  readonly text: string
  readonly lower: string
}

/** Letters whose lower-case form has another length would move everything behind them; they stay as they are. */
export function secretText(text: string): SecretText {
  const lower = text.toLowerCase()
  return { text, lower: lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) }
}

type SecretRule = NonNullable<Matcher['secret']>

/** All matches in lines of at most 2000 characters around a keyword, filtered by entropy and placeholders. */
export function findSecrets({ text, lower }: SecretText, rule: SecretRule): SecretHit[] {
  const { keywords, entropy = 0, group = 1 } = rule
  const pattern = compileRegex(rule.pattern)
  const hits: SecretHit[] = []
  const seen = new Set<number>()
  for (const word of keywords.map((keyword) => keyword.toLowerCase())) {
    for (let at = lower.indexOf(word); at !== -1 && hits.length < 50; at = lower.indexOf(word, at + word.length)) {
      const lineStart = text.lastIndexOf('\n', at) + 1
      if (seen.has(lineStart)) continue
      seen.add(lineStart)
      const newline = text.indexOf('\n', at)
      const line = text.slice(lineStart, newline === -1 ? text.length : newline)
      const from = line.length <= 2000 ? 0 : Math.max(0, at - lineStart - 200)
      const match = pattern.exec(line.slice(from, from + 2000))
      const secret = match?.[group] ?? match?.[0]
      if (match === null || secret === undefined) continue
      if (entropyOf(secret) < entropy || isPlaceholder(secret) || /example/i.test(secret)) continue
      const start = lineStart + from + match.index + match[0].indexOf(secret)
      hits.push({ start, end: start + secret.length })
    }
  }
  return hits
}
