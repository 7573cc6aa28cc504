/** The documentation in a browser: in both themes, on a telephone, and without a script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, hasChromium, NARROW, startBrowser, type ConsoleBrowser } from '../console/console-browser.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { sharedChromium } from '../kit/chromium.js'

describe.skipIf(!hasChromium)(
  'in a browser (skipped where there is no Chromium: install one, or name it in CHROMIUM_PATH)',
  () => {
    let app: TestApp
    let browser: ConsoleBrowser
    beforeAll(async () => {
      app = await startTestApp()
      browser = await startBrowser(app.url)
    })
    afterAll(async () => {
      await browser[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    })

    it.each(['/docs', '/docs/error-codes'])('axe finds nothing at fault with %s', async (path) => {
      const page = await browser.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page)
    })

    it('everything fits a telephone: what is wider scrolls in its own place', async () => {
      const page = await browser.open('/docs', NARROW)
      for (const path of ['/docs', '/docs/rest', '/docs/graphql-types', '/docs/operations', '/docs/error-codes']) {
        await page.goto(app.url + path)
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, NARROW.width])
      }
    })

    it('without scripts a telephone reaches every page by its contents', async () => {
      const chromium = await sharedChromium()
      const context = await chromium.newContext({ javaScriptEnabled: false, viewport: NARROW })
      const page = await context.newPage()
      await page.goto(`${app.url}/docs`)
      const contents = page.getByRole('navigation', { name: 'Documentation' })
      expect(await contents.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Contents' }).click()
      await contents.getByRole('link', { name: 'Error codes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Error codes' }).waitFor()
      expect(await contents.isVisible()).toBe(false)
      await context.close()
    })

    it('has the fonts and the colours of the console', async () => {
      const page = await browser.open('/docs')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const fonts = await page.evaluate<string[]>(
        `document.fonts.ready.then(() => [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family))`,
      )
      expect(new Set(fonts.map((name) => name.replaceAll('"', '')))).toEqual(
        new Set(['Inter Variable', 'JetBrains Mono Variable']),
      )
      const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await background()
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await background()).not.toBe(light)
    })
  },
)
