/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Whether a model answers now, and if not, why. */
export const Availability = {
  /** Can be deployed on a GPU; the first request starts that. */
  COLD: 'COLD',
  /** A GPU is being set up for it. */
  DEPLOYING: 'DEPLOYING',
  /** Served by a hosted provider or a running GPU; no wait. */
  INSTANT: 'INSTANT',
  /** A provider has it, but its price is not confirmed, so it is not routed to. */
  PRICING_PENDING: 'PRICING_PENDING'
} as const;

export type Availability = typeof Availability[keyof typeof Availability];
/** Files to scan as one request, and how. */
export type BatchScanInput = {
  /** Answers at once with the running scan, to be followed with `scanProgress`; false when left out. */
  background?: boolean | null | undefined;
  /** The files. */
  files: Array<ScanFileInput>;
  /** Keeps the lines with violations in the stored scan; false when left out. */
  keepSnippets?: boolean | null | undefined;
  /** Standards to check; all enabled ones when left out or empty. */
  standards?: Array<string> | null | undefined;
};

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
/** How sure the scanner is. */
export const Confidence = {
  /** Few findings of this kind are wrong. */
  HIGH: 'HIGH',
  /** Often depends on what the scanner cannot see. */
  LOW: 'LOW',
  /** Worth a look. */
  MEDIUM: 'MEDIUM'
} as const;

export type Confidence = typeof Confidence[keyof typeof Confidence];
/** Which stored response to delete. */
export type DeleteStoredResponseInput = {
  /** Its id. */
  id: string;
};

/** How far the deployment of a model is. */
export const DeploymentStatus = {
  /** The machine runs and loads the model. */
  LOADING: 'LOADING',
  /** The machine is being set up. */
  PROVISIONING: 'PROVISIONING',
  /** No machine has been asked for yet. */
  REQUESTED: 'REQUESTED'
} as const;

export type DeploymentStatus = typeof DeploymentStatus[keyof typeof DeploymentStatus];
/** What happens to data at a step of its way. */
export const FlowStepKind = {
  /** It passes into a variable or a part of one. */
  ASSIGNMENT: 'ASSIGNMENT',
  /** It passes into a function of the file. */
  CALL: 'CALL',
  /** It does harm. The last step. */
  SINK: 'SINK',
  /** It enters the program, or this file. */
  SOURCE: 'SOURCE'
} as const;

export type FlowStepKind = typeof FlowStepKind[keyof typeof FlowStepKind];
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
/** Where an interruption probability comes from. */
export const InterruptionOrigin = {
  /** Corrected by what happened to our own sessions. */
  OBSERVED: 'OBSERVED',
  /** Not a spot offer: it is not interrupted. */
  ON_DEMAND: 'ON_DEMAND',
  /** An assumption, because nobody publishes one. */
  PRIOR: 'PRIOR',
  /** The middle of a band that the provider publishes. */
  PUBLISHED: 'PUBLISHED'
} as const;

export type InterruptionOrigin = typeof InterruptionOrigin[keyof typeof InterruptionOrigin];
/** A language that the scanner reads. */
export const Language = {
  /** `bash` in the REST API. */
  BASH: 'BASH',
  /** `c` in the REST API. */
  C: 'C',
  /** `cpp` in the REST API. */
  CPP: 'CPP',
  /** `csharp` in the REST API. */
  CSHARP: 'CSHARP',
  /** `go` in the REST API. */
  GO: 'GO',
  /** `java` in the REST API. */
  JAVA: 'JAVA',
  /** `javascript` in the REST API. */
  JAVASCRIPT: 'JAVASCRIPT',
  /** `kotlin` in the REST API. */
  KOTLIN: 'KOTLIN',
  /** `php` in the REST API. */
  PHP: 'PHP',
  /** `python` in the REST API. */
  PYTHON: 'PYTHON',
  /** `ruby` in the REST API. */
  RUBY: 'RUBY',
  /** `rust` in the REST API. */
  RUST: 'RUST',
  /** `scala` in the REST API. */
  SCALA: 'SCALA',
  /** `sql` in the REST API. */
  SQL: 'SQL',
  /** `swift` in the REST API. */
  SWIFT: 'SWIFT',
  /** `typescript` in the REST API. */
  TYPESCRIPT: 'TYPESCRIPT'
} as const;

