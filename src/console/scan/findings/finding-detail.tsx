/** One finding: what is wrong, the way of the data to it, how to fix it, and the comment that accepts it. */
import { useState } from 'react'
import type { Language, ScanFindingFragment } from '../../../generated/console-scan.js'
import { classes } from '../../ui/classes.js'
import { CodeBlock } from '../../ui/code-block.js'
import { TextField } from '../../ui/forms/field.js'
import { SeverityBadge } from './severity.js'
import { suppressionComment } from './suppression.js'

interface FindingDetailProps {
  readonly finding: ScanFindingFragment
  readonly filename: string
  readonly language: Language
  /** The line that is in sight. */
  readonly line: number
  readonly onLine: (line: number) => void
}

const KINDS: Readonly<Record<ScanFindingFragment['flow'][number]['kind'], string>> = {
  SOURCE: 'source',
  ASSIGNMENT: 'assigned',
  CALL: 'passed on',
  SINK: 'sink',
}

export function FindingDetail({ finding, filename, language, line, onLine }: FindingDetailProps) {
  const [reason, setReason] = useState('')
  return (
    <article aria-label="Finding" className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4 text-sm">
      <header className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <SeverityBadge severity={finding.severity} />
          <span className="font-mono text-xs text-muted">{finding.ruleId}</span>
          <span className="text-xs text-muted">confidence {finding.confidence.toLowerCase()}</span>
        </div>
        <h2 className="text-base font-semibold wrap-anywhere">{finding.message}</h2>
        <p className="font-mono text-xs text-muted wrap-anywhere">
          {filename}:{finding.line}:{finding.column}
        </p>
      </header>
      {finding.flow.length > 0 && (
        <div className="grid gap-1.5">
          <h3 className="text-xs font-medium text-muted">The way of the data</h3>
          <ol className="grid gap-0.5">
            {finding.flow.map((step, at) => (
              <li key={at}>
                <button
                  type="button"
                  aria-current={step.line === line ? 'step' : undefined}
                  className={classes(
                    'grid w-full grid-cols-[4.5rem_3rem_minmax(0,1fr)] items-baseline gap-2 rounded-md px-2 py-1 text-left hover:bg-hover',
                    step.line === line && 'bg-hover',
                  )}
                  onClick={() => onLine(step.line)}
                >
                  <span className="text-xs text-muted">{KINDS[step.kind]}</span>
                  <span className="text-right font-mono text-xs text-muted">{step.line}</span>
                  <span className="wrap-anywhere">{step.message}</span>
                </button>
              </li>
            ))}
          </ol>
        </div>
      )}
      <div className="grid gap-1.5">
        <h3 className="text-xs font-medium text-muted">How to fix it</h3>
        <p className="wrap-anywhere">{finding.suggestion}</p>
        {finding.fix !== null && <CodeBlock code={finding.fix} what="the fix" />}
      </div>
      <div className="grid gap-1.5">
        <h3 className="text-xs font-medium text-muted">What it breaks</h3>
        <ul className="grid gap-0.5">
          {finding.standards.map(({ standard, clause, title, evidence }) => (
            <li key={`${standard} ${clause}`} className="wrap-anywhere">
              {standard} {clause} <span className="text-muted">{title}</span>
              {evidence && <span className="text-muted"> (evidence)</span>}
            </li>
          ))}
        </ul>
        <p className="text-xs text-muted">{finding.cwe.map((number) => `CWE-${number}`).join(', ')}</p>
      </div>
      <div className="grid gap-2">
        <h3 className="text-xs font-medium text-muted">Accept it</h3>
        <TextField label="Reason" value={reason} onChange={setReason} placeholder="Why it is no problem here" />
        <CodeBlock code={suppressionComment(language, finding.ruleId, reason)} what="the comment for the line before" />
      </div>
    </article>
  )
}
