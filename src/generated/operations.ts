/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Whether a model answers now, and if not, why. */
export type Availability =
  /** Can be deployed on a GPU; the first request starts that. */
  | 'COLD'
  /** A GPU is being set up for it. */
  | 'DEPLOYING'
  /** Served by a hosted provider or a running GPU; no wait. */
  | 'INSTANT'
  /** A provider has it, but its price is not confirmed, so it is not routed to. */
  | 'PRICING_PENDING';

/** A request for a chat completion. */
export type ChatCompletionInput = {
  /** More fields in the OpenAI shape, or the whole request. What we do not know goes to the provider unchanged; fields given above win. */
  extra?: Record<string, unknown> | null | undefined;
  /** The most tokens of one answer. */
  maxTokens?: number | null | undefined;
  /** The conversation. Required, here or in `extra`. */
  messages?: Array<ChatMessageInput> | null | undefined;
  /** A model id, or a tier: light, medium or high. Required, here or in `extra`. */
  model?: string | null | undefined;
  /** The form of the answer, such as {"type": "json_object"}. */
  responseFormat?: Record<string, unknown> | null | undefined;
  /** The same seed gives the same answer, where the provider can. */
  seed?: number | null | undefined;
  /** A text or an array of texts at which the model stops. */
  stop?: unknown;
  /** How freely the model chooses, 0 to 2. */
  temperature?: number | null | undefined;
  /** Whether and which function must be called. */
  toolChoice?: unknown;
  /** Functions that the model may call, in the OpenAI shape. */
  tools?: unknown;
  /** The share of likely tokens that it chooses from, 0 to 1. */
  topP?: number | null | undefined;
};

/** One message of the conversation. */
export type ChatMessageInput = {
  /** A string, an array of parts in the OpenAI shape, or null. */
  content?: unknown;
  /** More fields of the message; the provider gets them unchanged. */
  extra?: Record<string, unknown> | null | undefined;
  /** The name of the participant or function. */
  name?: string | null | undefined;
  /** system, developer, user, assistant, tool or function. Required. */
  role?: string | null | undefined;
  /** In a message of a tool: the call that it answers. */
  toolCallId?: string | null | undefined;
  /** In a message of the assistant: its calls, in the OpenAI shape. */
  toolCalls?: unknown;
};

/** What a chat request for a model that is still being deployed gets. */
export type ColdStartMode =
  /** 202 with the deploying body. */
  | 'RESPOND'
  /** 503 with Retry-After, which SDKs retry by themselves. */
  | 'RETRY'
  /** The connection is held until the model serves, for at most 100 seconds. */
  | 'WAIT';

/** A new account. */
export type CreateAccountArgs = {
  /** RESPOND when left out. */
  coldStartMode?: ColdStartMode | null | undefined;
  /** Credits to start with, in USD. */
  credits?: string | null | undefined;
  /** Most USD that may be spent in a calendar month (UTC). */
  monthlyCap?: string | null | undefined;
  /** A name for people, 1 to 200 characters. */
  name: string;
  /** The rate limits of the scanner; FREE when left out. */
  scanTier?: ScanTier | null | undefined;
};

/** A new API key. */
export type CreateApiKeyArgs = {
  /** Administrators only: the account that gets the key. Your own when left out. */
  accountId?: string | null | undefined;
  /** When the key stops working by itself; never when left out. */
  expiresAt?: string | null | undefined;
  /** A name for people. */
  name?: string | null | undefined;
  /** CHAT, GPU and SCAN when left out. */
  scopes?: Array<Scope> | null | undefined;
};

/** How recent real traffic went. */
export type HealthStatus =
  /** It answers slowly or fails often; used after healthy ones. */
  | 'DEGRADED'
  /** It keeps failing; tried again after a pause. */
  | 'DOWN'
  /** It answers, or nothing has been asked of it yet. */
  | 'HEALTHY';

/** How many scan requests an account may make. */
export type ScanTier =
  /** The limits that the operator configured. */
  | 'ENTERPRISE'
  /** 60 requests a minute and 1,000 a day. */
  | 'FREE'
  /** 300 requests a minute and 10,000 a day. */
  | 'PRO';

/** What an API key may do. */
export type Scope =
  /** Everything, for every account. */
  | 'ADMIN'
  /** Chat completions. */
  | 'CHAT'
  /** Rent and terminate GPUs. */
  | 'GPU'
  /** Scan code. */
  | 'SCAN';

/** How capable a model is, which is also a keyword that a chat request may name instead of a model. */
export type Tier =
  /** The most capable; quality tier 3. */
  | 'HIGH'
  /** Small and cheap; quality tier 1. */
  | 'LIGHT'
  /** Balanced; quality tier 2. */
  | 'MEDIUM';

