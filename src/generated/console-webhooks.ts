/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A new webhook. */
export type CreateWebhookInput = {
  /** A name for people; the host of the address when left out. */
  name?: string | null | undefined;
  /** What it is sent; everything when left out. */
  types?: Array<WebhookEvent> | null | undefined;
  /** Where messages go: https://..., no user and password, and no private address unless allowed. */
  url: string;
};

/** Which webhook gets a new secret, and how long messages are signed with the old one too. */
export type RotateWebhookSecretInput = {
  /** How long messages are signed with both secrets, up to 30 days; a day when left out. */
  graceSeconds?: number | null | undefined;
  /** The webhook. */
  id: string;
};

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
export type WebhooksRowFragment = { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null };

export type WebhooksTableQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksTableQuery = { webhooks: { nodes: Array<{ id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null, waiting: { totalCount: number }, dead: { totalCount: number } }> } | null };

export type WebhooksMessagesQueryVariables = Exact<{
  id: string;
  state?: WebhookDeliveryState | null | undefined;
  first: number;
}>;


export type WebhooksMessagesQuery = { webhook: { id: string, deliveries: { totalCount: number, nodes: Array<{ id: string, type: WebhookEvent, subject: string, data: unknown, occurredAt: string, state: WebhookDeliveryState, attempts: number, attemptedAt: string | null, answered: number | null, failure: string | null }> } } | null };

export type WebhooksCreateMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type WebhooksCreateMutation = { createWebhook: { secret: string, webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type WebhooksRotateMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type WebhooksRotateMutation = { rotateWebhookSecret: { secret: string, webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type WebhooksRemoveMutationVariables = Exact<{
  id: string;
}>;


export type WebhooksRemoveMutation = { removeWebhook: { id: string } | null };

export type WebhooksSetEnabledMutationVariables = Exact<{
  id: string;
  isEnabled: boolean;
}>;


export type WebhooksSetEnabledMutation = { setWebhookEnabled: { webhook: { id: string, name: string, url: string, types: Array<WebhookEvent> | null, createdAt: string, offSince: string | null, offBecause: WebhookOff | null, earlierSecretUntil: string | null } } | null };

export type WebhooksTestMutationVariables = Exact<{
  id: string;
}>;


export type WebhooksTestMutation = { testWebhook: { isDelivered: boolean, answered: number | null, failure: string | null } | null };

export type WebhooksReplayMutationVariables = Exact<{
  id: string;
  deliveryIds?: Array<string> | string | null | undefined;
}>;


export type WebhooksReplayMutation = { replayWebhook: { replayed: number } | null };

export const WebhooksRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhooksRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<WebhooksRowFragment, unknown>;
export const WebhooksTableDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhooksTable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhooksRow"}},{"kind":"Field","alias":{"kind":"Name","value":"waiting"},"name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"EnumValue","value":"PENDING"}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"dead"},"name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"EnumValue","value":"DEAD"}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhooksRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<WebhooksTableQuery, WebhooksTableQueryVariables>;
export const WebhooksMessagesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhooksMessages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"state"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryState"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"deliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"Variable","name":{"kind":"Name","value":"state"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"attemptedAt"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"failure"}}]}}]}}]}}]}}]} as unknown as DocumentNode<WebhooksMessagesQuery, WebhooksMessagesQueryVariables>;
export const WebhooksCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhooksRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhooksRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<WebhooksCreateMutation, WebhooksCreateMutationVariables>;
export const WebhooksRotateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksRotate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateWebhookSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateWebhookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhooksRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhooksRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<WebhooksRotateMutation, WebhooksRotateMutationVariables>;
export const WebhooksRemoveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksRemove"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<WebhooksRemoveMutation, WebhooksRemoveMutationVariables>;
export const WebhooksSetEnabledDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksSetEnabled"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isEnabled"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setWebhookEnabled"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"isEnabled"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isEnabled"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhooksRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhooksRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"types"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"offSince"}},{"kind":"Field","name":{"kind":"Name","value":"offBecause"}},{"kind":"Field","name":{"kind":"Name","value":"earlierSecretUntil"}}]}}]} as unknown as DocumentNode<WebhooksSetEnabledMutation, WebhooksSetEnabledMutationVariables>;
export const WebhooksTestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksTest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isDelivered"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"failure"}}]}}]}}]} as unknown as DocumentNode<WebhooksTestMutation, WebhooksTestMutationVariables>;
export const WebhooksReplayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WebhooksReplay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"deliveryIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"deliveryIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"deliveryIds"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayed"}}]}}]}}]} as unknown as DocumentNode<WebhooksReplayMutation, WebhooksReplayMutationVariables>;