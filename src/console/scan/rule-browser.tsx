/** What the scanner looks for: every rule, with the clauses that it checks and how to fix what it finds. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { ScanRulesDocument, type ScanRulesQuery } from '../../generated/console-scan.js'
import { faultOf } from '../graph/faults.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { Dialog } from '../ui/layout/dialog.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterText } from '../ui/forms/filter-bar.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { FindingFilters } from './findings/finding-filters.js'
import { readScanSearch, type ScanSearch } from './scan-search.js'
import { SeverityBadge } from './findings/severity.js'

type Rule = NonNullable<ScanRulesQuery['rules']>['rules'][number]

const COLUMNS: readonly Column<Rule>[] = [
  { id: 'severity', header: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { id: 'title', header: 'Rule', cell: ({ title }) => title },
  { id: 'id', header: 'Id', cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
  { id: 'category', header: 'Category', cell: ({ category }) => category },
  { id: 'cwe', header: 'CWE', cell: ({ cwe }) => cwe.join(', '), isNumeric: true },
  {
    id: 'languages',
    header: 'Languages',
    cell: ({ languages }) => <span className="text-muted">{languages.length}</span>,
    isNumeric: true,
  },
]

const fits = (rule: Rule, { severity, standard, q = '' }: ScanSearch): boolean => {
  const text =
    `${rule.id} ${rule.title} ${rule.description} ${rule.category} ${rule.cwe.map((n) => `cwe-${n}`).join(' ')} ${rule.languages.join(' ')}`.toLowerCase()
  return (
    (severity === undefined || rule.severity === severity) &&
    (standard === undefined || rule.standards.some((one) => one.standard === standard)) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

export function RuleBrowser() {
  const search = useSearch({ from: '/scan' })
  const navigate = useNavigate({ from: '/scan' })
  const [open, setOpen] = useState<Rule | null>(null)
  const [{ data, error }] = useQuery({ query: ScanRulesDocument })
  const rules = data?.rules?.rules
  const shown = useMemo(() => (rules ?? []).filter((rule) => fits(rule, search)), [rules, search])
  const standards = useMemo(
    () => [...new Set((rules ?? []).flatMap((rule) => rule.standards.map(({ standard }) => standard)))],
    [rules],
  )
  const change = (changed: Partial<Record<keyof ScanSearch, unknown>>) =>
    void navigate({ search: (before) => readScanSearch({ ...before, ...changed }), replace: true })
  if (error && !rules)
    return (
      <div className="p-4">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  if (!rules) return <Skeleton className="m-4 h-96 md:m-5" />
  return (
    <>
      <FilterBar>
        <FilterText label="Filter rules" value={search.q ?? ''} onChange={(q) => change({ q })} />
        <FindingFilters search={search} standards={standards} change={change} />
      </FilterBar>
      {shown.length === 0 ? (
        <p role="status" className="px-4 text-sm text-muted md:px-5">
          No rule fits the filter.
        </p>
      ) : (
        <DataTable label="Rules" columns={COLUMNS} rows={shown} keyOf={({ id }) => id} onOpen={setOpen} />
      )}
      <Dialog title={open?.title ?? ''} isOpen={open !== null} onClose={() => setOpen(null)} isWide>
        {open && <RuleText rule={open} />}
      </Dialog>
    </>
  )
}

const RuleText = ({ rule }: { readonly rule: Rule }) => (
  <div className="grid gap-3 overflow-y-auto p-4 text-sm" tabIndex={0} role="region" aria-label="About the rule">
    <p className="flex flex-wrap items-center gap-2">
      <SeverityBadge severity={rule.severity} />
      <span className="font-mono text-xs">{rule.id}</span>
      <span className="text-xs text-muted">{rule.cwe.map((number) => `CWE-${number}`).join(', ')}</span>
    </p>
    <p>{rule.description}</p>
    <p>{rule.suggestion}</p>
    <ul className="grid gap-0.5">
      {rule.standards.map(({ standard, clause, title, evidence }) => (
        <li key={`${standard} ${clause}`}>
          {standard} {clause}{' '}
          <span className="text-muted">
            {title}
            {evidence && ' (evidence)'}
          </span>
        </li>
      ))}
    </ul>
    <p className="text-xs text-muted">{rule.languages.map((one) => one.toLowerCase()).join(', ')}</p>
  </div>
)