/** What to change of an account; a field that is left out stays, null removes a limit. */
export type UpdateAccountArgs = {
  /** What a request for a cold model gets. */
  coldStartMode?: ColdStartMode | null | undefined;
  /** Most GPU sessions at once. */
  maxConcurrentSessions?: number | null | undefined;
  /** Most USD an hour over all GPU sessions. */
  maxHourlySpend?: string | null | undefined;
  /** Most USD that may be spent in a calendar month (UTC). */
  monthlyCap?: string | null | undefined;
  /** A name for people, 1 to 200 characters. */
  name?: string | null | undefined;
  /** The rate limits of the scanner. */
  scanTier?: ScanTier | null | undefined;
};

export type CliAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type CliAccountsQuery = { accounts: Array<{ id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, scanTier: ScanTier, createdAt: string }> };

export type CliAccountQueryVariables = Exact<{
  id: string;
}>;


export type CliAccountQuery = { account: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } | null };

export type CliViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type CliViewerQuery = { viewer: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } };

export type CliCreateAccountMutationVariables = Exact<{
  input: CreateAccountArgs;
}>;


export type CliCreateAccountMutation = { createAccount: { id: string, name: string, balance: string, monthlyCap: string | null, scanTier: ScanTier } };

export type CliUpdateAccountMutationVariables = Exact<{
  id: string;
  input: UpdateAccountArgs;
}>;


export type CliUpdateAccountMutation = { updateAccount: { id: string, name: string, monthlyCap: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, maxConcurrentSessions: number | null, maxHourlySpend: string | null } };

export type CliAddCreditsMutationVariables = Exact<{
  accountId: string;
  amount: string;
  idempotencyKey: string;
}>;


export type CliAddCreditsMutation = { addCredits: { id: string, amount: string, createdAt: string } };

export type CliKeysQueryVariables = Exact<{
  accountId: string;
}>;


export type CliKeysQuery = { account: { keys: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null }> } | null };

export type CliCreateKeyMutationVariables = Exact<{
  input: CreateApiKeyArgs;
}>;


export type CliCreateKeyMutation = { createApiKey: { secret: string, apiKey: { id: string, name: string, scopes: Array<Scope>, expiresAt: string | null } } };

export type CliRotateKeyMutationVariables = Exact<{
  id: string;
  graceSeconds?: number | null | undefined;
}>;


export type CliRotateKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, scopes: Array<Scope>, expiresAt: string | null } } };

export type CliRevokeKeyMutationVariables = Exact<{
  id: string;
}>;


export type CliRevokeKeyMutation = { revokeApiKey: { id: string, revokedAt: string | null } };

export type RestCreateChatCompletionMutationVariables = Exact<{
  input: ChatCompletionInput;
}>;


export type RestCreateChatCompletionMutation = { createChatCompletion:
    | { __typename: 'ChatCompletion', raw: Record<string, unknown> }
    | { __typename: 'ModelDeploying', status: string, message: string, model: string, type: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: string, deploymentProvider: string, retryAfterSeconds: number }
   };

export type RestChatCompletionSubscriptionVariables = Exact<{
  input: ChatCompletionInput;
}>;


export type RestChatCompletionSubscription = { chatCompletion:
    | { __typename: 'ChatCompletionChunk', raw: Record<string, unknown> }
    | { __typename: 'ModelDeploying', status: string, message: string, model: string, type: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: string, deploymentProvider: string, retryAfterSeconds: number }
   };

export type RestModelDeployingFragment = { status: string, message: string, model: string, type: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: string, deploymentProvider: string, retryAfterSeconds: number };

export type RestCreditsQueryVariables = Exact<{ [key: string]: never; }>;


export type RestCreditsQuery = { viewer: { balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } };

export type RestModelsQueryVariables = Exact<{
  limit?: number | null | undefined;
  offset?: number | null | undefined;
}>;


export type RestModelsQuery = { models: { models: Array<{ id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null }> } };

export type RestModelQueryVariables = Exact<{
  id: string;
}>;


export type RestModelQuery = { model: { id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null } | null };

export type RestModelFragment = { id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null };

export type RestPricesQueryVariables = Exact<{
  model?: string | null | undefined;
  provider?: string | null | undefined;
}>;


export type RestPricesQuery = { prices: Array<{ canonicalModelId: string, providerId: string, modelId: string, region: string | null, lastPriceUpdate: string, pricing: { type: string, inputPerMillion: string, outputPerMillion: string, cachedInputPerMillion: string | null }, capabilities: { contextWindow: number, maxOutputTokens: number, supportsFunctionCalling: boolean, supportsJsonMode: boolean, qualityTier: number }, health: { status: HealthStatus, latencyP50Ms: number, latencyP95Ms: number, tokensPerSecond: number } }> };

