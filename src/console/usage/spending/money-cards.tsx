/** What the account has, live. */
import { useEffect } from 'react'
import { useQuery } from 'urql'
import { UsageMoneyDocument } from '../../../generated/console-usage.js'
import { shareOf } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { faultOf } from '../../graph/faults.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { Meter } from '../../ui/meter.js'
import { Skeleton } from '../../ui/notices/skeleton.js'

interface CardProps {
  readonly title: string
  readonly hint: string
  readonly amount: string | undefined
}

const Card = ({ title, hint, amount }: CardProps) => (
  <div className="min-w-0 bg-surface px-3.5 py-2.5">
    <dt className="text-xs text-muted" title={hint}>
      {title}
    </dt>
    <dd className="truncate text-lg font-semibold">
      {amount === undefined ? <Skeleton className="my-1 h-4 w-20" /> : <Money amount={amount} digits={4} isBalance />}
    </dd>
  </div>
)

/** @param news changes when something was spent */
export function MoneyCards({ news }: { readonly news: number }) {
  const [{ data, error }, ask] = useQuery({ query: UsageMoneyDocument })
  const account = data?.viewer
  useEffect(() => {
    if (news > 0) ask({ requestPolicy: 'network-only' })
  }, [news, ask])
  if (error && !account) return <FaultNotice fault={faultOf(error)} />
  const cap = account?.monthlyCap ?? null
  return (
    <dl className="grid shrink-0 grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-4">
      <Card title="Available" hint="What a new request may use" amount={account?.available} />
      <Card title="Balance" hint="Credits, holds included" amount={account?.balance} />
      <Card title="Held" hint="Reserved by what is under way" amount={account?.held} />
      <div className="min-w-0 bg-surface px-3.5 py-2.5">
        <dt className="text-xs text-muted" title="In this calendar month, UTC">
          Spent this month
        </dt>
        <dd>
          {account ? (
            <>
              <span className="flex items-baseline justify-between gap-2 truncate">
                <span className="text-lg font-semibold">
                  <Money amount={account.spentThisMonth} digits={4} />
                </span>
                <span className="truncate text-xs text-muted">
                  {cap === null ? (
                    'no cap'
                  ) : (
                    <>
                      of <Money amount={cap} digits={2} />
                    </>
                  )}
                </span>
              </span>
              {cap !== null && <Meter label="Spent of the monthly cap" share={shareOf(account.spentThisMonth, cap)} />}
            </>
          ) : (
            <Skeleton className="my-1 h-4 w-24" />
          )}
        </dd>
      </div>
    </dl>
  )
}