export type Language = typeof Language[keyof typeof Language];
/** How a deployment is charged. */
export const PricingType = {
  /** By tokens of input and output. */
  TOKEN: 'TOKEN'
} as const;

export type PricingType = typeof PricingType[keyof typeof PricingType];
/** What to rent. One of modelId, dockerImage and sshKey is required. */
export type RentGpuInput = {
  /** An image to run. */
  dockerImage?: string | null | undefined;
  /** The model is a fine-tuned variant; the machine is set up for it. */
  fineTuned?: boolean | null | undefined;
  /** The GPU, such as "L4", as in the offers. */
  gpuModel: string;
  /** A name of your own for the rental: 1 to 100 characters on one line. */
  label?: string | null | undefined;
  /** The most that one GPU may cost, USD per hour. */
  maxPricePerGpuHour?: string | null | undefined;
  /** A model to serve. */
  modelId?: string | null | undefined;
  /** Only this provider; the cheapest when left out. */
  providerId?: string | null | undefined;
  /** Only this region; the cheapest when left out. */
  region?: string | null | undefined;
  /** Only an offer that the provider may take away, or only one that it may not; the cheapest when left out. */
  spot?: boolean | null | undefined;
  /** One public SSH key in OpenSSH format; the machine then accepts it. */
  sshKey?: string | null | undefined;
};

/** Whether a rented GPU can be used, and whether it costs anything. */
export const RentalStatus = {
  /** The GPU is being set up; nothing is billed yet. */
  PROVISIONING: 'PROVISIONING',
  /** The GPU is active and billed by the second. */
  RUNNING: 'RUNNING',
  /** Billing has stopped and the hold is settled; final. */
  TERMINATED: 'TERMINATED'
} as const;

export type RentalStatus = typeof RentalStatus[keyof typeof RentalStatus];
/** One file to scan, and how. */
export type ScanCodeInput = {
  /** The text of the file. */
  code: string;
  /** The name for reports; "main" with the extension of the language when left out. */
  filename?: string | null | undefined;
  /** Keeps the lines with violations in the stored scan; false when left out. */
  keepSnippets?: boolean | null | undefined;
  /** The language, by its name in lower case or a common short form such as "ts" or "c++". */
  language: string;
  /** Standards to check; all enabled ones when left out or empty. */
  standards?: Array<string> | null | undefined;
};

/** A file to scan. */
export type ScanFileInput = {
  /** The text of the file. */
  code: string;
  /** The name for reports; "main" with the extension of the language when left out. */
  filename?: string | null | undefined;
  /** The language, by its name in lower case or a common short form such as "ts" or "c++". */
  language: string;
};

/** How a scan stands. */
export const ScanStatus = {
  /** All files were looked at; single ones may have failed. Final. */
  COMPLETED: 'COMPLETED',
  /** No file could be analyzed. Final. */
  ERROR: 'ERROR',
  /** Files are being scanned. */
  RUNNING: 'RUNNING'
} as const;

export type ScanStatus = typeof ScanStatus[keyof typeof ScanStatus];
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
/** What the machine behind a session is doing. */
export const SessionPhase = {
  /** The machine starts. */
  BOOTING: 'BOOTING',
  /** A provider has been asked for a machine. */
  CREATING: 'CREATING',
  /** The machine runs, its model does not answer yet. */
  LOADING: 'LOADING',
  /** Paid for, no machine asked for yet. */
  REQUESTED: 'REQUESTED',
  /** Usable. */
  RUNNING: 'RUNNING',
  /** Ended for its owner; the machine is being removed. */
  STOPPING: 'STOPPING',
  /** The machine is gone. */
  TERMINATED: 'TERMINATED'
} as const;

export type SessionPhase = typeof SessionPhase[keyof typeof SessionPhase];
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
/** A response to keep. */
export type StoreResponseInput = {
  /** Its id, which nothing else may have. */
  id: string;
  /** What was new in its input, as items of the API. */
  items: Array<Record<string, unknown>>;
  /** The stored response that it goes on from. */
  previousId?: string | null | undefined;
  /** The response as it was answered. */
  response: Record<string, unknown>;
};

/** Which rental to end. */
export type TerminateRentalInput = {
  /** The rental. */
  id: string;
};

