/**
 * The inference subgraph: chat completions, from the checked request to the settled charge.
 *
 * Owns: request checking, routing and its explanation, the calls to providers, streams, token counts, passive health and
 * circuit breakers, the sandbox provider. Stores only the responses that callers ask to keep: holds,
 * charges and usage records belong to the ledger, models, deployments and prices to the catalogue, both behind `ports.ts`.
 *
 * A call's states: routed -> held -> called (again, at another provider, until the first byte) -> delivering -> settled.
 * A deployment's breaker: closed -> open -> half open (one real request tries) -> closed.
 *
 * Invariants:
 * - no byte reaches a caller before the hold is placed (durably where several processes write), and no last byte before the
 *   settlement is durable;
 * - every call is settled exactly once, however it ends; what is captured never exceeds the hold;
 * - what is billed is what the provider reported for the whole delivered answer, else a count of what was delivered;
 * - nothing delivered, nothing charged; an unpriced deployment is never called;
 * - after the first byte there is no second provider, and a broken stream always says so;
 * - a provider sees nothing of the caller but the request's body and trace id, a caller nothing of a provider but its answer.
 */
import { delay, systemClock, type Clock } from '#platform/clock.js'
import { createOpenCount } from '#platform/requests/open-count.js'
import type { SharedBytes } from '#platform/shared-bytes.js'
import type { Subgraph } from '#platform/subgraph.js'
import { createChatService, type ChatService } from './chat/chat.js'
import { chatSources, ChatResolver } from './chat/chat-resolver.js'
import { HealthTracker, type DeploymentHealth } from './routing/health.js'
import { defaultChatLimits, type ChatLimits } from './limits.js'
import { KNOWN_TOOLS, type ToolCodeRule } from './answers/tool-code.js'
import type {
  AnswerCode,
  CandidateSource,
  CreditLedger,
  DeploymentUse,
  EnsureDeployment,
  KeyRates,
  OnReport,
  RefusedRequest,
  RoutesOf,
} from './ports.js'
import { createLargeRequests } from './chat/large-requests.js'
import { ProviderFaults, type ProviderFault, type ProviderTrouble } from './providers/provider-faults.js'
import { createProviderPools } from './providers/provider-pools.js'
import type { CheckedRequest } from './chat/request.js'
import { UsageRecord, usageRecordReferences } from './routing/route-type.js'
import { StreamUsageMemory } from './providers/stream-usage.js'
import { StoredResponseEntity } from './stored/stored-response.js'
import { StoredResponseResolver } from './stored/stored-response-resolver.js'
import type { StoredResponses } from './stored/stored-responses.js'
import { StreamTicker } from './call/stream-ticker.js'

export type {
  AnswerCode,
  Candidate,
  CandidateModel,
  ChatReport,
  CreditLedger,
  DeploymentUse,
  EnsureDeployment,
  Resolution,
  RoutesOf,
  UsageEntry,
} from './ports.js'
export type { ChatStreamEvent } from './chat/chat-stream.js'
export type { RouteExplanation } from './routing/route.js'
export { ChatCodeFindings, ChatCompletion, ChatCompletionChunk, ChatStreamFault, ModelDeploying } from './chat/chat-type.js'
export type { ChatLimits } from './limits.js'
export { createStoredResponses, type StoredResponseLimits, type StoredResponses } from './stored/stored-responses.js'
export { sandboxServerPath, startSandbox, spawnSandboxServer, type Sandbox } from './sandbox/sandbox.js'

export const inferenceEntities = [StoredResponseEntity]