export type RestPriceTiersQueryVariables = Exact<{
  model?: string | null | undefined;
  provider?: string | null | undefined;
}>;


export type RestPriceTiersQuery = { priceTiers: Array<{ tier: Tier, qualityTier: number, lowestInputPerMillion: string, lowestOutputPerMillion: string, cheapest: { canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string }, models: Array<{ canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string }> }> };

export type RestTierPriceFragment = { canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string };

export type RestBenchmarksQueryVariables = Exact<{ [key: string]: never; }>;


export type RestBenchmarksQuery = { benchmarks: { updatedAt: string, benchmarks: Array<{ canonicalModelId: string, modelMeta: { displayName: string, contextWindow: number, paramsB: number, openWeight: boolean }, ourPrice: { inputPerMillion: string, outputPerMillion: string }, competitors: Array<{ vendor: string, label: string, inputPerMillion: string, outputPerMillion: string }> }> } };

export const RestModelDeployingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestModelDeployingFragment, unknown>;
export const RestModelFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelFragment, unknown>;
export const RestTierPriceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestTierPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TierPrice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]} as unknown as DocumentNode<RestTierPriceFragment, unknown>;
export const CliAccountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<CliAccountsQuery, CliAccountsQueryVariables>;
export const CliAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<CliAccountQuery, CliAccountQueryVariables>;
export const CliViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliViewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<CliViewerQuery, CliViewerQueryVariables>;
export const CliCreateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAccountArgs"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}}]}}]}}]} as unknown as DocumentNode<CliCreateAccountMutation, CliCreateAccountMutationVariables>;
export const CliUpdateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliUpdateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateAccountArgs"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}}]}}]}}]} as unknown as DocumentNode<CliUpdateAccountMutation, CliUpdateAccountMutationVariables>;
export const CliAddCreditsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliAddCredits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"amount"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addCredits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}}},{"kind":"Argument","name":{"kind":"Name","value":"amount"},"value":{"kind":"Variable","name":{"kind":"Name","value":"amount"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<CliAddCreditsMutation, CliAddCreditsMutationVariables>;
export const CliKeysDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliKeys"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keys"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliKeysQuery, CliKeysQueryVariables>;
export const CliCreateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateApiKeyArgs"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliCreateKeyMutation, CliCreateKeyMutationVariables>;
export const CliRotateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRotateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"graceSeconds"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"graceSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"graceSeconds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliRotateKeyMutation, CliRotateKeyMutationVariables>;
export const CliRevokeKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRevokeKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]}}]} as unknown as DocumentNode<CliRevokeKeyMutation, CliRevokeKeyMutationVariables>;
export const RestCreateChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestCreateChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"raw"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModelDeploying"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestCreateChatCompletionMutation, RestCreateChatCompletionMutationVariables>;
export const RestChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RestChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionChunk"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"raw"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModelDeploying"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestChatCompletionSubscription, RestChatCompletionSubscriptionVariables>;
export const RestCreditsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestCredits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<RestCreditsQuery, RestCreditsQueryVariables>;
export const RestModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestModels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModel"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelsQuery, RestModelsQueryVariables>;
export const RestModelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestModel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelQuery, RestModelQueryVariables>;
export const RestPricesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestPrices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capabilities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"maxOutputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"supportsFunctionCalling"}},{"kind":"Field","name":{"kind":"Name","value":"supportsJsonMode"}},{"kind":"Field","name":{"kind":"Name","value":"qualityTier"}}]}},{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"latencyP50Ms"}},{"kind":"Field","name":{"kind":"Name","value":"latencyP95Ms"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerSecond"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lastPriceUpdate"}}]}}]}}]} as unknown as DocumentNode<RestPricesQuery, RestPricesQueryVariables>;
export const RestPriceTiersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestPriceTiers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceTiers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"qualityTier"}},{"kind":"Field","name":{"kind":"Name","value":"lowestInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"lowestOutputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cheapest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestTierPrice"}}]}},{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestTierPrice"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestTierPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TierPrice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]} as unknown as DocumentNode<RestPriceTiersQuery, RestPriceTiersQueryVariables>;
export const RestBenchmarksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestBenchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"modelMeta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"paramsB"}},{"kind":"Field","name":{"kind":"Name","value":"openWeight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ourPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"competitors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vendor"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]}}]}}]}}]} as unknown as DocumentNode<RestBenchmarksQuery, RestBenchmarksQueryVariables>;