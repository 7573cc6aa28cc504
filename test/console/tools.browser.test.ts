/** Functions in the playground, in Chromium: an answer calls them, a person says what they gave back, and the model goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { deltaJson, fakeUsage, playsEvents, type Scene } from '../kit/fake-provider-scenes.js'
import { expectAccessible, hasChromium, startBrowser, type ConsoleBrowser } from './console-browser.js'

const TOOLS = JSON.stringify([{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }])

const callOf = (index: number, city: string) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})

/** Calls a function twice; asked with what came of it, says that again. */
const agent: Scene = (response, call) => {
  const messages = call.body['messages'] as readonly { role: string; content: string; tool_call_id?: string }[]
  const results = messages.filter(({ role }) => role === 'tool')
  const said = results.map(({ tool_call_id: id, content }) => `${id}: ${content}`).join(' and ')
  const usage = { choices: [], usage: fakeUsage(11, 3) }
  const events =
    results.length > 0
      ? [deltaJson({ role: 'assistant', content: `I read ${said}` }), deltaJson({}, 'stop', { usage: usage.usage })]
      : [
          deltaJson({ role: 'assistant', tool_calls: [callOf(0, 'Oslo'), callOf(1, 'Lima')] }),
          deltaJson({}, 'tool_calls', { usage: usage.usage }),
        ]
  return playsEvents(events)(response, call)
}

describe.skipIf(!hasChromium)('functions in the playground in Chromium (skipped where Chromium is not installed)', () => {
  let chat: ChatApp
  let browser: ConsoleBrowser
  beforeAll(async () => {
    chat = await startChatApp({ agent })
    browser = await startBrowser(chat.app.url)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await chat.stop()
  })

  it('what they gave back is sent, by the ids of their calls, and kept with the conversation', async () => {
    const page = await browser.openWith(chat.app.adminKey, '/play?model=agent')
    await page.getByText('Tools', { exact: true }).click()
    await page.getByLabel('Functions, as JSON').fill(TOOLS)
    await page.getByLabel('Message', { exact: true }).fill('How warm is it?')
    await page.keyboard.press('Enter')
    await page.getByText('weather({"city":"Oslo"})').waitFor()
    await page.getByLabel('What weather gives back (call 1)').fill('{"celsius": 3}')
    await page.getByLabel('What weather gives back (call 2)').fill('19 degrees')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send the results' }).click()
    await page.getByText('I read call_0: {"celsius": 3} and call_1: 19 degrees').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send the results' }).count()).toBe(0)
    const asked = chat.provider.calls.at(-1)!.body['messages'] as object[]
    expect(asked).toMatchObject([
      { role: 'user', content: 'How warm is it?' },
      { role: 'assistant', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: '{"celsius": 3}' },
      { role: 'tool', tool_call_id: 'call_1', content: '19 degrees' },
    ])
    await page.getByRole('tab', { name: 'Code' }).click()
    expect(await page.getByLabel('the request in curl', { exact: true }).textContent()).toContain('"tool_call_id": "call_1"')
    await page.reload()
    await page.getByText('weather → 19 degrees').waitFor()
    await expectAccessible(page)
    // Said again differently: a branch beside the first.
    await page.getByRole('article', { name: 'You' }).last().hover()
    await page.getByRole('button', { name: 'Delete from here' }).nth(2).click()
    await page.getByLabel('What weather gives back (call 1)').fill('cold')
    await page.getByRole('button', { name: 'Send the results' }).click()
    await page.getByText('I read call_0: cold and call_1:').waitFor()
  })
})
