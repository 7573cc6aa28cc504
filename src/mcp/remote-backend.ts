/** The tools on a server elsewhere: its /api with the caller's key. */
import { AppError } from '#platform/errors.js'
import { RemoteFault, type FaultBody, type ScanBackend, type ToolCall } from '../edge/scan/scan-backend.js'

/** Longer than a scan may take at a server that has the usual `scanner.scan_seconds`, half a minute. */
const TIMEOUT_MS = 60_000

/** `url` has no path. */
export function createRemoteBackend(url: string, apiKey: string): ScanBackend {
  async function ask<T>(path: string, { signal }: ToolCall, body?: object): Promise<T> {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
      throw isLate ? new AppError('timeout', `${url} did not answer in time.`) : new RemoteFault(fault(`${url} does not answer.`))
    })
    const answer: unknown = await response.json().catch(() => {
      throw new RemoteFault(fault(`What answers at ${url} (status ${response.status}) is not a Sluice server.`))
    })
    if (!response.ok) throw new RemoteFault(answer as FaultBody)
    return answer as T
  }

  return {
    scanCode: (request, call) => ask('/api/scan', call, request),
    async batchScan(request, call) {
      const body = await ask<Awaited<ReturnType<ScanBackend['batchScan']>>>('/api/batch-scan', call, request)
      // The answer comes in one piece; all that can be told on the way is the end.
      call.onProgress(request.files.length, request.files.length)
      return body
    },
    config: (call) => ask('/api/config', call),
    rules: (standard, call) => ask(`/api/rules${standard === null ? '' : `?standard=${encodeURIComponent(standard)}`}`, call),
    health: (call) => ask('/api/health', call),
  }
}

const fault = (error: string): FaultBody => ({ error, code: 'SERVER_ERROR' })
