/** Who asks, and until when: what every resolver gets, whichever edge the request came through. */
import { AppError } from '../errors.js'
import type { AnswerScanMode, Severity } from '../vocabulary/words.js'
import type { RequestTrail } from './trail.js'
import type { TraceSpan } from './tracing.js'

export const Scope = { CHAT: 'chat', GPU: 'gpu', SCAN: 'scan', METRICS: 'metrics', ADMIN: 'admin' } as const
export type Scope = (typeof Scope)[keyof typeof Scope]

/** The holder of a valid API key. */
export interface Principal {
  readonly accountId: string
  readonly keyId: string
  readonly scopes: ReadonlySet<Scope>
  /** The only models that the key may ask; every model when left out. */
  readonly models?: ReadonlySet<string>
  /** The budgets that whatever the key spends comes out of; only the account's credits when left out. */
  readonly budgetIds?: readonly string[]
  /** Those that only some models come out of. */
  readonly modelBudgets?: readonly ModelBudget[]
  /** Of a key that may ask only so much in a minute. */
  readonly rateLimits?: RateLimits
  /** Of a key whose answers are scanned whether or not its holder asks for it. */
  readonly answerScan?: AnswerScanPolicy
}

export interface ModelBudget {
  readonly id: string
  /** By id. */
  readonly models: ReadonlySet<string>
}

/** What a key demands of the code in answers. */
export interface AnswerScanPolicy {
  readonly mode: AnswerScanMode
  /** By name; all enabled ones when empty. */
  readonly standards: readonly string[]
  /** Nothing below it counts. */
  readonly minSeverity: Severity
}

/** What a key may ask in a minute; null for any number. Keys of one group share it. */
export interface RateLimits {
  readonly group: string
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
}

/** The budgets of a request that one of these models will answer: the usual caller has none. */
export function budgetsFor(
  { budgetIds, modelBudgets }: Principal,
  models: () => readonly string[],
): readonly string[] | undefined {
  if (modelBudgets === undefined) return budgetIds
  const asked = models()
  const matching = modelBudgets.filter((budget) => asked.some((id) => budget.models.has(id))).map(({ id }) => id)
  return matching.length === 0 ? budgetIds : [...(budgetIds ?? []), ...matching]
}

/** Where headers of the answer can be set before it begins. */
export interface AnswerHead {
  readonly headersSent: boolean
  getHeader(name: string): unknown
  setHeader(name: string, value: string): unknown
}

export interface RequestContext {
  /** Also the `x-request-id` response header and the id in every log line; of what another process did, its own (passed-on.ts). */
  readonly requestId: string
  readonly principal: Principal | null
  /** Aborts when the request must end early, with the fault that says why as its reason (see end-reasons.ts). */
  readonly signal: AbortSignal
  /** When the request arrived, of the monotonic clock: its time limit must not move with the wall clock. */
  readonly startedAt: number
  /** Request headers that a resolver may read, lower-case: `prefer`, `idempotency-key`, `traceparent`, `last-event-id`, `sluice-scan`. */
  readonly headers: ReadonlyMap<string, string>
  /** What is learnt of the request, for its line in the log; left out where nobody keeps one. */
  readonly trail?: RequestTrail
  /** How many chat calls it has had so far: each has a hold of its own. Copies of a context share it. */
  readonly chats: { count: number }
  /** Left out for callers without an HTTP answer. */
  readonly answerHead?: AnswerHead
  /** Where spans of the request go; left out where nobody traces. */
  readonly span?: TraceSpan
  /** The caller's credential as an `Authorization` header, for a gateway to pass on to our own subgraph processes and to nobody else. */
  readonly authorization?: string
}

/** One message for missing, malformed, unknown, expired and revoked keys, so that none can be told from another. */
export const authenticationError = (): AppError =>
  new AppError('authentication_error', 'Missing or invalid API key. Send it as "Authorization: Bearer <API_KEY>".')

/** The caller, who must hold `scope`. */
export function requireScope(context: RequestContext, scope: Scope): Principal {
  const { principal } = context
  if (!principal) throw authenticationError()
  if (!principal.scopes.has(scope) && !isAdministrator(principal)) {
    throw new AppError('insufficient_scope', `This API key lacks the scope "${scope}".`)
  }
  return principal
}

/** An administrator's key sees every account and holds every scope. */
export const isAdministrator = (principal: Principal | null): boolean => principal?.scopes.has('admin') ?? false

/** The rule of sight: an account and what belongs to it exist for its own keys and for administrators. */
export const sees = (principal: Principal | null, accountId: string): boolean =>
  principal !== null && (principal.accountId === accountId || isAdministrator(principal))

/** The caller with any valid key. */
export function requirePrincipal(context: RequestContext): Principal {
  if (!context.principal) throw authenticationError()
  return context.principal
}

/** The longest key that a request may carry, in characters. */
export const MAX_TOKEN_LENGTH = 512
const BEARER = new RegExp(`^Bearer +([\\x21-\\x7e]{1,${MAX_TOKEN_LENGTH}})$`, 'i')

/** The token of an `Authorization: Bearer` header, or null when the header is missing or malformed. */
export function bearerToken(header: string | undefined): string | null {
  const match = header === undefined ? null : BEARER.exec(header)
  return match?.[1] ?? null
}