/** Why a session ended. */
export const TerminationReason = {
  /** The balance or the monthly cap no longer covered it. */
  CREDITS_EXHAUSTED: 'CREDITS_EXHAUSTED',
  /** A provider failed to make it; nothing was charged. */
  FAILED: 'FAILED',
  /** Nobody asked the model for as long as an idle one is kept: 15 minutes unless the server is set otherwise. */
  IDLE: 'IDLE',
  /** The provider took the machine away. */
  INTERRUPTED: 'INTERRUPTED',
  /** The request for it was not completed; nothing was charged. */
  NOT_STARTED: 'NOT_STARTED',
  /** No provider had the GPU; nothing was charged. */
  NO_CAPACITY: 'NO_CAPACITY',
  /** The price had risen by more than 5 percent; nothing was charged. */
  OFFER_UNAVAILABLE: 'OFFER_UNAVAILABLE',
  /** It was not usable in time; nothing was charged. */
  TIMEOUT: 'TIMEOUT',
  /** The machine ran, but its model stopped answering. */
  UNHEALTHY: 'UNHEALTHY',
  /** Its owner terminated it. */
  USER: 'USER'
} as const;

export type TerminationReason = typeof TerminationReason[keyof typeof TerminationReason];
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
/** Where a token count comes from. */
export const UsageSource = {
  /** Counted here from what was delivered, because the provider did not say. */
  COUNTED: 'COUNTED',
  /** The provider reported it. */
  REPORTED: 'REPORTED'
} as const;

export type UsageSource = typeof UsageSource[keyof typeof UsageSource];
export type OfferFieldsFragment = { gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, pricePerGpuHour: string, interruptionProbability: number, interruptionOrigin: InterruptionOrigin, spot: boolean, fetchedAt: string };

export type RentalFieldsFragment = { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null };

export type UsageFieldsFragment = { id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null };

export type RestCreateChatCompletionMutationVariables = Exact<{
  body: Record<string, unknown>;
  api: ChatApi;
  scan?: Array<string> | string | null | undefined;
}>;


export type RestCreateChatCompletionMutation = { createChatCompletionRaw:
    | { __typename: 'ChatCompletion', raw: Record<string, unknown> }
    | { __typename: 'ModelDeploying', message: string, model: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: DeploymentStatus, deploymentProvider: string, retryAfterSeconds: number }
   | null };

export type RestChatCompletionSubscriptionVariables = Exact<{
  body: Record<string, unknown>;
  api: ChatApi;
  scan?: Array<string> | string | null | undefined;
}>;


export type RestChatCompletionSubscription = { chatCompletionText:
    | { __typename: 'ChatCompletionText', lines: string, endsAnswer: boolean }
    | { __typename: 'ModelDeploying', message: string, model: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: DeploymentStatus, deploymentProvider: string, retryAfterSeconds: number }
   };

export type RestModelDeployingFragment = { message: string, model: string, estimatedReadySeconds: number, alreadyQueued: boolean, deploymentStatus: DeploymentStatus, deploymentProvider: string, retryAfterSeconds: number };

export type RestCreditsQueryVariables = Exact<{ [key: string]: never; }>;


export type RestCreditsQuery = { viewer: { balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } | null };

export type CreditFieldsFragment = { balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string };

export type RestGpuOffersQueryVariables = Exact<{
  gpuModel?: string | null | undefined;
  provider?: string | null | undefined;
  minVram?: number | null | undefined;
  maxPrice?: string | null | undefined;
}>;


export type RestGpuOffersQuery = { gpuOffers: Array<{ gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, pricePerGpuHour: string, interruptionProbability: number, interruptionOrigin: InterruptionOrigin, spot: boolean, fetchedAt: string }> | null };

export type RestRentGpuMutationVariables = Exact<{
  input: RentGpuInput;
}>;


export type RestRentGpuMutation = { rentGpu: { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } } | null };

export type RestRentalQueryVariables = Exact<{
  id: string;
}>;


export type RestRentalQuery = { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } | null };

export type RestRentalsQueryVariables = Exact<{
  status?: RentalStatus | null | undefined;
}>;


export type RestRentalsQuery = { rentals: { nodes: Array<{ id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null }> } | null };

export type RestTerminateRentalMutationVariables = Exact<{
  input: TerminateRentalInput;
}>;


export type RestTerminateRentalMutation = { terminateRental: { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } } | null };

