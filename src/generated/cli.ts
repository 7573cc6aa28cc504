/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const CliBudgetFragmentDoc = new TypedDocumentString(`
    fragment CliBudget on Budget {
  id
  name
  accountId
  keyId
  period
  amount
  spent
  held
  left
  warnAt
  action
  models
  startsAt
  resetsAt
}
    `, {"fragmentName":"CliBudget"}) as unknown as TypedDocumentString<CliBudgetFragment, unknown>;
export const CliPriceFragmentDoc = new TypedDocumentString(`
    fragment CliPrice on Price {
  deploymentId
  canonicalModelId
  providerId
  region
  pricing {
    inputPerMillion
    outputPerMillion
    cachedInputPerMillion
  }
  origin
  versionId
  lastPriceUpdate
}
    `, {"fragmentName":"CliPrice"}) as unknown as TypedDocumentString<CliPriceFragment, unknown>;
export const CliPriceChangeFragmentDoc = new TypedDocumentString(`
    fragment CliPriceChange on PriceChange {
  id
  deploymentId
  inputPerMillion
  outputPerMillion
  cachedInputPerMillion
  origin
  validFrom
  isCurrent
  isPending
  reason
}
    `, {"fragmentName":"CliPriceChange"}) as unknown as TypedDocumentString<CliPriceChangeFragment, unknown>;
export const UsageFieldsFragmentDoc = new TypedDocumentString(`
    fragment UsageFields on UsageRecord {
  id
  createdAt
  modelId
  keyId
  providerId
  deploymentId
  inputTokens
  cachedInputTokens
  outputTokens
  usageSource
  cost
  outcome
  firstTokenMs
  durationMs
  attempts
  api
  codeFindings
}
    `, {"fragmentName":"UsageFields"}) as unknown as TypedDocumentString<UsageFieldsFragment, unknown>;
export const CliUsagePageFragmentDoc = new TypedDocumentString(`
    fragment CliUsagePage on UsageRecordConnection {
  nodes {
    ...UsageFields
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    fragment UsageFields on UsageRecord {
  id
  createdAt
  modelId
  keyId
  providerId
  deploymentId
  inputTokens
  cachedInputTokens
  outputTokens
  usageSource
  cost
  outcome
  firstTokenMs
  durationMs
  attempts
  api
  codeFindings
}`, {"fragmentName":"CliUsagePage"}) as unknown as TypedDocumentString<CliUsagePageFragment, unknown>;
export const CliUsageSumFragmentDoc = new TypedDocumentString(`
    fragment CliUsageSum on UsageSummary {
  group
  requests
  inputTokens
  cachedInputTokens
  outputTokens
  cost
}
    `, {"fragmentName":"CliUsageSum"}) as unknown as TypedDocumentString<CliUsageSumFragment, unknown>;
export const CliRefusedPageFragmentDoc = new TypedDocumentString(`
    fragment CliRefusedPage on RefusedRequestConnection {
  nodes {
    id
    createdAt
    keyId
    model
    api
    code
    message
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    `, {"fragmentName":"CliRefusedPage"}) as unknown as TypedDocumentString<CliRefusedPageFragment, unknown>;
export const CliWebhookFragmentDoc = new TypedDocumentString(`
    fragment CliWebhook on Webhook {
  id
  name
  url
  types
  createdAt
  offSince
  offBecause
  earlierSecretUntil
}
    `, {"fragmentName":"CliWebhook"}) as unknown as TypedDocumentString<CliWebhookFragment, unknown>;
export const OfferFieldsFragmentDoc = new TypedDocumentString(`
    fragment OfferFields on GpuOffer {
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  pricePerGpuHour
  interruptionProbability
  interruptionOrigin
  spot
  fetchedAt
}
    `, {"fragmentName":"OfferFields"}) as unknown as TypedDocumentString<OfferFieldsFragment, unknown>;
export const RentalFieldsFragmentDoc = new TypedDocumentString(`
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}
    `, {"fragmentName":"RentalFields"}) as unknown as TypedDocumentString<RentalFieldsFragment, unknown>;
