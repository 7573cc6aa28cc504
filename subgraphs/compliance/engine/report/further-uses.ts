/** One input that nobody checks, used in many places: one check where it comes from repairs them all. */
import type { Violation } from './violation.js'

/** Lines that are told with their full severity. */
const TOLD = 5

/** An unchecked number is one weakness, whether it overflows, is an index or a size. */
const ofNumbers = new Set(['integer', 'memory'])

function causeOf({ severity, flow, category, ruleId }: Violation): string | null {
  const source = flow[0]
  return source?.kind !== 'source' || severity === 'critical'
    ? null
    : `${ofNumbers.has(category) ? 'number' : ruleId} ${source.line} ${source.column}`
}

/** Beyond the first lines that use the same input for the same thing a use is low and names the first; what is critical stays. */
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
      : { ...violation, severity: 'low', message: `${violation.message} Line ${lines[0]} is the first of many that use it so.` }
  })
}
