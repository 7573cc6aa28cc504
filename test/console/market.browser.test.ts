/** What one chooses a model by, in Chromium: the table of models and the prices beside those of others, both live. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { expectAccessible, hasChromium, isLive, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

const CONFIG = {
  sandbox: true,
  catalog: { include_shipped: true },
  aliases: { 'old-assistant': 'qwen3-8b', 'older-assistant': 'qwen3-8b', 'whatever-is-best': 'high' },
  providers: [{ id: 'hp-1', base_url: 'http://127.0.0.1:9/v1', api_key: 'none' }],
  models: [
    { id: 'unpriced', display_name: 'Unpriced', tier: 'medium', deployments: [{ provider: 'hp-1', model_id: 'x/unpriced' }] },
  ],
}

const SET_PRICE = 'mutation ($input: SetPriceInput!) { setPrice(input: $input) { price { versionId } } }'

describe.skipIf(!hasChromium)('models and prices in Chromium', () => {
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

  const setPrice = (deploymentId: string, inputPerMillion: string, outputPerMillion: string) =>
    app.graphql(SET_PRICE, { input: { deploymentId, inputPerMillion, outputPerMillion } })

  it('a model is found by typing, compared, and opened; all of that is in the address', async () => {
    const page = await browser.openWith(app.adminKey, '/models')
    await page.getByRole('link', { name: 'DeepSeek V3.1' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('gpt oss')
    await expect.poll(() => page.getByRole('region', { name: 'Models' }).getByRole('link').count()).toBe(2)
    await page.getByLabel('Compare gpt-oss 120B').click()
    await page.getByLabel('Compare gpt-oss 20B').click()
    const comparison = page.getByRole('region', { name: 'Comparison' })
    await comparison.getByRole('row', { name: /Output \/ 1M.*best/ }).waitFor()
    await expectAccessible(page)
    await page.reload()
    await comparison.getByRole('link', { name: 'gpt-oss 20B' }).waitFor()
    expect(await page.getByLabel('Filter models').inputValue()).toBe('gpt oss')
    await page.getByLabel('Filter models').fill('nothing has this name')
    await page.getByText('No model fits the filter').waitFor()
    await comparison.getByRole('link', { name: 'gpt-oss 20B' }).click()
    await page.getByRole('heading', { name: 'gpt-oss 20B' }).waitFor()
    await page.getByRole('img', { name: /Price per million tokens over time/ }).waitFor()
    expect(await page.getByLabel('the request in curl', { exact: true }).textContent()).toContain('"model": "gpt-oss-20b"')
    await expectAccessible(page)
  })

  it('a model is found by its other names, and not by those of its tier', async () => {
    const page = await browser.openWith(app.adminKey, '/models?q=old-assistant')
    const found = page.getByRole('region', { name: 'Models' }).getByRole('link')
    await expect.poll(() => found.count()).toBe(1)
    await page.getByLabel('Filter models').fill('whatever-is-best')
    await page.getByText('No model fits the filter').waitFor()
    await page.getByLabel('Filter models').fill('older')
    await found.click()
    await page.getByText('old-assistant, older-assistant').waitFor()
    await expectAccessible(page)
    await page.goto(`${app.url}/play`)
    await page.getByRole('button', { name: /^Model: / }).click()
    await page.getByPlaceholder('A model or a tier…').fill('older-ass')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Model: qwen3-8b' }).waitFor()
  })

  it('a price that comes into force is in the table and in the history at once', async () => {
    const table = await browser.openWith(app.adminKey, '/models?q=qwen3-8b')
    const one = await browser.openWith(app.adminKey, '/models/qwen3-8b', NARROW)
    await table.getByRole('cell', { name: '$0.06' }).first().waitFor()
    await one.getByText('qwen3-8b@sandbox').first().waitFor()
    await Promise.all([isLive(table), isLive(one)])
    await setPrice('qwen3-8b@sandbox', '0.0123', '0.0456')
    await table.getByRole('cell', { name: '$0.0456' }).waitFor()
    const changes = one.getByRole('region', { name: 'Price changes' })
    await changes.getByText('set by an administrator').waitFor()
    expect(await changes.textContent()).toContain('$0.0456')
  })

  it('the cheapest model for a mix stands first on the chart, with what others charge and since when', async () => {
    const page = await browser.openWith(app.adminKey, '/prices')
    const rows = page.getByRole('list', { name: 'Prices by model, the cheapest first' }).getByRole('button')
    await rows.first().waitFor()
    const { prices } = await app.graphql<{ prices: { model: { displayName: string }; pricing: Record<string, string> }[] }>(
      '{ prices { model { displayName } pricing { inputPerMillion outputPerMillion } } }',
    )
    const costOf = ({ pricing }: (typeof prices)[number]) =>
      Number(pricing['inputPerMillion']) * 20 + Number(pricing['outputPerMillion'])
    const cheapest = prices.toSorted((a, b) => costOf(a) - costOf(b))[0]!
    await page.getByRole('slider').focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.url()).toContain('mix=20')
    expect(await rows.first().textContent()).toContain(cheapest.model.displayName)
    expect(await rows.first().textContent()).toContain(`$${(costOf(cheapest) / 21).toFixed(3)}`)
    await rows.filter({ hasText: 'gpt-oss 120B' }).click()
    await page.getByRole('heading', { name: 'gpt-oss 120B elsewhere' }).waitFor()
    expect(await page.getByRole('cell', { name: 'models.dev' }).count()).toBeGreaterThan(0)
    await expectAccessible(page)
    await setPrice('gpt-oss-120b@sandbox', '0.001', '0.001')
    await expect.poll(() => rows.first().textContent()).toContain('new price')
    expect(await rows.first().textContent()).toContain('gpt-oss 120B')
  })

  it('an administrator says the price of what waits for one', async () => {
    const page = await browser.openWith(app.adminKey, '/prices?view=pending', NARROW)
    await page.getByText('unpriced@hp-1').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set…' }).click()
    await page.getByLabel('Input, USD / 1M tokens').fill('0.5')
    await page.getByLabel('Output, USD / 1M tokens').fill('1.5')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set the price' }).click()
    await page.getByText('No price waits').waitFor()
    await page.getByRole('tab', { name: 'Feeds' }).click()
    await page.getByText('No price list is read').waitFor()
    await expectAccessible(page)
  })
})
