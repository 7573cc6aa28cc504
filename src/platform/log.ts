/**
 * The log: JSON lines through pino. Prompts, answers and keys never get here: messages are fixed sentences, fields are ids and
 * numbers, and what looks like a key or a header that carries one is censored as the last line of defence.
 */
import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { AppError } from './errors.js'

export type { DestinationStream, Logger } from 'pino'

const SECRET_FIELDS = [
  'authorization',
  'apiKey',
  'api_key',
  'key',
  'secret',
  'token',
  'password',
  'messages',
  'prompt',
  'content',
]
const KEY_TEXT = /\bslk_[0-9a-z]{16}_[0-9a-z]+|\bBearer\s+\S+|\b(?:sk|gsk|xai|hf)[-_][\w-]{12,}|\bwhsec_[\w+/=]+/g

export interface LogOptions {
  readonly level: string
  /** Where lines go; standard error when left out, so that a command's output on standard output stays clean. */
  readonly destination?: DestinationStream
}

/** Text with everything that looks like a key replaced. */
const withoutKeys = (text: string): string => text.replace(KEY_TEXT, '[redacted]')

/** Where the log of a server goes: written in the background. */
export const standardError = (): DestinationStream => pino.destination({ dest: 2, sync: false })

export function createLog({ level, destination }: LogOptions): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  return pino(
    {
      level,
      redact: { paths, censor: '[redacted]' },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: Error) => describeError(error) },
      hooks: { logMethod: oncePerOutage },
    },
    destination ?? standardError(),
  )
}

/** An outage is one line where it begins and one where it ends (outage-watch.ts); what else fails for it is for debugging. */
function oncePerOutage(this: Logger, args: Parameters<LogFn>, write: LogFn, level: number): void {
  const [facts] = args as unknown[]
  const error = facts !== null && typeof facts === 'object' && 'err' in facts ? facts.err : null
  const isOutage = error instanceof AppError && error.code === 'service_unavailable'
  if (isOutage && level > DEBUG) this.debug(...args)
  else write.apply(this, args)
}

const DEBUG = 20

function describeError(error: Error): object {
  const { name, message, stack, cause } = error
  return {
    name,
    message: withoutKeys(message),
    stack: withoutKeys(stack ?? ''),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  }
}
