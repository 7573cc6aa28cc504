/**
 * How an HTTP server ends without cutting what it is doing:
 *
 * 1. `/readyz` answers 503 at once, and every answer says `connection: close`. While somebody asks `/readyz`, connections are
 *    still taken for `drainMs`: whoever decides by it where requests go needs that long to look away.
 * 2. No more connections. Watchers end now; requests run to their end, for up to `shutdownMs`.
 * 3. What is left is ended with `shutting_down` and gets `SETTLE_MS` to say so and to settle what was delivered.
 * 4. Whatever does not come back even then is refused, and the connections are closed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { serverStops } from '#platform/requests/end-reasons.js'
import type { Logger } from '#platform/log.js'
import { createOpenCount } from '#platform/requests/open-count.js'
import type { OpenRequests } from '#platform/requests/open-requests.js'

export interface DrainLimits {
  readonly drainMs: number
  readonly shutdownMs: number
}

export interface DrainOptions {
  readonly limits: DrainLimits
  readonly requests: OpenRequests
  readonly onDrain: () => void
  readonly log: Logger
}

export interface Drain {
  /** Called with every response, */
  onRequest(response: ServerResponse): void
  /** and when it is closed. */
  onClose(): void
  /** Answers `/readyz` once the end has begun, and notes until then that somebody asks. */
  answersProbe(request: IncomingMessage, response: ServerResponse): boolean
  /** Resolves when every response is closed. Repeating it waits for the same end. */
  run(): Promise<void>
}

/** What has been ended needs this long at most to say so: the end of a stream is a durable charge. */
const SETTLE_MS = 3_000
/** From refusing what does not come back to closing its connection. */
const FLUSH_MS = 200
/** Who has asked `/readyz` within this time may still go by its answer. */
const PROBE_MEMORY_MS = 60_000
const IDLE_SWEEP_MS = 20

export function createDrain(server: Server, { limits, requests, onDrain, log }: DrainOptions): Drain {
  const open = createOpenCount()
  let probedAt = Number.NEGATIVE_INFINITY
  let isEnding = false
  let ended: Promise<void> | null = null

  async function end(): Promise<void> {
    isEnding = true
    requests.closeConnections()
    const isWatched = performance.now() - probedAt < PROBE_MEMORY_MS
    log.info({ openRequests: requests.size, isWatched }, 'stopping')
    if (isWatched) await sleep(limits.drainMs)
    server.close()
    requests.endWatchers(serverStops())
    onDrain()
    // A connection whose last answer ends now would be kept for another request that is never served.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    await within(limits.shutdownMs, open.none())
    requests.endAll(serverStops())
    await within(SETTLE_MS, open.none())
    requests.refuseAll(serverStops())
    await within(FLUSH_MS, open.none())
    clearInterval(sweep)
    server.closeAllConnections()
  }

  return {
    onRequest(response) {
      open.add()
      if (isEnding) response.shouldKeepAlive = false
    },
    onClose: open.remove,
    answersProbe(request, response) {
      if (request.url !== '/readyz') return false
      probedAt = performance.now()
      if (!isEnding) return false
      response.writeHead(503, { 'content-type': 'application/json; charset=utf-8' }).end('{"status":"stopping"}')
      return true
    },
    run: () => (ended ??= end()),
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for `done`, but no longer than `ms`. */
async function within(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([done, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
