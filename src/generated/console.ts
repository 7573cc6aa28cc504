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
/** A request for a chat completion. */
export type ChatCompletionInput = {
  /** More fields in the OpenAI shape, such as reasoning_effort. What we do not know goes to the provider unchanged; fields given above win. */
  extra?: Record<string, unknown> | null | undefined;
  /** The most tokens of one answer. */
  maxTokens?: number | null | undefined;
  /** The conversation. */
  messages: Array<ChatMessageInput>;
  /** A model id, a tier (light, medium or high), or an alias of either. */
  model: string;
  /** The form of the answer. */
  responseFormat?: ChatResponseFormatInput | null | undefined;
  /** The same seed gives the same answer, where the provider can. */
  seed?: number | null | undefined;
  /** Texts at which the model stops. */
  stop?: Array<string> | null | undefined;
  /** How freely the model chooses, 0 to 2. */
  temperature?: number | null | undefined;
  /** Whether and which function must be called. */
  toolChoice?: ChatToolChoiceInput | null | undefined;
  /** Functions that the model may call. */
  tools?: Array<ChatToolInput> | null | undefined;
  /** The share of likely tokens that it chooses from, 0 to 1. */
  topP?: number | null | undefined;
};

/** A part of a message. Exactly one of its fields is given. */
export type ChatContentPartInput = {
  /** An image. */
  image?: ChatImageInput | null | undefined;
  /** Any other part, in the OpenAI shape. */
  raw?: Record<string, unknown> | null | undefined;
  /** Text. */
  text?: string | null | undefined;
};

/** The function that is called, and with what. */
export type ChatFunctionCallInput = {
  /** The arguments as JSON text. */
  arguments: string;
  /** The name of the function. */
  name: string;
};

/** A function that the model may call. */
export type ChatFunctionInput = {
  /** What it does, for the model. */
  description?: string | null | undefined;
  /** Its name. */
  name: string;
  /** Its parameters as a JSON Schema. */
  parameters?: Record<string, unknown> | null | undefined;
  /** Whether arguments must fit the schema exactly. */
  strict?: boolean | null | undefined;
};

/** An image for the model to look at. */
export type ChatImageInput = {
  /** How closely to look: auto, low, high or another word of the provider. */
  detail?: string | null | undefined;
  /** Where it is, or the image itself as a data: URL. */
  url: string;
};

/** The schema that an answer fits. */
export type ChatJsonSchemaInput = {
  /** What it is for, for the model. */
  description?: string | null | undefined;
  /** A name for the schema. */
  name: string;
  /** The JSON Schema. */
  schema?: Record<string, unknown> | null | undefined;
  /** Whether the answer must fit it exactly. */
  strict?: boolean | null | undefined;
};

/** One message of the conversation. */
export type ChatMessageInput = {
  /** The text. Not together with `parts`. */
  content?: string | null | undefined;
  /** More fields of the message; the provider gets them unchanged. */
  extra?: Record<string, unknown> | null | undefined;
  /** The name of the participant or function. */
  name?: string | null | undefined;
  /** Text and images in turn. */
  parts?: Array<ChatContentPartInput> | null | undefined;
  /** Who speaks. */
  role: ChatRole;
  /** In a message of a tool: the call that it answers. */
  toolCallId?: string | null | undefined;
  /** In a message of the assistant: its calls. */
  toolCalls?: Array<ChatToolCallInput> | null | undefined;
};

/** The form of the answer. */
export type ChatResponseFormatInput = {
  /** The schema, for JSON_SCHEMA. */
  jsonSchema?: ChatJsonSchemaInput | null | undefined;
  /** The form. */
  type: ChatResponseFormatType;
};

/** The form of an answer. */
export const ChatResponseFormatType = {
  /** A JSON object. */
  JSON_OBJECT: 'JSON_OBJECT',
  /** JSON that fits a schema. */
  JSON_SCHEMA: 'JSON_SCHEMA',
  /** Any text. */
  TEXT: 'TEXT'
} as const;

