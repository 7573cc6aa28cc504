/**
 * Closed sets of words that more than one subgraph speaks, each declared once: by its name in the graph, and as it is stored and
 * written in REST. They need no library, because threads load them too; what the graph says of them is in graph-enums.ts, or
 * beside the one type that shows them.
 */

/** How capable a model is. */
export const Tier = { LIGHT: 'light', MEDIUM: 'medium', HIGH: 'high' } as const
export type Tier = (typeof Tier)[keyof typeof Tier]

/** The contract's `quality_tier`. */
export const QUALITY_TIERS = { light: 1, medium: 2, high: 3 } as const satisfies Record<Tier, number>

/** How recent real traffic to a deployment went, the best first. */
export const HealthStatus = { HEALTHY: 'healthy', DEGRADED: 'degraded', DOWN: 'down' } as const
export type HealthStatus = (typeof HealthStatus)[keyof typeof HealthStatus]

/** How the answer to a chat ended, as stored with its charge. */
export const EndedAs = {
  COMPLETED: 'completed',
  CLIENT_CLOSED: 'client_closed',
  TIME_LIMIT: 'time_limit',
  KEY_ENDED: 'key_ended',
  SERVER_STOPPED: 'server_stopped',
  PROVIDER_CUT: 'provider_cut',
  BLOCKED: 'blocked',
  FAILED: 'failed',
} as const
export type EndedAs = (typeof EndedAs)[keyof typeof EndedAs]

/** Whether the provider said how many tokens it used, or we counted what arrived. */
export const UsageSource = { REPORTED: 'reported', COUNTED: 'counted' } as const
export type UsageSource = (typeof UsageSource)[keyof typeof UsageSource]

/** The API that a chat came by. Whatever it is, the call and its bill are the same. */
export const ChatApi = {
  CHAT_COMPLETIONS: 'chat_completions',
  RESPONSES: 'responses',
  MESSAGES: 'messages',
  GRAPHQL: 'graphql',
} as const
export type ChatApi = (typeof ChatApi)[keyof typeof ChatApi]

/** Who speaks in a conversation. */
export const ChatRole = {
  SYSTEM: 'system',
  DEVELOPER: 'developer',
  USER: 'user',
  ASSISTANT: 'assistant',
  TOOL: 'tool',
  FUNCTION: 'function',
} as const

/** The API that a provider speaks to us. */
export const ProviderApi = { CHAT_COMPLETIONS: 'chat_completions', MESSAGES: 'messages' } as const
export type ProviderApi = (typeof ProviderApi)[keyof typeof ProviderApi]

/** Which token counts a provider sends in a stream, and so what is asked of it. */
export const StreamUsage = { INCLUDE_USAGE: 'include_usage', CONTINUOUS: 'continuous', NONE: 'none' } as const
export type StreamUsage = (typeof StreamUsage)[keyof typeof StreamUsage]

/** Families of tokenizers that we can count with. */
export const Tokenizer = { O200K: 'o200k_base', CL100K: 'cl100k_base' } as const
export type Tokenizer = (typeof Tokenizer)[keyof typeof Tokenizer]

/** Of a model whose entry names none, or that nobody serves yet. */
export const USUAL_TOKENIZER: Tokenizer = Tokenizer.O200K

/** How many scan requests an account may make. */
export const ScanTier = { FREE: 'free', PRO: 'pro', ENTERPRISE: 'enterprise' } as const
export type ScanTier = (typeof ScanTier)[keyof typeof ScanTier]

/** What is done about rules that code in answers breaks: they are told, or the code is withheld too. */
export const AnswerScanMode = { REPORT: 'report', BLOCK: 'block' } as const
export type AnswerScanMode = (typeof AnswerScanMode)[keyof typeof AnswerScanMode]

/** How bad a violation is, the worst first. */
export const Severity = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const
export type Severity = (typeof Severity)[keyof typeof Severity]

/** How far the deployment of a model is. */
export const DeploymentStatus = { REQUESTED: 'requested', PROVISIONING: 'provisioning', LOADING: 'loading' } as const
export type DeploymentStatus = (typeof DeploymentStatus)[keyof typeof DeploymentStatus]

/** How often a budget begins anew, in UTC; weeks begin on Monday. */
export const BudgetPeriod = { HOUR: 'hour', DAY: 'day', WEEK: 'week', MONTH: 'month', TOTAL: 'total' } as const
export type BudgetPeriod = (typeof BudgetPeriod)[keyof typeof BudgetPeriod]
