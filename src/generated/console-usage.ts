/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The API that a chat came by. */
export const ChatApi = {
  /** OpenAI's chat completions. */
  CHAT_COMPLETIONS: 'CHAT_COMPLETIONS',
  /** This graph. */
  GRAPHQL: 'GRAPHQL',
  /** Anthropic's Messages. */
  MESSAGES: 'MESSAGES',
  /** OpenAI's Responses. */
  RESPONSES: 'RESPONSES'
} as const;

export type ChatApi = typeof ChatApi[keyof typeof ChatApi];
/** How recent real traffic went. */
export const HealthStatus = {
  /** It answers slowly or fails often; used after healthy ones. */
  DEGRADED: 'DEGRADED',
  /** It keeps failing; tried again after a pause. */
  DOWN: 'DOWN',
  /** It answers, or nothing has been asked of it yet. */
  HEALTHY: 'HEALTHY'
} as const;

export type HealthStatus = typeof HealthStatus[keyof typeof HealthStatus];
/** What moved credits. */
export const LedgerEntryKind = {
  /** A correction that the operator made. */
  ADJUSTMENT: 'ADJUSTMENT',
  /** What a request or a GPU cost. */
  CHARGE: 'CHARGE',
  /** The charges of a day that is too old to be kept one by one. */
  DAILY_CHARGES: 'DAILY_CHARGES',
  /** The credits that were added on such a day. */
  DAILY_CREDITS: 'DAILY_CREDITS',
  /** Credits that were added. */
  TOP_UP: 'TOP_UP'
} as const;

export type LedgerEntryKind = typeof LedgerEntryKind[keyof typeof LedgerEntryKind];
/** Who said what a deployment costs. */
export const PriceOrigin = {
  /** A person; wins over both others until cleared. */
  ADMINISTRATOR: 'ADMINISTRATOR',
  /** The configuration file or the shipped catalogue. */
  CONFIG: 'CONFIG',
  /** A public price list that is read on a schedule. */
  FEED: 'FEED'
} as const;

export type PriceOrigin = typeof PriceOrigin[keyof typeof PriceOrigin];
/** Why the router kept or skipped a deployment. */
export const RouteReason = {
  /** Kept: the first choice. */
  CHEAPEST: 'CHEAPEST',
  /** Skipped: the conversation is too long for it. */
  CONTEXT_WINDOW: 'CONTEXT_WINDOW',
  /** Kept behind healthy ones: it fails often. */
  DEGRADED: 'DEGRADED',
  /** Skipped: it keeps failing. */
  DOWN: 'DOWN',
  /** Kept: tried when those before it fail. */
  FALLBACK: 'FALLBACK',
  /** Kept although it is down, because nothing else is left. */
  LAST_RESORT: 'LAST_RESORT',
  /** Skipped: it cannot write as much as was asked for. */
  MAX_OUTPUT_TOKENS: 'MAX_OUTPUT_TOKENS',
  /** Skipped: it takes no tools. */
  NO_FUNCTION_CALLING: 'NO_FUNCTION_CALLING',
  /** Skipped: it takes no such form of answer. */
  NO_JSON_MODE: 'NO_JSON_MODE',
  /** Skipped: its provider has as many requests as it may have. */
  OVER_LIMIT: 'OVER_LIMIT',
  /** Skipped: its price is not confirmed. */
  PRICING_PENDING: 'PRICING_PENDING',
  /** Kept behind others: its provider limits our rate. */
  RATE_LIMITED: 'RATE_LIMITED',
  /** Kept behind faster ones. */
  SLOW: 'SLOW',
  /** Kept: gets one request to show whether it has recovered. */
  TRIAL: 'TRIAL',
  /** Skipped: another request is its trial. */
  TRIAL_IN_FLIGHT: 'TRIAL_IN_FLIGHT',
  /** Skipped: the API of its provider cannot say what was asked for. */
  UNSUPPORTED_FIELD: 'UNSUPPORTED_FIELD'
} as const;

export type RouteReason = typeof RouteReason[keyof typeof RouteReason];
/** What usage is added up by. */
export const UsageGrouping = {
  /** Calendar day, UTC. */
  DAY: 'DAY',
  /** Hour, UTC; of 31 days at most. */
  HOUR: 'HOUR',
  /** API key id. */
  KEY: 'KEY',
  /** Canonical model id. */
  MODEL: 'MODEL',
  /** Routing identifier of the provider; "session" for GPUs of this server. */
  PROVIDER: 'PROVIDER'
} as const;

export type UsageGrouping = typeof UsageGrouping[keyof typeof UsageGrouping];
/** How a request ended. Whatever ended it, only what was delivered is charged. */
export const UsageOutcome = {
  /** Its code breaks rules that the key demands: it was withheld, or the answer ended behind it. */
  BLOCKED: 'BLOCKED',
  /** The caller left before its end. */
  CLIENT_CLOSED: 'CLIENT_CLOSED',
  /** The answer was delivered whole. */
  COMPLETED: 'COMPLETED',
  /** No provider answered. */
  FAILED: 'FAILED',
  /** Its API key was revoked or expired meanwhile. */
  KEY_ENDED: 'KEY_ENDED',
  /** The provider broke off. */
  PROVIDER_CUT: 'PROVIDER_CUT',
  /** The server died; another one charged what had been delivered. */
  SERVER_LOST: 'SERVER_LOST',
  /** The server was stopped. */
  SERVER_STOPPED: 'SERVER_STOPPED',
  /** It took longer than a request may. */
  TIME_LIMIT: 'TIME_LIMIT'
} as const;

