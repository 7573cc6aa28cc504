/**
 * Files that say of themselves that a program wrote them. Who reads a finding there cannot repair it in that file, so it is
 * reported as low, but for secrets and for what a remote caller reaches.
 */
import type { Finding } from '../flow/state.js'

/** Characters from the beginning in which a file says so. */
const HEAD = 1_000

/** In a comment, in one line or over several: the words of Go's convention, of protoc, SWIG, libtool and most others. */
const NO_EDITING = /^[ \t]*(?:\/\/|\/?\*|#|--|;|<!--|"""|dnl\b).*\bdo not (?:edit|modify|change)\b/im
const WRITTEN_BY_PROGRAM = /\b(?:auto-?)?generated\b|\bcreated automatically\b/i

export function isGenerated(text: string): boolean {
  const head = text.slice(0, HEAD)
  return NO_EDITING.test(head) && WRITTEN_BY_PROGRAM.test(head)
}

export const severityIn = (
  isGeneratedFile: boolean,
  { rule, severity }: Pick<Finding, 'rule' | 'severity'>,
): Finding['severity'] => (isGeneratedFile && severity !== 'critical' && rule.category !== 'secrets' ? 'low' : severity)
