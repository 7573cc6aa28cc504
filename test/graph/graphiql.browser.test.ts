/** The GraphiQL page in a real browser: it loads offline under its content security policy and runs its first query. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../kit/app.js'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
let browser: Browser | undefined
afterAll(() => browser?.close())

describe.skipIf(!existsSync(CHROMIUM))('GraphiQL in Chromium (skipped where Chromium is not installed; CI installs it)', () => {
  it('asks nobody but this server, shows no script error, and runs the query that it opens with', async () => {
    await using app = await startTestApp({ config: { sandbox: true, catalog: { include_shipped: true } } })
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    })
    const page = await browser.newPage()
    const elsewhere: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(app.url) && !url.startsWith('blob:') && !url.startsWith('data:')) elsewhere.push(url)
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${app.url}/graphql`)
    // The page's own first query fits the schema, so what it lacks is only the key that its headers leave open.
    await page
      .getByRole('button', { name: /execute/i })
      .first()
      .click()
    await page.getByText('UNAUTHENTICATED').first().waitFor()
    // A link with a query is the same page, also when it is loaded again, and nobody may put it into a frame.
    const shared = await page.goto(`${app.url}/graphql?${new URLSearchParams({ query: '{ models { __typename } }' })}`)
    expect(shared!.headers()).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    expect(shared!.headers()['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    for (const visit of [() => Promise.resolve(), () => page.reload()]) {
      await visit()
      await page
        .getByRole('button', { name: /execute/i })
        .first()
        .waitFor()
      expect(await page.title()).toBe('Sluice GraphiQL')
    }
    expect(elsewhere).toEqual([])
    expect(errors).toEqual([])
  }, 60_000)
})
