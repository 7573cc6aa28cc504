/** The console in Chromium: getting in, being put out, and what happens when the server goes away. */
import { mkdtempSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import {
  expectAccessible,
  hasChromium,
  isLive,
  NARROW,
  signInWith,
  startBrowser,
  type ConsoleBrowser,
} from './console-browser.js'

const CONFIG = { sandbox: true, catalog: { include_shipped: true } }

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return String(port)
}

describe.skipIf(!hasChromium)('the console in Chromium (skipped where Chromium is not installed; CI installs it)', () => {
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

  const newCode = async () =>
    (await app.graphql<{ createConsoleCode: { code: string } }>('mutation { createConsoleCode { code } }')).createConsoleCode.code

  it('a code in the address signs in, is gone from the address, and is of no use to the next', async () => {
    const code = await newCode()
    const page = await browser.open(`/?code=${code}`)
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    expect(page.url()).not.toContain('code')
    // Loading the page again goes on with the session.
    await page.reload()
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    const late = await browser.open(`/?code=${code}`)
    await late.getByText('This code was used or is too old').waitFor()
  })

  it('a wrong key is refused in words, a right one signs in, and signing out asks for a key again', async () => {
    const page = await browser.open('/')
    await page.getByLabel('API key').fill('slk_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This is no valid API key.').waitFor()
    await expectAccessible(page)
    await signInWith(page, app.adminKey)
    // Nothing that scripts can read holds the key.
    const reach = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    )
    expect(reach).not.toContain(app.adminKey)
    expect(reach).not.toContain('sls_')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
  })

  it('a key without a scope does not see what needs it', async () => {
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(
      'mutation { createApiKey(input: { scopes: [SCAN] }) { secret } }',
    )
    const page = await browser.open('/play')
    await page.getByLabel('API key').fill(createApiKey.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Your key may not see this page').waitFor()
    expect(await page.getByRole('link', { name: 'Playground' }).count()).toBe(0)
  })

  it('a revoked key signs out at once, and says so', async () => {
    const { key, keyId } = await app.account({ credits: '1' })
    const page = await browser.openWith(key, '/', NARROW)
    await isLive(page)
    await page.getByRole('button', { name: 'More' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: keyId })
    await page.getByText('Your session has ended').waitFor()
    expect(await page.getByLabel('API key').isVisible()).toBe(true)
  })

  it('a session that was found stays on the page when the server cannot say it again', async () => {
    const page = await browser.openWith(app.adminKey, '/play')
    await isLive(page)
    const refusal = { data: null, errors: [{ message: 'Stopping.', extensions: { code: 'SERVICE_UNAVAILABLE' } }] }
    const refused = page.waitForResponse((response) => response.status() === 503)
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query ConsoleViewer') === true
        ? route.fulfill({ status: 503, json: refusal })
        : route.fallback(),
    )
    // Its subscription is the occasion to read again what is on the page.
    await page.getByRole('link', { name: 'Prices' }).click()
    await (await refused).finished()
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.unroute('**/graphql')
  })

  it('is worked by keyboard: the palette, the list of keys, and the way between pages', async () => {
    const page = await browser.openWith(app.adminKey, '/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Commands' }).fill('dark')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await page.locator('#page').click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
})

describe.skipIf(!hasChromium)('a server that is started again', () => {
  it('is missed in words, found again by itself, and knows the session', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-console-'))
    const env = { SLUICE_PORT: await freePort(), SLUICE_ADMIN_KEY: 'an-administrators-key-of-more-than-32-characters' }
    const first = await startTestApp({ config: CONFIG, env, folder })
    await using browser = await startBrowser(first.url)
    const page = await browser.openWith(first.adminKey, '/prices')
    await isLive(page)
    await first[Symbol.asyncDispose]()
    await page.getByText('The connection to the server is lost').waitFor()
    await using again = await startTestApp({ config: CONFIG, env, folder })
    await page.getByText('Connected again').waitFor()
    expect(await page.getByText('The connection to the server is lost').count()).toBe(0)
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Hello')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Why here?' }).waitFor()
    expect(again.url).toBe(first.url)
  })
})
