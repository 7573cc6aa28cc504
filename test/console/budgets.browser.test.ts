/** Budgets in Chromium: administrators set them, and whoever they bind sees them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { expectAccessible, hasChromium, isLive, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

const CONFIG = { sandbox: true, catalog: { include_shipped: true } }

describe.skipIf(!hasChromium)('budgets in Chromium (skipped where Chromium is not installed)', () => {
  let app: TestApp
  let browser: ConsoleBrowser
  beforeAll(async () => {
    app = await startTestApp({ config: CONFIG })
    browser = await startBrowser(app.url)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  const chat = (key: string) =>
    app.fetch('/v1/chat/completions', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'llama-3.2-3b-instruct', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 }),
    })
  const budgetsIn = (page: Page) => page.getByRole('dialog').getByRole('listitem')

  it('of an account: added, seen by its owner, changed, and deleted', async () => {
    const account = await app.account({ credits: '10', monthlyCap: '5' })
    const owner = await browser.openWith(account.key, '/usage', NARROW)
    await owner.getByText('$10.0000').first().waitFor()
    await isLive(owner)
    expect(await owner.getByRole('list', { name: 'Budgets' }).count()).toBe(0)
    const page = await browser.openWith(app.adminKey, `/admin?find=${account.id}`)
    await page.getByRole('button', { name: 'Budgets of test' }).click()
    await expect.poll(() => budgetsIn(page).count()).toBe(1)
    await budgetsIn(page).getByText('Monthly cap').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add budget' }).click()
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add budget' })
    expect(await add.isDisabled()).toBe(true)
    await page.getByLabel('Amount in USD').fill('2.5')
    await page.getByLabel('In', { exact: true }).selectOption('DAY')
    await page.getByLabel('Webhooks are told at percent').fill('101')
    await page.getByText('A percentage from 1 to 100.').waitFor()
    expect(await add.isDisabled()).toBe(true)
    await page.getByLabel('Webhooks are told at percent').fill('50')
    await expectAccessible(page)
    await add.click()
    const daily = budgetsIn(page).filter({ hasText: 'Daily budget' })
    await daily.getByText('$0.0000 of $2.50 spent, told at 50 %').waitFor()
    // Nothing was said to the owner's page, which hears of the next request.
    expect((await chat(account.key)).status).toBe(200)
    const card = owner.getByRole('list', { name: 'Budgets' }).getByRole('listitem')
    await card.getByText('Daily budget').waitFor()
    await expect.poll(() => card.textContent()).not.toContain('$0.0000 of')
    await expectAccessible(owner)
    await page.getByRole('button', { name: 'Change Daily budget' }).click()
    await page.getByLabel('Amount in USD').fill('0.0000001')
    await page.getByLabel('Name').fill('the team’s')
    await page.getByLabel('When it is used up').selectOption('WARN')
    await page.getByLabel('Find a model').fill('llama-3.2-3b')
    await page.getByLabel('llama-3.2-3b-instruct').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    const changed = budgetsIn(page).filter({ hasText: 'the team’s' })
    await changed.getByText('only warns').waitFor()
    await changed.getByText('llama-3.2-3b-instruct').waitFor()
    expect(await changed.getByRole('meter').getAttribute('aria-valuenow')).toBe('100')
    expect((await chat(account.key)).status).toBe(200)
    await page.getByRole('button', { name: 'Delete the team’s' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => budgetsIn(page).count()).toBe(1)
  })

  it('of a key: they bind it, are no others’, and what the server refuses stands in the dialog', async () => {
    const created = await app.graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
      'mutation { createApiKey(input: { name: "of the interns", scopes: [CHAT] }) { secret apiKey { id } } }',
    )
    const { secret, apiKey } = created.createApiKey
    const page = await browser.openWith(app.adminKey, '/keys?find=interns')
    await page.getByRole('button', { name: 'Budgets of of the interns' }).click()
    await page.getByText('what bounds its account bounds it').waitFor()
    for (const amount of ['0.000000001', '1', '2', '3', '4']) {
      await page.getByRole('button', { name: 'Add budget' }).click()
      await page.getByLabel('Amount in USD').fill(amount)
      await page.getByLabel('In', { exact: true }).selectOption('TOTAL')
      await page.getByRole('dialog').getByRole('button', { name: 'Add budget' }).click()
      if (amount === '4') break
      await budgetsIn(page)
        .filter({ hasText: `of $${amount}` })
        .first()
        .waitFor()
    }
    await page.getByText('A key has at most 4 budgets. Delete one first.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => budgetsIn(page).count()).toBe(4)
    expect((await chat(secret)).status).toBe(402)
    const interns = await browser.openWith(secret, '/usage')
    await expect.poll(() => interns.getByRole('list', { name: 'Budgets' }).getByRole('listitem').count()).toBe(4)
    // One that takes its place has the same, and the old one shows them as long as it goes on.
    await app.graphql('mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret } }', { id: apiKey.id })
    await page.goto(`${app.url}/keys?find=interns`)
    for (const at of [0, 1]) {
      await page.getByRole('button', { name: 'Budgets of of the interns' }).nth(at).click()
      await expect.poll(() => budgetsIn(page).count()).toBe(4)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    }
  })
})
