/** Many clients at once: a balance is never overspent, and callers that leave are settled once. */
import { Agent, request, setGlobalDispatcher, getGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testMode } from '../../kit/app-servers.js'
import { byEffort } from '../../kit/effort.js'
import { streams } from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chat-app.js'

/** At once. */
const CLIENTS = byEffort({ brief: 200, short: 1_000, long: 1_000 })
const AFFORDED = CLIENTS / 4

let chat: ChatApp
const agent = new Agent({ connections: CLIENTS, pipelining: 1 })
const before = getGlobalDispatcher()

beforeAll(async () => {
  setGlobalDispatcher(agent)
  chat = await startChatApp(
    {
      endless: streams({ pieces: Array.from({ length: 100 }, () => 'word '), betweenMs: 1_000 }),
    },
    { limits: { provider_connections: 1_200 } },
  )
})
afterAll(async () => {
  await chat.stop()
  setGlobalDispatcher(before)
  await agent.close()
})

async function send(model: string, key: string, more: object) {
  const answer = await request(`${chat.app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  })
  // Leaving early is the point here; the client's own word for it is no news.
  answer.body.on('error', () => undefined)
  return answer
}

/** What a request of this shape holds, seen on an account that can afford it. */
async function holdOf(more: object): Promise<number> {
  const { key } = await chat.app.account({ credits: '100' })
  const { body } = await send('endless', key, more)
  const { held } = await chat.app.credits(key)
  body.destroy()
  return nano(held)
}

describe(`${CLIENTS} requests at once on a balance for ${AFFORDED}`, () => {
  it('are served exactly that often, and the ledger balances', async () => {
    // Every stream stays open until all have been answered, so it is the holds that decide how many fit.
    const hold = await holdOf({ max_tokens: 90, stream: true })
    const { key } = await chat.app.account({ credits: ((hold * AFFORDED) / 1e9).toFixed(9) })
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { statusCode, body } = await send('endless', key, { max_tokens: 90, stream: true })
        return { statusCode, body }
      }),
    )
    const held = nano((await chat.app.credits(key)).held)
    for (const { body } of answers) body.destroy()
    const served = answers.filter(({ statusCode }) => statusCode === 200)
    expect(served).toHaveLength(AFFORDED)
    expect(answers.filter(({ statusCode }) => statusCode === 402)).toHaveLength(CLIENTS - AFFORDED)
    // What another server holds in its leases is not shown (decision 0054).
    if (testMode === 'leased') expect(held).toBeLessThanOrEqual(hold * AFFORDED)
    else expect(held).toBe(hold * AFFORDED)
    await expect.poll(async () => (await chat.app.credits(key)).held, { timeout: 10_000 }).toBe('0.00')
    const report = await chat.app.server.app.ledger.checkInvariants()
    expect(report.violations).toEqual([])
  }, 60_000)
})

describe(`${CLIENTS} streams whose clients leave`, () => {
  it('end their provider calls and are settled once each', async () => {
    const { key } = await chat.app.account({ credits: '100' })
    const opened = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { body, statusCode } = await send('endless', key, { max_tokens: 500, stream: true })
        expect(statusCode).toBe(200)
        return body
      }),
    )
    expect(chat.provider.openCalls).toBe(CLIENTS)
    for (const body of opened) body.destroy()
    await chat.provider.until(() => chat.provider.openCalls === 0)
    await expect.poll(async () => (await chat.app.credits(key)).held, { timeout: 10_000 }).toBe('0.00')
    const { viewer } = await chat.app.graphql<{ viewer: { usageBy: { requests: number; cost: string }[]; balance: string } }>(
      '{ viewer { balance usageBy(group: MODEL) { requests cost } } }',
      {},
      key,
    )
    expect(viewer.usageBy).toHaveLength(1)
    expect(viewer.usageBy[0]!.requests).toBe(CLIENTS)
    expect(nano(viewer.balance) + nano(viewer.usageBy[0]!.cost)).toBe(100e9)
  }, 60_000)
})
