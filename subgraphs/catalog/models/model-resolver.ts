/** Queries and joins of the catalogue. Every caller with a valid key may read it; what is private to an account stays so. */
import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import { requirePrincipal, requireScope, type RequestContext } from '#platform/requests/context.js'
import { invalidRequest } from '#platform/errors.js'
import { fromSources } from '#platform/subgraph.js'
import type { Catalog } from '../catalog.js'
import { Tier } from '#platform/vocabulary/graph-enums.js'
import { Availability } from '../catalog-enums.js'
import type { CatalogTypes } from './catalog-types.js'
import { DeploymentType } from '../deployments/deployment-type.js'
import { isTier } from '../records.js'
import { ModelAliasType, ModelListType, ModelType } from './model-type.js'
import { ProviderType } from '../deployments/provider-type.js'

const MAX_LIMIT = 1000

@Resolver(() => ModelType)
export class ModelResolver {
  constructor(
    private readonly catalog: Catalog,
    private readonly types: CatalogTypes,
  ) {}

  @Query(() => ModelListType, { description: 'The models that can be served in some way, ordered by id.' })
  models(
    @Ctx() context: RequestContext,
    @Arg('limit', () => Int, { nullable: true, description: 'Models per page, 1 to 1000; 1000 when left out.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Models to skip; 0 when left out.' }) offset?: number,
    @Arg('availability', () => Availability, { nullable: true, description: 'Only models in this state.' })
    availability?: (typeof Availability)[keyof typeof Availability],
    @Arg('tier', () => Tier, { nullable: true, description: 'Only models of this tier.' })
    tier?: (typeof Tier)[keyof typeof Tier],
  ): ModelListType {
    const { accountId, models: only } = requirePrincipal(context)
    const size = limit ?? MAX_LIMIT
    const start = offset ?? 0
    if (size < 1 || size > MAX_LIMIT) throw invalidRequest(`limit is an integer from 1 to ${MAX_LIMIT}.`, 'limit')
    if (start < 0) throw invalidRequest('offset is an integer from 0.', 'offset')
    const known = this.catalog.list({ availability: availability ?? undefined, tier: tier ?? undefined }, accountId)
    const listed = only ? known.filter(({ model }) => only.has(model.id)) : known
    return {
      totalCount: listed.length,
      models: listed.slice(start, start + size).map((entry) => this.types.model(entry.model, entry.availability)),
    }
  }

  @Query(() => ModelType, {
    nullable: true,
    description: 'One model by its canonical id or an alias; null when it cannot be served.',
  })
  model(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'The canonical id, or an alias.' }) id: string,
  ): ModelType | null {
    const { accountId, models: only } = requirePrincipal(context)
    const alias = this.catalog.alias(id)
    if (alias) return this.types.modelOf(alias, accountId, only)
    return only && !only.has(id) ? null : this.types.modelById(id, accountId)
  }

  @Query(() => [ModelAliasType], {
    description: 'Other names for models and tiers, ordered by name: those that lead to a model now.',
  })
  modelAliases(@Ctx() context: RequestContext): ModelAliasType[] {
    const { accountId, models: only } = requirePrincipal(context)
    return this.catalog.aliases().flatMap((alias) => {
      const model = this.types.modelOf(alias, accountId, only)
      const { name, target, isShown } = alias
      return model ? [{ name, isShown, model, tier: isTier(target) ? target : null }] : []
    })
  }

  @FieldResolver(() => [DeploymentType], { description: 'Where it is deployed, ordered by id.' })
  deployments(@Root() model: ModelType, @Ctx() context: RequestContext): DeploymentType[] {
    const { accountId } = requirePrincipal(context)
    return this.catalog.deploymentsOf(model.id, accountId).map((record) => this.types.deployment(record))
  }

  @Subscription(() => ModelType, {
    description: 'The state of one model, or of every model, now and after each change.',
    subscribe: fromSources,
  })
  modelAvailability(
    @Root() model: ModelType,
    @Arg('id', () => ID, { nullable: true, description: 'The canonical id; every model when left out.' }) _id?: string,
  ): ModelType {
    return model
  }
}

@Resolver(() => ProviderType)
export class ProviderResolver {
  constructor(
    private readonly catalog: Catalog,
    private readonly types: CatalogTypes,
  ) {}

  @Query(() => [ProviderType], { description: 'The live providers with their health, ordered by id. For administrators.' })
  providers(@Ctx() context: RequestContext): ProviderType[] {
    requireScope(context, 'admin')
    return this.catalog.providers().map((record) => this.types.provider(record, context))
  }
}

@Resolver(() => DeploymentType)
export class DeploymentResolver {
  constructor(private readonly types: CatalogTypes) {}

  @FieldResolver(() => ModelType, { nullable: true, description: 'The model that is deployed; null when it cannot be served.' })
  model(@Root() deployment: DeploymentType, @Ctx() context: RequestContext): ModelType | null {
    return this.types.modelById(deployment.record.modelId, requirePrincipal(context).accountId)
  }

  @FieldResolver(() => ProviderType, { description: 'Who hosts it.' })
  provider(@Root() deployment: DeploymentType, @Ctx() context: RequestContext): ProviderType {
    return this.types.provider(deployment.record.provider, context)
  }
}
