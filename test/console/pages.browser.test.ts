/** The pages about money, keys and the system, in Chromium: what is done on them, seen from a second browser where it matters. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import {
  expectAccessible,
  hasChromium,
  holdRequests,
  holdStreams,
  isLive,
  NARROW,
  startBrowser,
  type ConsoleBrowser,
} from './console-browser.js'
import { recordRequests } from './recorded-requests.js'

const CONFIG = { sandbox: true, catalog: { include_shipped: true } }

describe.skipIf(!hasChromium)('the pages of the console in Chromium (skipped where Chromium is not installed)', () => {
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

  const rowsOf = (page: Page, table: string) => page.getByRole('region', { name: table, exact: true }).getByRole('row')

  it('usage: filters are in the address, a reload keeps them, and a request tells its price and its route', async () => {
    const account = await app.account({ credits: '10' })
    await recordRequests(app, account, 40)
    const page = await browser.openWith(account.key, '/usage')
    await page.getByText('40 shown, that is all').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Model', { exact: true }).selectOption('odd-model')
    await page.getByText('20 shown').waitFor()
    await page.getByLabel('Sort').selectOption('Costliest first')
    await expect.poll(() => page.url()).toMatch(/model=odd-model.*sort=COSTLIEST/)
    await page.reload()
    await page.getByText('20 shown').waitFor()
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('odd-model')
    expect(await rowsOf(page, 'Requests').nth(1).textContent()).toContain('$0.000001')
    await rowsOf(page, 'Requests').nth(1).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Request' })
    await dialog.getByText('In the ledger: charged $0.000001039').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^sluice-usage-.*\.csv$/)
    expect((await readFile(await (await saved).path(), 'utf8')).split('\r\n')[0]).toMatch(/,api,.*,code_findings$/)
    await page.getByText('CSV with 20 requests saved.').waitFor()
  })

  it('usage: is narrowed by API and by the least cost, live too, in the chart as in the list', async () => {
    const account = await app.account({ credits: '10' })
    await recordRequests(app, account, 40)
    const chat = { model: 'light', input: 'Hello' }
    const ask = () =>
      app.fetch('/v1/responses', {
        method: 'POST',
        key: account.key,
        body: JSON.stringify(chat),
        headers: { 'content-type': 'application/json' },
      })
    expect((await ask()).status).toBe(200)
    const page = await browser.openWith(account.key, '/usage')
    await page.getByText('41 shown, that is all', { exact: true }).waitFor()
    await page.getByLabel('Least cost in USD').fill('0.00000102')
    await page.getByLabel('Least cost in USD').press('Enter')
    await expect.poll(() => page.url()).toContain('minCost=')
    await page.getByText('20 shown, that is all', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('20 shown, that is all', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('API', { exact: true }).selectOption('Responses')
    await page.getByText('1 shown, that is all', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Spending' }).textContent()).toContain('for 1 request')
    await isLive(page)
    await ask()
    await page.getByText('2 shown, that is all', { exact: true }).waitFor()
    expect(page.url()).toContain('api=RESPONSES')
  })

  it('usage: what was refused is listed with why', async () => {
    const { key } = await app.account()
    const page = await browser.openWith(key, '/usage')
    await page.getByRole('button', { name: 'Refused' }).click()
    await page.getByText('None in the last days').waitFor()
    await page.keyboard.press('Escape')
    const refused = await app.fetch('/v1/chat/completions', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(refused.status).toBe(402)
    await expect
      .poll(async () => {
        await page.goto(`${app.url}/usage?refused=true`)
        await page
          .getByRole('dialog')
          .getByText(/None in the last days|insufficient_credits/)
          .waitFor()
        return page.getByRole('dialog').textContent()
      })
      .toContain('insufficient_credits')
    await page.getByRole('dialog').getByText('qwen3-8b').waitFor()
    await expectAccessible(page)
  })

  it('what an address cannot mean is left out of it', async () => {
    const page = await browser.openWith(app.adminKey, '/usage?range=1y&sort=nothing&outcome=nothing&from=yesterday')
    await page
      .getByText(/^\d+ shown|No requests in this time/)
      .first()
      .waitFor()
    expect(await page.getByLabel('Sort').inputValue()).toBe('NEWEST')
    expect(await page.getByRole('button', { name: '30d' }).getAttribute('aria-pressed')).toBe('true')
    await page.goto(`${app.url}/models?sort=nothing&state=nothing&tier=7&compare=nothing`)
    await page.getByRole('link', { name: 'DeepSeek V3.1' }).waitFor()
    await page.goto(`${app.url}/prices?mix=nothing&view=nothing`)
    await page.getByText('3 : 1').waitFor()
  })

  it('usage: what one browser asks, another sees as it ends, on a narrow screen too', async () => {
    const account = await app.account({ credits: '10' })
    const page = await browser.openWith(account.key, '/usage', NARROW)
    await page.getByText('No requests in this time').waitFor()
    await isLive(page)
    const asking = await browser.openWith(account.key, '/play')
    await asking.getByLabel('Message', { exact: true }).fill('Hello')
    await asking.keyboard.press('Enter')
    await page.getByText('1 shown, that is all').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Spending' }).textContent()).toContain('for 1 request')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
  })

  it('usage: scrolls through thousands of requests, which are read as they are needed', async () => {
    const account = await app.account({ credits: '10' })
    await recordRequests(app, account, 600)
    const page = await browser.openWith(account.key, '/play')
    const openStreams = await holdStreams(page)
    const answerMore = await holdRequests(page, (body) => body.includes('"after":"'))
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('250 shown, scroll for more').waitFor()
    const table = page.getByRole('region', { name: 'Requests', exact: true })
    const toEnd = () => table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await toEnd()
    // What was read is read again once the page hears of news, also while more of it is on its way.
    const again = page.waitForResponse((response) => response.request().postData()?.includes('"after":null') === true)
    await openStreams()
    await again
    await answerMore()
    await page.getByText('500 shown, scroll for more').waitFor()
    await toEnd()
    await page.getByText('600 shown, that is all').waitFor()
    expect(await rowsOf(page, 'Requests').count()).toBeLessThan(80)
  })

  it('keys: one browser creates, rotates and revokes, and another sees each of it', async () => {
    const { key } = await app.account({ credits: '10' })
    const [page, other] = [await browser.openWith(key, '/keys'), await browser.openWith(key, '/keys', NARROW)]
    await other.getByRole('region', { name: 'Keys', exact: true }).waitFor()
    await isLive(other)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('of the staging servers')
    await page.getByLabel('Monthly cap in USD').fill('2,5')
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await page.getByLabel('Monthly cap in USD').fill('2.5')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = await page.getByLabel('the key', { exact: true }).textContent()
    expect((await app.fetch('/v1/models', { key: secret })).status).toBe(200)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have it' }).click()
    await other.getByText('of the staging servers').waitFor()
    await expectAccessible(other)
    await page.getByRole('button', { name: 'Rotate of the staging servers' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    await other.getByText('in grace').waitFor()
    await page.getByRole('button', { name: 'Revoke of the staging servers' }).nth(1).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect.poll(() => other.getByText('of the staging servers').count()).toBe(1)
    await other.getByLabel('Show ended keys').check()
    await other.getByText('revoked').waitFor()
    expect(other.url()).toContain('ended=true')
  })

  it('keys: administrators say what a key may ask and demands of code, and change it', async () => {
    const page = await browser.openWith(app.adminKey, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('of the agents')
    await page.getByLabel('Requests a minute').fill('60')
    await page.getByLabel('Code in answers').selectOption('BLOCK')
    await page.getByLabel('What counts').selectOption('HIGH')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    const row = rowsOf(page, 'Keys').filter({ hasText: 'of the agents' })
    await row.getByText('60 requests').waitFor()
    await row.getByText('withheld from high').waitFor()
    await page.getByRole('button', { name: 'Change of the agents' }).click()
    await page.getByLabel('Requests a minute').fill('')
    await page.getByLabel('Tokens a minute').fill('9000')
    await page.getByLabel('Code in answers').selectOption('REPORT')
    await page.getByLabel('OWASP Top 10').check()
    await page.getByLabel('Find a model').fill('llama-3.2-3b')
    await page.getByLabel('llama-3.2-3b-instruct').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await row.getByText('9000 tokens').waitFor()
    await row.getByText('told from high').waitFor()
    await row.getByText('llama-3.2-3b-instruct').waitFor()
    const owner = await browser.openWith((await app.account({ credits: '1' })).key, '/keys')
    await owner
      .getByRole('button', { name: /^Rotate/ })
      .first()
      .waitFor()
    expect(await owner.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    // Nor what would hand a key more than the session has.
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(
      'mutation { createApiKey(input: { name: "narrow", scopes: [CHAT], models: ["qwen3-8b"] }) { secret } }',
    )
    const narrow = await browser.openWith(createApiKey.secret, '/keys')
    await narrow.getByRole('button', { name: 'Rotate narrow' }).waitFor()
    expect(await narrow.getByRole('button', { name: /^(?:Rotate|Revoke)/ }).count()).toBe(2)
  })

  it('what happens between the reading of a page and the opening of its subscriptions is seen all the same', async () => {
    const account = await app.account({ credits: '10' })
    const [keys, usage] = [await browser.openWith(account.key, '/models'), await browser.openWith(account.key, '/models', NARROW)]
    const release = await Promise.all([keys, usage].map(holdStreams))
    await keys.goto(`${app.url}/keys`)
    await usage.goto(`${app.url}/usage`)
    await rowsOf(keys, 'Keys').nth(1).waitFor()
    await usage.getByText('No requests in this time').waitFor()
    await recordRequests(app, account, 3)
    await app.graphql('mutation { createApiKey(input: { name: "made meanwhile", scopes: [CHAT] }) { secret } }', {}, account.key)
    await Promise.all(release.map((go) => go()))
    await keys.getByText('made meanwhile').waitFor()
    await usage.getByText('3 shown, that is all').waitFor()
    await expect.poll(() => usage.getByRole('region', { name: 'Spending' }).textContent()).toContain('for 3 requests')
  })

  it('keys: every one is found, however many pages of them there are', async () => {
    const account = await app.account({ credits: '10' })
    const { keys } = app.server.app
    for (let at = 0; at < 520; at++) await keys.create({ accountId: account.id, name: `number ${at}`, scopes: ['chat'] })
    const page = await browser.openWith(account.key, '/keys?find=number+7')
    await rowsOf(page, 'Keys').filter({ hasText: 'number 79' }).waitFor()
    await expect.poll(() => rowsOf(page, 'Keys').getByText('number 7', { exact: true }).count()).toBe(1)
  })

  it('admin: grants credits that their owner sees at once, and shows health, ledger and settings', async () => {
    const account = await app.account({ credits: '1' })
    const owner = await browser.openWith(account.key, '/usage')
    await owner.getByText('$1.0000').first().waitFor()
    expect(await owner.getByRole('link', { name: 'Admin' }).count()).toBe(0)
    await isLive(owner)
    const page = await browser.openWith(app.adminKey, '/admin')
    await page.getByLabel('Filter accounts').fill(account.id)
    await page.getByRole('button', { name: 'Change test' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open account' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add credits to test' }).click()
    await page.getByLabel('Amount in USD').fill('41')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Add credits' }).click()
    await page.getByText('$41.00 added to test.').waitFor()
    await page.getByRole('cell', { name: '$42.0000' }).first().waitFor()
    await owner.getByText('$42.0000').first().waitFor()
    await page.getByRole('tab', { name: 'Health' }).click()
    await page.getByRole('button', { name: 'Check the ledger' }).click()
    await page.getByText('balanced', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Providers', exact: true }).last().waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Filter settings').fill('server.port')
    await page.getByText('changed', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(page.url()).toContain('tab=settings')
  })

  it('admin: shows every account, however many pages of them there are, and one that is opened meanwhile', async () => {
    const { accounts } = app.server.app
    await Promise.all(Array.from({ length: 520 }, (_, at) => accounts.create({ name: `customer ${at}` })))
    const page = await browser.openWith(app.adminKey, '/admin')
    const { accounts: all } = await app.graphql<{ accounts: { totalCount: number } }>('{ accounts { totalCount } }')
    await page.getByText(`${all.totalCount} accounts`, { exact: true }).waitFor()
    await page.getByLabel('Filter accounts').fill('customer 519')
    await rowsOf(page, 'Accounts').filter({ hasText: 'customer 519' }).waitFor()
    await page.getByRole('button', { name: 'Open account' }).click()
    await page.getByLabel('Name').fill('customer 5190')
    await page.getByRole('dialog').getByRole('button', { name: 'Open account' }).click()
    await rowsOf(page, 'Accounts').filter({ hasText: 'customer 5190' }).waitFor()
    expect(await page.getByText(`${all.totalCount + 1} accounts`, { exact: true }).count()).toBe(1)
  })
})
