/** A budget in a few words: what is used up of it, and when it begins anew. */
import { Money } from '../format/money.js'
import { Moment } from '../format/time.js'
import { Badge } from '../ui/badge.js'
import { Meter } from '../ui/meter.js'
import { compareDecimals } from '../format/decimal.js'
import { titleOf, usedShare, type BudgetRow } from './words.js'

export function BudgetLine({ budget }: { readonly budget: BudgetRow }) {
  const { spent, held, amount, warnAt, action, models, resetsAt } = budget
  const title = titleOf(budget)
  return (
    <div className="grid min-w-0 gap-1">
      <p className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium" title={title}>
          {title}
        </span>
        {action === 'WARN' && <Badge tone="neutral">only warns</Badge>}
      </p>
      <Meter label={`Used of ${title}`} share={usedShare(budget)} warnsFrom={warnAt / 100} />
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-muted">
        <span>
          <span className="text-ink">
            <Money amount={spent} digits={4} />
          </span>{' '}
          of <Money amount={amount} /> spent
          {compareDecimals(held, '0') > 0 && (
            <>
              , <Money amount={held} digits={4} /> held
            </>
          )}
          , told at {warnAt} %
        </span>
        {resetsAt === null ? (
          'in all'
        ) : (
          <span>
            anew <Moment at={resetsAt} shape="relative" />
          </span>
        )}
      </p>
      {models !== null && (
        <p className="truncate text-xs text-muted" title={models.join('\n')}>
          {models.join(', ')}
        </p>
      )}
    </div>
  )
}
