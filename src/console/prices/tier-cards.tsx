/** The cheapest of each tier: what a request that names a tier is likely to cost. */
import { Link } from '@tanstack/react-router'
import type { PricesTableQuery } from '../../generated/console-prices.js'
import { Money } from '../format/money.js'
import { mixed } from './mix.js'

type Tiers = NonNullable<PricesTableQuery['priceTiers']>

export const TierCards = ({ tiers, inputs }: { readonly tiers: Tiers; readonly inputs: number }) => (
  <ul aria-label="Tiers" className="grid gap-3 md:grid-cols-3">
    {tiers.map(({ tier, cheapest, models, lowestInputPerMillion, lowestOutputPerMillion }) => (
      <li key={tier} className="grid gap-1 rounded-md border border-line p-3.5">
        <div className="flex items-baseline justify-between">
          <span className="text-sm font-medium">{tier[0]! + tier.slice(1).toLowerCase()}</span>
          <span className="text-xs text-muted">{models.length === 1 ? '1 model' : `${models.length} models`}</span>
        </div>
        <p className="text-xl font-semibold tracking-tight">
          <Money amount={mixed(cheapest, inputs)} digits={3} />
          <span className="ml-1.5 text-xs font-normal tracking-normal text-muted">a million tokens of this mix</span>
        </p>
        <p className="truncate text-sm">
          <Link to="/models/$id" params={{ id: cheapest.canonicalModelId }} className="text-accent hover:underline">
            {cheapest.model?.displayName ?? cheapest.canonicalModelId}
          </Link>
        </p>
        <p className="text-xs text-muted">
          Lowest of all: <Money amount={lowestInputPerMillion} /> in, <Money amount={lowestOutputPerMillion} /> out
        </p>
      </li>
    ))}
  </ul>
)
