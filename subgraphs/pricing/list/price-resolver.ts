/** Queries of prices. Every caller with a valid key may read them; costs and reasons only administrators. */
import { Arg, Args, ArgsType, Ctx, Field, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { isAdministrator, requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { pageArgs, type Connection } from '#platform/paging/connection.js'
import { mapPage } from '#platform/paging/page.js'
import { DateTimeScalar } from '#platform/scalars.js'
import { fromSources } from '#platform/subgraph.js'
import { BenchmarkListType } from '../benchmark/benchmark-type.js'
import type { FeedSchedule } from '../feeds/feed-schedule.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from '../versions/price-book.js'
import { PendingPriceType, PriceChangeConnection, PriceChangeType, PriceFeedType } from '../versions/price-change-type.js'
import { priceChange } from '../versions/price-changes.js'
import type { PriceList } from './price-list.js'
import { PriceTierType } from './price-tier-type.js'
import { PriceType } from './price-type.js'

const MODEL = 'Only prices of this canonical model id.'
const PROVIDER = 'Only prices at this routing identifier.'

@ArgsType()
class PriceHistoryArgs extends pageArgs({ standard: 50, most: 500 }) {
  @Field(() => ID, { description: 'The canonical model id.' })
  model!: string

  @Field(() => ID, { nullable: true, description: PROVIDER })
  provider?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only changes from this moment on.' })
  from?: Date | null
}

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

  @Query(() => PriceChangeConnection, { description: 'Every price a model had, newest first.' })
  async priceHistory(
    @Ctx() context: RequestContext,
    @Args(() => PriceHistoryArgs) args: PriceHistoryArgs,
  ): Promise<Connection<PriceChangeType>> {
    requirePrincipal(context)
    const withPending = isAdministrator(context.principal)
    const { model: modelId, provider, from } = args
    const filter = { modelId, providerId: provider ?? undefined, from: from?.getTime(), withPending }
    const isInCatalog = this.catalog.model(modelId) !== undefined
    const page = await this.book.history(filter, args.request())
    return new PriceChangeConnection(
      mapPage(page, (version) => priceChange(version, withPending, isInCatalog)),
      () => this.book.countHistory(filter),
    )
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
