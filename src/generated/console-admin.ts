/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Credits to add to an account. */
export type AddCreditsInput = {
  /** The account. */
  accountId: string;
  /** USD, more than 0. */
  amount: string;
  /** Any text that names this payment, 1 to 200 characters. */
  idempotencyKey: string;
};

/** What a chat request for a model that is still being deployed gets. */
export const ColdStartMode = {
  /** 202 with the deploying body. */
  RESPOND: 'RESPOND',
  /** 503 with Retry-After, which SDKs retry by themselves. */
  RETRY: 'RETRY',
  /** The connection is held until the model serves, for at most 100 seconds. */
  WAIT: 'WAIT'
} as const;

export type ColdStartMode = typeof ColdStartMode[keyof typeof ColdStartMode];
/** A new account. */
export type CreateAccountInput = {
  /** The mode of this server (`compute.cold_start_mode`) when left out. */
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

/** Whether a way to GPUs answers. */
export const GpuDriverHealth = {
  /** It answers. */
  ANSWERING: 'ANSWERING',
  /** It limits our rate. */
  LIMITING: 'LIMITING',
  /** It refuses our key. */
  REFUSING: 'REFUSING',
  /** It does not answer, or with faults. */
  SILENT: 'SILENT'
} as const;

export type GpuDriverHealth = typeof GpuDriverHealth[keyof typeof GpuDriverHealth];
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
/** How many scan requests an account may make. */
export const ScanTier = {
  /** The limits that the operator configured. */
  ENTERPRISE: 'ENTERPRISE',
  /** 60 requests a minute and 1,000 a day. */
  FREE: 'FREE',
  /** 300 requests a minute and 10,000 a day. */
  PRO: 'PRO'
} as const;

export type ScanTier = typeof ScanTier[keyof typeof ScanTier];
/** Whether scans are answered. */
export const ScannerHealthStatus = {
  /** Analyzers answer late, because they are busy. */
  DEGRADED: 'DEGRADED',
  /** No analyzer answers. */
  DOWN: 'DOWN',
  /** An analyzer answered a probe in time. */
  HEALTHY: 'HEALTHY'
} as const;

export type ScannerHealthStatus = typeof ScannerHealthStatus[keyof typeof ScannerHealthStatus];
/** What to change of an account; a field that is left out stays, null removes a limit. */
export type UpdateAccountInput = {
  /** What a request for a cold model gets. */
  coldStartMode?: ColdStartMode | null | undefined;
  /** The account. */
  id: string;
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

export type AdminAccountFragment = { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, maxConcurrentSessions: number | null, maxHourlySpend: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, createdAt: string };

export type AdminAccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AdminAccountsQuery = { accounts: { totalCount: number, nodes: Array<{ id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, maxConcurrentSessions: number | null, maxHourlySpend: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AdminCreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type AdminCreateAccountMutation = { createAccount: { account: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, maxConcurrentSessions: number | null, maxHourlySpend: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, createdAt: string } } | null };

export type AdminUpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type AdminUpdateAccountMutation = { updateAccount: { account: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, maxConcurrentSessions: number | null, maxHourlySpend: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, createdAt: string } } | null };

export type AdminAddCreditsMutationVariables = Exact<{
  input: AddCreditsInput;
}>;


export type AdminAddCreditsMutation = { addCredits: { account: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, maxConcurrentSessions: number | null, maxHourlySpend: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, createdAt: string }, entry: { id: string, amount: string } } | null };

export type AdminHealthQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminHealthQuery = { providers: Array<{ id: string, name: string | null, health: HealthStatus, lastError: { at: string, status: number, message: string } | null, openCircuits: Array<{ deploymentId: string, openUntil: string }> | null }> | null, scannerHealth: { status: ScannerHealthStatus, latencyMs: number, version: string } | null };

export type AdminDriversQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminDriversQuery = { gpuDrivers: Array<{ id: string, health: GpuDriverHealth, offerCount: number, circuitOpenUntil: string | null, orphans: Array<{ instanceId: string, label: string }> | null }> | null };

export type AdminLedgerQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminLedgerQuery = { ledgerCheck: { isBalanced: boolean, accounts: number, entries: number, openHolds: number, unsettled: number, checkedAt: string, violations: Array<{ promise: string, subject: string, detail: string }> } | null };

export type AdminSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminSettingsQuery = { installation: { version: string, configFile: string | null, settings: Array<{ name: string, value: unknown, isDefault: boolean, isHidden: boolean }> } | null };

export const AdminAccountFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AdminAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AdminAccountFragment, unknown>;
export const AdminAccountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AdminAccounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AdminAccount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AdminAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AdminAccountsQuery, AdminAccountsQueryVariables>;
export const AdminCreateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdminCreateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AdminAccount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AdminAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AdminCreateAccountMutation, AdminCreateAccountMutationVariables>;
export const AdminUpdateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdminUpdateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AdminAccount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AdminAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AdminUpdateAccountMutation, AdminUpdateAccountMutationVariables>;
export const AdminAddCreditsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdminAddCredits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddCreditsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addCredits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AdminAccount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AdminAccount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AdminAddCreditsMutation, AdminAddCreditsMutationVariables>;
export const AdminHealthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AdminHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"openCircuits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"openUntil"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"scannerHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"latencyMs"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<AdminHealthQuery, AdminHealthQueryVariables>;
export const AdminDriversDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AdminDrivers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuDrivers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"offerCount"}},{"kind":"Field","name":{"kind":"Name","value":"circuitOpenUntil"}},{"kind":"Field","name":{"kind":"Name","value":"orphans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instanceId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}}]}}]}}]}}]} as unknown as DocumentNode<AdminDriversQuery, AdminDriversQueryVariables>;
export const AdminLedgerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AdminLedger"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ledgerCheck"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isBalanced"}},{"kind":"Field","name":{"kind":"Name","value":"accounts"}},{"kind":"Field","name":{"kind":"Name","value":"entries"}},{"kind":"Field","name":{"kind":"Name","value":"openHolds"}},{"kind":"Field","name":{"kind":"Name","value":"unsettled"}},{"kind":"Field","name":{"kind":"Name","value":"checkedAt"}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promise"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]}}]} as unknown as DocumentNode<AdminLedgerQuery, AdminLedgerQueryVariables>;
export const AdminSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AdminSettings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"installation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"configFile"}},{"kind":"Field","name":{"kind":"Name","value":"settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"isDefault"}},{"kind":"Field","name":{"kind":"Name","value":"isHidden"}}]}}]}}]}}]} as unknown as DocumentNode<AdminSettingsQuery, AdminSettingsQueryVariables>;