/** What the scanner says about the code of an answer, below it. */
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { Badge, type Tone } from '../../ui/badge.js'
import type { CodeCheck, CodeFinding } from '../chat/code-check.js'

const TONES: Readonly<Record<CodeFinding['severity'], Tone>> = { critical: 'bad', high: 'bad', medium: 'warn', low: 'neutral' }

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export function CodeFindings({ check: { blocks, findings, isBlocked, fault } }: { readonly check: CodeCheck }) {
  const isClean = findings.length === 0 && fault === null
  if (isClean) {
    return (
      <p className="mt-2 flex items-center gap-1.5 text-xs text-muted">
        <ShieldCheck className="size-3.5 text-good" aria-hidden="true" />
        Nothing found in {counted(blocks, 'piece')} of code
      </p>
    )
  }
  return (
    <details className="mt-2 rounded-md border border-line bg-surface text-sm" open={isBlocked}>
      <summary className="flex cursor-pointer flex-wrap items-center gap-1.5 px-3 py-1.5">
        <ShieldAlert className="size-3.5 shrink-0 text-bad" aria-hidden="true" />
        {findings.length > 0
          ? `${counted(findings.length, 'violation')} in the code of this answer`
          : 'The code was not looked at'}
        {isBlocked && <Badge tone="bad">withheld</Badge>}
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {fault !== null && <li className="px-3 py-2 text-muted">{fault}</li>}
        {findings.map((finding) => (
          <Finding key={`${finding.block} ${finding.line} ${finding.rule} ${finding.message}`} finding={finding} />
        ))}
      </ul>
    </details>
  )
}

const Finding = ({
  finding: { block, line, language, severity, message, suggestion, cwe },
}: {
  readonly finding: CodeFinding
}) => (
  <li className="px-3 py-2">
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <Badge tone={TONES[severity]}>{severity}</Badge>
      <span className="wrap-anywhere">{message}</span>
    </p>
    <p className="mt-1 font-mono text-2xs text-muted">{[`block ${block + 1}, line ${line}`, language, ...cwe].join(' · ')}</p>
    <p className="mt-1 text-xs text-muted">{suggestion}</p>
  </li>
)
