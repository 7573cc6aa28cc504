/** One model: what it can, where it is deployed, what it costs and has cost, and how a program asks it. */
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Boxes } from 'lucide-react'
import type { ReactNode } from 'react'
import { useQuery, useSubscription } from 'urql'
import { ModelsAvailabilityDocument, ModelsDetailDocument, type ModelsDetailQuery } from '../../generated/console-models.js'
import { count, duration } from '../format/numbers.js'
import { Day } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { CodePanel } from '../play/request/code-panel.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Framed, Section } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { namesOf } from './aliases.js'
import { Capabilities, dollars, latency, NONE, speed, State, TIER_NAMES } from './model-words.js'
import { PriceHistory } from './price-history.js'

type Model = NonNullable<ModelsDetailQuery['model']>
type Deployment = Model['deployments'][number]
type Competitor = NonNullable<Model['benchmark']>['competitors'][number]

export function ModelPage() {
  const { id } = useParams({ from: '/models/$id' })
  const [{ data, error }] = useQuery({ query: ModelsDetailDocument, variables: { id } })
  // What it tells of goes to the cache, and so to the page.
  useSubscription({ query: ModelsAvailabilityDocument, variables: { id }, pause: !data?.model })
  const model = data?.model
  return (
    <>
      <PageHeader title={model?.displayName ?? id}>
        <Link to="/models" className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
          <ArrowLeft className="size-4" aria-hidden="true" />
          Models
        </Link>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label="Model">
        <div className="mx-auto grid max-w-5xl gap-7 p-4 md:p-5">
          {error && <FaultNotice fault={faultOf(error)} />}
          {!data && !error && <Skeleton className="h-96" />}
          {model && <Detail model={model} names={namesOf(data.modelAliases ?? []).get(model.id) ?? null} />}
          {data && !model && !error && (
            <EmptyState icon={Boxes} title="There is no such model">
              <Link to="/models" className="text-accent underline underline-offset-2">
                See all models
              </Link>
            </EmptyState>
          )}
        </div>
      </div>
    </>
  )
}

interface DetailProps {
  readonly model: Model
  /** Others that requests may say; null without any. */
  readonly names: string | null
}

const Detail = ({ model, names }: DetailProps) => (
  <>
    <Facts model={model} names={names} />
    <Section title="Deployments">
      {model.deployments.length === 0 ? (
        <p className="text-sm text-muted">No provider hosts it. The first request deploys it on a GPU.</p>
      ) : (
        <Framed>
          <DataTable label="Deployments" columns={DEPLOYMENTS} rows={model.deployments} keyOf={({ id }) => id} />
        </Framed>
      )}
    </Section>
    <PriceHistory id={model.id} />
    {model.benchmark && (
      <Section title="What others charge">
        <Framed>
          <DataTable
            label="What others charge"
            columns={COMPETITORS}
            rows={model.benchmark.competitors}
            keyOf={({ vendor, label }) => `${vendor} ${label}`}
          />
        </Framed>
      </Section>
    )}
    <Section title="Use in code">
      <Framed>
        <CodePanel input={{ model: model.id, messages: [{ role: 'USER', content: 'Hello!' }] }} />
      </Framed>
    </Section>
  </>
)