export interface InferenceDeps {
  readonly storedResponses: StoredResponses
  readonly ledger: CreditLedger
  readonly rates: KeyRates
  readonly answerCode: AnswerCode
  /** Functions whose arguments hold code, beside those of agents in use. */
  readonly answerTools?: readonly ToolCodeRule[]
  readonly candidates: CandidateSource
  readonly ensureDeployment: EnsureDeployment
  /** Nobody needs to know of calls when left out. */
  readonly deploymentUse?: DeploymentUse
  readonly routesOf: RoutesOf
  /** The defaults with what the configuration changes. */
  readonly limits?: Partial<ChatLimits>
  /** Prompts and answers are written on the spans of their calls; never when left out. */
  readonly tellsContent?: boolean
  readonly clock?: Clock
  /** For faults that no caller hears of; goes to the log. */
  readonly onFault?: (error: unknown) => void
  /** Hears how every chat request went. */
  readonly onReport?: OnReport
  /** Hears of requests that were refused before a provider was asked. */
  readonly onRefused?: (refusal: RefusedRequest) => void
  /** For faults of providers that only the operator can repair; goes to the log. */
  readonly onProviderFault?: (fault: ProviderFault) => void
  /** For their other failures; goes to the log. */
  readonly onProviderFailure?: (trouble: ProviderTrouble) => void
}

/** What real traffic says about deployments: for the catalogue and the price list, and to be stored over a restart. */
interface HealthSource {
  /** Until when it is asked nothing, in epoch milliseconds; null while it may be asked. */
  openUntil(deploymentId: string): number | null
  of(deploymentId: string): DeploymentHealth
  snapshot(): DeploymentHealth[]
  load(stored: readonly DeploymentHealth[]): void
}

export interface InferenceSubgraph extends Subgraph {
  readonly chat: ChatService
  readonly health: HealthSource
  /** What keeps a provider from answering that only the operator can repair; null when nothing is known. */
  providerFault(providerId: string): ProviderFault | null
  /** Reads a body that is too large for the event loop; what it answers stands in for the body. */
  readLarge(bytes: SharedBytes): Promise<CheckedRequest>
  /** Streams that are being delivered now; a metric. */
  openStreams(): number
}

export function createInferenceSubgraph(deps: InferenceDeps): InferenceSubgraph {
  const clock = deps.clock ?? systemClock
  const limits = { ...defaultChatLimits, ...deps.limits }
  const health = new HealthTracker(clock)
  const faults = new ProviderFaults(clock, {
    onFault: deps.onProviderFault ?? (() => undefined),
    onTrouble: deps.onProviderFailure ?? (() => undefined),
  })
  const pools = createProviderPools(limits, clock)
  const calls = createOpenCount()
  const large = createLargeRequests(limits)
  const ticker = new StreamTicker(clock, limits.meterIntervalMs)
  const chat = createChatService({
    ledger: deps.ledger,
    rates: deps.rates,
    answerCode: deps.answerCode,
    tools: [...(deps.answerTools ?? []), ...KNOWN_TOOLS],
    candidates: deps.candidates,
    ensureDeployment: deps.ensureDeployment,
    deploymentUse: deps.deploymentUse ?? { begin: () => () => undefined },
    onFault: deps.onFault ?? (() => undefined),
    onReport: deps.onReport ?? (() => undefined),
    onRefused: deps.onRefused ?? (() => undefined),
    health,
    faults,
    streamUsage: new StreamUsageMemory(clock),
    pools,
    ticker,
    calls,
    clock,
    limits,
    tellsContent: deps.tellsContent ?? false,
  })
  return {
    name: 'inference',
    resolvers: [new ChatResolver(chat, large), new StoredResponseResolver(deps.storedResponses)],
    orphanedTypes: [UsageRecord],
    entities: {
      UsageRecord: { kind: 'contributor', load: usageRecordReferences(deps.routesOf) },
      ChatCompletion: { kind: 'owner', load: async (references) => references.map(() => null) },
    },
    sources: chatSources(chat, large),
    answers: ['chatCompletion', 'chatCompletionRaw', 'chatCompletionText'],
    chat,
    health,
    providerFault: (providerId) => faults.lastOf(providerId),
    readLarge: large.read,
    openStreams: () => ticker.size,
    async stop() {
      await Promise.race([calls.none(), delay(clock, limits.stopTimeMs)])
      await Promise.all([pools.close(), large.stop()])
    },
  }
}
