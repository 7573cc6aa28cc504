/**
 * A webhook: an address of an operator that is sent notices, and what was sent to it.
 *
 * States of a delivery: pending -> delivered or dead; either can be made pending again by a person. Invariants: a notice is
 * delivered to a webhook at least once or becomes a dead letter; of one subject, the next is sent when those before it have
 * ended; a secret leaves the program when it is made and never again.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { json, time, words } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import type { NoticeType } from '#platform/events/notices.js'
import type { OutboxPayload } from '#platform/events/outbox.js'

/** Why nothing is sent to a webhook. */
export const WebhookOff = {
  /** Its receiver answered 410. */
  GONE: 'gone',
  OPERATOR: 'operator',
} as const
export type WebhookOff = (typeof WebhookOff)[keyof typeof WebhookOff]

export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: p.string().length(40).primary(),
    name: p.string().length(200),
    url: p.text(),
    /** What is sent to it; null for everything. */
    types: words<NoticeType>().length(500).nullable(),
    /** Signs what is sent, so it is needed as it is. */
    secret: p.string().length(100),
    /** The secret before this one, with which messages are signed too while receivers change over. */
    earlierSecret: p.string().length(100).nullable(),
    earlierSecretUntil: time().nullable(),
    /** Notices of the outbox after this number are sent to it. */
    afterSequence: p.integer(),
    createdAt: time(),
    offSince: time().nullable(),
    offBecause: p.string().$type<WebhookOff>().length(20).nullable(),
  },
})

export type Webhook = Row<typeof WebhookEntity>

export const DeliveryState = { PENDING: 'pending', DELIVERED: 'delivered', DEAD: 'dead' } as const
export type DeliveryState = (typeof DeliveryState)[keyof typeof DeliveryState]

/** Characters of what is kept of a failure. */
export const MAX_FAILURE = 300

export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  uniques: [{ name: 'webhook_delivery_once', properties: ['webhookId', 'sequence'] }],
  indexes: [
    { name: 'webhook_delivery_waiting', properties: ['webhookId', 'subject', 'sequence'], where: { state: 'pending' } },
    { name: 'webhook_delivery_state', properties: ['webhookId', 'state', 'sequence'] },
    { name: 'webhook_delivery_ended', properties: ['endedAt'] },
  ],
  properties: {
    /** The message's id: the same however often it is sent. */
    id: p.string().length(40).primary(),
    webhookId: p.string().length(40),
    /** Of the notice in the outbox. */
    sequence: p.integer(),
    type: p.string().$type<NoticeType>().length(40),
    subject: p.string().length(200),
    data: json<OutboxPayload>(),
    /** When it happened. */
    occurredAt: time(),
    state: p.string().$type<DeliveryState>().length(10),
    /** When it was put in the queue, at first or again: its time begins here. */
    queuedAt: time(),
    /** Since then. */
    attempts: p.integer(),
    dueAt: time(),
    attemptedAt: time().nullable(),
    /** The HTTP status of the last attempt; null when there was no answer. */
    answered: p.integer().nullable(),
    /** Why the last attempt failed. */
    failure: p.string().length(MAX_FAILURE).nullable(),
    endedAt: time().nullable(),
    leaseToken: p.string().length(40).nullable(),
    leaseUntil: time(),
  },
})

export type WebhookDelivery = Row<typeof WebhookDeliveryEntity>

/** How far the outbox has been made into deliveries: one row. */
export const WebhookReaderEntity = defineEntity({
  name: 'WebhookReader',
  tableName: 'webhook_reader',
  properties: { id: p.string().length(20).primary(), sequence: p.integer() },
})