export type RestChatPromptTokensQueryVariables = Exact<{
  body: Record<string, unknown>;
}>;


export type RestChatPromptTokensQuery = { chatPromptTokens: number | null };

export type RestModelsQueryVariables = Exact<{
  limit?: number | null | undefined;
  offset?: number | null | undefined;
}>;


export type RestModelsQuery = { models: { totalCount: number, models: Array<{ id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null }> } | null, modelAliases: Array<{ name: string, isShown: boolean, model: { id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null } }> | null };

export type RestModelQueryVariables = Exact<{
  id: string;
}>;


export type RestModelQuery = { model: { id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null } | null };

export type RestModelFragment = { id: string, created: number, ownedBy: string, providers: Array<string> | null, providerCount: number | null, availability: Availability, estimatedDeploySeconds: number | null, estimatedCostPerHour: string | null };

export type RestPricesQueryVariables = Exact<{
  model?: string | null | undefined;
  provider?: string | null | undefined;
}>;


export type RestPricesQuery = { prices: Array<{ canonicalModelId: string, providerId: string, providerModelId: string, region: string | null, lastPriceUpdate: string, pricing: { type: PricingType, inputPerMillion: string, outputPerMillion: string, cachedInputPerMillion: string | null }, capabilities: { contextWindow: number, maxOutputTokens: number, supportsFunctionCalling: boolean, supportsJsonMode: boolean, qualityTier: number }, health: { status: HealthStatus, latencyP50Ms: number, latencyP95Ms: number, tokensPerSecond: number } }> | null };

export type RestPriceTiersQueryVariables = Exact<{
  model?: string | null | undefined;
  provider?: string | null | undefined;
}>;


export type RestPriceTiersQuery = { priceTiers: Array<{ tier: Tier, qualityTier: number, lowestInputPerMillion: string, lowestOutputPerMillion: string, cheapest: { canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string }, models: Array<{ canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string }> }> | null };

export type RestTierPriceFragment = { canonicalModelId: string, providerId: string, inputPerMillion: string, outputPerMillion: string };

export type RestBenchmarksQueryVariables = Exact<{ [key: string]: never; }>;


export type RestBenchmarksQuery = { benchmarks: { updatedAt: string, benchmarks: Array<{ canonicalModelId: string, modelMeta: { displayName: string, contextWindow: number, paramsB: number, openWeight: boolean }, ourPrice: { inputPerMillion: string, outputPerMillion: string }, competitors: Array<{ vendor: string, label: string, inputPerMillion: string, outputPerMillion: string }> }> } | null };

export type RestStoredResponseQueryVariables = Exact<{
  id: string;
}>;


export type RestStoredResponseQuery = { storedResponse: { response: Record<string, unknown> } | null };

export type RestStoredResponsesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type RestStoredResponsesQuery = { storedResponses: Array<{ id: string, response: Record<string, unknown>, items: Array<Record<string, unknown>> }> | null };

export type RestStoredConversationQueryVariables = Exact<{
  id: string;
}>;


export type RestStoredConversationQuery = { storedConversation: Array<{ id: string, response: Record<string, unknown>, items: Array<Record<string, unknown>> }> | null };

export type RestStoreResponseMutationVariables = Exact<{
  input: StoreResponseInput;
}>;


export type RestStoreResponseMutation = { storeResponse: { id: string } | null };

export type RestDeleteStoredResponseMutationVariables = Exact<{
  input: DeleteStoredResponseInput;
}>;


export type RestDeleteStoredResponseMutation = { deleteStoredResponse: { id: string } | null };

export type RestStoredFragment = { id: string, response: Record<string, unknown>, items: Array<Record<string, unknown>> };

export type RestScanCodeMutationVariables = Exact<{
  input: ScanCodeInput;
}>;


export type RestScanCodeMutation = { scanCode: { scan: { id: string, status: ScanStatus, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, files: Array<{ filename: string, isTruncated: boolean, error: string | null, warnings: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, violations: Array<{ severity: Severity, confidence: Confidence, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> }> }> } } | null };

export type RestBatchScanMutationVariables = Exact<{
  input: BatchScanInput;
}>;


export type RestBatchScanMutation = { batchScan: { scan: { id: string, status: ScanStatus, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, files: Array<{ filename: string, isTruncated: boolean, error: string | null, warnings: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, violations: Array<{ severity: Severity, confidence: Confidence, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> }> }> } } | null };

