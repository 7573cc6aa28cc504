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

/** What a budget does when it is used up. Both tell webhooks. */
export const BudgetAction = {
  /** Refuses what would exceed it. */
  STOP: 'STOP',
  /** Refuses nothing. */
  WARN: 'WARN'
} as const;

export type BudgetAction = typeof BudgetAction[keyof typeof BudgetAction];
/** How often a budget begins anew, in UTC. */
export const BudgetPeriod = {
  /** With each day. */
  DAY: 'DAY',
  /** With each hour. */
  HOUR: 'HOUR',
  /** With each calendar month. */
  MONTH: 'MONTH',
  /** Never. */
  TOTAL: 'TOTAL',
  /** With each Monday. */
  WEEK: 'WEEK'
} as const;

export type BudgetPeriod = typeof BudgetPeriod[keyof typeof BudgetPeriod];
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

/** Whose price to take back. */
export type ClearPriceInput = {
  /** The deployment, or "<model>@session" for GPU sessions of a model. */
  deploymentId: string;
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

/** A new budget. It counts what is reserved from now on. */
export type CreateBudgetInput = {
  /** The account that it binds; your own when left out. */
  accountId?: string | null | undefined;
  /** What it does when it is used up; STOP when left out. */
  action?: BudgetAction | null | undefined;
  /** USD that may be spent in a period, more than 0. */
  amount: string;
  /** The key that it binds, with those that follow it and that it makes; the whole account when left out. */
  keyId?: string | null | undefined;
  /** The only models that it is about, by id or alias; all that is paid for, GPU rentals too, when left out. */
  models?: Array<string> | null | undefined;
  /** A name for people, at most 100 characters. */
  name?: string | null | undefined;
  /** How often it begins anew. It stays what it is. */
  period: BudgetPeriod;
  /** Percent of the amount at which webhooks are told, 1 to 100; 80 when left out. */
  warnAt?: number | null | undefined;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** A name for people; the host of the address when left out. */
  name?: string | null | undefined;
  /** What it is sent; everything when left out. */
  types?: Array<WebhookEvent> | null | undefined;
  /** Where messages go: https://..., no user and password, and no private address unless allowed. */
  url: string;
};

/** Which budget to delete. */
export type DeleteBudgetInput = {
  /** The budget. */
  id: string;
};

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
/** How a deployment is charged. */
export const PricingType = {
  /** By tokens of input and output. */
  TOKEN: 'TOKEN'
} as const;

export type PricingType = typeof PricingType[keyof typeof PricingType];
/** Which webhook to remove, with everything that was sent to it. */
export type RemoveWebhookInput = {
  /** The webhook. */
  id: string;
};

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
/** Which messages to send again. */
export type ReplayWebhookInput = {
  /** Delivered messages and dead letters of it, at most 500; every dead letter when left out. */
  deliveryIds?: Array<string> | null | undefined;
  /** The webhook. */
  id: string;
};

/** What to do with a price that waits. */
export type ResolvePendingPriceInput = {
  /** Whether it becomes the price in force. */
  accept: boolean;
  /** The deployment, or "<model>@session" for GPU sessions of a model. */
  deploymentId: string;
};

/** Which key to end. */
export type RevokeApiKeyInput = {
  /** The key. */
  id: string;
};

/** Which key to replace, and how long it goes on. */
export type RotateApiKeyInput = {
  /** How long the old key stays valid; a day when left out. */
  graceSeconds?: number | null | undefined;
  /** The key to replace. */
  id: string;
};

/** Which webhook gets a new secret, and how long messages are signed with the old one too. */
export type RotateWebhookSecretInput = {
  /** How long messages are signed with both secrets, up to 30 days; a day when left out. */
  graceSeconds?: number | null | undefined;
  /** The webhook. */
  id: string;
};

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

/** What a key may spend in a calendar month. */
export type SetApiKeyMonthlyCapInput = {
  /** The key. Those that share its cap, as a rotated one does, get it too. */
  id: string;
  /** Most USD a month (UTC); no cap when left out. */
  monthlyCap?: string | null | undefined;
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

/** Which webhook to turn on or off. */
export type SetWebhookEnabledInput = {
  /** The webhook. */
  id: string;
  /** Off: nothing is sent, and what waits becomes dead letters. On: it hears of what happens from then on. */
  isEnabled: boolean;
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
/** Which webhook to send a test message to. */
export type TestWebhookInput = {
  /** The webhook. */
  id: string;
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

/** What to change of a budget; a field that is left out stays. What is spent stays spent. */
export type UpdateBudgetInput = {
  /** What it does when it is used up. */
  action?: BudgetAction | null | undefined;
  /** USD that may be spent in a period, more than 0. */
  amount?: string | null | undefined;
  /** The budget. */
  id: string;
  /** The only models that it is about, by id or alias; null for all that is paid for. */
  models?: Array<string> | null | undefined;
  /** A name for people, at most 100 characters. */
  name?: string | null | undefined;
  /** Percent of the amount at which webhooks are told, 1 to 100. */
  warnAt?: number | null | undefined;
};

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
/** Where a token count comes from. */
export const UsageSource = {
  /** Counted here from what was delivered, because the provider did not say. */
  COUNTED: 'COUNTED',
  /** The provider reported it. */
  REPORTED: 'REPORTED'
} as const;

export type UsageSource = typeof UsageSource[keyof typeof UsageSource];
/** Where a message is. */
export const WebhookDeliveryState = {
  /** Was given up: a dead letter, which can be sent again. */
  DEAD: 'DEAD',
  /** The receiver has taken it. */
  DELIVERED: 'DELIVERED',
  /** Waits to be sent, for the first time or again. */
  PENDING: 'PENDING'
} as const;

export type WebhookDeliveryState = typeof WebhookDeliveryState[keyof typeof WebhookDeliveryState];
/** What a webhook may be sent. The `type` of a message is the name in small letters with a dot, such as "balance.low". */
export const WebhookEvent = {
  /** An account has less than the amount that is set. */
  BALANCE_LOW: 'BALANCE_LOW',
  /** An account or a key has used 80 or 100 % of its monthly cap. */
  CAP_REACHED: 'CAP_REACHED',
  /** A machine was found that no session answers for, and is destroyed. */
  GPU_ORPHAN: 'GPU_ORPHAN',
  /** An API key was made. */
  KEY_CREATED: 'KEY_CREATED',
  /** An API key was revoked. */
  KEY_REVOKED: 'KEY_REVOKED',
  /** The ledger does not keep one of its promises. */
  LEDGER_INVARIANT_BROKEN: 'LEDGER_INVARIANT_BROKEN',
  /** A price has come into force, or was withdrawn. */
  PRICE_CHANGED: 'PRICE_CHANGED',
  /** A price of a price list waits for an administrator. */
  PRICE_PENDING: 'PRICE_PENDING',
  /** No deployment of a provider answers. */
  PROVIDER_DOWN: 'PROVIDER_DOWN',
  /** A provider answers again. */
  PROVIDER_UP: 'PROVIDER_UP',
  /** A GPU was rented. */
  RENTAL_PROVISIONING: 'RENTAL_PROVISIONING',
  /** A rental runs. */
  RENTAL_RUNNING: 'RENTAL_RUNNING',
  /** A rental has ended. */
  RENTAL_TERMINATED: 'RENTAL_TERMINATED'
} as const;

export type WebhookEvent = typeof WebhookEvent[keyof typeof WebhookEvent];
/** Why nothing is sent to a webhook. */
export const WebhookOff = {
  /** Its receiver answered 410. */
  GONE: 'GONE',
  /** An administrator turned it off. */
  OPERATOR: 'OPERATOR'
} as const;

export type WebhookOff = typeof WebhookOff[keyof typeof WebhookOff];
export type CliAccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CliAccountsQuery = { accounts: { nodes: Array<{ id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string, scanTier: ScanTier, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CliAccountQueryVariables = Exact<{
  id: string;
}>;


export type CliAccountQuery = { account: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } | null };

export type CliViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type CliViewerQuery = { viewer: { id: string, name: string, balance: string, held: string, available: string, monthlyCap: string | null, spentThisMonth: string } | null };

export type CliCreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type CliCreateAccountMutation = { createAccount: { account: { id: string, name: string, balance: string, monthlyCap: string | null, scanTier: ScanTier } } | null };

export type CliUpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type CliUpdateAccountMutation = { updateAccount: { account: { id: string, name: string, monthlyCap: string | null, scanTier: ScanTier, coldStartMode: ColdStartMode, maxConcurrentSessions: number | null, maxHourlySpend: string | null } } | null };

export type CliAddCreditsMutationVariables = Exact<{
  input: AddCreditsInput;
}>;


export type CliAddCreditsMutation = { addCredits: { entry: { id: string, amount: string, createdAt: string } } | null };

export type CliKeysQueryVariables = Exact<{
  accountId: string;
  after?: string | null | undefined;
}>;


export type CliKeysQuery = { account: { keys: { nodes: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, models: Array<string> | null, monthlyCap: string | null, spentThisMonth: string | null, requestsPerMinute: number | null, tokensPerMinute: number | null, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, answerScan: { mode: AnswerScanMode, standards: Array<string>, minSeverity: Severity } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CliCreateKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CliCreateKeyMutation = { createApiKey: { secret: string, apiKey: { id: string, name: string, scopes: Array<Scope>, expiresAt: string | null } } | null };

export type CliSetKeyModelsMutationVariables = Exact<{
  input: SetApiKeyModelsInput;
}>;


export type CliSetKeyModelsMutation = { setApiKeyModels: { apiKey: { id: string, name: string, models: Array<string> | null } } | null };

export type CliSetKeyMonthlyCapMutationVariables = Exact<{
  input: SetApiKeyMonthlyCapInput;
}>;


export type CliSetKeyMonthlyCapMutation = { setApiKeyMonthlyCap: { apiKey: { id: string, name: string, monthlyCap: string | null, spentThisMonth: string | null } } | null };

export type CliSetKeyRateLimitsMutationVariables = Exact<{
  input: SetApiKeyRateLimitsInput;
}>;


export type CliSetKeyRateLimitsMutation = { setApiKeyRateLimits: { apiKey: { id: string, name: string, requestsPerMinute: number | null, tokensPerMinute: number | null } } | null };

export type CliSetKeyAnswerScanMutationVariables = Exact<{
  input: SetApiKeyAnswerScanInput;
}>;


export type CliSetKeyAnswerScanMutation = { setApiKeyAnswerScan: { apiKey: { id: string, name: string, answerScan: { mode: AnswerScanMode, standards: Array<string>, minSeverity: Severity } | null } } | null };

export type CliRotateKeyMutationVariables = Exact<{
  input: RotateApiKeyInput;
}>;


export type CliRotateKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, scopes: Array<Scope>, expiresAt: string | null } } | null };

export type CliRevokeKeyMutationVariables = Exact<{
  input: RevokeApiKeyInput;
}>;


export type CliRevokeKeyMutation = { revokeApiKey: { apiKey: { id: string, revokedAt: string | null } } | null };

export type CliBudgetFragment = { id: string, name: string, accountId: string, keyId: string | null, period: BudgetPeriod, amount: string, spent: string, held: string, left: string, warnAt: number, action: BudgetAction, models: Array<string> | null, startsAt: string | null, resetsAt: string | null };

export type CliBudgetsQueryVariables = Exact<{
  id: string;
}>;


export type CliBudgetsQuery = { account: { budgets: Array<{ id: string, name: string, accountId: string, keyId: string | null, period: BudgetPeriod, amount: string, spent: string, held: string, left: string, warnAt: number, action: BudgetAction, models: Array<string> | null, startsAt: string | null, resetsAt: string | null }> } | null };

export type CliCreateBudgetMutationVariables = Exact<{
  input: CreateBudgetInput;
}>;


export type CliCreateBudgetMutation = { createBudget: { budget: { id: string, name: string, accountId: string, keyId: string | null, period: BudgetPeriod, amount: string, spent: string, held: string, left: string, warnAt: number, action: BudgetAction, models: Array<string> | null, startsAt: string | null, resetsAt: string | null } } | null };

export type CliUpdateBudgetMutationVariables = Exact<{
  input: UpdateBudgetInput;
}>;


export type CliUpdateBudgetMutation = { updateBudget: { budget: { id: string, name: string, accountId: string, keyId: string | null, period: BudgetPeriod, amount: string, spent: string, held: string, left: string, warnAt: number, action: BudgetAction, models: Array<string> | null, startsAt: string | null, resetsAt: string | null } } | null };

export type CliDeleteBudgetMutationVariables = Exact<{
  input: DeleteBudgetInput;
}>;


export type CliDeleteBudgetMutation = { deleteBudget: { budget: { id: string } } | null };

export type CliChatSubscriptionVariables = Exact<{
  input: ChatCompletionInput;
}>;


export type CliChatSubscription = { chatCompletion:
    | { __typename: 'ChatCodeFindings' }
    | { __typename: 'ChatCompletionChunk', id: string, model: string, choices: Array<{ finishReason: string | null, delta: { content: string | null } }>, usage: { promptTokens: number, completionTokens: number, totalTokens: number } | null }
    | { __typename: 'ModelDeploying', message: string, model: string, estimatedReadySeconds: number, retryAfterSeconds: number }
   };

export type CliConsoleCodeMutationVariables = Exact<{ [key: string]: never; }>;


export type CliConsoleCodeMutation = { createConsoleCode: { code: string, expiresAt: string } | null };

export type CliOffersQueryVariables = Exact<{
  gpuModel?: string | null | undefined;
  provider?: string | null | undefined;
  minVram?: number | null | undefined;
  maxPrice?: string | null | undefined;
}>;


export type CliOffersQuery = { gpuOffers: Array<{ gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, pricePerGpuHour: string, interruptionProbability: number, interruptionOrigin: InterruptionOrigin, spot: boolean, fetchedAt: string }> | null };

export type CliRentMutationVariables = Exact<{
  input: RentGpuInput;
}>;


export type CliRentMutation = { rentGpu: { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } } | null };

export type CliRentalsQueryVariables = Exact<{
  status?: RentalStatus | null | undefined;
  after?: string | null | undefined;
}>;


export type CliRentalsQuery = { rentals: { nodes: Array<{ id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CliRentalQueryVariables = Exact<{
  id: string;
}>;


export type CliRentalQuery = { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } | null };

export type CliTerminateRentalMutationVariables = Exact<{
  input: TerminateRentalInput;
}>;


export type CliTerminateRentalMutation = { terminateRental: { rental: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } } | null };

export type CliWatchRentalSubscriptionVariables = Exact<{
  id: string;
}>;


export type CliWatchRentalSubscription = { rentalStatus: { id: string, label: string | null, status: RentalStatus, phase: SessionPhase, terminationReason: TerminationReason | null, gpuModel: string, vramGb: number, gpuCount: number, providerId: string, region: string, spot: boolean, interruptionProbability: number, pricePerGpuHour: string, pricePerHour: string, cost: string, hold: string, modelId: string | null, dockerImage: string | null, fineTuned: boolean, endpoint: string | null, endpointKey: string | null, sshHost: string | null, sshPort: number | null, estimatedReadySeconds: number | null, createdAt: string, startedAt: string | null, terminatedAt: string | null } };

export type CliModelsQueryVariables = Exact<{
  limit?: number | null | undefined;
  offset?: number | null | undefined;
  availability?: Availability | null | undefined;
  tier?: Tier | null | undefined;
}>;


export type CliModelsQuery = { models: { totalCount: number, models: Array<{ id: string, displayName: string, ownedBy: string, tier: Tier, availability: Availability, providers: Array<string> | null, contextWindow: number | null, maxOutputTokens: number | null, estimatedDeploySeconds: number | null, deployments: Array<{ provider: { id: string, lastError: { status: number } | null } }>, cheapestPrice: { pricing: { inputPerMillion: string, outputPerMillion: string } } | null }> } | null };

export type CliPricesQueryVariables = Exact<{
  model?: string | null | undefined;
  provider?: string | null | undefined;
}>;


export type CliPricesQuery = { prices: Array<{ deploymentId: string, canonicalModelId: string, providerId: string, region: string | null, origin: PriceOrigin, versionId: string, lastPriceUpdate: string, pricing: { inputPerMillion: string, outputPerMillion: string, cachedInputPerMillion: string | null } }> | null };

export type CliPriceFragment = { deploymentId: string, canonicalModelId: string, providerId: string, region: string | null, origin: PriceOrigin, versionId: string, lastPriceUpdate: string, pricing: { inputPerMillion: string, outputPerMillion: string, cachedInputPerMillion: string | null } };

export type CliSetPriceMutationVariables = Exact<{
  input: SetPriceInput;
}>;


export type CliSetPriceMutation = { setPrice: { price: { deploymentId: string, canonicalModelId: string, providerId: string, region: string | null, origin: PriceOrigin, versionId: string, lastPriceUpdate: string, pricing: { inputPerMillion: string, outputPerMillion: string, cachedInputPerMillion: string | null } } } | null };

export type CliClearPriceMutationVariables = Exact<{
  input: ClearPriceInput;
}>;


export type CliClearPriceMutation = { clearPrice: { priceChange: { id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null } | null } | null };

export type CliPriceHistoryQueryVariables = Exact<{
  model: string;
  provider?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CliPriceHistoryQuery = { priceHistory: { nodes: Array<{ id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CliPriceChangeFragment = { id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null };

export type CliPendingPricesQueryVariables = Exact<{ [key: string]: never; }>;


export type CliPendingPricesQuery = { pendingPrices: Array<{ deploymentId: string, canonicalModelId: string, providerId: string, current: { id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null } | null, proposal: { id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null } | null }> | null };

export type CliResolvePendingPriceMutationVariables = Exact<{
  input: ResolvePendingPriceInput;
}>;


export type CliResolvePendingPriceMutation = { resolvePendingPrice: { priceChange: { id: string, deploymentId: string, inputPerMillion: string | null, outputPerMillion: string | null, cachedInputPerMillion: string | null, origin: PriceOrigin, validFrom: string, isCurrent: boolean, isPending: boolean, reason: string | null } | null } | null };

export type CliReloadMutationVariables = Exact<{ [key: string]: never; }>;


export type CliReloadMutation = { reloadConfiguration: { applied: Array<string>, needsRestart: Array<string> } | null };

export type CliUsageQueryVariables = Exact<{
  account: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  from?: string | null | undefined;
  model?: string | null | undefined;
  provider?: string | null | undefined;
  key?: string | null | undefined;
  outcome?: UsageOutcome | null | undefined;
  api?: ChatApi | null | undefined;
  minCost?: string | null | undefined;
}>;


export type CliUsageQuery = { account: { usage: { nodes: Array<{ id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CliUsageByQueryVariables = Exact<{
  account: string;
  group: UsageGrouping;
  from?: string | null | undefined;
  model?: string | null | undefined;
  provider?: string | null | undefined;
  key?: string | null | undefined;
  outcome?: UsageOutcome | null | undefined;
  api?: ChatApi | null | undefined;
  minCost?: string | null | undefined;
}>;


export type CliUsageByQuery = { account: { usageBy: Array<{ group: string | null, requests: number, inputTokens: number, cachedInputTokens: number, outputTokens: number, cost: string }> } | null };

export type CliUsagePageFragment = { nodes: Array<{ id: string, createdAt: string, modelId: string, keyId: string, providerId: string | null, deploymentId: string | null, inputTokens: number, cachedInputTokens: number, outputTokens: number, usageSource: UsageSource, cost: string, outcome: UsageOutcome, firstTokenMs: number | null, durationMs: number, attempts: number | null, api: ChatApi | null, codeFindings: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } };

export type CliUsageSumFragment = { group: string | null, requests: number, inputTokens: number, cachedInputTokens: number, outputTokens: number, cost: string };

export type CliRefusedQueryVariables = Exact<{
  account: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  key?: string | null | undefined;
  code?: string | null | undefined;
}>;


export type CliRefusedQuery = { account: { refusedRequests: { nodes: Array<{ id: string, createdAt: string, keyId: string, model: string | null, api: ChatApi, code: string, message: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CliRefusedPageFragment = { nodes: Array<{ id: string, createdAt: string, keyId: string, model: string | null, api: ChatApi, code: string, message: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } };

export type CliWebhookFragment = { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null };

export type CliWebhooksQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CliWebhooksQuery = { webhooks: { nodes: Array<{ id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null, dead: { totalCount: number }, waiting: { totalCount: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CliWebhookDeliveriesQueryVariables = Exact<{
  id: string;
  state?: WebhookDeliveryState | null | undefined;
  after?: string | null | undefined;
}>;


export type CliWebhookDeliveriesQuery = { webhook: { deliveries: { nodes: Array<{ id: string, type: WebhookEvent, subject: string, data: unknown, occurredAt: string, state: WebhookDeliveryState, attempts: number, attemptedAt: string | null, answered: number | null, failure: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CliCreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CliCreateWebhookMutation = { createWebhook: { secret: string, webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type CliRotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type CliRotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type CliRemoveWebhookMutationVariables = Exact<{
  input: RemoveWebhookInput;
}>;


export type CliRemoveWebhookMutation = { removeWebhook: { id: string } | null };

export type CliSetWebhookEnabledMutationVariables = Exact<{
  input: SetWebhookEnabledInput;
}>;


export type CliSetWebhookEnabledMutation = { setWebhookEnabled: { webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type CliTestWebhookMutationVariables = Exact<{
  input: TestWebhookInput;
}>;


export type CliTestWebhookMutation = { testWebhook: { isDelivered: boolean, answered: number | null, failure: string | null } | null };

export type CliReplayWebhookMutationVariables = Exact<{
  input: ReplayWebhookInput;
}>;


export type CliReplayWebhookMutation = { replayWebhook: { replayed: number } | null };

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

export const CliBudgetFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliBudget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Budget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"spent"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"warnAt"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]} as unknown as DocumentNode<CliBudgetFragment, unknown>;
export const CliPriceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Price"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"lastPriceUpdate"}}]}}]} as unknown as DocumentNode<CliPriceFragment, unknown>;
export const CliPriceChangeFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPriceChange"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"isCurrent"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]} as unknown as DocumentNode<CliPriceChangeFragment, unknown>;
export const UsageFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<UsageFieldsFragment, unknown>;
export const CliUsagePageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliUsagePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecordConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}}]} as unknown as DocumentNode<CliUsagePageFragment, unknown>;
export const CliUsageSumFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliUsageSum"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"group"}},{"kind":"Field","name":{"kind":"Name","value":"requests"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}}]}}]} as unknown as DocumentNode<CliUsageSumFragment, unknown>;
export const CliRefusedPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliRefusedPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RefusedRequestConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]} as unknown as DocumentNode<CliRefusedPageFragment, unknown>;
export const CliWebhookFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliWebhook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<CliWebhookFragment, unknown>;
export const OfferFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OfferFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GpuOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionOrigin"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"fetchedAt"}}]}}]} as unknown as DocumentNode<OfferFieldsFragment, unknown>;
export const RentalFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<RentalFieldsFragment, unknown>;
export const RestModelDeployingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModelDeploying"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"alreadyQueued"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentStatus"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentProvider"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]} as unknown as DocumentNode<RestModelDeployingFragment, unknown>;
export const CreditFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreditFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Account"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]} as unknown as DocumentNode<CreditFieldsFragment, unknown>;
export const RestModelFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestModel"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Model"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"providerCount"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedCostPerHour"}}]}}]} as unknown as DocumentNode<RestModelFragment, unknown>;
export const RestTierPriceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestTierPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TierPrice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]} as unknown as DocumentNode<RestTierPriceFragment, unknown>;
export const RestStoredFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestStored"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredResponse"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"response"}},{"kind":"Field","name":{"kind":"Name","value":"items"}}]}}]} as unknown as DocumentNode<RestStoredFragment, unknown>;
export const RestSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]} as unknown as DocumentNode<RestSummaryFragment, unknown>;
export const RestViolationFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<RestViolationFragment, unknown>;
export const RestScanFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestScan"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RestViolation"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ViolationSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RestViolation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<RestScanFragment, unknown>;
export const CliAccountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliAccounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<CliAccountsQuery, CliAccountsQueryVariables>;
export const CliAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<CliAccountQuery, CliAccountQueryVariables>;
export const CliViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliViewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]} as unknown as DocumentNode<CliViewerQuery, CliViewerQueryVariables>;
export const CliCreateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}}]}}]}}]}}]} as unknown as DocumentNode<CliCreateAccountMutation, CliCreateAccountMutationVariables>;
export const CliUpdateAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliUpdateAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"scanTier"}},{"kind":"Field","name":{"kind":"Name","value":"coldStartMode"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrentSessions"}},{"kind":"Field","name":{"kind":"Name","value":"maxHourlySpend"}}]}}]}}]}}]} as unknown as DocumentNode<CliUpdateAccountMutation, CliUpdateAccountMutationVariables>;
export const CliAddCreditsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliAddCredits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddCreditsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addCredits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliAddCreditsMutation, CliAddCreditsMutationVariables>;
export const CliKeysDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliKeys"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accountId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"prefix"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CliKeysQuery, CliKeysQueryVariables>;
export const CliCreateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliCreateKeyMutation, CliCreateKeyMutationVariables>;
export const CliSetKeyModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetKeyModels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyModelsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setApiKeyModels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"models"}}]}}]}}]}}]} as unknown as DocumentNode<CliSetKeyModelsMutation, CliSetKeyModelsMutationVariables>;
export const CliSetKeyMonthlyCapDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetKeyMonthlyCap"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyMonthlyCapInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setApiKeyMonthlyCap"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"monthlyCap"}},{"kind":"Field","name":{"kind":"Name","value":"spentThisMonth"}}]}}]}}]}}]} as unknown as DocumentNode<CliSetKeyMonthlyCapMutation, CliSetKeyMonthlyCapMutationVariables>;
export const CliSetKeyRateLimitsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetKeyRateLimits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyRateLimitsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setApiKeyRateLimits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerMinute"}}]}}]}}]}}]} as unknown as DocumentNode<CliSetKeyRateLimitsMutation, CliSetKeyRateLimitsMutationVariables>;
export const CliSetKeyAnswerScanDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetKeyAnswerScan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetApiKeyAnswerScanInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setApiKeyAnswerScan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"answerScan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"minSeverity"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CliSetKeyAnswerScanMutation, CliSetKeyAnswerScanMutationVariables>;
export const CliRotateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRotateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliRotateKeyMutation, CliRotateKeyMutationVariables>;
export const CliRevokeKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRevokeKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeApiKeyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]}}]}}]} as unknown as DocumentNode<CliRevokeKeyMutation, CliRevokeKeyMutationVariables>;
export const CliBudgetsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliBudgets"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"budgets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliBudget"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliBudget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Budget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"spent"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"warnAt"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]} as unknown as DocumentNode<CliBudgetsQuery, CliBudgetsQueryVariables>;
export const CliCreateBudgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateBudget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateBudgetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createBudget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"budget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliBudget"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliBudget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Budget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"spent"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"warnAt"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]} as unknown as DocumentNode<CliCreateBudgetMutation, CliCreateBudgetMutationVariables>;
export const CliUpdateBudgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliUpdateBudget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateBudgetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateBudget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"budget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliBudget"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliBudget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Budget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"spent"}},{"kind":"Field","name":{"kind":"Name","value":"held"}},{"kind":"Field","name":{"kind":"Name","value":"left"}},{"kind":"Field","name":{"kind":"Name","value":"warnAt"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"models"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}}]}}]} as unknown as DocumentNode<CliUpdateBudgetMutation, CliUpdateBudgetMutationVariables>;
export const CliDeleteBudgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliDeleteBudget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteBudgetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteBudget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"budget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<CliDeleteBudgetMutation, CliDeleteBudgetMutationVariables>;
export const CliChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"CliChat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatCompletion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChatCompletionChunk"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delta"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"finishReason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}},{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelDeploying"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]}}]} as unknown as DocumentNode<CliChatSubscription, CliChatSubscriptionVariables>;
export const CliConsoleCodeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliConsoleCode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConsoleCode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<CliConsoleCodeMutation, CliConsoleCodeMutationVariables>;
export const CliOffersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliOffers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"gpuModel"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minVram"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"maxPrice"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuOffers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"gpuModel"},"value":{"kind":"Variable","name":{"kind":"Name","value":"gpuModel"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"minVram"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minVram"}}},{"kind":"Argument","name":{"kind":"Name","value":"maxPrice"},"value":{"kind":"Variable","name":{"kind":"Name","value":"maxPrice"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OfferFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OfferFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GpuOffer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionOrigin"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"fetchedAt"}}]}}]} as unknown as DocumentNode<CliOffersQuery, CliOffersQueryVariables>;
export const CliRentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRent"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RentGpuInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rentGpu"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<CliRentMutation, CliRentMutationVariables>;
export const CliRentalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliRentals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RentalStatus"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rentals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<CliRentalsQuery, CliRentalsQueryVariables>;
export const CliRentalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliRental"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<CliRentalQuery, CliRentalQueryVariables>;
export const CliTerminateRentalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliTerminateRental"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TerminateRentalInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"terminateRental"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rental"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<CliTerminateRentalMutation, CliTerminateRentalMutationVariables>;
export const CliWatchRentalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"CliWatchRental"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rentalStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RentalFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RentalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rental"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"terminationReason"}},{"kind":"Field","name":{"kind":"Name","value":"gpuModel"}},{"kind":"Field","name":{"kind":"Name","value":"vramGb"}},{"kind":"Field","name":{"kind":"Name","value":"gpuCount"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"spot"}},{"kind":"Field","name":{"kind":"Name","value":"interruptionProbability"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerGpuHour"}},{"kind":"Field","name":{"kind":"Name","value":"pricePerHour"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"hold"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"dockerImage"}},{"kind":"Field","name":{"kind":"Name","value":"fineTuned"}},{"kind":"Field","name":{"kind":"Name","value":"endpoint"}},{"kind":"Field","name":{"kind":"Name","value":"endpointKey"}},{"kind":"Field","name":{"kind":"Name","value":"sshHost"}},{"kind":"Field","name":{"kind":"Name","value":"sshPort"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedReadySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"terminatedAt"}}]}}]} as unknown as DocumentNode<CliWatchRentalSubscription, CliWatchRentalSubscriptionVariables>;
export const CliModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliModels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"availability"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Availability"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tier"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Tier"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"availability"},"value":{"kind":"Variable","name":{"kind":"Name","value":"availability"}}},{"kind":"Argument","name":{"kind":"Name","value":"tier"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tier"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"models"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"ownedBy"}},{"kind":"Field","name":{"kind":"Name","value":"tier"}},{"kind":"Field","name":{"kind":"Name","value":"availability"}},{"kind":"Field","name":{"kind":"Name","value":"providers"}},{"kind":"Field","name":{"kind":"Name","value":"deployments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"provider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"contextWindow"}},{"kind":"Field","name":{"kind":"Name","value":"maxOutputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedDeploySeconds"}},{"kind":"Field","name":{"kind":"Name","value":"cheapestPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CliModelsQuery, CliModelsQueryVariables>;
export const CliPricesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliPrices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPrice"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Price"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"lastPriceUpdate"}}]}}]} as unknown as DocumentNode<CliPricesQuery, CliPricesQueryVariables>;
export const CliSetPriceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetPrice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetPriceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setPrice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"price"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPrice"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPrice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Price"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"lastPriceUpdate"}}]}}]} as unknown as DocumentNode<CliSetPriceMutation, CliSetPriceMutationVariables>;
export const CliClearPriceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliClearPrice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClearPriceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clearPrice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceChange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPriceChange"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPriceChange"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"isCurrent"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]} as unknown as DocumentNode<CliClearPriceMutation, CliClearPriceMutationVariables>;
export const CliPriceHistoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliPriceHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceHistory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPriceChange"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPriceChange"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"isCurrent"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]} as unknown as DocumentNode<CliPriceHistoryQuery, CliPriceHistoryQueryVariables>;
export const CliPendingPricesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliPendingPrices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pendingPrices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"canonicalModelId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPriceChange"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proposal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPriceChange"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPriceChange"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"isCurrent"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]} as unknown as DocumentNode<CliPendingPricesQuery, CliPendingPricesQueryVariables>;
export const CliResolvePendingPriceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliResolvePendingPrice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResolvePendingPriceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resolvePendingPrice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceChange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliPriceChange"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliPriceChange"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PriceChange"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"outputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputPerMillion"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"validFrom"}},{"kind":"Field","name":{"kind":"Name","value":"isCurrent"}},{"kind":"Field","name":{"kind":"Name","value":"isPending"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]} as unknown as DocumentNode<CliResolvePendingPriceMutation, CliResolvePendingPriceMutationVariables>;
export const CliReloadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliReload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reloadConfiguration"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"applied"}},{"kind":"Field","name":{"kind":"Name","value":"needsRestart"}}]}}]}}]} as unknown as DocumentNode<CliReloadMutation, CliReloadMutationVariables>;
export const CliUsageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliUsage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageOutcome"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"outcome"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"minCost"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliUsagePage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UsageFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecord"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"modelId"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"providerId"}},{"kind":"Field","name":{"kind":"Name","value":"deploymentId"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"usageSource"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"firstTokenMs"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"codeFindings"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliUsagePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageRecordConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UsageFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]} as unknown as DocumentNode<CliUsageQuery, CliUsageQueryVariables>;
export const CliUsageByDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliUsageBy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"group"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageGrouping"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"model"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"provider"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UsageOutcome"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"api"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ChatApi"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usageBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"Variable","name":{"kind":"Name","value":"group"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"model"},"value":{"kind":"Variable","name":{"kind":"Name","value":"model"}}},{"kind":"Argument","name":{"kind":"Name","value":"provider"},"value":{"kind":"Variable","name":{"kind":"Name","value":"provider"}}},{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"outcome"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcome"}}},{"kind":"Argument","name":{"kind":"Name","value":"api"},"value":{"kind":"Variable","name":{"kind":"Name","value":"api"}}},{"kind":"Argument","name":{"kind":"Name","value":"minCost"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minCost"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliUsageSum"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliUsageSum"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"group"}},{"kind":"Field","name":{"kind":"Name","value":"requests"}},{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cachedInputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"cost"}}]}}]} as unknown as DocumentNode<CliUsageByQuery, CliUsageByQueryVariables>;
export const CliRefusedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliRefused"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"account"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"account"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"account"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusedRequests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"key"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}},{"kind":"Argument","name":{"kind":"Name","value":"code"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliRefusedPage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliRefusedPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RefusedRequestConnection"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"api"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]} as unknown as DocumentNode<CliRefusedQuery, CliRefusedQueryVariables>;
export const CliWebhooksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliWebhooks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliWebhook"}},{"kind":"Field","alias":{"kind":"Name","value":"dead"},"name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"EnumValue","value":"DEAD"}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"waiting"},"name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"EnumValue","value":"PENDING"}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliWebhook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<CliWebhooksQuery, CliWebhooksQueryVariables>;
export const CliWebhookDeliveriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CliWebhookDeliveries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"state"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryState"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"Variable","name":{"kind":"Name","value":"state"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"attemptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"failure"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CliWebhookDeliveriesQuery, CliWebhookDeliveriesQueryVariables>;
export const CliCreateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliCreateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliWebhook"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliWebhook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<CliCreateWebhookMutation, CliCreateWebhookMutationVariables>;
export const CliRotateWebhookSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRotateWebhookSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateWebhookSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateWebhookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliWebhook"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliWebhook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<CliRotateWebhookSecretMutation, CliRotateWebhookSecretMutationVariables>;
export const CliRemoveWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliRemoveWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RemoveWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<CliRemoveWebhookMutation, CliRemoveWebhookMutationVariables>;
export const CliSetWebhookEnabledDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliSetWebhookEnabled"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetWebhookEnabledInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setWebhookEnabled"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CliWebhook"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CliWebhook"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<CliSetWebhookEnabledMutation, CliSetWebhookEnabledMutationVariables>;
export const CliTestWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliTestWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TestWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isDelivered"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"failure"}}]}}]}}]} as unknown as DocumentNode<CliTestWebhookMutation, CliTestWebhookMutationVariables>;
export const CliReplayWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CliReplayWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReplayWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayed"}}]}}]}}]} as unknown as DocumentNode<CliReplayWebhookMutation, CliReplayWebhookMutationVariables>;
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