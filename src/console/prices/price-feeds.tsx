/** The public price lists that are read, and how the last reading went. For administrators. */
import { Rss } from 'lucide-react'
import type { PricesPendingQuery } from '../../generated/console-prices.js'
import { count, duration } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { EmptyState } from '../ui/notices/empty-state.js'

type Feed = NonNullable<PricesPendingQuery['priceFeeds']>[number]

export const PriceFeeds = ({ feeds }: { readonly feeds: readonly Feed[] }) =>
  feeds.length === 0 ? (
    <EmptyState icon={Rss} title="No price list is read">
      Name one under price_feeds in sluice.config.yaml: its prices are proposed here, or taken at once.
    </EmptyState>
  ) : (
    <ul aria-label="Price lists" className="grid gap-3">
      {feeds.map((feed) => (
        <FeedCard key={feed.name} feed={feed} />
      ))}
    </ul>
  )

const FeedCard = ({ feed }: { readonly feed: Feed }) => (
  <li className="grid gap-2 rounded-md border border-line p-3.5 text-sm">
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <h2 className="mr-auto font-medium">{feed.name}</h2>
      <span className={feed.problem === null ? 'text-good' : 'text-bad'}>
        {feed.lastRunAt === null ? 'not read yet' : feed.problem === null ? 'read well' : 'failed'}
      </span>
    </div>
    {feed.problem !== null && <p className="wrap-anywhere text-bad">{feed.problem}</p>}
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
      <span>every {duration(feed.intervalSeconds * 1000)}</span>
      {feed.lastSuccessAt !== null && (
        <span>
          last read well <Moment at={feed.lastSuccessAt} shape="minute" />
        </span>
      )}
      <span>{count(feed.matched)} rows are of ours</span>
      <span>{count(feed.changed)} changed</span>
      <span>{count(feed.pending)} wait</span>
    </p>
    {feed.refused.length > 0 && (
      <details>
        <summary className="text-xs font-medium">{count(feed.refused.length)} rows were refused</summary>
        <ul className="mt-2 grid gap-1 font-mono text-xs text-muted">
          {feed.refused.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </details>
    )}
  </li>
)
