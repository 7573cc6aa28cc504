/** The GraphiQL page in a real browser: it loads offline under its content security policy and runs its first query. */
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../console/console-browser.js'
import { startTestApp } from '../kit/app.js'
import { hasChromium } from '../kit/chromium.js'

describe.skipIf(!hasChromium)('GraphiQL in Chromium (skipped where Chromium is not installed; CI installs it)', () => {
  it('asks nobody but this server, shows no script error, and runs the query that it opens with', async () => {
    await using app = await startTestApp({ config: { sandbox: true, catalog: { include_shipped: true } } })
    await using browser = await startBrowser(app.url)
    const page = await browser.open('/graphql')
    // The page's own first query fits the schema, so what it lacks is only the key that its headers leave open.
    await page
      .getByRole('button', { name: /execute/i })
      .first()
      .click()
    await page.getByText('UNAUTHENTICATED').first().waitFor()
    // A link with a query is the same page, also when it is loaded again, and nobody may put it into a frame.
    const shared = await page.goto(`${app.url}/graphql?${new URLSearchParams({ query: '{ models { __typename } }' })}`)
    expect(shared!.headers()).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    expect(shared!.headers()).toMatchObject({ 'content-encoding': 'gzip' })
    expect(shared!.headers()['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    for (const visit of [() => Promise.resolve(), () => page.reload()]) {
      await visit()
      await page
        .getByRole('button', { name: /execute/i })
        .first()
        .waitFor()
      expect(await page.title()).toBe('Sluice GraphiQL')
    }
  }, 60_000)
})
