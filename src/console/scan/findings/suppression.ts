/** The comment that accepts a finding where it stands. */
import type { Language } from '../../../generated/console-scan.js'

const OPENERS: Readonly<Partial<Record<Language, string>>> = { PYTHON: '#', RUBY: '#', BASH: '#', SQL: '--' }

/** For the line before the finding. The reason is one line, whatever was typed. */
export function suppressionComment(language: Language, ruleId: string, reason: string): string {
  const said = reason.replaceAll(/\s+/g, ' ').trim()
  return `${OPENERS[language] ?? '//'} compliance-ignore-next-line ${ruleId}${said === '' ? '' : ` -- ${said}`}`
}
