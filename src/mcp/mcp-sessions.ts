/** The open MCP sessions of one process: each belongs to the key that began it, and ends when it is idle or there are too many. */
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Clock } from '#platform/clock.js'

export interface McpSession {
  readonly transport: StreamableHTTPServerTransport
  readonly keyId: string
}

export interface McpSessions {
  add(id: string, session: McpSession): void
  /** The key's own session; null for another's and for one that ended. */
  find(id: string, keyId: string): McpSession | null
  remove(id: string): void
  closeAll(): Promise<void>
}

const IDLE_MS = 30 * 60_000
const MAX_SESSIONS = 1_000

export function createMcpSessions(clock: Clock): McpSessions {
  /** The least recently used first. */
  const sessions = new Map<string, { readonly session: McpSession; readonly usedAt: number }>()

  const close = (id: string): Promise<void> => {
    const entry = sessions.get(id)
    sessions.delete(id)
    return entry ? entry.session.transport.close() : Promise.resolve()
  }
  const touch = (id: string, session: McpSession): void => {
    sessions.delete(id)
    sessions.set(id, { session, usedAt: clock.monotonic() })
  }
  const evict = (): void => {
    for (const [id, { usedAt }] of sessions) {
      if (sessions.size <= MAX_SESSIONS && clock.monotonic() - usedAt < IDLE_MS) return
      void close(id)
    }
  }

  return {
    add(id, session) {
      touch(id, session)
      evict()
    },
    find(id, keyId) {
      evict()
      const entry = sessions.get(id)
      if (entry?.session.keyId !== keyId) return null
      touch(id, entry.session)
      return entry.session
    },
    remove: (id) => void sessions.delete(id),
    async closeAll() {
      await Promise.all([...sessions.keys()].map(close))
    },
  }
}
