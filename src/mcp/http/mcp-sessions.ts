/**
 * The MCP sessions that this process serves. Any server of an installation serves a session, whichever of them began it, because
 * a session holds next to nothing: its name proves whose it is, and what changes in it (it ends, a call is cancelled, the log
 * becomes more talkative) is told to the other servers. One that did not hear of it does no harm: a session may do what its key may.
 */
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage, LoggingLevel } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '#platform/clock.js'
import type { EventBus } from '#platform/events/events.js'

export type SessionEvents = Pick<EventBus, 'publish' | 'listen'>

/** What one session remembers between its calls. */
export interface SessionMemory {
  /** From which severity on the client wants log messages. */
  logLevel(): LoggingLevel
  setLogLevel(level: LoggingLevel): void
}

export interface McpSessions {
  /** A session that began here: its transport lives as long as it does. */
  add(name: string, transport: StreamableHTTPServerTransport): void
  /** The transport of a session that began here; null for one that began elsewhere, or was idle for long. */
  transportOf(name: string): StreamableHTTPServerTransport | null
  /** Follows one request of a session that began elsewhere, so that it can be cancelled; the returned function ends that. */
  follow(name: string, transport: StreamableHTTPServerTransport): () => void
  hasEnded(name: string): boolean
  /** Ends it in every server. */
  end(name: string): void
  memoryOf(name: () => string | undefined): SessionMemory
  closeAll(): Promise<void>
}

export interface SessionLimits {
  /** Of this process: the one that was used longest ago is forgotten. */
  readonly sessions: number
  /** Of no use for so long, a session is forgotten. */
  readonly idleMs: number
}

export interface SessionsOptions {
  readonly clock: Clock
  /** What the servers of an installation tell each other about sessions. */
  readonly events: SessionEvents
  readonly limits: SessionLimits
}

/** Names that are remembered because they ended, or because their log level is not the usual one. */
const MAX_REMEMBERED = 10_000
const USUAL_LEVEL: LoggingLevel = 'error'
const LEVELS = new Set<unknown>(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
const isLevel = (value: unknown): value is LoggingLevel => LEVELS.has(value)

const ENDED = 'mcp.ended'
const CANCELLED = 'mcp.cancelled'
const LOG_LEVEL = 'mcp.log_level'

export function createMcpSessions({ clock, events, limits }: SessionsOptions): McpSessions {
  const own = createOwnSessions(clock, limits)
  const visits = new Map<string, Set<StreamableHTTPServerTransport>>()
  const ended = remembering<true>()
  const levels = remembering<LoggingLevel>()

  const visitsOf = (name: string): Iterable<StreamableHTTPServerTransport> => visits.get(name) ?? []
  const stopListening = [
    events.listen(ENDED, ({ name }) => {
      ended.set(String(name), true)
      own.forget(String(name))
      for (const visit of visitsOf(String(name))) void visit.close()
    }),
    events.listen(CANCELLED, ({ name, requestId }) => {
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } } as JSONRPCMessage
      const began = own.peek(String(name))
      for (const transport of [...(began ? [began] : []), ...visitsOf(String(name))]) receivers.get(transport)?.(message)
    }),
    events.listen(LOG_LEVEL, ({ name, level }) => isLevel(level) && levels.set(String(name), level)),
  ]

  return {
    add(name, transport) {
      announceCancellations(name, transport, events)
      own.add(name, transport)
    },
    transportOf: (name) => own.use(name),
    follow(name, transport) {
      announceCancellations(name, transport, events)
      const group = visits.get(name) ?? new Set()
      visits.set(name, group.add(transport))
      return () => {
        group.delete(transport)
        if (group.size === 0 && visits.get(name) === group) visits.delete(name)
      }
    },
    hasEnded: (name) => ended.get(name) === true,
    end: (name) => events.publish(ENDED, { name }),
    memoryOf: (nameOf) => ({
      logLevel: () => levels.get(nameOf() ?? '') ?? USUAL_LEVEL,
      setLogLevel(level) {
        const name = nameOf()
        if (name !== undefined) events.publish(LOG_LEVEL, { name, level })
      },
    }),
    async closeAll() {
      for (const stop of stopListening) stop()
      await own.closeAll()
    },
  }
}

/** The sessions that began here, the least recently used first: few enough, and none that was idle for long. */
function createOwnSessions(clock: Clock, limits: SessionLimits) {
  const sessions = new Map<string, { readonly transport: StreamableHTTPServerTransport; readonly usedAt: number }>()

  const forget = (name: string): void => {
    const entry = sessions.get(name)
    sessions.delete(name)
    void entry?.transport.close()
  }
  const evict = (): void => {
    for (const [name, { usedAt }] of sessions) {
      if (sessions.size <= limits.sessions && clock.now() - usedAt < limits.idleMs) return
      forget(name)
    }
  }
  return {
    forget,
    add(name: string, transport: StreamableHTTPServerTransport): void {
      sessions.set(name, { transport, usedAt: clock.now() })
      evict()
    },
    peek: (name: string): StreamableHTTPServerTransport | null => sessions.get(name)?.transport ?? null,
    use(name: string): StreamableHTTPServerTransport | null {
      evict()
      const entry = sessions.get(name)
      if (!entry) return null
      sessions.delete(name)
      sessions.set(name, { ...entry, usedAt: clock.now() })
      return entry.transport
    },
    async closeAll(): Promise<void> {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
      sessions.clear()
    },
  }
}

/** What a transport did with its messages before cancellations went by way of the other servers. */
const receivers = new WeakMap<StreamableHTTPServerTransport, StreamableHTTPServerTransport['onmessage']>()

/** Of a call that another server answers, this one knows nothing: the notice goes to all. */
function announceCancellations(name: string, transport: StreamableHTTPServerTransport, events: SessionEvents): void {
  const receive = transport.onmessage
  receivers.set(transport, receive)
  const onmessage: typeof receive = (message, extra) => {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return receive?.(message, extra)
    const requestId = message.params?.['requestId']
    if (typeof requestId === 'string' || typeof requestId === 'number') events.publish(CANCELLED, { name, requestId })
  }
  Object.assign(transport, { onmessage })
}

/** A map that forgets what was set first. */
function remembering<Value>(): Pick<Map<string, Value>, 'get'> & { set(name: string, value: Value): void } {
  const values = new Map<string, Value>()
  return {
    get: (name) => values.get(name),
    set(name, value) {
      values.delete(name)
      values.set(name, value)
      const [oldest] = values.keys()
      if (values.size > MAX_REMEMBERED && oldest !== undefined) values.delete(oldest)
    },
  }
}
