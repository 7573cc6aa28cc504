/** One cause in many places, an input that nobody checks or a habit: the first places tell it, the further ones are low. */
import type { Violation } from './violation.js'

/** Lines that are told with their full severity. */
const TOLD = 5

/** An unchecked number is one weakness, whether it overflows, is an index or a size. */
const ofNumbers = new Set(['integer', 'memory'])

/** What one check or one decision would repair: data of one source, or what a rule of medium severity says of the file. */
function causeOf({ severity, flow, category, ruleId }: Violation): string | null {
  const source = flow[0]
  if (source?.kind !== 'source') return severity === 'medium' ? ruleId : null
  return severity === 'critical' ? null : `${ofNumbers.has(category) ? 'number' : ruleId} ${source.line} ${source.column}`
}

/** Beyond the first lines of the same cause a finding is low and names the first; what is critical stays. */
export function withFurtherUsesLow(violations: readonly Violation[]): Violation[] {
  const first = new Map<string, number[]>()
  for (const violation of violations.toSorted((a, b) => a.line - b.line)) {
    const cause = causeOf(violation)
    if (cause === null) continue
    const lines = first.get(cause) ?? []
    if (lines.length < TOLD && lines.at(-1) !== violation.line) lines.push(violation.line)
    first.set(cause, lines)
  }
  return violations.map((violation) => {
    const lines = first.get(causeOf(violation) ?? '')
    return lines === undefined || lines.includes(violation.line)
      ? violation
      : { ...violation, severity: 'low', message: `${violation.message} ${told(violation, lines[0])}` }
  })
}

const told = ({ flow }: Violation, line: number | undefined): string =>
  flow.length > 0 ? `Line ${line} is the first of many that use it so.` : `Line ${line} is the first of many of the kind.`
