/** The webhooks' page in Chromium, with a receiver that is really sent what happens. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { webhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.js'
import { expectAccessible, hasChromium, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

const CONFIG = { sandbox: true, webhooks: { allow_networks: ['127.0.0.0/8'], allow_http: true } }

describe.skipIf(!hasChromium)('webhooks in Chromium (skipped where Chromium is not installed)', () => {
  let app: TestApp
  let browser: ConsoleBrowser
  let receiver: WebhookReceiver
  beforeAll(async () => {
    app = await startTestApp({ config: CONFIG })
    browser = await startBrowser(app.url)
    receiver = await webhookReceiver()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  const rowsOf = (page: Page, table: string) => page.getByRole('region', { name: table, exact: true }).getByRole('row')
  /** Something that webhooks are told of. */
  const makeKey = (name: string) =>
    app.graphql('mutation ($name: String!) { createApiKey(input: { name: $name, scopes: [CHAT] }) { secret } }', { name })
  async function addWebhook(name: string): Promise<void> {
    const { createWebhook } = await app.graphql<{ createWebhook: { secret: string } }>(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }',
      { input: { url: receiver.url, name } },
    )
    receiver.secret = createWebhook.secret
  }
  const secretShown = async (page: Page): Promise<string> => {
    const secret = await page.getByLabel('the secret', { exact: true }).textContent()
    await page.getByRole('button', { name: 'I have it' }).click()
    return secret!
  }

  it('an address is added, tested, gets a new secret, and is removed', async () => {
    const page = await browser.openWith(app.adminKey, '/webhooks')
    await page.getByText('Nobody is told yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('http://192.168.0.1/hook')
    await dialog.getByLabel('A price has come into force').check()
    await dialog.getByText('only 1 of 13').waitFor()
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await dialog.getByText(/private|special/).waitFor()
    expect(await dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Name').fill('the pager')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    receiver.secret = await secretShown(page)
    const row = rowsOf(page, 'Webhooks').filter({ hasText: 'the pager' })
    await row.getByText('price.changed').waitFor()
    await page.getByText('Nothing has happened since').waitFor()
    await page.getByRole('button', { name: 'Send the pager a test message' }).click()
    await page.getByText('the pager has taken the test message.').waitFor()
    const before = receiver.secret
    await page.getByRole('button', { name: 'Change the secret of the pager' }).click()
    await page.getByLabel('The old secret signs too').selectOption('0')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Change the secret' }).click()
    const after = await secretShown(page)
    expect(after).not.toBe(before)
    await page.getByRole('button', { name: 'Send the pager a test message' }).click()
    await page.getByText('the pager has not taken it: the receiver answered 400.').waitFor()
    await page.getByRole('button', { name: 'Remove the pager' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Nobody is told yet').waitFor()
  })

  it('what was given up is looked at and sent again, once the webhook is on', async () => {
    await addWebhook('audit')
    receiver.answer = () => 410
    const [tried, taken] = [receiver.attempts.length, receiver.taken.length]
    await makeKey('first')
    await receiver.tried(tried + 1)
    const page = await browser.openWith(app.adminKey, '/webhooks')
    const row = rowsOf(page, 'Webhooks').filter({ hasText: 'audit' })
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read again' }).click()
        return row.textContent()
      })
      .toContain('its receiver answered 410')
    await page.getByLabel('State of messages').selectOption('DEAD')
    await expect.poll(() => rowsOf(page, 'Messages').count()).toBe(2)
    await expectAccessible(page)
    await rowsOf(page, 'Messages').nth(1).click()
    await page.getByRole('dialog').getByText('"name": "first"').waitFor()
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    receiver.answer = () => 204
    await page.getByRole('button', { name: 'Turn audit on' }).click()
    await page.getByText('audit is told of what happens from now on.').waitFor()
    await page.getByRole('button', { name: 'Send all that were given up again' }).click()
    await page.getByText('The message is sent again.').waitFor()
    const sent = (await receiver.took(taken + 1))[taken]
    expect(sent).toMatchObject({ type: 'key.created', data: { name: 'first' } })
    await page.getByLabel('State of messages').selectOption('')
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read again' }).click()
        return rowsOf(page, 'Messages').nth(1).textContent()
      })
      .toContain('delivered')
    await rowsOf(page, 'Messages').nth(1).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    expect((await receiver.took(taken + 2))[taken + 1]!.id).toBe(sent!.id)
    await page.getByRole('button', { name: 'Turn audit off' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Turn it off' }).click()
    await row.getByText('off', { exact: true }).waitFor()
  })

  it('the webhook, the state and the message are in the address; who is no administrator is not led there', async () => {
    await addWebhook('second')
    receiver.answer = () => 204
    const taken = receiver.taken.length
    await makeKey('told of')
    await receiver.took(taken + 1)
    const narrow = await browser.openWith(app.adminKey, '/webhooks?state=DELIVERED&webhook=none&other=1', NARROW)
    await rowsOf(narrow, 'Webhooks').filter({ hasText: 'second' }).click()
    await narrow.getByText('Messages to second').waitFor()
    await narrow.getByLabel('State of messages').selectOption('DELIVERED')
    await rowsOf(narrow, 'Messages').nth(1).click()
    await narrow.getByRole('dialog').getByText('"name": "told of"').waitFor()
    const { searchParams } = new URL(narrow.url())
    expect([...searchParams.keys()].toSorted()).toEqual(['message', 'state', 'webhook'])
    await narrow.reload()
    await narrow.getByRole('dialog').getByText('"name": "told of"').waitFor()
    await narrow.keyboard.press('Escape')
    await narrow.getByText('Messages to second').waitFor()
    const { key } = await app.account({ credits: '1' })
    const owner = await browser.openWith(key, '/usage')
    expect(await owner.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  })
})
