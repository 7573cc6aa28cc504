/**
 * The access log: one JSON line a request, at info. Ids, names and numbers only: nothing of a body, no key and no path, which
 * callers choose. A line is put together by hand because the log's own way, which looks for secrets in every field, takes
 * several times as long as anything else that is done for a request at its end.
 */
import type { Logger } from '#platform/log.js'
import { formatUsd } from '#platform/money.js'
import type { RequestTrail } from '#platform/requests/trail.js'

export interface AnsweredRequest {
  readonly route: string
  readonly method: string
  readonly status: number
  /** Milliseconds from the arrival of the request to the end of its response. */
  readonly totalMs: number
}

export interface AccessLog {
  (request: AnsweredRequest, trail: RequestTrail): void
  /** Writes what waits. */
  flush(): void
}

/** Answered many times a minute by machines, and of interest to nobody when all is well. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** Null when nothing would be written. */
export function createAccessLog(log: Logger, write: (line: string) => void, now: () => number): AccessLog | null {
  if (!log.isLevelEnabled('info')) return null
  const lines = together(write)
  const add = (request: AnsweredRequest, trail: RequestTrail): void => {
    if (request.status < 400 && PROBES.has(request.route)) return
    lines.add(accessLine(request, trail, now()))
  }
  return Object.assign(add, { flush: lines.flush })
}

const WAIT_MS = 50
const WAITING_CHARACTERS = 32_768

/** A write costs three times what a line costs: lines wait a moment for each other. */
function together(write: (text: string) => void) {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting !== '') write(waiting)
    waiting = ''
  }
  return {
    add(line: string) {
      waiting += line
      if (waiting.length >= WAITING_CHARACTERS) flush()
      else timer ??= setTimeout(flush, WAIT_MS).unref()
    },
    flush,
  }
}

function accessLine({ route, method, status, totalMs }: AnsweredRequest, trail: RequestTrail, at: number): string {
  const { requestId, accountId, keyId, operation, chat } = trail
  let line = `{"level":30,"time":"${timeText(at)}","msg":"request","route":"${route}","method":"${method}","status":${status},"total_ms":${rounded(totalMs)}`
  // Ids are ours, and the grammar of GraphQL and HTTP leaves no character in a name that JSON would escape.
  if (requestId !== null) line += `,"request_id":"${requestId}"`
  if (accountId !== null) line += `,"account_id":"${accountId}","key_id":"${keyId}"`
  if (operation !== null) line += `,"operation":"${operation}"`
  if (chat !== null) line += chatPart(trail)
  return `${line}}\n`
}

function chatPart({ chat, inputTokens, cachedInputTokens, outputTokens, cost }: RequestTrail): string {
  const { modelId, providerId, outcome, firstTokenMs } = chat!
  let part = `,"model":${JSON.stringify(modelId)},"provider":${JSON.stringify(providerId)},"outcome":"${outcome}"`
  part += `,"input_tokens":${inputTokens},"cached_input_tokens":${cachedInputTokens},"output_tokens":${outputTokens},"cost_usd":"${formatUsd(cost)}"`
  return firstTokenMs === null ? part : `${part},"first_token_ms":${rounded(firstTokenMs)}`
}

/** A tenth of a millisecond is as exact as it is true. */
const rounded = (ms: number): number => Math.round(ms * 10) / 10

/** The moment that was asked for last: many requests end within a millisecond. */
let last = { at: -1, text: '' }

function timeText(at: number): string {
  if (last.at !== at) last = { at, text: new Date(at).toISOString() }
  return last.text
}
