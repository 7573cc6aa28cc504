/** Log messages to the client: faults of calls, and every call for clients that asked for that much. */
import type { LoggingLevel, ServerNotification } from '@modelcontextprotocol/sdk/types.js'
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js'

export interface CallLog {
  /** Sends the message with the answer of the call that `send` belongs to, unless it is below the client's level. */
  write(level: LoggingLevel, data: Readonly<Record<string, unknown>>, send: Send): void
}

type Send = (notification: ServerNotification) => Promise<void>

const severityOf = (level: LoggingLevel): number => LoggingLevelSchema.options.indexOf(level)

/** `wanted`: from which severity on the client wants messages. */
export function createCallLog(wanted: () => LoggingLevel): CallLog {
  return {
    write(level, data, send) {
      if (severityOf(level) < severityOf(wanted())) return
      // A client that has left reads no log.
      send({ method: 'notifications/message', params: { level, logger: 'sluice', data } }).catch(() => undefined)
    },
  }
}
