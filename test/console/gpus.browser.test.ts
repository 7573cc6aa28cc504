/** GPUs in Chromium: found, priced, rented, used and ended, seen from a second browser as it happens. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../kit/app.js'
import { expectAccessible, hasChromium, NARROW, startBrowser, type ConsoleBrowser } from './console-browser.js'

const CONFIG = {
  models: [
    {
      id: 'cold-model',
      display_name: 'Cold model',
      tier: 'light',
      owned_by: 'test',
      context_window: 8192,
      max_output_tokens: 100,
      deploy: {
        gpu_model: 'L4',
        vram_gb: 24,
        estimated_seconds: 300,
        input_price_per_million: '0.001',
        output_price_per_million: '0.002',
      },
    },
  ],
  compute: { drivers: [{ type: 'sandbox', boot_seconds: 1, tokens_per_second: 5_000 }] },
}

describe.skipIf(!hasChromium)('GPUs in Chromium', () => {
  let app: TestApp
  let browser: ConsoleBrowser
  let account: TestAccount
  let page: Page
  let other: Page
  beforeAll(async () => {
    app = await startTestApp({ config: CONFIG })
    account = await app.account({ credits: '100' })
    browser = await startBrowser(app.url)
    page = await browser.openWith(account.key, '/gpus')
    other = await browser.openWith(account.key, '/gpus?view=rentals', NARROW)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  const offersShown = () => page.getByRole('region', { name: 'Offers' }).getByRole('button', { name: /^Rent / })

  it('offers are narrowed by filters that stack and are in the address, also after a reload', async () => {
    await offersShown().first().waitFor()
    await expectAccessible(page)
    await page.getByLabel('GPU', { exact: true }).selectOption('L4')
    await page.getByLabel('Kind').selectOption('On demand')
    await page.getByLabel('Most USD per GPU and hour').fill('0.75')
    const { gpuOffers } = await app.graphql<{ gpuOffers: { spot: boolean }[] }>(
      '{ gpuOffers(gpuModel: "L4", maxPrice: "0.75") { spot } }',
    )
    const fitting = gpuOffers.filter(({ spot }) => !spot).length
    await page.getByText(new RegExp(`^${fitting} of `)).waitFor()
    for (const part of ['gpu=L4', 'kind=demand', 'price=']) expect(page.url()).toContain(part)
    await page.reload()
    await page.getByText(new RegExp(`^${fitting} of `)).waitFor()
    expect(await page.getByLabel('Most USD per GPU and hour').inputValue()).toBe('0.75')
    await page.getByLabel('Most USD per GPU and hour').fill('0.0001')
    await page.getByText('No offer fits the filters').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => offersShown().count()).toBeGreaterThan(fitting)
  })

  it('a GPU is rented for the price that was shown, watched until it runs, used, and ended; another browser sees each of it', async () => {
    await other.getByText('You rent no GPU').waitFor()
    await expectAccessible(other)
    await page.getByLabel('GPU', { exact: true }).selectOption('L4')
    await offersShown().first().click()
    const dialog = page.getByRole('dialog', { name: 'Rent a GPU' })
    await dialog.getByLabel('Public SSH key').fill('ssh-rsa hello')
    await dialog.getByText('sshKey is not one public key').waitFor()
    expect(await dialog.getByLabel('Public SSH key').getAttribute('aria-invalid')).toBe('true')
    expect(await dialog.getByRole('button', { name: 'Rent it' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Public SSH key').fill('')
    await dialog.getByLabel('Model to serve').fill('cold-model')
    await dialog.getByLabel('Label').fill('of the staging servers')
    await dialog.getByText('Set aside first').waitFor()
    await expectAccessible(page)
    const cost = dialog.getByRole('region', { name: 'What it costs' })
    const [, hourly = '', hold = ''] = /An hour\$([\d.]+)Set aside first\$([\d.]+)/.exec((await cost.textContent()) ?? '') ?? []
    await dialog.getByRole('button', { name: 'Rent it' }).click()
    const details = page.getByRole('dialog', { name: 'Rental' })
    await details.getByText('Running, and billed by the second').and(page.locator(':not(.text-muted)')).waitFor()
    const { rentals } = await app.graphql<{ rentals: { nodes: Record<string, string>[] } }>(
      '{ rentals { nodes { id pricePerHour hold } } }',
      {},
      account.key,
    )
    const shown = ({ pricePerHour, hold: held }: Record<string, string>) => [
      Number(pricePerHour).toFixed(4),
      Number(held).toFixed(4),
    ]
    expect(rentals.nodes.map(shown)).toEqual([[hourly, hold]])
    await details.getByText('Asking a provider for a machine').waitFor()
    await expectAccessible(page)
    const request = await details.getByLabel('the request', { exact: true }).textContent()
    expect(request).toMatch(/curl http:\/\/127.0.0.1:\d+\/v1\/chat\/completions[^]*Bearer sks_..…/)
    await other.getByRole('button', { name: /of the staging servers.*running.*for \d/s }).click()
    const seen = other.getByRole('dialog', { name: 'Rental' })
    await expect.poll(() => seen.textContent()).not.toContain('Cost so far$0.0000')
    await expectAccessible(other)
    await details.getByRole('button', { name: 'End the rental…' }).click()
    await page.getByText('of what is set aside comes back').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'End it now' }).click()
    await seen.getByText(': ended by you').waitFor()
    await other.keyboard.press('Escape')
    await other.getByRole('region', { name: 'Past rentals' }).getByText('of the staging servers').waitFor()
    await expect.poll(async () => (await app.credits(account.key)).held).toBe('0.00')
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
  })

  it('a cold model comes up, answers, and is listed with its machine', async () => {
    await other.goto(`${app.url}/gpus?view=models`)
    await other.getByText('No model is on a GPU').waitFor()
    await page.goto(`${app.url}/play?model=cold-model`)
    await page.getByLabel('Message', { exact: true }).fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByText('cold-model is put on a GPU').waitFor()
    await page.getByText('to first token').waitFor()
    const row = other.getByRole('row', { name: /Cold model.*running.*L4/ })
    await row.waitFor()
    await expectAccessible(other)
    await row.press('Enter')
    await other.getByRole('heading', { name: 'Cold model' }).waitFor()
  })
})

describe.skipIf(!hasChromium)('a server without a way to GPUs', () => {
  it('says to its administrator what to configure, and has no page for keys that may not rent', async () => {
    await using app = await startTestApp({ config: { compute: { drivers: [] } } })
    await using browser = await startBrowser(app.url)
    const page = await browser.openWith(app.adminKey, '/gpus')
    await page.getByText('No way to GPUs is configured').waitFor()
    expect(await page.getByLabel('the configuration', { exact: true }).textContent()).toContain('compute:\n  drivers:')
    await expectAccessible(page)
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { scopes: ['CHAT'] } },
    )
    const chatting = await browser.openWith(createApiKey.secret, '/models')
    expect(await chatting.getByRole('link', { name: 'GPUs' }).count()).toBe(0)
  })
})
