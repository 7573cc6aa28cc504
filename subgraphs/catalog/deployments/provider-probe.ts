/** Asks each live provider for its list of models: whether it is there, and whether it takes our key. Costs nothing at any of them. */
import { keyHeaders } from '#platform/requests/provider-key.js'
import type { ProviderRecord } from '../records.js'

export interface ProviderProbe {
  /** The routing identifier. */
  readonly id: string
  /** `unknown`: it is there, but does not say whether it would take the key. */
  readonly result: 'accepted' | 'refused' | 'unknown' | 'unreachable'
  /** The HTTP status; null when there was none. */
  readonly status: number | null
  /** One sentence for the operator. */
  readonly message: string
}

/** How long a provider may take. */
const PROBE_MS = 5_000

export const probeProviders = (providers: readonly ProviderRecord[]): Promise<ProviderProbe[]> =>
  Promise.all(providers.map(probe))

async function probe({ id, baseUrl, api, apiKey }: ProviderRecord): Promise<ProviderProbe> {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`
  try {
    const response = await fetch(url, {
      headers: keyHeaders(api, apiKey),
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MS),
    })
    await response.body?.cancel()
    return judged(id, response.status)
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    const reason = isLate ? `it does not answer within ${PROBE_MS / 1000} s` : (connectCode(error) ?? 'the connection failed')
    return { id, result: 'unreachable', status: null, message: `${id} cannot be reached: ${reason}.` }
  }
}

function judged(id: string, status: number): ProviderProbe {
  if (status >= 200 && status < 300) return { id, result: 'accepted', status, message: `${id} answers and takes the key.` }
  if (status === 401 || status === 403) {
    return { id, result: 'refused', status, message: `${id} refuses the key (${status}).` }
  }
  return { id, result: 'unknown', status, message: `${id} answers with ${status}; whether it takes the key is not known.` }
}

const connectCode = (error: unknown): string | null => {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return typeof cause?.code === 'string' ? cause.code : null
}
