/** How much harm a finding can do, as a word in its colour. */
import type { ScanRowFragment, Severity } from '../../../generated/console-scan.js'
import { classes } from '../../ui/classes.js'
import { SEVERITIES } from '../scan-search.js'

const LOOKS: Readonly<Record<Severity, string>> = {
  CRITICAL: 'bg-bad text-canvas',
  HIGH: 'bg-bad-soft text-bad',
  MEDIUM: 'bg-warn-soft text-warn',
  LOW: 'bg-hover text-muted',
}

export const severityName = (severity: Severity): string => severity[0]! + severity.slice(1).toLowerCase()

export const SeverityBadge = ({ severity }: { readonly severity: Severity }) => (
  <span className={classes('inline-block shrink-0 rounded-sm px-1.5 text-2xs font-medium leading-4.5', LOOKS[severity])}>
    {severityName(severity)}
  </span>
)

const FIELDS = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const

export const countOf = (summary: ScanRowFragment['summary'], severity: Severity): number => summary[FIELDS[severity]]

/** The findings of a scan by severity, those that there are none of left out. */
export const SeverityCounts = ({ summary }: { readonly summary: ScanRowFragment['summary'] }) =>
  summary.totalViolations === 0 ? (
    <span className="text-good">none</span>
  ) : (
    <span className="inline-flex gap-1">
      {SEVERITIES.filter((severity) => countOf(summary, severity) > 0).map((severity) => (
        <span
          key={severity}
          title={severityName(severity)}
          className={classes('rounded-sm px-1.5 text-2xs font-medium leading-4.5 tabular-nums', LOOKS[severity])}
        >
          {countOf(summary, severity)}
          <span className="sr-only"> {severityName(severity)}</span>
        </span>
      ))}
    </span>
  )
