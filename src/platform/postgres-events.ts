/**
 * The event bus over Postgres LISTEN/NOTIFY: one listening connection a process, notifications through the pool. Local
 * listeners are told at once and this process's own echo is ignored. While the connection is down events from others are lost;
 * that is why events only ever say "look again".
 */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Clock } from './clock.js'
import { createInProcessEvents, type EventBus, type EventPayload } from './events.js'

export interface PostgresEventsOptions {
  /** Of the database: `postgres://...`. */
  readonly connectionString: string
  /** Separates installations that share a database; letters, digits and underscores. */
  readonly channel: string
  readonly clock: Clock
  readonly onError: (error: Error) => void
}

interface Message {
  readonly from: string
  readonly topic: string
  readonly payload: EventPayload
}

/** Notifications have a limit of 8,000 bytes. */
const MAX_MESSAGE_BYTES = 7_900
const RECONNECT_MS = 1_000
const MAX_WAITING = 10_000

/** Connects before it returns, so that nothing is missed from then on. */
export async function createPostgresEvents(options: PostgresEventsOptions): Promise<EventBus> {
  const { channel, clock, onError } = options
  const local = createInProcessEvents()
  const self = randomUUID()
  const waiting: string[] = []
  let client: Client | null = null
  let closed = false
  let isSending = false

  const receive = (text: string) => {
    const message = JSON.parse(text) as Message
    if (message.from !== self) local.publish(message.topic, message.payload)
  }

  async function connect(): Promise<void> {
    const next = new Client({ connectionString: options.connectionString, application_name: 'sluice-events' })
    next.on('notification', ({ payload }) => payload !== undefined && receive(payload))
    next.on('error', (error) => {
      onError(error)
      if (client === next) reconnect()
    })
    await next.connect()
    await next.query(`LISTEN "${channel}"`)
    client = next
    void send()
  }

  function reconnect(): void {
    client = null
    if (!closed) clock.setTimeout(() => void connect().catch(failed), RECONNECT_MS)
  }

  const failed = (error: Error) => {
    onError(error)
    reconnect()
  }

  /** One notification at a time: the connection is shared with LISTEN and order is kept. */
  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    try {
      while (client && waiting.length > 0) {
        await client.query('SELECT pg_notify($1, $2)', [channel, waiting[0]])
        waiting.shift()
      }
    } catch (error) {
      onError(error as Error)
    } finally {
      isSending = false
    }
  }

  await connect()
  return {
    publish(topic, payload) {
      local.publish(topic, payload)
      const text = JSON.stringify({ from: self, topic, payload } satisfies Message)
      if (closed || Buffer.byteLength(text) > MAX_MESSAGE_BYTES || waiting.length >= MAX_WAITING) return
      waiting.push(text)
      void send()
    },
    listen: (topic, listener) => local.listen(topic, listener),
    async close() {
      closed = true
      await local.close()
      await client?.end().catch(() => undefined)
    },
  }
}
