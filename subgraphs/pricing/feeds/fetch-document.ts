/** Reads one JSON document over HTTP, within a time and a size. */
import { BrokenFeed } from './listed-price.js'

export interface DocumentLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

/** @throws BrokenFeed with a sentence for the operator; never the document's own text. */
export async function fetchDocument(url: string, { maxBytes, timeoutMs }: DocumentLimits, signal: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(url, { signal: limit, headers: { accept: 'application/json' } })
    if (!response.ok) {
      await response.body?.cancel()
      throw new BrokenFeed(`The server answered ${response.status}.`)
    }
    return JSON.parse(await readText(response, maxBytes)) as unknown
  } catch (error) {
    if (error instanceof BrokenFeed) throw error
    if (error instanceof SyntaxError) throw new BrokenFeed('The answer is not JSON.', { cause: error })
    throw new BrokenFeed(limit.aborted ? 'The server did not answer in time.' : 'The server does not answer.', { cause: error })
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BrokenFeed(`The answer is longer than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
