/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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
/** What to do with a price that waits. */
export type ResolvePendingPriceInput = {
  /** Whether it becomes the price in force. */
  accept: boolean;
  /** The deployment, or "<model>@session" for GPU sessions of a model. */
  deploymentId: string;
};

/** A price in US dollars per million tokens. */
export type SetPriceInput = {
  /** Per million cached input tokens; left out: as much as input. */
  cachedInputPerMillion?: string | null | undefined;
  /** What the provider bills us for cached input. */
  costCachedInputPerMillion?: string | null | undefined;
  /** What the provider bills us for input; left out: as known. */
  costInputPerMillion?: string | null | undefined;
  /** What the provider bills us for output; left out: as known. */
  costOutputPerMillion?: string | null | undefined;
  /** The deployment, or "<model>@session" for GPU sessions of a model. */
  deploymentId: string;
  /** Per million input tokens. */
  inputPerMillion: string;
  /** Per million output tokens. */
  outputPerMillion: string;
};

/** How capable a model is, which is also a keyword that a chat request may name instead of a model. */
export const Tier = {
  /** The most capable; quality tier 3. */
  HIGH: 'HIGH',
  /** Small and cheap; quality tier 1. */
  LIGHT: 'LIGHT',
  /** Balanced; quality tier 2. */
  MEDIUM: 'MEDIUM'
} as const;

export type Tier = typeof Tier[keyof typeof Tier];
export type PricesBenchmarkFragment = { canonicalModelId: string, modelMeta: { displayName: string }, ourPrice: { inputPerMillion: string, outputPerMillion: string, providerId: string }, competitors: Array<{ vendor: string, label: string, isSameModel: boolean, inputPerMillion: string, outputPerMillion: string, source: string, date: string }> };

export type PricesTableQueryVariables = Exact<{ [key: string]: never; }>;


export type PricesTableQuery = { benchmarks: { updatedAt: string, benchmarks: Array<{ canonicalModelId: string, modelMeta: { displayName: string }, ourPrice: { inputPerMillion: string, outputPerMillion: string, providerId: string }, competitors: Array<{ vendor: string, label: string, isSameModel: boolean, inputPerMillion: string, outputPerMillion: string, source: string, date: string }> }> } | null, priceTiers: Array<{ tier: Tier, lowestInputPerMillion: string, lowestOutputPerMillion: string, models: Array<{ canonicalModelId: string }>, cheapest: { canonicalModelId: string, inputPerMillion: string, outputPerMillion: string, model: { id: string, displayName: string } | null } }> | null };

export type PricesChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PricesChangedSubscription = { priceChanged: { id: string, canonicalModelId: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, validFrom: string } };

export type PricesTermsFragment = { id: string, inputPerMillion: string | null, outputPerMillion: string | null, costInputPerMillion: string | null, costOutputPerMillion: string | null, validFrom: string, reason: string | null, origin: PriceOrigin };

export type PricesPendingQueryVariables = Exact<{ [key: string]: never; }>;


export type PricesPendingQuery = { pendingPrices: Array<{ deploymentId: string, canonicalModelId: string, providerId: string, current: { id: string, inputPerMillion: string | null, outputPerMillion: string | null, costInputPerMillion: string | null, costOutputPerMillion: string | null, validFrom: string, reason: string | null, origin: PriceOrigin } | null, proposal: { id: string, inputPerMillion: string | null, outputPerMillion: string | null, costInputPerMillion: string | null, costOutputPerMillion: string | null, validFrom: string, reason: string | null, origin: PriceOrigin } | null }> | null, priceFeeds: Array<{ name: string, lastRunAt: string | null, lastSuccessAt: string | null, intervalSeconds: number, matched: number, changed: number, pending: number, problem: string | null, refused: Array<string> }> | null };

export type PricesResolveMutationVariables = Exact<{
  input: ResolvePendingPriceInput;
}>;


export type PricesResolveMutation = { resolvePendingPrice: { priceChange: { id: string, isPending: boolean } | null } | null };

export type PricesSetMutationVariables = Exact<{
  input: SetPriceInput;
}>;


export type PricesSetMutation = { setPrice: { price: { versionId: string, canonicalModelId: string } } | null };

export const PricesBenchmarkFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricesBenchmark"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BenchmarkEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"modelMeta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ourPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"competitors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vendor"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"isSameModel"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"date"}}]}}]}}]} as unknown as DocumentNode<PricesBenchmarkFragment, unknown>;
export const PricesTermsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricesTerms"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"costInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"costOutputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}}]}}]} as unknown as DocumentNode<PricesTermsFragment, unknown>;
export const PricesTableDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PricesTable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricesBenchmark"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"priceTiers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"lowestInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"lowestOutputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cheapest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"model"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricesBenchmark"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BenchmarkEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"modelMeta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ourPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"competitors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vendor"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"isSameModel"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"date"}}]}}]}}]} as unknown as DocumentNode<PricesTableQuery, PricesTableQueryVariables>;
export const PricesChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PricesChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}}]}}]}}]} as unknown as DocumentNode<PricesChangedSubscription, PricesChangedSubscriptionVariables>;
export const PricesPendingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PricesPending"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pendingPrices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricesTerms"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proposal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricesTerms"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"priceFeeds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastSuccessAt"}},{"kind":"Field","name":{"kind":"Name","value":"intervalSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"matched"}},{"kind":"Field","name":{"kind":"Name","value":"changed"}},{"kind":"Field","name":{"kind":"Name","value":"pending"}},{"kind":"Field","name":{"kind":"Name","value":"problem"}},{"kind":"Field","name":{"kind":"Name","value":"refused"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricesTerms"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"costInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"costOutputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}}]}}]} as unknown as DocumentNode<PricesPendingQuery, PricesPendingQueryVariables>;
export const PricesResolveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PricesResolve"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResolvePendingPriceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resolvePendingPrice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceChange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}}]}}]}}]}}]} as unknown as DocumentNode<PricesResolveMutation, PricesResolveMutationVariables>;
export const PricesSetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PricesSet"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetPriceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setPrice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"price"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}}]}}]}}]}}]} as unknown as DocumentNode<PricesSetMutation, PricesSetMutationVariables>;