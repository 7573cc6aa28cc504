/** What administrators do to prices. */
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { parseUsd, type TokenPrice } from '#platform/money.js'
import type { CatalogSource, PricePoint } from '../ports.js'
import type { PriceBook } from './price-book.js'
import {
  ClearPriceInput,
  ClearPricePayload,
  ResolvePendingPriceInput,
  ResolvePendingPricePayload,
  SetPriceInput,
} from './price-change-type.js'
import { priceChange } from './price-changes.js'
import type { PriceList } from '../list/price-list.js'
import { SetPricePayload } from '../list/price-type.js'

@Resolver()
export class PriceMutationResolver {
  constructor(
    private readonly list: PriceList,
    private readonly book: PriceBook,
    private readonly catalog: CatalogSource,
  ) {}

  @Mutation(() => SetPricePayload, {
    description:
      'Sets what callers pay from now on; a deployment that waited for its price becomes routable. For administrators.',
  })
  async setPrice(
    @Ctx() context: RequestContext,
    @Arg('input', () => SetPriceInput, { description: 'Which deployment, and the price.' }) input: SetPriceInput,
  ): Promise<SetPricePayload> {
    const { accountId, keyId } = requireScope(context, 'admin')
    const { deploymentId } = input
    const point = this.pointOf(deploymentId, accountId)
    await this.book.setPrice(point.priceId, { rates: ratesOf(input), cost: costOf(input), keyId })
    const price = this.list.priceOfDeployment(deploymentId, accountId) ?? this.list.priceOfPoint(point)
    if (!price) throw new AppError('not_found', `There is no deployment "${deploymentId}".`, { param: 'deploymentId' })
    return { price }
  }

  @Mutation(() => ClearPricePayload, {
    description: "Takes an administrator's price back, so that configuration and feeds decide again. For administrators.",
  })
  async clearPrice(
    @Ctx() context: RequestContext,
    @Arg('input', () => ClearPriceInput, { description: 'Which deployment.' }) { deploymentId }: ClearPriceInput,
  ): Promise<ClearPricePayload> {
    const { accountId, keyId } = requireScope(context, 'admin')
    const version = await this.book.clearPrice(this.pointOf(deploymentId, accountId).priceId, keyId)
    return { priceChange: version && priceChange(version, true, true) }
  }

  @Mutation(() => ResolvePendingPricePayload, {
    description: 'Accepts or refuses what a price list proposed. For administrators.',
  })
  async resolvePendingPrice(
    @Ctx() context: RequestContext,
    @Arg('input', () => ResolvePendingPriceInput, { description: 'Which deployment, and what is decided.' })
    { deploymentId, accept }: ResolvePendingPriceInput,
  ): Promise<ResolvePendingPricePayload> {
    const { accountId, keyId } = requireScope(context, 'admin')
    const version = await this.book.resolvePending(this.pointOf(deploymentId, accountId).priceId, accept, keyId)
    return { priceChange: version && priceChange(version, true, true) }
  }

  private pointOf(deploymentId: string, accountId: string): PricePoint {
    const deployment = this.catalog.deployments(accountId).find(({ id }) => id === deploymentId)
    const priceId = deployment?.priceId ?? deploymentId
    const point = this.catalog.pricePoints().find((candidate) => candidate.priceId === priceId)
    if (!point) throw new AppError('not_found', `There is no deployment "${deploymentId}".`, { param: 'deploymentId' })
    return point
  }
}

const rate = (text: string, param: string): bigint => {
  const value = parseUsd(text, param)
  if (value < 0n) throw invalidRequest('A price is not negative.', param)
  return value
}

function ratesOf(input: SetPriceInput): TokenPrice {
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion: cached } = input
  return {
    input: rate(inputPerMillion, 'inputPerMillion'),
    output: rate(outputPerMillion, 'outputPerMillion'),
    cachedInput: cached == null ? null : rate(cached, 'cachedInputPerMillion'),
  }
}

function costOf(input: SetPriceInput): TokenPrice | null {
  const { costInputPerMillion, costOutputPerMillion, costCachedInputPerMillion: cached } = input
  if (costInputPerMillion == null && costOutputPerMillion == null) return null
  if (costInputPerMillion == null || costOutputPerMillion == null) {
    throw invalidRequest('costInputPerMillion and costOutputPerMillion belong together.', 'costInputPerMillion')
  }
  return {
    input: rate(costInputPerMillion, 'costInputPerMillion'),
    output: rate(costOutputPerMillion, 'costOutputPerMillion'),
    cachedInput: cached == null ? null : rate(cached, 'costCachedInputPerMillion'),
  }
}