export type ChatResponseFormatType = typeof ChatResponseFormatType[keyof typeof ChatResponseFormatType];
/** Who speaks in a conversation. */
export const ChatRole = {
  /** The model. */
  ASSISTANT: 'ASSISTANT',
  /** The same, as newer models call it. */
  DEVELOPER: 'DEVELOPER',
  /** The same, as older models call it. */
  FUNCTION: 'FUNCTION',
  /** The instructions of the application. */
  SYSTEM: 'SYSTEM',
  /** A function, with the answer to a call. */
  TOOL: 'TOOL',
  /** Who asks. */
  USER: 'USER'
} as const;

export type ChatRole = typeof ChatRole[keyof typeof ChatRole];
/** A call of a function that the model asked for. */
export type ChatToolCallInput = {
  /** The call. */
  function: ChatFunctionCallInput;
  /** What the answer to the call names. */
  id: string;
};

/** Whether and which function is called. Exactly one of its fields is given. */
export type ChatToolChoiceInput = {
  /** The name of the function that must be called. */
  function?: string | null | undefined;
  /** Whether any is called. */
  mode?: ChatToolChoiceMode | null | undefined;
};

/** Whether the model calls a function. */
export const ChatToolChoiceMode = {
  /** As it thinks fit. */
  AUTO: 'AUTO',
  /** Never. */
  NONE: 'NONE',
  /** It must call at least one. */
  REQUIRED: 'REQUIRED'
} as const;