export const CliAccountsDocument = new TypedDocumentString(`
    query CliAccounts($after: String) {
  accounts(first: 500, after: $after) {
    nodes {
      id
      name
      balance
      held
      available
      monthlyCap
      spentThisMonth
      scanTier
      createdAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CliAccountsQuery, CliAccountsQueryVariables>;
export const CliAccountDocument = new TypedDocumentString(`
    query CliAccount($id: ID!) {
  account(id: $id) {
    id
    name
    balance
    held
    available
    monthlyCap
    spentThisMonth
  }
}
    `) as unknown as TypedDocumentString<CliAccountQuery, CliAccountQueryVariables>;
export const CliViewerDocument = new TypedDocumentString(`
    query CliViewer {
  viewer {
    id
    name
    balance
    held
    available
    monthlyCap
    spentThisMonth
  }
}
    `) as unknown as TypedDocumentString<CliViewerQuery, CliViewerQueryVariables>;
export const CliCreateAccountDocument = new TypedDocumentString(`
    mutation CliCreateAccount($input: CreateAccountInput!) {
  createAccount(input: $input) {
    account {
      id
      name
      balance
      monthlyCap
      scanTier
    }
  }
}
    `) as unknown as TypedDocumentString<CliCreateAccountMutation, CliCreateAccountMutationVariables>;
export const CliUpdateAccountDocument = new TypedDocumentString(`
    mutation CliUpdateAccount($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    account {
      id
      name
      monthlyCap
      scanTier
      coldStartMode
      maxConcurrentSessions
      maxHourlySpend
    }
  }
}
    `) as unknown as TypedDocumentString<CliUpdateAccountMutation, CliUpdateAccountMutationVariables>;
export const CliAddCreditsDocument = new TypedDocumentString(`
    mutation CliAddCredits($input: AddCreditsInput!) {
  addCredits(input: $input) {
    entry {
      id
      amount
      createdAt
    }
  }
}
    `) as unknown as TypedDocumentString<CliAddCreditsMutation, CliAddCreditsMutationVariables>;
export const CliKeysDocument = new TypedDocumentString(`
    query CliKeys($accountId: ID!, $after: String) {
  account(id: $accountId) {
    keys(first: 500, after: $after) {
      nodes {
        id
        name
        prefix
        scopes
        models
        monthlyCap
        spentThisMonth
        requestsPerMinute
        tokensPerMinute
        answerScan {
          mode
          standards
          minSeverity
        }
        createdAt
        expiresAt
        revokedAt
        lastUsedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CliKeysQuery, CliKeysQueryVariables>;
export const CliCreateKeyDocument = new TypedDocumentString(`
    mutation CliCreateKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    secret
    apiKey {
      id
      name
      scopes
      expiresAt
    }
  }
}
    `) as unknown as TypedDocumentString<CliCreateKeyMutation, CliCreateKeyMutationVariables>;
export const CliSetKeyModelsDocument = new TypedDocumentString(`
    mutation CliSetKeyModels($input: SetApiKeyModelsInput!) {
  setApiKeyModels(input: $input) {
    apiKey {
      id
      name
      models
    }
  }
}
    `) as unknown as TypedDocumentString<CliSetKeyModelsMutation, CliSetKeyModelsMutationVariables>;
export const CliSetKeyMonthlyCapDocument = new TypedDocumentString(`
    mutation CliSetKeyMonthlyCap($input: SetApiKeyMonthlyCapInput!) {
  setApiKeyMonthlyCap(input: $input) {
    apiKey {
      id
      name
      monthlyCap
      spentThisMonth
    }
  }
}
    `) as unknown as TypedDocumentString<CliSetKeyMonthlyCapMutation, CliSetKeyMonthlyCapMutationVariables>;
export const CliSetKeyRateLimitsDocument = new TypedDocumentString(`
    mutation CliSetKeyRateLimits($input: SetApiKeyRateLimitsInput!) {
  setApiKeyRateLimits(input: $input) {
    apiKey {
      id
      name
      requestsPerMinute
      tokensPerMinute
    }
  }
}
    `) as unknown as TypedDocumentString<CliSetKeyRateLimitsMutation, CliSetKeyRateLimitsMutationVariables>;
export const CliSetKeyAnswerScanDocument = new TypedDocumentString(`
    mutation CliSetKeyAnswerScan($input: SetApiKeyAnswerScanInput!) {
  setApiKeyAnswerScan(input: $input) {
    apiKey {
      id
      name
      answerScan {
        mode
        standards
        minSeverity
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CliSetKeyAnswerScanMutation, CliSetKeyAnswerScanMutationVariables>;
export const CliRotateKeyDocument = new TypedDocumentString(`
    mutation CliRotateKey($input: RotateApiKeyInput!) {
  rotateApiKey(input: $input) {
    secret
    apiKey {
      id
      name
      scopes
      expiresAt
    }
  }
}
    `) as unknown as TypedDocumentString<CliRotateKeyMutation, CliRotateKeyMutationVariables>;
export const CliRevokeKeyDocument = new TypedDocumentString(`
    mutation CliRevokeKey($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) {
    apiKey {
      id
      revokedAt
    }
  }
}
    `) as unknown as TypedDocumentString<CliRevokeKeyMutation, CliRevokeKeyMutationVariables>;
export const CliBudgetsDocument = new TypedDocumentString(`
    query CliBudgets($id: ID!) {
  account(id: $id) {
    budgets {
      ...CliBudget
    }
  }
}
    fragment CliBudget on Budget {
  id
  name
  accountId
  keyId
  period
  amount
  spent
  held
  left
  warnAt
  action
  models
  startsAt
  resetsAt
}`) as unknown as TypedDocumentString<CliBudgetsQuery, CliBudgetsQueryVariables>;
export const CliCreateBudgetDocument = new TypedDocumentString(`
    mutation CliCreateBudget($input: CreateBudgetInput!) {
  createBudget(input: $input) {
    budget {
      ...CliBudget
    }
  }
}
    fragment CliBudget on Budget {
  id
  name
  accountId
  keyId
  period
  amount
  spent
  held
  left
  warnAt
  action
  models
  startsAt
  resetsAt
}`) as unknown as TypedDocumentString<CliCreateBudgetMutation, CliCreateBudgetMutationVariables>;
export const CliUpdateBudgetDocument = new TypedDocumentString(`
    mutation CliUpdateBudget($input: UpdateBudgetInput!) {
  updateBudget(input: $input) {
    budget {
      ...CliBudget
    }
  }
}
    fragment CliBudget on Budget {
  id
  name
  accountId
  keyId
  period
  amount
  spent
  held
  left
  warnAt
  action
  models
  startsAt
  resetsAt
}`) as unknown as TypedDocumentString<CliUpdateBudgetMutation, CliUpdateBudgetMutationVariables>;
export const CliDeleteBudgetDocument = new TypedDocumentString(`
    mutation CliDeleteBudget($input: DeleteBudgetInput!) {
  deleteBudget(input: $input) {
    budget {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CliDeleteBudgetMutation, CliDeleteBudgetMutationVariables>;
export const CliChatDocument = new TypedDocumentString(`
    subscription CliChat($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    __typename
    ... on ChatCompletionChunk {
      id
      model
      choices {
        delta {
          content
        }
        finishReason
      }
      usage {
        promptTokens
        completionTokens
        totalTokens
      }
    }
    ... on ModelDeploying {
      message
      model
      estimatedReadySeconds
      retryAfterSeconds
    }
  }
}
    `) as unknown as TypedDocumentString<CliChatSubscription, CliChatSubscriptionVariables>;
export const CliConsoleCodeDocument = new TypedDocumentString(`
    mutation CliConsoleCode {
  createConsoleCode {
    code
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<CliConsoleCodeMutation, CliConsoleCodeMutationVariables>;
export const CliOffersDocument = new TypedDocumentString(`
    query CliOffers($gpuModel: String, $provider: ID, $minVram: Int, $maxPrice: Decimal) {
  gpuOffers(
    gpuModel: $gpuModel
    provider: $provider
    minVram: $minVram
    maxPrice: $maxPrice
  ) {
    ...OfferFields
  }
}
    fragment OfferFields on GpuOffer {
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  pricePerGpuHour
  interruptionProbability
  interruptionOrigin
  spot
  fetchedAt
}`) as unknown as TypedDocumentString<CliOffersQuery, CliOffersQueryVariables>;
export const CliRentDocument = new TypedDocumentString(`
    mutation CliRent($input: RentGpuInput!) {
  rentGpu(input: $input) {
    rental {
      ...RentalFields
    }
  }
}
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}`) as unknown as TypedDocumentString<CliRentMutation, CliRentMutationVariables>;
export const CliRentalsDocument = new TypedDocumentString(`
    query CliRentals($status: RentalStatus, $after: String) {
  rentals(status: $status, first: 500, after: $after) {
    nodes {
      ...RentalFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}`) as unknown as TypedDocumentString<CliRentalsQuery, CliRentalsQueryVariables>;
export const CliRentalDocument = new TypedDocumentString(`
    query CliRental($id: ID!) {
  rental(id: $id) {
    ...RentalFields
  }
}
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}`) as unknown as TypedDocumentString<CliRentalQuery, CliRentalQueryVariables>;
export const CliTerminateRentalDocument = new TypedDocumentString(`
    mutation CliTerminateRental($input: TerminateRentalInput!) {
  terminateRental(input: $input) {
    rental {
      ...RentalFields
    }
  }
}
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}`) as unknown as TypedDocumentString<CliTerminateRentalMutation, CliTerminateRentalMutationVariables>;
export const CliWatchRentalDocument = new TypedDocumentString(`
    subscription CliWatchRental($id: ID!) {
  rentalStatus(id: $id) {
    ...RentalFields
  }
}
    fragment RentalFields on Rental {
  id
  label
  status
  phase
  terminationReason
  gpuModel
  vramGb
  gpuCount
  providerId
  region
  spot
  interruptionProbability
  pricePerGpuHour
  pricePerHour
  cost
  hold
  modelId
  dockerImage
  fineTuned
  endpoint
  endpointKey
  sshHost
  sshPort
  estimatedReadySeconds
  createdAt
  startedAt
  terminatedAt
}`) as unknown as TypedDocumentString<CliWatchRentalSubscription, CliWatchRentalSubscriptionVariables>;
export const CliModelsDocument = new TypedDocumentString(`
    query CliModels($limit: Int, $offset: Int, $availability: Availability, $tier: Tier) {
  models(limit: $limit, offset: $offset, availability: $availability, tier: $tier) {
    totalCount
    models {
      id
      displayName
      ownedBy
      tier
      availability
      providers
      deployments {
        provider {
          id
          lastError {
            status
          }
        }
      }
      contextWindow
      maxOutputTokens
      estimatedDeploySeconds
      cheapestPrice {
        pricing {
          inputPerMillion
          outputPerMillion
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CliModelsQuery, CliModelsQueryVariables>;
export const CliPricesDocument = new TypedDocumentString(`
    query CliPrices($model: ID, $provider: ID) {
  prices(model: $model, provider: $provider) {
    ...CliPrice
  }
}
    fragment CliPrice on Price {
  deploymentId
  canonicalModelId
  providerId
  region
  pricing {
    inputPerMillion
    outputPerMillion
    cachedInputPerMillion
  }
  origin
  versionId
  lastPriceUpdate
}`) as unknown as TypedDocumentString<CliPricesQuery, CliPricesQueryVariables>;
export const CliSetPriceDocument = new TypedDocumentString(`
    mutation CliSetPrice($input: SetPriceInput!) {
  setPrice(input: $input) {
    price {
      ...CliPrice
    }
  }
}
    fragment CliPrice on Price {
  deploymentId
  canonicalModelId
  providerId
  region
  pricing {
    inputPerMillion
    outputPerMillion
    cachedInputPerMillion
  }
  origin
  versionId
  lastPriceUpdate
}`) as unknown as TypedDocumentString<CliSetPriceMutation, CliSetPriceMutationVariables>;
export const CliClearPriceDocument = new TypedDocumentString(`
    mutation CliClearPrice($input: ClearPriceInput!) {
  clearPrice(input: $input) {
    priceChange {
      ...CliPriceChange
    }
  }
}
    fragment CliPriceChange on PriceChange {
  id
  deploymentId
  inputPerMillion
  outputPerMillion
  cachedInputPerMillion
  origin
  validFrom
  isCurrent
  isPending
  reason
}`) as unknown as TypedDocumentString<CliClearPriceMutation, CliClearPriceMutationVariables>;
export const CliPriceHistoryDocument = new TypedDocumentString(`
    query CliPriceHistory($model: ID!, $provider: ID, $after: String) {
  priceHistory(model: $model, provider: $provider, first: 500, after: $after) {
    nodes {
      ...CliPriceChange
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment CliPriceChange on PriceChange {
  id
  deploymentId
  inputPerMillion
  outputPerMillion
  cachedInputPerMillion
  origin
  validFrom
  isCurrent
  isPending
  reason
}`) as unknown as TypedDocumentString<CliPriceHistoryQuery, CliPriceHistoryQueryVariables>;
export const CliPendingPricesDocument = new TypedDocumentString(`
    query CliPendingPrices {
  pendingPrices {
    deploymentId
    canonicalModelId
    providerId
    current {
      ...CliPriceChange
    }
    proposal {
      ...CliPriceChange
    }
  }
}
    fragment CliPriceChange on PriceChange {
  id
  deploymentId
  inputPerMillion
  outputPerMillion
  cachedInputPerMillion
  origin
  validFrom
  isCurrent
  isPending
  reason
}`) as unknown as TypedDocumentString<CliPendingPricesQuery, CliPendingPricesQueryVariables>;
export const CliResolvePendingPriceDocument = new TypedDocumentString(`
    mutation CliResolvePendingPrice($input: ResolvePendingPriceInput!) {
  resolvePendingPrice(input: $input) {
    priceChange {
      ...CliPriceChange
    }
  }
}
    fragment CliPriceChange on PriceChange {
  id
  deploymentId
  inputPerMillion
  outputPerMillion
  cachedInputPerMillion
  origin
  validFrom
  isCurrent
  isPending
  reason
}`) as unknown as TypedDocumentString<CliResolvePendingPriceMutation, CliResolvePendingPriceMutationVariables>;
export const CliReloadDocument = new TypedDocumentString(`
    mutation CliReload {
  reloadConfiguration {
    applied
    needsRestart
  }
}
    `) as unknown as TypedDocumentString<CliReloadMutation, CliReloadMutationVariables>;
export const CliUsageDocument = new TypedDocumentString(`
    query CliUsage($account: ID!, $first: Int, $after: String, $from: DateTime, $model: ID, $provider: ID, $key: ID, $outcome: UsageOutcome, $api: ChatApi, $minCost: Decimal) {
  account(id: $account) {
    usage(
      first: $first
      after: $after
      from: $from
      model: $model
      provider: $provider
      key: $key
      outcome: $outcome
      api: $api
      minCost: $minCost
    ) {
      ...CliUsagePage
    }
  }
}
    fragment CliUsagePage on UsageRecordConnection {
  nodes {
    ...UsageFields
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
fragment UsageFields on UsageRecord {
  id
  createdAt
  modelId
  keyId
  providerId
  deploymentId
  inputTokens
  cachedInputTokens
  outputTokens
  usageSource
  cost
  outcome
  firstTokenMs
  durationMs
  attempts
  api
  codeFindings
}`) as unknown as TypedDocumentString<CliUsageQuery, CliUsageQueryVariables>;
export const CliUsageByDocument = new TypedDocumentString(`
    query CliUsageBy($account: ID!, $group: UsageGrouping!, $from: DateTime, $model: ID, $provider: ID, $key: ID, $outcome: UsageOutcome, $api: ChatApi, $minCost: Decimal) {
  account(id: $account) {
    usageBy(
      group: $group
      from: $from
      model: $model
      provider: $provider
      key: $key
      outcome: $outcome
      api: $api
      minCost: $minCost
    ) {
      ...CliUsageSum
    }
  }
}
    fragment CliUsageSum on UsageSummary {
  group
  requests
  inputTokens
  cachedInputTokens
  outputTokens
  cost
}`) as unknown as TypedDocumentString<CliUsageByQuery, CliUsageByQueryVariables>;
export const CliRefusedDocument = new TypedDocumentString(`
    query CliRefused($account: ID!, $first: Int, $after: String, $key: ID, $code: String) {
  account(id: $account) {
    refusedRequests(first: $first, after: $after, key: $key, code: $code) {
      ...CliRefusedPage
    }
  }
}
    fragment CliRefusedPage on RefusedRequestConnection {
  nodes {
    id
    createdAt
    keyId
    model
    api
    code
    message
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<CliRefusedQuery, CliRefusedQueryVariables>;
export const CliWebhooksDocument = new TypedDocumentString(`
    query CliWebhooks($after: String) {
  webhooks(first: 50, after: $after) {
    nodes {
      ...CliWebhook
      dead: deliveries(state: DEAD, first: 1) {
        totalCount
      }
      waiting: deliveries(state: PENDING, first: 1) {
        totalCount
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment CliWebhook on Webhook {
  id
  name
  url
  types
  createdAt
  offSince
  offBecause
  earlierSecretUntil
}`) as unknown as TypedDocumentString<CliWebhooksQuery, CliWebhooksQueryVariables>;
export const CliWebhookDeliveriesDocument = new TypedDocumentString(`
    query CliWebhookDeliveries($id: ID!, $state: WebhookDeliveryState, $after: String) {
  webhook(id: $id) {
    deliveries(state: $state, first: 500, after: $after) {
      nodes {
        id
        type
        subject
        data
        occurredAt
        state
        attempts
        attemptedAt
        answered
        failure
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CliWebhookDeliveriesQuery, CliWebhookDeliveriesQueryVariables>;
export const CliCreateWebhookDocument = new TypedDocumentString(`
    mutation CliCreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    webhook {
      ...CliWebhook
    }
    secret
  }
}
    fragment CliWebhook on Webhook {
  id
  name
  url
  types
  createdAt
  offSince
  offBecause
  earlierSecretUntil
}`) as unknown as TypedDocumentString<CliCreateWebhookMutation, CliCreateWebhookMutationVariables>;
export const CliRotateWebhookSecretDocument = new TypedDocumentString(`
    mutation CliRotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    webhook {
      ...CliWebhook
    }
    secret
  }
}
    fragment CliWebhook on Webhook {
  id
  name
  url
  types
  createdAt
  offSince
  offBecause
  earlierSecretUntil
}`) as unknown as TypedDocumentString<CliRotateWebhookSecretMutation, CliRotateWebhookSecretMutationVariables>;
export const CliRemoveWebhookDocument = new TypedDocumentString(`
    mutation CliRemoveWebhook($input: RemoveWebhookInput!) {
  removeWebhook(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CliRemoveWebhookMutation, CliRemoveWebhookMutationVariables>;
export const CliSetWebhookEnabledDocument = new TypedDocumentString(`
    mutation CliSetWebhookEnabled($input: SetWebhookEnabledInput!) {
  setWebhookEnabled(input: $input) {
    webhook {
      ...CliWebhook
    }
  }
}
    fragment CliWebhook on Webhook {
  id
  name
  url
  types
  createdAt
  offSince
  offBecause
  earlierSecretUntil
}`) as unknown as TypedDocumentString<CliSetWebhookEnabledMutation, CliSetWebhookEnabledMutationVariables>;
export const CliTestWebhookDocument = new TypedDocumentString(`
    mutation CliTestWebhook($input: TestWebhookInput!) {
  testWebhook(input: $input) {
    isDelivered
    answered
    failure
  }
}
    `) as unknown as TypedDocumentString<CliTestWebhookMutation, CliTestWebhookMutationVariables>;
export const CliReplayWebhookDocument = new TypedDocumentString(`
    mutation CliReplayWebhook($input: ReplayWebhookInput!) {
  replayWebhook(input: $input) {
    replayed
  }
}
    `) as unknown as TypedDocumentString<CliReplayWebhookMutation, CliReplayWebhookMutationVariables>;