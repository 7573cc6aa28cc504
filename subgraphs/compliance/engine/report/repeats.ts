/** One weakness, one violation: what several rules say about the same call, and a secret at its constant and at its uses. */
import type { Rule, Severity } from '../rulebook/schema.js'
import type { Violation } from './violation.js'

const severityRank: Record<Severity, number> = { critical: 3, high: 2, medium: 1, low: 0 }
const confidenceRank: Record<Violation['confidence'], number> = { high: 2, medium: 1, low: 0 }

/** Secrets in code: hard-coded credentials, passwords and keys. */
const secretWeaknesses = new Set([798, 259, 321])

const isSecret = (violation: Violation): boolean => violation.cwe.some((cwe) => secretWeaknesses.has(cwe))

/** Whether `other` says what `one` is mainly about. */
const covers = (other: Violation, one: Violation): boolean =>
  (one.cwe[0] !== undefined && other.cwe.includes(one.cwe[0])) || (isSecret(one) && isSecret(other))

/** Leaves the more severe of two, then the one that dataflow found, then the more certain one. */
export function withoutRepeats(violations: readonly Violation[], rules: ReadonlyMap<string, Rule>): Violation[] {
  const isFlow = (violation: Violation): boolean => rules.get(violation.ruleId)?.taint !== undefined
  const isBetter = (a: Violation, b: Violation): boolean => {
    const differences = [
      severityRank[a.severity] - severityRank[b.severity],
      Number(isFlow(a)) - Number(isFlow(b)),
      confidenceRank[a.confidence] - confidenceRank[b.confidence],
      a.ruleId < b.ruleId ? 1 : -1,
    ]
    return (differences.find((difference) => difference !== 0) ?? 0) > 0
  }
  const byLine = Map.groupBy(violations, (violation) => violation.line)
  const once = violations.filter((violation) =>
    (byLine.get(violation.line) ?? []).every(
      (other) =>
        violation === other ||
        (violation.ruleId === other.ruleId
          ? !isAgain(violation, other)
          : !isRepeat(violation, other) || isBetter(violation, other)),
    ),
  )
  return withoutUses(withoutNamedAgain(once, rules), isFlow)
}

/** A file in a shared folder is one weakness, however often the text writes to it. */
function withoutNamedAgain(violations: readonly Violation[], rules: ReadonlyMap<string, Rule>): Violation[] {
  const keyOf = ({ ruleId, codeSnippet }: Violation): string | null => {
    const pattern = rules.get(ruleId)?.once_for
    const name = pattern === undefined ? undefined : new RegExp(pattern).exec(codeSnippet)?.[0]
    return name === undefined ? null : `${ruleId} ${name}`
  }
  const again = [...Map.groupBy(violations, keyOf)].flatMap(([key, same]) =>
    key === null ? [] : same.toSorted((a, b) => a.line - b.line).slice(1),
  )
  const repeats = new Set(again)
  return violations.filter((violation) => !repeats.has(violation))
}

/** A line that a person reads at once says it once. */
const maxReadLine = 240

/** The same rule has said it of this line: `a == 'x' || a == 'y'`. */
const isAgain = (one: Violation, other: Violation): boolean =>
  one.codeSnippet.length <= maxReadLine &&
  (severityRank[one.severity] - severityRank[other.severity] || other.column - one.column || other.endColumn - one.endColumn) < 0

/** Begin at the same place, or the secret stands inside of the call that uses it. */
function isRepeat(one: Violation, other: Violation): boolean {
  if (!covers(other, one)) return false
  if (one.column === other.column) return true
  return isSecret(one) && isSecret(other) && (holds(one, other) || holds(other, one))
}

const holds = (outer: Violation, inner: Violation): boolean =>
  outer.column <= inner.column &&
  (outer.endLine > inner.endLine || (outer.endLine === inner.endLine && outer.endColumn >= inner.endColumn))

/** A secret that is reported where its constant stands is not reported again where the constant is used. */
function withoutUses(violations: readonly Violation[], isFlow: (violation: Violation) => boolean): Violation[] {
  const constants = violations.flatMap((violation) => {
    const name = isSecret(violation) ? declaredName(violation.codeSnippet) : undefined
    return name === undefined ? [] : [{ name, violation }]
  })
  if (constants.length === 0) return [...violations]
  return violations.filter(
    (violation) =>
      !isSecret(violation) ||
      isFlow(violation) ||
      !constants.some(({ name, violation: constant }) => constant.line !== violation.line && uses(violation.codeSnippet, name)),
  )
}

/** The constant that a line gives a text: `const KEY = '...'`, `KEY: &str = "..."`, `key := []byte("...")`. */
function declaredName(line: string): string | undefined {
  const target = /^([^=('"`]*[^=!<>('"`:]|[^=('"`]*):?=(?![=>])[^=]*['"`]/.exec(line)?.[1]
  return target === undefined
    ? undefined
    : /([A-Za-z_$][\w$]*)(?:\s*:[^:]*|\s*\[\d*\]|\s+(?:\[\])?(?:string|byte)\s*)?\s*$/.exec(target)?.[1]
}

/** Names the constant, but gives it no value. */
function uses(line: string, name: string): boolean {
  const escaped = name.replaceAll('$', String.raw`\$`)
  return new RegExp(String.raw`(?<![\w$'"\x60])${escaped}(?![\w$'"\x60]|\s*:?=(?!=)|\s*:)`).test(line)
}
