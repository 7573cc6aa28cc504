/** Why a request was answered where it was: what was considered, in order, and what became of each. */
import { compareDecimals } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { duration } from '../../format/numbers.js'
import { Moment } from '../../format/time.js'
import { DataTable, type Column } from '../../ui/data-table.js'
import type { RequestRecord } from '../chat/conversation.js'

type Route = NonNullable<RequestRecord['route']>
type Candidate = Route['candidates'][number]

const REASONS: Readonly<Record<Candidate['reason'], string>> = {
  CHEAPEST: 'the cheapest that fits',
  FALLBACK: 'next, if those before fail',
  DEGRADED: 'answers slowly or fails often: after the healthy ones',
  SLOW: 'slower than asked for: later',
  TRIAL: 'tried to see whether it is back',
  LAST_RESORT: 'nothing better is left',
  DOWN: 'skipped: it keeps failing',
  TRIAL_IN_FLIGHT: 'skipped: another request tries it',
  RATE_LIMITED: 'skipped: it limits us',
  OVER_LIMIT: 'skipped: over its limit',
  CONTEXT_WINDOW: 'skipped: the prompt is too long for it',
  MAX_OUTPUT_TOKENS: 'skipped: it answers with fewer tokens',
  NO_FUNCTION_CALLING: 'skipped: it takes no tools',
  NO_JSON_MODE: 'skipped: it takes no JSON schema',
  UNSUPPORTED_FIELD: 'skipped: its provider cannot be asked for this',
  PRICING_PENDING: 'skipped: its price is not confirmed',
}

const COLUMNS: readonly Column<Candidate & { readonly place: string; readonly outcome: string }>[] = [
  { id: 'place', header: '#', cell: ({ place }) => <span className="text-muted">{place}</span>, isNumeric: true },
  {
    id: 'deployment',
    header: 'Deployment',
    cell: ({ deploymentId }) => <span className="font-mono text-xs">{deploymentId}</span>,
  },
  {
    id: 'price',
    header: 'Expected cost',
    cell: ({ effectivePrice }) => (effectivePrice === null ? '–' : <Money amount={effectivePrice} />),
    compare: (a, b) => compareDecimals(a.effectivePrice ?? '0', b.effectivePrice ?? '0'),
    isNumeric: true,
  },
  { id: 'health', header: 'Health', cell: ({ health }) => health.toLowerCase() },
  { id: 'reason', header: 'Why', cell: ({ reason }) => REASONS[reason] },
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => outcome },
]

export function Why({ record }: { readonly record: RequestRecord }) {
  const { route, priceVersion } = record
  if (!route) return <p className="text-sm text-muted">No route was kept of this request.</p>
  const rows = route.candidates.map((candidate, at) => ({
    ...candidate,
    place: candidate.kept ? String(at + 1) : '',
    outcome: outcomeOf(route, candidate),
  }))
  return (
    <div className="grid gap-3 p-4 text-sm">
      <p>
        Asked for <b className="font-medium">{route.requested}</b>
        {route.servedBy === null ? (
          '; nothing answered.'
        ) : (
          <>
            , answered by <span className="font-mono text-xs">{route.servedBy}</span>.
          </>
        )}
        {priceVersion && priceVersion.inputPerMillion !== null && priceVersion.outputPerMillion !== null && (
          <>
            {' '}
            Charged at <Money amount={priceVersion.inputPerMillion} /> in and <Money amount={priceVersion.outputPerMillion} /> out
            a million tokens, the price since <Moment at={priceVersion.validFrom} /> (version{' '}
            <span className="font-mono text-xs">{priceVersion.id}</span>).
          </>
        )}
      </p>
      <DataTable label="Candidates" columns={COLUMNS} rows={rows} keyOf={({ deploymentId }) => deploymentId} />
    </div>
  )
}

function outcomeOf({ attempts, servedBy }: Route, { deploymentId }: Candidate): string {
  const tried = attempts.filter((attempt) => attempt.deploymentId === deploymentId)
  const words = tried.map(({ outcome, status, durationMs }) =>
    [outcome, status === 200 ? 'in' : status, duration(durationMs)].filter((part) => part !== null).join(' '),
  )
  return words.join(', ') || (deploymentId === servedBy ? 'answered' : '–')
}
