/** The short text beside a tool's structured result, for clients that show only text. */
import { Severity } from '#platform/vocabulary/words.js'
import type { FileBody, RulesBody, ScanCodeBody, SummaryBody } from '../edge/scan/scan-output.js'

/** The rest is in the structured result. */
const MAX_LINES = 20

export const scanText = (body: ScanCodeBody, filename: string): string =>
  body.error === undefined
    ? lines(summaryLine(body.summary), [...warningLines({ ...body, filename }), ...violationLines({ ...body, filename })])
    : `${filename} could not be analyzed: ${body.error}`

export function batchText(results: readonly FileBody[], overall: SummaryBody): string {
  const failed = results.filter(({ error }) => error !== undefined)
  const failures = failed.map(({ filename, error }) => `${filename}: ${error}`)
  const head = `${results.length === 1 ? '1 file' : `${results.length} files`}: ${summaryLine(overall)}`
  return lines(head, [...failures, ...results.flatMap(warningLines), ...results.flatMap(violationLines)])
}

export function rulesText({ rules, total_rules: total }: RulesBody): string {
  const categories = Map.groupBy(rules, ({ category }) => category)
  return lines(
    `${total === 1 ? '1 rule' : `${total} rules`}.`,
    [...categories].map(([name, { length }]) => `${name}: ${length}`),
  )
}

function summaryLine(summary: SummaryBody): string {
  const { total_violations: total } = summary
  if (total === 0) return 'No violations.'
  const counts = Object.values(Severity)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name]} ${name}`)
  return `${total === 1 ? '1 violation' : `${total} violations`} (${counts.join(', ')}).`
}

/** Before the violations: they say what the list may lack. */
const warningLines = ({ filename, warnings = [] }: FileBody): string[] =>
  warnings.map((warning) => `${filename}: warning: ${warning}`)

const violationLines = ({ filename, violations }: FileBody): string[] =>
  violations.map(
    ({ line, column, severity, rule, suggestion }) => `${filename}:${line}:${column} ${severity} ${rule}. ${suggestion}`,
  )

const lines = (head: string, rest: readonly string[]): string => {
  const more = rest.length > MAX_LINES ? [`... and ${rest.length - MAX_LINES} more.`] : []
  return [head, ...rest.slice(0, MAX_LINES), ...more].join('\n')
}
