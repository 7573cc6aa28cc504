/** Queries of prices. Every caller with a valid key may read them; costs and reasons only administrators. */
import { Arg, Ctx, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { DateTimeScalar } from '#platform/scalars.js'
import { fromSources } from '#platform/subgraph.js'
import { BenchmarkListType } from '../benchmark/benchmark-type.js'
import type { FeedSchedule } from '../feeds/feed-schedule.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from '../versions/price-book.js'
import { PendingPriceType, PriceChangeType, PriceFeedType } from '../versions/price-change-type.js'
import { priceChange } from '../versions/price-changes.js'
import type { PriceList } from './price-list.js'
import { PriceTierType } from './price-tier-type.js'
import { PriceType } from './price-type.js'

const isAdministrator = (context: RequestContext): boolean => context.principal?.scopes.has('admin') ?? false

const MODEL = 'Only prices of this canonical model id.'
const PROVIDER = 'Only prices at this routing identifier.'

@Resolver()
export class PriceResolver {
  constructor(
    private readonly list: PriceList,
    private readonly book: PriceBook,
    private readonly catalog: CatalogSource,
    private readonly feeds: FeedSchedule,
  ) {}

  @Query(() => [PriceType], { description: 'Prices of everything routable, by model and then cheapest first.' })
  prices(
    @Ctx() context: RequestContext,
    @Arg('model', () => ID, { nullable: true, description: MODEL }) model?: string,
    @Arg('provider', () => ID, { nullable: true, description: PROVIDER }) provider?: string,
  ): PriceType[] {
    const { accountId } = requirePrincipal(context)
    return this.list.prices({ model: model ?? undefined, provider: provider ?? undefined }, accountId)
  }

  @Query(() => [PriceTierType], { description: 'Prices rolled up by tier: light, medium, high; tiers without any left out.' })
  priceTiers(
    @Ctx() context: RequestContext,
    @Arg('model', () => ID, { nullable: true, description: MODEL }) model?: string,
    @Arg('provider', () => ID, { nullable: true, description: PROVIDER }) provider?: string,
  ): PriceTierType[] {
    const { accountId } = requirePrincipal(context)
    return this.list.tiers({ model: model ?? undefined, provider: provider ?? undefined }, accountId)
  }

  @Query(() => [PriceChangeType], { description: 'Every price a model had, newest first, at most 1000.' })
  async priceHistory(
    @Ctx() context: RequestContext,
    @Arg('model', () => ID, { description: 'The canonical model id.' }) model: string,
    @Arg('provider', () => ID, { nullable: true, description: PROVIDER }) provider?: string,
    @Arg('since', () => DateTimeScalar, { nullable: true, description: 'Only changes from this moment on.' }) since?: Date,
  ): Promise<PriceChangeType[]> {
    requirePrincipal(context)
    const withPending = isAdministrator(context)
    const filter = { modelId: model, providerId: provider ?? undefined, since: since?.getTime(), withPending }
    const isInCatalog = this.catalog.model(model) !== undefined
    return (await this.book.history(filter)).map((version) => priceChange(version, withPending, isInCatalog))
  }

  @Query(() => BenchmarkListType, { description: 'Our cheapest routable prices beside what others charge.' })
  benchmarks(@Ctx() context: RequestContext): BenchmarkListType {
    return this.list.benchmarks(requirePrincipal(context).accountId)
  }

  @Query(() => [PendingPriceType], {
    description: 'Deployments without a price and proposals of price lists that wait; for administrators.',
  })
  pendingPrices(@Ctx() context: RequestContext): PendingPriceType[] {
    requireScope(context, 'admin')
    return this.catalog.pricePoints().flatMap((point) => {
      const current = this.book.priceOf(point.priceId)
      const proposal = this.book.pendingOf(point.priceId)
      if (current && !proposal) return []
      return [
        {
          deploymentId: point.priceId,
          canonicalModelId: point.modelId,
          providerId: point.providerId,
          current: current && priceChange(current.version, true, true),
          proposal: proposal && priceChange(proposal, true, true),
        },
      ]
    })
  }

  @Query(() => [PriceFeedType], { description: 'Public price lists that are read, and how that went; for administrators.' })
  priceFeeds(@Ctx() context: RequestContext): PriceFeedType[] {
    requireScope(context, 'admin')
    const time = (at: number | null) => (at === null ? null : new Date(at))
    return this.feeds.statuses().map((status) => ({
      ...status,
      lastRunAt: time(status.lastRunAt),
      lastSuccessAt: time(status.lastSuccessAt),
      refused: [...status.refused],
    }))
  }

  @Subscription(() => PriceChangeType, {
    description: 'The prices of a model now and every price that comes into force; without a model only the latter, of all.',
    subscribe: fromSources,
  })
  priceChanged(
    @Root() change: PriceChangeType,
    @Arg('model', () => ID, { nullable: true, description: 'The canonical model id; every model when left out.' })
    _model?: string,
  ): PriceChangeType {
    return change
  }
}