export type RestScannerConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type RestScannerConfigQuery = { scannerConfig: { serverUrl: string, version: string, standards: Array<{ name: string }> } | null };

export type RestRulesQueryVariables = Exact<{
  standard?: string | null | undefined;
}>;


export type RestRulesQuery = { rules: { totalCount: number, rules: Array<{ id: string, standard: string, category: string, severity: Severity, description: string, title: string, cwe: Array<number>, languages: Array<Language>, suggestion: string }> } | null };

export type RestScannerHealthQueryVariables = Exact<{ [key: string]: never; }>;


export type RestScannerHealthQuery = { scannerHealth: { status: ScannerHealthStatus, serverUrl: string, latencyMs: number, version: string } | null };

export type RestScanFragment = { id: string, status: ScanStatus, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, files: Array<{ filename: string, isTruncated: boolean, error: string | null, warnings: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, violations: Array<{ severity: Severity, confidence: Confidence, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> }> }> };

export type RestSummaryFragment = { totalViolations: number, critical: number, high: number, medium: number, low: number };

export type RestViolationFragment = { severity: Severity, confidence: Confidence, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> };

export const OfferFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OfferFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GpuOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionOrigin"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"fetchedAt"}}]}}]} as unknown as DocumentNode<OfferFieldsFragment, unknown>;
export const RentalFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RentalFieldsFragment, unknown>;
export const UsageFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<UsageFieldsFragment, unknown>;
export const RestModelDeployingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestModelDeployingFragment, unknown>;
export const CreditFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreditFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]} as unknown as DocumentNode<CreditFieldsFragment, unknown>;
export const RestModelFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelFragment, unknown>;
export const RestTierPriceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestTierPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TierPrice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]} as unknown as DocumentNode<RestTierPriceFragment, unknown>;
export const RestStoredFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestStored"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"response"}},{"kind":"Field","name":{"kind":"Name","value":"items"}}]}}]} as unknown as DocumentNode<RestStoredFragment, unknown>;
export const RestSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]} as unknown as DocumentNode<RestSummaryFragment, unknown>;
export const RestViolationFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<RestViolationFragment, unknown>;
export const RestScanFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestScan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestViolation"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<RestScanFragment, unknown>;
export const RestCreateChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestCreateChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"body"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSONObject"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"scan"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createChatCompletionRaw"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"body"},"value":{"kind":"Variable","name":{"kind":"Name","value":"body"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"scan"},"value":{"kind":"Variable","name":{"kind":"Name","value":"scan"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"raw"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModelDeploying"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestCreateChatCompletionMutation, RestCreateChatCompletionMutationVariables>;
export const RestChatCompletionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RestChatCompletion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"body"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSONObject"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"scan"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatCompletionText"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"body"},"value":{"kind":"Variable","name":{"kind":"Name","value":"body"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"scan"},"value":{"kind":"Variable","name":{"kind":"Name","value":"scan"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionText"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lines"}},{"kind":"Field","name":{"kind":"Name","value":"endsAnswer"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModelDeploying"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestChatCompletionSubscription, RestChatCompletionSubscriptionVariables>;
export const RestCreditsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestCredits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CreditFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreditFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]} as unknown as DocumentNode<RestCreditsQuery, RestCreditsQueryVariables>;
export const RestGpuOffersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestGpuOffers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"gpuModel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minVram"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"maxPrice"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuOffers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"gpuModel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"gpuModel"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"minVram"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minVram"}}},{"kind":"Argument","name":{"kind":"Name","value":"maxPrice"},"value":{"kind":"Variable","name":{"kind":"Name","value":"maxPrice"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OfferFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OfferFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GpuOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionOrigin"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"fetchedAt"}}]}}]} as unknown as DocumentNode<RestGpuOffersQuery, RestGpuOffersQueryVariables>;
export const RestRentGpuDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestRentGpu"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RentGpuInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rentGpu"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RestRentGpuMutation, RestRentGpuMutationVariables>;
export const RestRentalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestRental"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RestRentalQuery, RestRentalQueryVariables>;
export const RestRentalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestRentals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RentalStatus"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rentals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RestRentalsQuery, RestRentalsQueryVariables>;
export const RestTerminateRentalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestTerminateRental"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TerminateRentalInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"terminateRental"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RestTerminateRentalMutation, RestTerminateRentalMutationVariables>;
export const RestChatPromptTokensDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestChatPromptTokens"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"body"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSONObject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatPromptTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"body"},"value":{"kind":"Variable","name":{"kind":"Name","value":"body"}}}]}]}}]} as unknown as DocumentNode<RestChatPromptTokensQuery, RestChatPromptTokensQueryVariables>;
export const RestModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestModels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModel"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"modelAliases"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isShown"}},{"kind":"Field","name":{"kind":"Name","value":"model"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModel"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelsQuery, RestModelsQueryVariables>;
export const RestModelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestModel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestModel"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelQuery, RestModelQueryVariables>;
export const RestPricesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestPrices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"providerModelId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"capabilities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"maxOutputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"supportsFunctionCalling"}},{"kind":"Field","name":{"kind":"Name","value":"supportsJsonMode"}},{"kind":"Field","name":{"kind":"Name","value":"qualityTier"}}]}},{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"latencyP50Ms"}},{"kind":"Field","name":{"kind":"Name","value":"latencyP95Ms"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerSecond"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lastPriceUpdate"}}]}}]}}]} as unknown as DocumentNode<RestPricesQuery, RestPricesQueryVariables>;
export const RestPriceTiersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestPriceTiers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceTiers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"qualityTier"}},{"kind":"Field","name":{"kind":"Name","value":"lowestInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"lowestOutputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cheapest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestTierPrice"}}]}},{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestTierPrice"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestTierPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TierPrice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]} as unknown as DocumentNode<RestPriceTiersQuery, RestPriceTiersQueryVariables>;
export const RestBenchmarksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestBenchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"benchmarks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"modelMeta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"paramsB"}},{"kind":"Field","name":{"kind":"Name","value":"openWeight"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ourPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"competitors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vendor"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]}}]}}]}}]} as unknown as DocumentNode<RestBenchmarksQuery, RestBenchmarksQueryVariables>;
export const RestStoredResponseDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestStoredResponse"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storedResponse"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"response"}}]}}]}}]} as unknown as DocumentNode<RestStoredResponseQuery, RestStoredResponseQueryVariables>;
export const RestStoredResponsesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestStoredResponses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storedResponses"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestStored"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestStored"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"response"}},{"kind":"Field","name":{"kind":"Name","value":"items"}}]}}]} as unknown as DocumentNode<RestStoredResponsesQuery, RestStoredResponsesQueryVariables>;
export const RestStoredConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestStoredConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storedConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestStored"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestStored"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"response"}},{"kind":"Field","name":{"kind":"Name","value":"items"}}]}}]} as unknown as DocumentNode<RestStoredConversationQuery, RestStoredConversationQueryVariables>;
export const RestStoreResponseDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestStoreResponse"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StoreResponseInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"storeResponse"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<RestStoreResponseMutation, RestStoreResponseMutationVariables>;
export const RestDeleteStoredResponseDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestDeleteStoredResponse"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteStoredResponseInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteStoredResponse"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<RestDeleteStoredResponseMutation, RestDeleteStoredResponseMutationVariables>;
export const RestScanCodeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestScanCode"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScanCodeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scanCode"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestScan"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestScan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestViolation"}}]}}]}}]}}]} as unknown as DocumentNode<RestScanCodeMutation, RestScanCodeMutationVariables>;
export const RestBatchScanDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestBatchScan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BatchScanInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"batchScan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestScan"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestScan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestViolation"}}]}}]}}]}}]} as unknown as DocumentNode<RestBatchScanMutation, RestBatchScanMutationVariables>;
export const RestScannerConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestScannerConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scannerConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"serverUrl"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<RestScannerConfigQuery, RestScannerConfigQueryVariables>;
export const RestRulesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestRules"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"standard"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rules"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"standard"},"value":{"kind":"Variable","name":{"kind":"Name","value":"standard"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<RestRulesQuery, RestRulesQueryVariables>;
export const RestScannerHealthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RestScannerHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scannerHealth"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"serverUrl"}},{"kind":"Field","name":{"kind":"Name","value":"latencyMs"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<RestScannerHealthQuery, RestScannerHealthQueryVariables>;