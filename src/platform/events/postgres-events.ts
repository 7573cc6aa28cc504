/**
 * The event bus over Postgres LISTEN/NOTIFY: one listening connection a process, which also sends. Local listeners are told at
 * once and this process's own echo is ignored. While the connection is down events from others are lost; that is why events
 * only ever say "look again".
 *
 * A connection that only listens would never notice that its server is gone, so it asks something every few seconds.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Client } from 'pg'
import type { Clock } from '../clock.js'
import type { DatabaseLimits } from '../database/database-limits.js'
import { createInProcessEvents, EVENTS_RESUMED, type EventBus, type EventPayload } from './events.js'

export interface PostgresEventsOptions {
  /** Of the database: `postgres://...`. */
  readonly connectionString: string
  /** Separates installations that share a database; letters, digits and underscores. */
  readonly channel: string
  readonly limits: Pick<DatabaseLimits, 'connectMs' | 'statementMs'>
  readonly clock: Clock
  /** The connection to other processes broke; called once for each time. */
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
/** How often a silent server is asked whether it is still there. */
const HEARTBEAT_MS = 5_000
const KEEP_ALIVE_MS = 10_000
const MAX_WAITING = 10_000

/** Connects before it returns, so that nothing is missed from then on. */
export async function createPostgresEvents(options: PostgresEventsOptions): Promise<EventBus> {
  const local = createInProcessEvents()
  const self = randomUUID()
  const waiting: string[] = []
  let isClosed = false
  let isSending = false
  let wasConnected = false

  const link = createLink(options, {
    received(text) {
      const message = JSON.parse(text) as Message
      if (message.from !== self) local.publish(message.topic, message.payload)
    },
    connected() {
      void send()
      if (wasConnected) local.publish(EVENTS_RESUMED, {})
      wasConnected = true
    },
  })

  /** One notification at a time: the connection is shared with LISTEN and order is kept. */
  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    while (waiting.length > 0 && (await link.notify(waiting[0]!))) waiting.shift()
    isSending = false
  }

  await link.connect()
  return {
    publish(topic, payload) {
      local.publish(topic, payload)
      const text = JSON.stringify({ from: self, topic, payload } satisfies Message)
      if (isClosed || Buffer.byteLength(text) > MAX_MESSAGE_BYTES || waiting.length >= MAX_WAITING) return
      waiting.push(text)
      void send()
    },
    listen: (topic, listener) => local.listen(topic, listener),
    async close() {
      isClosed = true
      await local.close()
      link.close()
    },
  }
}

interface Link {
  connect(): Promise<void>
  /** False when there is no connection now, or it broke: `connected` tells when to try again. */
  notify(text: string): Promise<boolean>
  /** Does not wait for a server that may not answer. */
  close(): void
}

interface LinkEvents {
  received(text: string): void
  connected(): void
}

/** The one connection, which is made again when it is lost. */
function createLink(options: PostgresEventsOptions, { received, connected }: LinkEvents): Link {
  const { channel, clock, onError } = options
  let client: Client | null = null
  let isClosed = false

  async function connect(): Promise<void> {
    const next = listeningClient(options)
    next.on('notification', ({ payload }) => payload !== undefined && received(payload))
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next, new Error('The connection ended.')))
    try {
      await next.connect()
      await next.query(`LISTEN "${channel}"`)
    } catch (error) {
      cut(next)
      throw error
    }
    if (isClosed) return cut(next)
    client = next
    beat(next)
    connected()
  }

  /** However many ways a connection tells of its end, it is lost once. */
  function lost(which: Client, error: Error): void {
    if (client !== which) return
    client = null
    cut(which)
    if (isClosed) return
    onError(error)
    reconnectLater()
  }

  function reconnectLater(): void {
    clock.setTimeout(() => {
      if (!isClosed) connect().catch(reconnectLater)
    }, RECONNECT_MS)
  }

  function beat(which: Client): void {
    clock.setTimeout(() => {
      if (client !== which) return
      which.query('SELECT 1').then(
        () => beat(which),
        (error: Error) => lost(which, error),
      )
    }, HEARTBEAT_MS)
  }

  return {
    connect,
    async notify(text) {
      const which = client
      if (!which) return false
      try {
        await which.query('SELECT pg_notify($1, $2)', [channel, text])
        return true
      } catch (error) {
        lost(which, error as Error)
        return false
      }
    },
    close() {
      isClosed = true
      if (client) cut(client)
      client = null
    },
  }
}

function listeningClient({ connectionString, limits }: PostgresEventsOptions): Client {
  return new Client({
    connectionString,
    application_name: 'sluice-events',
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
}

/** Ends the socket at once. */
function cut(client: Client): void {
  // What is still under way on it fails, and has been reported.
  client.on('error', () => undefined)
  ;(client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy()
}
