/** Posts spans to a collector, many at a time; a collector that does not take them costs spans, never a request. */
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Logger } from '#platform/log.js'
import type { EndedSpan, SpanBatch } from './otlp-protobuf.js'

export interface SenderOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** For the spans of a post; used again when that was taken. */
  readonly newBatch: () => SpanBatch
  /** Milliseconds between two posts. */
  readonly delayMs: number
  /** For each post, with its answer. */
  readonly timeoutMs: number
  readonly log: Logger
}

export interface SpanSender {
  add(span: EndedSpan): void
  /** Sends what waits, for as long as a stop may take. */
  stop(): Promise<void>
}

/** Those that wait at most: the newest are let go. */
const MOST_WAITING = 8_192
/** Batches that are kept while none is needed: one fills while another is on its way. */
const MOST_SPARE = 2
const ATTEMPTS = 4
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 10_000
const STOP_MS = 3_000
/** What the protocol says may be tried again. */
const RETRYABLE = new Set([429, 502, 503, 504])
const TOLD_EVERY_MS = 60_000

export function createSpanSender({ newBatch, delayMs, log, ...posting }: SenderOptions): SpanSender {
  const stopping = new AbortController()
  const poster = createPoster(posting, stopping.signal)
  const tell = lossTeller(log)
  const full: SpanBatch[] = []
  const spare: SpanBatch[] = []
  let open = newBatch()
  let waiting = 0
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()

  async function sendAll(): Promise<void> {
    for (let next = full.shift(); next; next = full.shift()) {
      const why = await poster.post(next.finish())
      if (why !== null) tell(why, next.count)
      waiting -= next.count
      next.empty()
      if (spare.length < MOST_SPARE) spare.push(next)
    }
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    if (open.count > 0) {
      full.push(open)
      open = spare.pop() ?? newBatch()
    }
    sending = sending.then(sendAll)
    return sending
  }

  return {
    add(span) {
      if (waiting >= MOST_WAITING) return tell('too many wait', 1)
      open.add(span)
      waiting++
      if (open.isFull) void flush()
      else timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    async stop() {
      // A collector that does not answer must not keep the program from its end.
      const limit = setTimeout(() => stopping.abort(), STOP_MS)
      await flush()
      clearTimeout(limit)
      stopping.abort()
      await poster.close()
    },
  }
}

/** Says now and then how many spans were lost, and why the last of them were. */
function lossTeller(log: Logger): (why: string, spans: number) => void {
  let dropped = 0
  let toldAt = -Infinity
  return (why, spans) => {
    dropped += spans
    if (performance.now() - toldAt < TOLD_EVERY_MS) return
    toldAt = performance.now()
    log.warn({ dropped, why }, 'spans were not taken by the collector')
    dropped = 0
  }
}

interface Failure {
  readonly why: string
  /** How long to wait before it is tried again; null where that helps nothing. */
  readonly afterMs: number | null
}

function createPoster(
  { url, headers, timeoutMs }: Pick<SenderOptions, 'url' | 'headers' | 'timeoutMs'>,
  stopped: AbortSignal,
): {
  /** Null when it was taken, at once or later; else why not. */
  post(body: Uint8Array): Promise<string | null>
  close(): Promise<void>
} {
  const agent = new Agent({ connections: 1, pipelining: 1 })

  async function attempt(body: Uint8Array): Promise<Failure | null> {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body,
        dispatcher: agent,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]),
      })
      await answer.body.dump()
      const { statusCode: status } = answer
      if (status >= 200 && status < 300) return null
      const seconds = Number(answer.headers['retry-after'])
      return { why: `it answered ${status}`, afterMs: RETRYABLE.has(status) ? (seconds > 0 ? seconds * 1000 : 0) : null }
    } catch (error) {
      return { why: error instanceof Error ? error.message || error.name : 'it did not answer', afterMs: 0 }
    }
  }

  return {
    async post(body) {
      for (let attempts = 1; ; attempts++) {
        const failed = await attempt(body)
        if (failed === null) return null
        if (failed.afterMs === null || attempts === ATTEMPTS || stopped.aborted) return failed.why
        const waitMs = Math.min(MAX_WAIT_MS, Math.max(failed.afterMs, FIRST_WAIT_MS * 2 ** (attempts - 1)))
        await wait(waitMs, undefined, { signal: stopped, ref: false }).catch(() => undefined)
      }
    },
    close: () => agent.destroy(),
  }
}
