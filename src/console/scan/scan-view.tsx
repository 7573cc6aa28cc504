/** A scan: how far it is, then what it found, the code of the finding that is open, and what to do about it. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useQuery, useSubscription } from 'urql'
import {
  ScanFollowDocument,
  ScanResultDocument,
  type ScanFindingFragment,
  type ScanResultQuery,
} from '../../generated/console-scan.js'
import { count, duration } from '../format/numbers.js'
import { faultOf } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterText } from '../ui/forms/filter-bar.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { FindingFilters } from './findings/finding-filters.js'
import { FindingDetail } from './findings/finding-detail.js'
import { FindingList, type Listed } from './findings/finding-list.js'
import { readScanSearch, SEVERITIES, type ScanSearch } from './scan-search.js'
import { countOf, SeverityCounts } from './findings/severity.js'
import { codeOf } from './sources.js'

type Scan = NonNullable<ScanResultQuery['scan']>

const CodeView = lazy(async () => ({ default: (await import('./findings/code-view.js')).CodeView }))
const load = () => import('./scan-report.js')

export function ScanView({ id, version }: { readonly id: string; readonly version: string }) {
  const [{ data, error }, read] = useQuery({ query: ScanResultDocument, variables: { id } })
  const scan = data?.scan
  const isRunning = scan?.status === 'RUNNING'
  useSubscription({ query: ScanFollowDocument, variables: { id }, pause: !isRunning }, (_, next) => {
    if (next.scanProgress.scan.status !== 'RUNNING') read({ requestPolicy: 'network-only' })
    return next
  })
  if (error && !scan)
    return (
      <Padded>
        <FaultNotice fault={faultOf(error)} />
      </Padded>
    )
  if (!data) return <Skeleton className="m-4 h-96 md:m-5" />
  if (!scan) return <EmptyState icon={ShieldCheck} title="There is no such scan" />
  if (isRunning) return <Running scan={scan} />
  if (scan.error !== null)
    return (
      <Padded>
        <p role="alert" className="text-sm text-bad">
          {scan.error}
        </p>
      </Padded>
    )
  return <Results scan={scan} version={version} />
}

const Padded = ({ children }: { readonly children: ReactNode }) => <div className="p-4 md:p-5">{children}</div>

const Running = ({ scan: { filesDone, fileCount } }: { readonly scan: Scan }) => (
  <div className="grid h-full place-content-center gap-3 p-8 text-center">
    <progress className="h-2 w-72 max-w-full accent-accent" value={filesDone} max={fileCount} aria-label="Progress of the scan" />
    <p role="status" className="text-sm tabular-nums text-muted">
      {count(filesDone)} of {count(fileCount)} files
    </p>
  </div>
)

const fits = ({ file, finding }: Listed, { severity, standard, q = '' }: ScanSearch): boolean => {
  const clauses = finding.standards.map((one) => `${one.standard} ${one.clause}`).join(' ')
  const text = `${file.filename} ${finding.rule} ${clauses} ${finding.message}`.toLowerCase()
  return (
    (severity === undefined || finding.severity === severity) &&
    (standard === undefined || finding.standards.some((one) => one.standard === standard)) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

function Results({ scan, version }: { readonly scan: Scan; readonly version: string }) {
  const search = useSearch({ from: '/scan' })
  const navigate = useNavigate({ from: '/scan' })
  const change = useCallback(
    (changed: Partial<Record<keyof ScanSearch, unknown>>) =>
      void navigate({ search: (before) => readScanSearch({ ...before, ...changed }), replace: true }),
    [navigate],
  )
  const all = useMemo(
    () =>
      scan.files
        .flatMap((file) => file.violations.map((finding): Listed => ({ file, finding })))
        .toSorted((a, b) => SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity)),
    [scan],
  )
  const listed = useMemo(() => all.filter((one) => fits(one, search)), [all, search])
  const open = listed.find(({ finding }) => finding.fingerprint === search.finding) ?? listed[0]
  const standards = useMemo(
    () => [...new Set(all.flatMap(({ finding }) => finding.standards.map(({ standard }) => standard)))],
    [all],
  )
  return (
    <>
      <Summary scan={scan} version={version} />
      {all.length > 0 && (
        <FilterBar>
          <FilterText label="Filter by file, rule or clause" value={search.q ?? ''} onChange={(q) => change({ q })} />
          <FindingFilters
            search={search}
            standards={standards}
            note={(one) => ` (${countOf(scan.summary, one)})`}
            change={change}
          />
        </FilterBar>
      )}
      {all.length === 0 ? (
        <EmptyState icon={ShieldCheck} title="Nothing was found">
          {scan.files.some(({ error }) => error !== null)
            ? 'Not every file could be read, see above.'
            : 'No rule of the standards is broken.'}
        </EmptyState>
      ) : (
        <div className="grid min-h-0 flex-1 border-t border-line max-md:overflow-y-auto md:grid-cols-[20rem_minmax(0,1fr)]">
          <FindingList listed={listed} open={open} onOpen={({ finding }) => change({ finding: finding.fingerprint })} />
          {open ? (
            <OpenFinding key={open.finding.fingerprint} scan={scan.id} open={open} onOpen={change} />
          ) : (
            <p role="status" className="p-4 text-sm text-muted">
              No finding fits the filter.
            </p>
          )}
        </div>
      )}
    </>
  )
}

interface OpenFindingProps {
  readonly scan: string
  readonly open: Listed
  readonly onOpen: (changed: { readonly finding: string }) => void
}

function OpenFinding({ scan, open: { file, finding }, onOpen }: OpenFindingProps) {
  const [line, setLine] = useState(finding.line)
  const code = codeOf(scan, file.filename)
  const openOther = useCallback(({ fingerprint }: ScanFindingFragment) => onOpen({ finding: fingerprint }), [onOpen])
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] border-line max-md:border-t md:grid-rows-[minmax(0,1fr)_minmax(0,1fr)] md:border-l xl:grid-cols-[minmax(0,1fr)_26rem] xl:grid-rows-[minmax(0,1fr)]">
      <div className="min-h-0 max-md:h-80">
        {code === null ? (
          <p className="p-4 text-sm text-muted">
            The code of this scan is not in this tab any more, and the server does not keep it. Scan it again to see the lines.
          </p>
        ) : (
          <Suspense fallback={<Skeleton className="m-4 h-40" />}>
            <CodeView
              label={`Code of ${file.filename}`}
              code={code}
              language={file.language}
              findings={file.violations}
              open={finding}
              line={line}
              onOpen={openOther}
            />
          </Suspense>
        )}
      </div>
      <div
        className="min-h-0 border-line max-xl:border-t md:overflow-y-auto xl:border-l"
        tabIndex={0}
        role="region"
        aria-label="About the finding"
      >
        <FindingDetail finding={finding} filename={file.filename} language={file.language} line={line} onLine={setLine} />
      </div>
    </div>
  )
}

function Summary({ scan, version }: { readonly scan: Scan; readonly version: string }) {
  const failed = scan.files.filter(({ error }) => error !== null)
  const notes = scan.files.flatMap(({ filename, warnings, isTruncated, error }) => [
    ...(error === null ? [] : [`${filename}: ${error}`]),
    ...warnings.map((warning) => `${filename}: ${warning}`),
    ...(isTruncated ? [`${filename}: the analysis stopped early, findings may be missing.`] : []),
  ])
  const suppressed = scan.files.reduce((sum, file) => sum + file.suppressed, 0)
  return (
    <div className="grid gap-2 px-4 pt-3 text-sm md:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="mr-auto flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <b className="font-semibold">{count(scan.summary.totalViolations)}</b> findings in {count(scan.fileCount)}{' '}
            {scan.fileCount === 1 ? 'file' : 'files'}
          </span>
          <SeverityCounts summary={scan.summary} />
          {scan.durationMs !== null && <span className="text-muted">{duration(scan.durationMs)}</span>}
          {suppressed > 0 && <span className="text-muted">{count(suppressed)} accepted by comments</span>}
          {failed.length > 0 && <span className="text-bad">{count(failed.length)} could not be read</span>}
        </p>
        <Button onClick={() => void load().then(({ saveReport }) => saveReport('sarif', scan.id, scan.files, version))}>
          SARIF
        </Button>
        <Button onClick={() => void load().then(({ saveReport }) => saveReport('json', scan.id, scan.files, version))}>
          JSON
        </Button>
      </div>
      {notes.length > 0 && (
        <details>
          <summary className="text-xs text-warn">{count(notes.length)} notes</summary>
          <ul className="mt-1 grid gap-0.5 text-xs text-muted">
            {notes.slice(0, 100).map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
