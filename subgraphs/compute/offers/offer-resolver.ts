/** Offers in the graph: authorise, parse, one call, return. */
import { Args, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { fromSources } from '#platform/subgraph.js'
import type { Offer } from './offer.js'
import { offerFilter, OffersArgs } from './offer-args.js'
import { GpuOfferType } from './offer-type.js'
import type { Offers } from './offers.js'

@Resolver(() => GpuOfferType)
export class OfferResolver {
  constructor(private readonly offers: Offers) {}

  @Query(() => [GpuOfferType], { description: 'GPUs that can be rented now, cheapest first. All filters stack.' })
  async gpuOffers(@Args(() => OffersArgs) args: OffersArgs, @Ctx() context: RequestContext): Promise<GpuOfferType[]> {
    requirePrincipal(context)
    return [...(await this.offers.list(offerFilter(args)))]
  }

  @Subscription(() => [GpuOfferType], {
    subscribe: fromSources,
    description:
      'The same list now and whenever an offer came, went or changed its price or risk. Providers are asked once a minute; that an offer was seen again is no change.',
  })
  gpuOffersChanged(@Root() offers: readonly Offer[], @Args(() => OffersArgs) _args: OffersArgs): GpuOfferType[] {
    return [...offers]
  }
}
