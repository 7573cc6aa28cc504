/** Subscriptions over server-sent events: those that only look on are opened again for as long as somebody looks. */
import type { FormattedExecutionResult } from 'graphql'
import { createClient, NetworkError, type RequestParams } from 'graphql-sse'
import { connection } from './connection.js'

/** Without it the server does not heed the session. */
export const CONSOLE_HEADERS = { 'x-sluice-console': '1' }

export const events = createClient({ url: '/graphql', headers: CONSOLE_HEADERS, retryAttempts: 0 })

interface Sink {
  next(result: FormattedExecutionResult): void
  error(error: unknown): void
  complete(): void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5_000
/** A stream may have nothing to say for days. One that the server opens only to refuse it says so at once. */
const REFUSAL_MS = 300

/** Follows a subscription until the returned function is called, over breaks of the connection and restarts of the server. */
export function follow(request: RequestParams, sink: Sink): () => void {
  const stream = Symbol(request.operationName ?? '')
  const stop = new AbortController()
  let running: AsyncIterableIterator<FormattedExecutionResult> | undefined

  const isOpen = () => {
    connection.holds(stream)
    connection.opens()
  }

  /** Whether the server has ended it for good. */
  async function read(onResult: () => void): Promise<boolean> {
    let opened: ReturnType<typeof setTimeout> | undefined
    running = events.iterate(request, {
      connected: () => (opened = setTimeout(isOpen, REFUSAL_MS)),
    }) as AsyncIterableIterator<FormattedExecutionResult>
    try {
      for await (const result of running) {
        if (stop.signal.aborted) return true
        if (isPassing(result)) return false
        connection.holds(stream)
        onResult()
        sink.next(result)
      }
      return true
    } catch (error) {
      const refusal = await refusalIn(error)
      if (!refusal) return false
      connection.holds(stream)
      sink.next(refusal)
      return true
    } finally {
      clearTimeout(opened)
    }
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS
    while (!(await read(() => (waitMs = FIRST_WAIT_MS)))) {
      if (stop.signal.aborted) return
      connection.breaks(stream)
      await pause(waitMs * (0.5 + Math.random() / 2), stop.signal)
      if (stop.signal.aborted) return
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    }
    if (!stop.signal.aborted) sink.complete()
  }

  run().catch((error: unknown) => sink.error(error))
  return () => {
    stop.abort()
    connection.holds(stream)
    void running?.return?.()
  }
}

/** A server that stops, or a part of it that is in trouble: it will be back. */
const isPassing = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => extensions?.['code'] === 'SERVICE_UNAVAILABLE') === true

/** What the server has answered to a request that it does not want; null where it did not get to look at it. */
export async function refusalIn(thrown: unknown): Promise<FormattedExecutionResult | null> {
  const response = thrown instanceof NetworkError ? (thrown as NetworkError<Response>).response : undefined
  if (!response || response.status < 400 || response.status >= 500 || response.status === 429) return null
  const body = parsed(await response.text())
  return body?.errors ? body : null
}

function parsed(text: string): FormattedExecutionResult | null {
  try {
    return JSON.parse(text) as FormattedExecutionResult
  } catch {
    return null
  }
}

/** At most so long, less when the browser is back on its network or somebody looks at the page again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      removeEventListener('focus', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
    addEventListener('focus', go)
    signal.addEventListener('abort', go)
  })
}
