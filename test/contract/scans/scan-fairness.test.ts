/** One account that asks for all it can get, and the others who still get their answers. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../kit/app.js'
import { byEffort } from '../../kit/effort.js'
import { dangerous } from '../../mcp/samples.js'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ config: { scanner: { analyzers: 2 } }, isOfOneServer: true })
})
afterAll(() => app[Symbol.asyncDispose]())

const scan = (body: object, key: string, signal?: AbortSignal) =>
  app.fetch('/api/scan', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

/** What parsers need their whole limit for: noise, and a text that takes some parsers seconds between two looks at the clock. */
const attacks: [what: string, language: string, codeOf: () => string][] = [
  ['a small file that the parser cannot stop in', 'java', () => 'a<'.repeat(12_000)],
  [
    'a megabyte of noise',
    'scala',
    () => Array.from({ length: 330_000 }, (_, at) => String.fromCharCode((at * 48_271) % 55_000)).join(''),
  ],
]

/** Two analyzers work for as long as they may, several times over: the short one shows the same. */
const tried = byEffort({ brief: attacks.slice(0, 1), short: attacks, long: attacks })

it.each(tried)('55 requests with %s keep nobody else waiting, and most are refused at once', async (_, language, codeOf) => {
  const [attacker, other] = [await app.account({ scanTier: 'FREE' }), await app.account({ scanTier: 'FREE' })]
  await scan({ code: dangerous, language: 'python' }, other.key)
  const gone = new AbortController()
  let left = 0
  const statuses: number[] = []
  const code = codeOf()
  const flood = Array.from({ length: 55 }, async () => {
    const response = await scan({ code, language }, attacker.key, gone.signal).catch((error: unknown) => {
      // A connection that broke has given its place back too.
      left++
      throw error
    })
    statuses.push(response.status)
    if (response.status !== 429) return left++
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ code: 'RATE_LIMIT', retry_after_seconds: expect.any(Number) as number })
  })
  const all = Promise.allSettled(flood)
  for (let round = 0; round < 2; round++) {
    const before = left
    const answer = await scan({ code: dangerous, language: 'python' }, other.key)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ summary: { critical: 1 } })
    // Behind what the two analyzers had begun, and not behind what waited.
    expect(left - before).toBeLessThanOrEqual(3)
  }
  // Eight may be open at a time: but for those that got the place of one that has ended, all others are refused.
  await vi.waitFor(() => expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(55 - 8 - left), 45_000)
  gone.abort()
  await all
})

it('what the limits cut off says so, and the rules on text still hold', async () => {
  const { key } = await app.account()
  const secret = ['ghp', 'x9Kq2mZr7Lw4Vb8Tn3Yc6Hd1Jf5Gs0Pa2Qe7'].join('_')
  const response = await scan({ code: `// ${secret}\n${'a<'.repeat(12_000)}`, language: 'java' }, key)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    status: 'completed',
    violations: [{ rule_id: 'secret-github-token', line: 1 }],
    is_truncated: true,
    warnings: [expect.stringMatching(/rules on its text/) as string],
  })
})

it('a short file of nested calls is analyzed like any other', async () => {
  const { key } = await app.account()
  const code = `${'f('.repeat(24)}${')'.repeat(24)}`
  expect(await (await scan({ code, language: 'csharp' }, key)).json()).toMatchObject({ status: 'completed', violations: [] })
})
