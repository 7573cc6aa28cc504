/** Prices joined to the catalogue's models and deployments. All of it comes from memory, so a batch of any size is one step. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { BenchmarkEntryType } from '../benchmark/benchmark-type.js'
import { DeploymentStub, ModelStub } from '../entity-stubs.js'
import type { PriceList } from './price-list.js'
import { PriceType } from './price-type.js'

@Resolver(() => ModelStub)
export class ModelPricesResolver {
  constructor(private readonly list: PriceList) {}

  @FieldResolver(() => [PriceType], {
    nullable: true,
    description:
      'What its deployments cost, cheapest first; unpriced ones are not among them. Null while prices cannot be asked for.',
  })
  prices(@Root() model: ModelStub, @Ctx() context: RequestContext): PriceType[] {
    return this.list.pricesOf(model.id, requirePrincipal(context).accountId)
  }

  @FieldResolver(() => PriceType, { nullable: true, description: 'Its lowest input plus output price; null when none is set.' })
  cheapestPrice(@Root() model: ModelStub, @Ctx() context: RequestContext): PriceType | null {
    return this.list.cheapestOf(model.id, requirePrincipal(context).accountId)
  }

  @FieldResolver(() => BenchmarkEntryType, {
    nullable: true,
    description: 'Its price beside what others charge; null when we cannot route to it at a price.',
  })
  benchmark(@Root() model: ModelStub, @Ctx() context: RequestContext): BenchmarkEntryType | null {
    return this.list.benchmarkOf(model.id, requirePrincipal(context).accountId)
  }
}

@Resolver(() => DeploymentStub)
export class DeploymentPriceResolver {
  constructor(private readonly list: PriceList) {}

  @FieldResolver(() => PriceType, { nullable: true, description: 'What it costs; null while its price is pending.' })
  price(@Root() deployment: DeploymentStub, @Ctx() context: RequestContext): PriceType | null {
    return this.list.priceOfDeployment(deployment.id, requirePrincipal(context).accountId)
  }
}
