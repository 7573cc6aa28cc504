/** The results in a GraphQL event stream ("distinct connections" of graphql-sse), as they come. */
import type { Response } from 'undici'

interface EventResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string }[]
}

/**
 * Yields every result until the stream says that it is complete; `onBytes` hears of pings too.
 *
 * @throws Error when the stream ends without saying so: it was cut.
 */
export async function* eventResults(response: Response, onBytes: () => void): AsyncGenerator<EventResult> {
  // Characters may be cut in two by the network, so the decoder keeps what is left of one.
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    onBytes()
    text += decoder.decode(bytes as Uint8Array, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split('\n')
      if (lines.includes('event: complete')) return
      const data = lines.find((line) => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as EventResult
    }
  }
  throw new Error('The stream ended before it was complete.')
}