function Facts({ model, names }: DetailProps) {
  const { id, ownedBy, tier, contextWindow, maxOutputTokens, paramsB, activeParamsB, created, cheapestPrice, session } = model
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm md:grid-cols-4 xl:grid-cols-6">
        <Fact name="Id">
          <span className="font-mono text-xs">{id}</span>
        </Fact>
        {names !== null && (
          <Fact name="Also asked for as">
            <span className="font-mono text-xs">{names.replaceAll(' ', ', ')}</span>
          </Fact>
        )}
        <Fact name="Availability">
          <State model={model} />
        </Fact>
        <Fact name="Published by">{ownedBy}</Fact>
        <Fact name="Tier">{TIER_NAMES[tier]}</Fact>
        <Fact name="Parameters">{parameters(paramsB, activeParamsB)}</Fact>
        <Fact name="Released">
          <Day at={new Date(created * 1000).toISOString()} />
        </Fact>
        <Fact name="Context">{contextWindow === null ? NONE : `${count(contextWindow)} tokens`}</Fact>
        <Fact name="Most output">{maxOutputTokens === null ? NONE : `${count(maxOutputTokens)} tokens`}</Fact>
        <Fact name="Capabilities">
          <Capabilities model={model} isWrapped />
        </Fact>
        <Fact name="Input / 1M">{dollars(cheapestPrice?.pricing.inputPerMillion)}</Fact>
        <Fact name="Output / 1M">{dollars(cheapestPrice?.pricing.outputPerMillion)}</Fact>
        <Fact name="Cached input / 1M">{dollars(cheapestPrice?.pricing.cachedInputPerMillion)}</Fact>
      </dl>
      {session && (
        <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
          On {session.gpuCount} × {session.gpuModel} in {session.region}, {dollars(session.pricePerHour)} an hour:{' '}
          {session.phase.toLowerCase()}
          {session.estimatedReadySeconds !== null && `, ready in ${duration(session.estimatedReadySeconds * 1000)}`}
        </p>
      )}
      <p>
        <Link to="/play" search={{ model: id }} className="text-sm text-accent underline underline-offset-2">
          Try it in the playground
        </Link>
      </p>
    </div>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

function parameters(all: number | null, active: number | null): ReactNode {
  if (all === null) return NONE
  return active === null ? `${all}B` : `${all}B, ${active}B active`
}

const DEPLOYMENTS: readonly Column<Deployment>[] = [
  { id: 'id', header: 'Deployment', cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
  { id: 'provider', header: 'Provider', cell: ({ provider }) => provider.name ?? provider.id },
  { id: 'region', header: 'Region', cell: ({ region }) => region ?? NONE },
  { id: 'health', header: 'Health', cell: ({ health, isRoutable }) => (isRoutable ? HEALTH[health] : 'price pending') },
  { id: 'input', header: 'Input / 1M', cell: ({ price }) => dollars(price?.pricing.inputPerMillion), isNumeric: true },
  { id: 'output', header: 'Output / 1M', cell: ({ price }) => dollars(price?.pricing.outputPerMillion), isNumeric: true },
  { id: 'p50', header: 'p50', cell: ({ price }) => latency(price?.health.latencyP50Ms), isNumeric: true },
  { id: 'p95', header: 'p95', cell: ({ price }) => latency(price?.health.latencyP95Ms), isNumeric: true },
  { id: 'speed', header: 'Tokens/s', cell: ({ price }) => speed(price?.health.tokensPerSecond), isNumeric: true },
]

const HEALTH: Readonly<Record<Deployment['health'], ReactNode>> = {
  HEALTHY: <span className="text-good">healthy</span>,
  DEGRADED: <span className="text-warn">degraded</span>,
  DOWN: <span className="text-bad">down</span>,
}

const COMPETITORS: readonly Column<Competitor>[] = [
  { id: 'vendor', header: 'Vendor', cell: ({ vendor }) => vendor },
  { id: 'label', header: 'Model', cell: ({ label, isSameModel }) => (isSameModel ? label : <i>{label}</i>) },
  { id: 'input', header: 'Input / 1M', cell: ({ inputPerMillion }) => dollars(inputPerMillion), isNumeric: true },
  { id: 'output', header: 'Output / 1M', cell: ({ outputPerMillion }) => dollars(outputPerMillion), isNumeric: true },
  { id: 'saving', header: 'You save', cell: ({ savingPercent }) => `${savingPercent}%`, isNumeric: true },
  { id: 'source', header: 'Source', cell: ({ source }) => source },
  { id: 'date', header: 'As of', cell: ({ date }) => <Day at={date} /> },
]