export type ChatToolChoiceMode = typeof ChatToolChoiceMode[keyof typeof ChatToolChoiceMode];
/** A tool that the model may use. */
export type ChatToolInput = {
  /** The function. */
  function: ChatFunctionInput;
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
/** What a message to a model may hold. */
export const InputModality = {
  /** Images beside the text. */
  IMAGE: 'IMAGE',
  /** Text. */
  TEXT: 'TEXT'
} as const;

export type InputModality = typeof InputModality[keyof typeof InputModality];
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
export type ConsoleViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleViewerQuery = { viewer: { name: string, id: string, balance: string, held: string, available: string } | null, viewerKey: { id: string, name: string, prefix: string, scopes: Array<Scope> } | null };

export type ConsoleBalanceFragment = { id: string, balance: string, held: string, available: string };

export type ConsoleBalanceChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ConsoleBalanceChangedSubscription = { creditBalance: { id: string, balance: string, held: string, available: string } };

export type PlayModelFragment = { id: string, displayName: string, ownedBy: string, tier: Tier, availability: Availability, contextWindow: number | null, maxOutputTokens: number | null, supportsFunctionCalling: boolean | null, supportsJsonMode: boolean | null, inputModalities: Array<InputModality> | null, estimatedDeploySeconds: number | null, cheapestPrice: { providerId: string, deploymentId: string, pricing: { inputPerMillion: string, outputPerMillion: string }, health: { latencyP50Ms: number, tokensPerSecond: number, status: HealthStatus } } | null };

export type PlayModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type PlayModelsQuery = { modelAliases: Array<{ name: string, tier: Tier | null, model: { id: string } }> | null, models: { models: Array<{ id: string, displayName: string, ownedBy: string, tier: Tier, availability: Availability, contextWindow: number | null, maxOutputTokens: number | null, supportsFunctionCalling: boolean | null, supportsJsonMode: boolean | null, inputModalities: Array<InputModality> | null, estimatedDeploySeconds: number | null, cheapestPrice: { providerId: string, deploymentId: string, pricing: { inputPerMillion: string, outputPerMillion: string }, health: { latencyP50Ms: number, tokensPerSecond: number, status: HealthStatus } } | null }> } | null };

export type PlayAvailabilitySubscriptionVariables = Exact<{
  id?: string | null | undefined;
}>;


export type PlayAvailabilitySubscription = { modelAvailability: { id: string, availability: Availability, estimatedDeploySeconds: number | null, session: { id: string, phase: SessionPhase, estimatedReadySeconds: number | null, gpuModel: string, pricePerHour: string } | null } };

export type PlayChatSubscriptionVariables = Exact<{
  input: ChatCompletionInput;
}>;


export type PlayChatSubscription = { chatCompletion:
    | { __typename: 'ChatCodeFindings', block: number, line: number, isBlocked: boolean, findings: Array<Record<string, unknown>>, fault: string | null }
    | { __typename: 'ChatCompletionChunk', requestId: string, model: string, endsAnswer: boolean, choices: Array<{ index: number, finishReason: string | null, delta: { content: string | null, reasoning: string | null, toolCalls: Array<{ index: number, id: string | null, function: { name: string | null, arguments: string | null } | null }> | null } }>, usage: { promptTokens: number, completionTokens: number } | null }
    | { __typename: 'ModelDeploying', model: string, message: string, deploymentStatus: DeploymentStatus, estimatedReadySeconds: number, retryAfterSeconds: number }
   };

export type PlayRequestQueryVariables = Exact<{
  id: string;
}>;


export type PlayRequestQuery = { usageRecord: { id: string, cost: string, modelId: string, inputTokens: number, cachedInputTokens: number, outputTokens: number, durationMs: number, firstTokenMs: number | null, outcome: UsageOutcome, providerId: string | null, deploymentId: string | null, priceVersion: { id: string, inputPerMillion: string | null, outputPerMillion: string | null, validFrom: string, origin: PriceOrigin } | null, route: { requested: string, servedBy: string | null, candidates: Array<{ deploymentId: string, modelId: string, providerId: string, effectivePrice: string | null, health: HealthStatus, kept: boolean, reason: RouteReason }>, attempts: Array<{ deploymentId: string, providerId: string, outcome: string, status: number | null, durationMs: number }> } | null } | null };

export type RouteFragment = { route: { requested: string, servedBy: string | null, candidates: Array<{ deploymentId: string, modelId: string, providerId: string, effectivePrice: string | null, health: HealthStatus, kept: boolean, reason: RouteReason }>, attempts: Array<{ deploymentId: string, providerId: string, outcome: string, status: number | null, durationMs: number }> } | null };

export const ConsoleBalanceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsoleBalance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]} as unknown as DocumentNode<ConsoleBalanceFragment, unknown>;
export const PlayModelFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlayModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"maxOutputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"supportsFunctionCalling"}},{"kind":"Field","name":{"kind":"Name","value":"supportsJsonMode"}},{"kind":"Field","name":{"kind":"Name","value":"inputModalities"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"cheapestPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latencyP50Ms"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<PlayModelFragment, unknown>;
export const RouteFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Route"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requested"}},{"kind":"Field","name":{"kind":"Name","value":"servedBy"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"effectivePrice"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"kept"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]}}]} as unknown as DocumentNode<RouteFragment, unknown>;
export const ConsoleViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConsoleViewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsoleBalance"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewerKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsoleBalance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]} as unknown as DocumentNode<ConsoleViewerQuery, ConsoleViewerQueryVariables>;
export const ConsoleBalanceChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ConsoleBalanceChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"creditBalance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConsoleBalance"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConsoleBalance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]} as unknown as DocumentNode<ConsoleBalanceChangedSubscription, ConsoleBalanceChangedSubscriptionVariables>;
export const PlayModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlayModels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"modelAliases"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"model"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"IntValue","value":"500"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlayModel"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlayModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"maxOutputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"supportsFunctionCalling"}},{"kind":"Field","name":{"kind":"Name","value":"supportsJsonMode"}},{"kind":"Field","name":{"kind":"Name","value":"inputModalities"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"cheapestPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latencyP50Ms"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<PlayModelsQuery, PlayModelsQueryVariables>;
export const PlayAvailabilityDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PlayAvailability"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"modelAvailability"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}}]}}]}}]}}]} as unknown as DocumentNode<PlayAvailabilitySubscription, PlayAvailabilitySubscriptionVariables>;
export const PlayChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PlayChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"scan"},"value":{"kind":"ListValue","values":[]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionChunk"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"endsAnswer"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}},{"kind":"Field","name":{"kind":"Name","value":"delta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"reasoning"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"function"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCodeFindings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"block"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"isBlocked"}},{"kind":"Field","alias":{"kind":"Name","value":"fault"},"name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"findings"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<PlayChatSubscription, PlayChatSubscriptionVariables>;
export const PlayRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlayRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usageRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"priceVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Route"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Route"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"route"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requested"}},{"kind":"Field","name":{"kind":"Name","value":"servedBy"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"effectivePrice"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"kept"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]}}]} as unknown as DocumentNode<PlayRequestQuery, PlayRequestQueryVariables>;