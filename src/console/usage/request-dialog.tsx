/** One request: how it ended, what it cost and by which price, and why it was answered where it was. */
import { useQuery } from 'urql'
import { UsageDetailDocument, type UsageDetailQuery } from '../../generated/console-usage.js'
import { Money } from '../format/money.js'
import { count, duration, perSecond } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { Why } from '../play/answer/why.js'
import { Badge } from '../ui/badge.js'
import { Fact } from '../ui/fact.js'
import { CopyButton } from '../ui/forms/copy-button.js'
import { Dialog } from '../ui/layout/dialog.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { toneOf } from './requests-table.js'
import { APIS, OUTCOMES } from './usage-search.js'

type Detail = NonNullable<UsageDetailQuery['usageRecord']>

interface RequestDialogProps {
  /** Null while none is open. */
  readonly id: string | undefined
  readonly nameOfKey: (id: string) => string
  readonly onClose: () => void
}

export const RequestDialog = ({ id, nameOfKey, onClose }: RequestDialogProps) => (
  <Dialog title="Request" isOpen={id !== undefined} onClose={onClose} isWide>
    <div className="min-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label="Details of the request">
      {id !== undefined && <Details id={id} nameOfKey={nameOfKey} />}
    </div>
  </Dialog>
)

function Details({ id, nameOfKey }: { readonly id: string; readonly nameOfKey: (id: string) => string }) {
  const [{ data, error }] = useQuery({ query: UsageDetailDocument, variables: { id } })
  // The route and the price may be missing where the rest is there.
  if (error && !data?.usageRecord) {
    return (
      <div className="p-4">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  }
  if (!data) {
    return (
      <div aria-busy="true" className="grid gap-3 p-4">
        {Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} className="h-5 w-full" />
        ))}
      </div>
    )
  }
  const record = data.usageRecord
  if (!record) return <p className="p-4 text-sm text-muted">There is no such request, or it is too old to be kept.</p>
  return (
    <>
      <Facts record={record} nameOfKey={nameOfKey} />
      <Cost record={record} />
      <h3 className="px-4 pt-3 text-sm font-semibold">Why it was answered there</h3>
      {record.route ? <Why record={record} /> : <p className="px-4 pb-4 pt-1 text-sm text-muted">No route was kept of it.</p>}
    </>
  )
}

function Facts({ record, nameOfKey }: { readonly record: Detail; readonly nameOfKey: (id: string) => string }) {
  const { durationMs, firstTokenMs, outputTokens } = record
  const writingMs = durationMs - (firstTokenMs ?? 0)
  return (
    <>
      <div className="flex min-w-0 items-center gap-1 px-4 pt-3 text-sm">
        <Badge tone={toneOf(record.outcome)}>{OUTCOMES[record.outcome]}</Badge>
        <span className="ml-2 truncate font-mono text-xs" title={record.id}>
          {record.id}
        </span>
        <CopyButton text={record.id} label="Copy the request id" />
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-b border-line p-4 text-sm md:grid-cols-4">
        <Fact name="Arrived">
          <Moment at={record.createdAt} />
        </Fact>
        <Fact name="Duration">{duration(durationMs)}</Fact>
        <Fact name="First token">{firstTokenMs === null ? 'not streamed' : duration(firstTokenMs)}</Fact>
        <Fact name="Tokens a second">
          {writingMs > 0 && outputTokens > 0 ? perSecond((outputTokens * 1000) / writingMs) : '–'}
        </Fact>
        <Fact name="Model">
          <span title={record.modelId}>{record.modelId}</span>
        </Fact>
        <Fact name="Provider">{record.providerId ?? 'none answered'}</Fact>
        <Fact name="Key">
          <span title={record.keyId}>{nameOfKey(record.keyId)}</span>
        </Fact>
        <Fact name="Providers asked">{record.attempts ?? 'not counted'}</Fact>
        <Fact name="API">{record.api === null ? 'not kept' : APIS[record.api]}</Fact>
      </dl>
    </>
  )
}

/** What of the request costs what: tokens, the price of a million, in the price version that was in force. */
function Cost({ record }: { readonly record: Detail }) {
  const { priceVersion: price } = record
  const parts = [
    { name: 'Input', tokens: record.inputTokens, perMillion: price?.inputPerMillion },
    {
      name: 'Cached input',
      tokens: record.cachedInputTokens,
      perMillion: price?.cachedInputPerMillion ?? price?.inputPerMillion,
    },
    { name: 'Output', tokens: record.outputTokens, perMillion: price?.outputPerMillion },
  ]
  return (
    <section aria-label="Cost" className="border-b border-line p-4 text-sm">
      <table className="w-full">
        <caption className="sr-only">Tokens and prices</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className="pb-1 text-left font-medium">
              Tokens {record.usageSource === 'REPORTED' ? 'as the provider reports them' : 'counted here'}
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              Count
            </th>
            <th scope="col" className="pb-1 text-right font-medium">
              $ / 1M
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {parts.map(({ name, tokens, perMillion }) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 text-left font-normal">
                {name}
              </th>
              <td className="text-right">{count(tokens)}</td>
              <td className="text-right">{perMillion == null ? '–' : <Money amount={perMillion} />}</td>
            </tr>
          ))}
          <tr className="font-semibold">
            <th scope="row" className="pt-1 text-left">
              Charged
            </th>
            <td className="pt-1 text-right" colSpan={2}>
              <Money amount={record.cost} />
            </td>
          </tr>
        </tbody>
      </table>
      {record.entries.map(({ id, amount, createdAt }) => (
        <p key={id} className="mt-1.5 text-xs text-muted">
          In the ledger: charged <Money amount={amount.replace('-', '')} />, <Moment at={createdAt} />{' '}
          <span className="wrap-anywhere font-mono">({id})</span>
        </p>
      ))}
    </section>
  )
}
