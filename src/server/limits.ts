/** The limits of the configuration, in the words and units of the edges that keep them. */
import type { EdgeLimits } from '../edge/route.js'
import type { LargeBodyLimits } from '../edge/large-bodies.js'
import type { HopLimits } from '../graph/gateway/remote/remote-subgraph.js'
import type { Config } from '../config/config.js'
import type { HttpLimits } from './http/http.js'
import type { ServerMode } from './modes.js'

export const httpLimits = ({ limits }: Config): HttpLimits => ({
  headerBytes: limits.header_bytes,
  headerMs: limits.header_seconds * 1000,
  bodyMs: limits.body_seconds * 1000,
  keepAliveMs: limits.keep_alive_seconds * 1000,
  drainMs: limits.drain_seconds * 1000,
  shutdownMs: limits.shutdown_seconds * 1000,
})

export const edgeLimits = ({ limits, responses }: Config): EdgeLimits => ({
  maxBodyBytes: limits.body_bytes,
  maxSmallBodyBytes: limits.small_body_bytes,
  maxJsonDepth: limits.json_depth,
  storesResponses: responses.store_by_default,
})

export const largeBodyLimits = ({ limits }: Config): LargeBodyLimits => ({
  fromBytes: limits.large_body_bytes,
  accountBytes: limits.large_body_account_bytes,
  totalBytes: limits.large_body_total_bytes,
  accountWaiting: limits.large_body_account_waiting,
  waitMs: limits.large_body_wait_seconds * 1000,
  maxValues: limits.json_values,
})

/** What a gateway of ours accepted must pass the hop to the process that scans it. */
export const graphBodyBytes = ({ limits, scanner }: Config, mode: ServerMode): number =>
  mode.kind === 'subgraph' ? Math.max(limits.body_bytes, scanner.body_bytes) : limits.body_bytes

/** A router in front asks a subgraph for many entities in one document and has limits of its own. */
const ROUTERS_SHARE = 10

export function graphLimits({ graphql }: Config, mode: ServerMode) {
  const factor = mode.kind === 'subgraph' ? ROUTERS_SHARE : 1
  return {
    maxDepth: graphql.max_depth * factor,
    maxAliases: graphql.max_aliases * factor,
    maxDirectives: graphql.max_directives * factor,
    maxTokens: graphql.max_tokens * factor,
    maxCost: graphql.max_cost * factor,
    introspection: graphql.introspection,
  }
}

export const hopLimits = ({ graphql }: Config): HopLimits => ({
  connectMs: graphql.subgraph_connect_seconds * 1000,
  answerMs: graphql.subgraph_answer_seconds * 1000,
  idleMs: graphql.subgraph_idle_seconds * 1000,
  silenceMs: graphql.subgraph_silence_seconds * 1000,
})
