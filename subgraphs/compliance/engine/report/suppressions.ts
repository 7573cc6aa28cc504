/**
 * Comments that accept a finding: `compliance-ignore[-next-line] <rule-id|CWE-n>[, ...] [-- reason]`.
 *
 * They always name what they accept. An unknown name is a warning and ignores nothing, so that a typing error never hides findings.
 */
import { withLineFeeds } from '../syntax/source-text.js'
import type { Violation } from './violation.js'

interface Suppression {
  /** The line it applies to, 1-based. */
  readonly line: number
  readonly ids: readonly string[]
  readonly reason: string | null
}

export interface SuppressionResult {
  readonly violations: Violation[]
  readonly suppressed: number
  readonly warnings: string[]
}

const comment = /compliance-ignore(-next-line)?(?![\w-])[ \t]*([^\r\n]{0,400})/

/** All suppression comments of a text. */
function parseSuppressions(code: string): Suppression[] {
  if (!code.includes('compliance-ignore')) return []
  return withLineFeeds(code)
    .split('\n')
    .flatMap((text, at): Suppression[] => {
      const match = comment.exec(text.slice(0, 2000))
      if (match === null) return []
      const [list = '', ...reason] = (match[2] ?? '').replace(/(?:\*\/|-->|#\}|%>)\s*$/, '').split('--')
      const ids = list.split(/[\s,]+/).filter((id) => id !== '')
      const line = at + 1 + (match[1] === undefined ? 0 : 1)
      const text2 = reason.join('--').trim()
      return [{ line, ids, reason: text2 === '' ? null : text2 }]
    })
}

export function applySuppressions(
  violations: readonly Violation[],
  code: string,
  isKnownRule: (id: string) => boolean,
): SuppressionResult {
  const suppressions = parseSuppressions(code)
  const warnings: string[] = []
  const accepted = new Map<number, Set<string>>()
  for (const { line, ids } of suppressions) {
    if (ids.length === 0) warnings.push(`Line ${line}: compliance-ignore names no rule and has no effect.`)
    for (const id of ids) {
      const isCwe = /^cwe-\d+$/i.test(id)
      if (!isCwe && !isKnownRule(id.toLowerCase()))
        warnings.push(`Line ${line}: compliance-ignore names the unknown rule "${id.slice(0, 80)}".`)
      accepted.set(line, (accepted.get(line) ?? new Set()).add(id.toLowerCase()))
    }
  }
  const kept = violations.filter((violation) => {
    const ids = accepted.get(violation.line)
    return ids === undefined || !(ids.has(violation.ruleId) || violation.cwe.some((cwe) => ids.has(`cwe-${cwe}`)))
  })
  return { violations: kept, suppressed: violations.length - kept.length, warnings }
}
