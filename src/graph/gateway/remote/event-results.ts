/** A GraphQL event stream ("distinct connections" of graphql-sse) as it comes: as results, or as bytes to pass on. */

export interface EventResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string }[]
}

const CUT = 'The stream ended before it was complete.'
const COMPLETE = 'event: complete'

/**
 * Yields every result until the stream says that it is complete; `onBytes` hears of pings too.
 *
 * @throws Error when the stream ends without saying so: it was cut.
 */
export async function* eventResults(body: AsyncIterable<unknown>, onBytes: () => void): AsyncGenerator<EventResult> {
  // Characters may be cut in two by the network, so the decoder keeps what is left of one.
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    onBytes()
    text += decoder.decode(bytes as Uint8Array, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split('\n')
      if (lines.includes(COMPLETE)) return
      const data = lines.find((line) => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as EventResult
    }
  }
  throw new Error(CUT)
}

/**
 * Yields the bytes of the stream up to the end of an event each time, the `complete` too, so that something may be written
 * behind any of them. JSON has no line breaks, so the bytes of a `complete` can be nothing else.
 *
 * @throws Error when the stream ends without saying so: it was cut.
 */
export async function* wholeEvents(body: AsyncIterable<unknown>, onBytes: () => void): AsyncGenerator<Uint8Array> {
  let rest: Buffer | null = null
  for await (const bytes of body) {
    onBytes()
    const arrived: Buffer = rest ? Buffer.concat([rest, bytes as Buffer]) : (bytes as Buffer)
    const end = arrived.lastIndexOf('\n\n')
    if (end === -1) {
      rest = arrived
      continue
    }
    const whole = arrived.subarray(0, end + 2)
    rest = whole.length === arrived.length ? null : arrived.subarray(end + 2)
    yield whole
    if (whole.lastIndexOf(COMPLETE) > whole.lastIndexOf('event: next')) return
  }
  throw new Error(CUT)
}
