/** Log messages to the client: faults of calls, and every call for clients that asked for that much. One log per session. */
import type { LoggingLevel, ServerNotification } from '@modelcontextprotocol/sdk/types.js'
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js'

export interface CallLog {
  /** Says from which severity on the client wants messages; only faults until then. */
  setLevel(level: LoggingLevel): void
  /** Sends the message with the answer of the call that `send` belongs to, unless it is below the client's level. */
  write(level: LoggingLevel, data: Readonly<Record<string, unknown>>, send: Send): void
}

type Send = (notification: ServerNotification) => Promise<void>

const severityOf = (level: LoggingLevel): number => LoggingLevelSchema.options.indexOf(level)

export function createCallLog(): CallLog {
  let wanted: LoggingLevel = 'error'
  return {
    setLevel(level) {
      wanted = level
    },
    write(level, data, send) {
      if (severityOf(level) < severityOf(wanted)) return
      // A client that has left reads no log.
      send({ method: 'notifications/message', params: { level, logger: 'sluice', data } }).catch(() => undefined)
    },
  }
}
