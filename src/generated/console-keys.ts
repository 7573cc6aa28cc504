/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What is done about rules that code in answers breaks. */
export const AnswerScanMode = {
  /** They are told, and the code is withheld: a whole answer has a notice in its place, a stream ends behind the block. So does code that could not be looked at. */
  BLOCK: 'BLOCK',
  /** They are told with the answer. */
  REPORT: 'REPORT'
} as const;

export type AnswerScanMode = typeof AnswerScanMode[keyof typeof AnswerScanMode];
/** What an API key demands of the code in answers. */
export type AnswerScanPolicyInput = {
  /** Nothing below it counts; LOW when left out. */
  minSeverity?: Severity | null | undefined;
  /** What is done about rules that it breaks. */
  mode: AnswerScanMode;
  /** Standards by name; all enabled ones when left out or empty. */
  standards?: Array<string> | null | undefined;
};

/** A new API key. */
export type CreateApiKeyInput = {
  /** Administrators only: the account that gets the key. Your own when left out. */
  accountId?: string | null | undefined;
  /** Administrators only: what it demands of the code in answers; nothing when left out. */
  answerScan?: AnswerScanPolicyInput | null | undefined;
  /** When the key stops working by itself; never when left out. */
  expiresAt?: string | null | undefined;
  /** The only models that it may ask, by id; every model when left out. */
  models?: Array<string> | null | undefined;
  /** Most USD that it may spend in a calendar month (UTC), within the account's own limits; no cap when left out. */
  monthlyCap?: string | null | undefined;
  /** A name for people. */
  name?: string | null | undefined;
  /** Administrators only: most chat requests in a minute (UTC); any number when left out. */
  requestsPerMinute?: number | null | undefined;
  /** CHAT, GPU and SCAN when left out. */
  scopes?: Array<Scope> | null | undefined;
  /** Administrators only: most tokens of chat requests in a minute (UTC); any number when left out. */
  tokensPerMinute?: number | null | undefined;
};

/** Which key to replace, and how long it goes on. */
export type RotateApiKeyInput = {
  /** How long the old key stays valid; a day when left out. */
  graceSeconds?: number | null | undefined;
  /** The key to replace. */
  id: string;
};

/** What an API key may do. */
export const Scope = {
  /** Everything, for every account. */
  ADMIN: 'ADMIN',
  /** Chat completions. */
  CHAT: 'CHAT',
  /** Rent and terminate GPUs. */
  GPU: 'GPU',
  /** Read /metrics: for scrapers. */
  METRICS: 'METRICS',
  /** Scan code. */
  SCAN: 'SCAN'
} as const;

export type Scope = typeof Scope[keyof typeof Scope];
/** What a key demands of the code in answers. */
export type SetApiKeyAnswerScanInput = {
  /** Nothing when left out. */
  answerScan?: AnswerScanPolicyInput | null | undefined;
  /** The key. Those that it was rotated to or from demand the same. */
  id: string;
};

/** Which models a key may ask. */
export type SetApiKeyModelsInput = {
  /** The key. */
  id: string;
  /** The only models that it may ask; every model when left out. */
  models?: Array<string> | null | undefined;
};

/** What a key may ask in a minute. */
export type SetApiKeyRateLimitsInput = {
  /** The key. Those that share its rates, as a rotated one does, get them too. */
  id: string;
  /** Most chat requests in a minute (UTC); any number for null, as it is when left out. */
  requestsPerMinute?: number | null | undefined;
  /** Most tokens of chat requests in a minute (UTC); any number for null, as it is when left out. */
  tokensPerMinute?: number | null | undefined;
};

/** How much harm a violation can do. */
export const Severity = {
  /** Remotely exploitable, with the flow of the data shown, or a secret that looks live. */
  CRITICAL: 'CRITICAL',
  /** Exploitable without a proven remote source, TLS switched off, or a weak cipher. */
  HIGH: 'HIGH',
  /** Hygiene. */
  LOW: 'LOW',
  /** Weakens a defence: weak hashes, cookie flags, CORS, personal data in logs. */
  MEDIUM: 'MEDIUM'
} as const;

export type Severity = typeof Severity[keyof typeof Severity];
export type KeysRowFragment = { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null };

export type KeysTableQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type KeysTableQuery = { viewer: { id: string, keys: { totalCount: number, nodes: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type KeysStandardsQueryVariables = Exact<{ [key: string]: never; }>;


export type KeysStandardsQuery = { scannerConfig: { standards: Array<{ name: string }> } | null };

export type KeysChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type KeysChangedSubscription = { apiKeysChanged: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } };

export type KeysCreateMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type KeysCreateMutation = { createApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null };

export type KeysChangeMutationVariables = Exact<{
  rates: SetApiKeyRateLimitsInput;
  answerScan: SetApiKeyAnswerScanInput;
  models: SetApiKeyModelsInput;
}>;


export type KeysChangeMutation = { setApiKeyRateLimits: { apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null, setApiKeyAnswerScan: { apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null, setApiKeyModels: { apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null };

export type KeysRotateMutationVariables = Exact<{
  input: RotateApiKeyInput;
}>;


export type KeysRotateMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null }, replacedKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null };

export type KeysRevokeMutationVariables = Exact<{
  id: string;
}>;


export type KeysRevokeMutation = { revokeApiKey: { apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, replacedBy: string | null, answerScan: { mode: AnswerScanMode, minSeverity: Severity, standards: Array<string> } | null } } | null };

export const KeysRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysRowFragment, unknown>;
export const KeysTableDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"KeysTable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"keys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysTableQuery, KeysTableQueryVariables>;
export const KeysStandardsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"KeysStandards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scannerConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<KeysStandardsQuery, KeysStandardsQueryVariables>;
export const KeysChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"KeysChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKeysChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysChangedSubscription, KeysChangedSubscriptionVariables>;
export const KeysCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"KeysCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysCreateMutation, KeysCreateMutationVariables>;
export const KeysChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"KeysChange"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"rates"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyRateLimitsInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"answerScan"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyAnswerScanInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"models"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyModelsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setApiKeyRateLimits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"rates"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"setApiKeyAnswerScan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"answerScan"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"setApiKeyModels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"models"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysChangeMutation, KeysChangeMutationVariables>;
export const KeysRotateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"KeysRotate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"replacedKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysRotateMutation, KeysRotateMutationVariables>;
export const KeysRevokeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"KeysRevoke"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeysRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeysRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}}]}}]} as unknown as DocumentNode<KeysRevokeMutation, KeysRevokeMutationVariables>;