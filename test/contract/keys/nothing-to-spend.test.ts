/** Accounts that may spend nothing: opened without credits, or with a monthly cap of 0. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answers, wholeJson } from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from '../chats/chat-app.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp({ normal: answers(wholeJson('Hi')) })
})
afterAll(() => chat.stop())

async function refused(key: string) {
  const response = await chat.app.fetch('/v1/chat/completions', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'normal', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  return { status: response.status, ...((await response.json()) as { error: { type: string; message: string } }) }
}

it('An account is opened with credits of 0, and its chats are a 402 with that balance.', async () => {
  const { key } = await chat.app.account({ credits: '0' })
  const { status, error } = await refused(key)
  expect([status, error.type]).toEqual([402, 'insufficient_credits'])
  expect(error.message).toContain('$0.00')
})

it('A monthly cap of 0 lets nothing be spent, from the start or from a change on, and the 402 tells the balance.', async () => {
  const capped = await chat.app.account({ credits: '5', monthlyCap: '0' })
  const changed = await chat.app.account({ credits: '5' })
  const set = 'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { account { monthlyCap } } }'
  const input = { id: changed.id, monthlyCap: '0' }
  expect(await chat.app.graphql(set, { input })).toEqual({ updateAccount: { account: { monthlyCap: '0.00' } } })
  for (const { key } of [capped, changed]) {
    const { status, error } = await refused(key)
    expect([status, error.type]).toEqual([402, 'insufficient_credits'])
    expect(error.message).toContain('$5.00')
  }
  await chat.app.graphql(set, { input: { ...input, monthlyCap: null } })
  expect((await refused(changed.key)).status).toBe(200)
})

it('An amount below 0 is refused.', async () => {
  await expect(chat.app.account({ credits: '-1' })).rejects.toThrow()
  await expect(chat.app.account({ monthlyCap: '-1' })).rejects.toThrow()
})
