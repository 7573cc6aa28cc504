/** What a gateway sends to a subgraph: the same JSON for small requests and large ones, and the large ones off the event loop. */
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { parseExactJson } from '#platform/json/exact-json.js'
import { createRequestBodies } from '../../src/graph/gateway/remote/request-bodies.js'

const bodies = createRequestBodies()
afterAll(() => bodies.stop())
afterEach(() => vi.restoreAllMocks())

const query = 'query ($body: JSON!) { ask(body: $body) }'
const long = 'Hällo "world"\n\u{1F600} '.repeat(30_000)

/** The body, and whether this thread wrote it. */
async function written(variables: Record<string, unknown>): Promise<{ text: string; isWrittenHere: boolean }> {
  const stringify = vi.spyOn(JSON, 'stringify')
  const body = await bodies.write({ query, variables, operationName: undefined })
  const isWrittenHere = stringify.mock.calls.length > 0
  stringify.mockRestore()
  return { text: typeof body === 'string' ? body : new TextDecoder().decode(body), isWrittenHere }
}

it.each([
  ['a small request', { body: { text: 'Hällo' } }, true],
  ['long texts', { body: { text: long, parts: [{ text: long }, null, 1.5, true] } }, false],
  ['more values than a copy is worth', { body: { text: long, ids: Array.from({ length: 30_000 }, (_, at) => at) } }, true],
])('%s is the JSON of its parameters', async (_, variables, isWrittenHere) => {
  expect(await written(variables)).toEqual({ text: JSON.stringify({ query, variables }), isWrittenHere })
})

it('a number that no double holds keeps its digits, however long the text beside it', async () => {
  const variables = { body: parseExactJson(Buffer.from(`{"seed":9007199254740993,"text":${JSON.stringify(long)}}`)) }
  expect((await written(variables)).text).toContain('"seed":9007199254740993,')
})