export type UsageOutcome = typeof UsageOutcome[keyof typeof UsageOutcome];
/** The order of usage records. */
export const UsageSort = {
  /** By cost, the highest first; of the last 30 days when `from` is left out. */
  COSTLIEST: 'COSTLIEST',
  /** By arrival, the newest first. */
  NEWEST: 'NEWEST',
  /** By arrival, the oldest first. */
  OLDEST: 'OLDEST',
  /** By duration, the longest first; of the last 30 days when `from` is left out. */
  SLOWEST: 'SLOWEST'
} as const;

export type UsageSort = typeof UsageSort[keyof typeof UsageSort];
/** Where a token count comes from. */
export const UsageSource = {
  /** Counted here from what was delivered, because the provider did not say. */
  COUNTED: 'COUNTED',
  /** The provider reported it. */
  REPORTED: 'REPORTED'
} as const;

export type UsageSource = typeof UsageSource[keyof typeof UsageSource];
export type RouteFragment = { route: { requested: string, servedBy: string | null, candidates: Array<{ deploymentId: string, modelId: string, providerId: string, effectivePrice: string | null, health: HealthStatus, kept: boolean, reason: RouteReason }>, attempts: Array<{ deploymentId: string, providerId: string, outcome: string, status: number | null, durationMs: number }> } | null };

export type UsageMoneyQueryVariables = Exact<{ [key: string]: never; }>;


export type UsageMoneyQuery = { viewer: { id: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } | null };

export type UsageChoicesQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
}>;


export type UsageChoicesQuery = { viewer: { id: string, keys: { nodes: Array<{ id: string, name: string, prefix: string }> }, models: Array<{ group: string | null }>, providers: Array<{ group: string | null }> } | null };

export type UsageTotalsQueryVariables = Exact<{
  group: UsageGrouping;
  from?: string | null | undefined;
  to?: string | null | undefined;
  model?: string | null | undefined;
  key?: string | null | undefined;
  provider?: string | null | undefined;
  outcome?: UsageOutcome | null | undefined;
  api?: ChatApi | null | undefined;
  minCost?: string | null | undefined;
}>;


export type UsageTotalsQuery = { viewer: { id: string, usageBy: Array<{ group: string | null, requests: number, cost: string }> } | null };

export type UsageRowsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  sort?: UsageSort | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  model?: string | null | undefined;
  key?: string | null | undefined;
  provider?: string | null | undefined;
  outcome?: UsageOutcome | null | undefined;
  api?: ChatApi | null | undefined;
  minCost?: string | null | undefined;
}>;


export type UsageRowsQuery = { viewer: { id: string, usage: { nodes: Array<{ id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type UsageRecordedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type UsageRecordedSubscription = { usageRecorded: { id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null } };

export type UsageDetailQueryVariables = Exact<{
  id: string;
}>;


export type UsageDetailQuery = { usageRecord: { id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null, priceVersion: { id: string, inputPerMillion: string | null, cachedInputPerMillion: string | null, outputPerMillion: string | null, validFrom: string, origin: PriceOrigin } | null, entries: Array<{ id: string, amount: string, kind: LedgerEntryKind, createdAt: string }>, route: { requested: string, servedBy: string | null, candidates: Array<{ deploymentId: string, modelId: string, providerId: string, effectivePrice: string | null, health: HealthStatus, kept: boolean, reason: RouteReason }>, attempts: Array<{ deploymentId: string, providerId: string, outcome: string, status: number | null, durationMs: number }> } | null } | null };

export type UsageRefusedQueryVariables = Exact<{ [key: string]: never; }>;


export type UsageRefusedQuery = { viewer: { id: string, refusedRequests: { nodes: Array<{ id: string, createdAt: string, keyId: string, model: string | null, api: ChatApi, code: string, message: string }> } } | null };

export type UsageFieldsFragment = { id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null };

export const RouteFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Route"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requested"}},{"kind":"Field","name":{"kind":"Name","value":"servedBy"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"effectivePrice"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"kept"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]}}]} as unknown as DocumentNode<RouteFragment, unknown>;
export const UsageFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<UsageFieldsFragment, unknown>;
export const UsageMoneyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageMoney"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<UsageMoneyQuery, UsageMoneyQueryVariables>;
export const UsageChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"keys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"models"},"name":{"kind":"Name","value":"usageBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"EnumValue","value":"MODEL"}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"group"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"providers"},"name":{"kind":"Name","value":"usageBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"EnumValue","value":"PROVIDER"}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"group"}}]}}]}}]}}]} as unknown as DocumentNode<UsageChoicesQuery, UsageChoicesQueryVariables>;
export const UsageTotalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageTotals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"group"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageGrouping"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageOutcome"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"usageBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"Variable","name":{"kind":"Name","value":"group"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"outcome"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"minCost"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"group"}},{"kind":"Field","name":{"kind":"Name","value":"requests"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}}]}}]}}]}}]} as unknown as DocumentNode<UsageTotalsQuery, UsageTotalsQueryVariables>;
export const UsageRowsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageRows"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageSort"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageOutcome"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"outcome"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"minCost"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<UsageRowsQuery, UsageRowsQueryVariables>;
export const UsageRecordedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"UsageRecorded"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usageRecorded"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<UsageRecordedSubscription, UsageRecordedSubscriptionVariables>;
export const UsageDetailDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageDetail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usageRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageFields"}},{"kind":"Field","name":{"kind":"Name","value":"priceVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Route"}},{"kind":"Field","name":{"kind":"Name","value":"entries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Route"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requested"}},{"kind":"Field","name":{"kind":"Name","value":"servedBy"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"effectivePrice"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"kept"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]}}]} as unknown as DocumentNode<UsageDetailQuery, UsageDetailQueryVariables>;
export const UsageRefusedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsageRefused"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"refusedRequests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<UsageRefusedQuery, UsageRefusedQueryVariables>;