/** The graph's view of a stored route explanation, joined to the usage records of the accounts subgraph. */
import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { DecimalScalar } from '#platform/scalars.js'
import { HealthStatus } from '#platform/vocabulary/graph-enums.js'
import type { ReferenceResolver } from '#platform/subgraph.js'
import type { RoutesOf } from '../ports.js'
import {
  RouteReason,
  type RouteAttempt as StoredAttempt,
  type RouteCandidate as StoredCandidate,
  type RouteExplanation,
} from './route.js'

registerEnumType(RouteReason, {
  name: 'RouteReason',
  description: 'Why the router kept or skipped a deployment.',
  valuesConfig: {
    CHEAPEST: { description: 'Kept: the first choice.' },
    FALLBACK: { description: 'Kept: tried when those before it fail.' },
    TRIAL: { description: 'Kept: gets one request to show whether it has recovered.' },
    DEGRADED: { description: 'Kept behind healthy ones: it fails often.' },
    SLOW: { description: 'Kept behind faster ones.' },
    RATE_LIMITED: { description: 'Kept behind others: its provider limits our rate.' },
    LAST_RESORT: { description: 'Kept although it is down, because nothing else is left.' },
    PRICING_PENDING: { description: 'Skipped: its price is not confirmed.' },
    NO_FUNCTION_CALLING: { description: 'Skipped: it takes no tools.' },
    NO_JSON_MODE: { description: 'Skipped: it takes no such form of answer.' },
    CONTEXT_WINDOW: { description: 'Skipped: the conversation is too long for it.' },
    MAX_OUTPUT_TOKENS: { description: 'Skipped: it cannot write as much as was asked for.' },
    UNSUPPORTED_FIELD: { description: 'Skipped: the API of its provider cannot say what was asked for.' },
    DOWN: { description: 'Skipped: it keeps failing.' },
    TRIAL_IN_FLIGHT: { description: 'Skipped: another request is its trial.' },
    OVER_LIMIT: { description: 'Skipped: its provider has as many requests as it may have.' },
  },
})

@ObjectType({ description: 'A deployment that the router looked at.' })
class RouteCandidate implements StoredCandidate {
  @Field(() => ID, { description: 'The deployment.' })
  readonly deploymentId!: string

  @Field(() => ID, { description: 'The model that it serves.' })
  readonly modelId!: string

  @Field(() => ID, { description: 'The routing identifier of its provider.' })
  readonly providerId!: string

  @Field(() => Boolean, { description: 'Whether it was among those to be tried, in this order.' })
  readonly kept!: boolean

  @Field(() => RouteReason, { description: 'Why it was kept or skipped.' })
  readonly reason!: StoredCandidate['reason']

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What this request was estimated to cost there; null without a price.',
  })
  readonly effectivePrice!: string | null

  @Field(() => ID, { nullable: true, description: 'The price version in force at that time.' })
  readonly priceVersionId!: string | null

  @Field(() => HealthStatus, { description: 'How it was at that time.' })
  readonly health!: StoredCandidate['health']
}

@ObjectType({ description: 'One call to a provider.' })
class RouteAttempt implements StoredAttempt {
  @Field(() => ID, { description: 'The deployment that was called.' })
  readonly deploymentId!: string

  @Field(() => ID, { description: 'The routing identifier of its provider.' })
  readonly providerId!: string

  @Field(() => String, { description: '"answered", or why the next one was tried.' })
  readonly outcome!: string

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the provider; null when there was none.' })
  readonly status!: number | null

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  readonly durationMs!: number
}

@ObjectType({ description: 'Why a chat completion was answered by the deployment that answered it.' })
class Route implements RouteExplanation {
  @Field(() => String, { description: 'The model id or tier that was asked for.' })
  readonly requested!: string

  @Field(() => [RouteCandidate], {
    description: 'Every deployment that was looked at: those to be tried in order, then the skipped ones.',
  })
  readonly candidates!: readonly RouteCandidate[]

  @Field(() => [RouteAttempt], { description: 'The calls that were made.' })
  readonly attempts!: readonly RouteAttempt[]

  @Field(() => ID, { nullable: true, description: 'The deployment whose answer was delivered.' })
  readonly servedBy!: string | null
}

@ObjectType({ description: 'One request: its tokens and what it cost. No prompt and no answer is kept.' })
@Directive('@key(fields: "id")')
export class UsageRecord {
  @Field(() => ID, { description: 'The request id.' })
  readonly id!: string

  @Field(() => Route, { nullable: true, description: 'Why it was answered where it was.' })
  readonly route!: RouteExplanation | null
}

/** Adds `route` to usage records, in one batch. Records of other accounts have none, because the port does not give it. */
export function usageRecordReferences(routesOf: RoutesOf): ReferenceResolver {
  return async (references, context) => {
    const ids = references.map(({ id }) => id)
    const routes = await routesOf(ids, context)
    return ids.map((id, index) => Object.assign(new UsageRecord(), { id, route: routes[index] ?? null }))
  }
}
