/**
 * How fast and how frugal the console is, as figures to compare and not as a gate:
 * `SLUICE_FIGURES=1 npx vitest run test/console/figures.test.ts`, on a machine that does nothing else.
 */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from '../../src/console/pages.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { hasChromium, sharedChromium } from '../kit/chromium.js'
import { startBrowser, WIDE, type ConsoleBrowser } from './console-browser.js'
import { recordRequests } from './recorded-requests.js'

const ROWS = 10_000
const ANSWERS = Number(process.env['FIGURES_ANSWERS'] ?? 1_000)
/** Of one conversation, before the next is begun. */
const ANSWERS_OF_ONE = 10

const say = (line: string) => process.stdout.write(`${line}\n`)
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

describe.skipIf(!hasChromium || !process.env['SLUICE_FIGURES'])(
  'figures of the console (skipped unless SLUICE_FIGURES asks for them)',
  () => {
    let app: TestApp
    let browser: ConsoleBrowser
    beforeAll(async () => {
      app = await startTestApp({
        config: { sandbox: true, sandbox_tokens_per_second: 20_000, catalog: { include_shipped: true } },
      })
      browser = await startBrowser(app.url)
    })
    afterAll(async () => {
      await browser[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    })

    it('first paint of each page, in a browser that has never been here', async () => {
      const chromium = await sharedChromium()
      for (const { path, title } of PAGES) {
        const runs: { paint: number; heading: number }[] = []
        for (let run = 0; run < 5; run++) {
          // A session, and nothing kept: what the page is made of comes over the network each time.
          const signedIn = await browser.openWith(app.adminKey, '/keys')
          const context = await chromium.newContext({ viewport: WIDE, storageState: await signedIn.context().storageState() })
          const page = await context.newPage()
          await page.goto(app.url + path, { waitUntil: 'commit' })
          await page.locator('#page h1').waitFor()
          const heading = await page.evaluate(() => performance.now())
          const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
          runs.push({ paint, heading })
          await context.close()
        }
        const [paint, heading] = [median(runs.map((run) => run.paint)), median(runs.map((run) => run.heading))]
        say(`first paint  ${title.padEnd(12)} ${paint.toFixed(0).padStart(5)} ms, its heading by ${heading.toFixed(0)} ms`)
        expect(paint).toBeGreaterThan(0)
      }
    }, 300_000)

    it('interaction to next paint, with as many requests in the table', async () => {
      const account = await app.account({ credits: '10' })
      await recordRequests(app, account, ROWS)
      const page = await browser.openWith(account.key, '/usage')
      const table = page.getByRole('region', { name: 'Requests', exact: true })
      const shown = page.getByText(/^[\d,]+ shown/)
      await shown.waitFor()
      while ((await shown.textContent())?.includes('scroll') === true) {
        const before = await shown.textContent()
        // Again and again: what was read may be read anew from its beginning meanwhile.
        const further = async () => {
          await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
          return shown.textContent()
        }
        await expect.poll(further).not.toBe(before)
      }
      say(`in the table ${(await shown.textContent())!}`)
      await watchInteractions(page)
      const acts: Record<string, () => Promise<unknown>> = {
        'scroll by keys': async () => {
          await table.focus()
          for (const key of ['Home', 'PageDown', 'PageDown', 'End', 'PageUp', 'Home']) await page.keyboard.press(key)
        },
        'open a request': () => table.getByRole('row').nth(3).click(),
        'close it': () => page.keyboard.press('Escape'),
        filter: async () => {
          await page.getByLabel('Model', { exact: true }).focus()
          await page.keyboard.type('odd')
          await page.getByText('shown').filter({ hasNotText: '10,000' }).waitFor()
        },
        'another page and back': async () => {
          await table.focus()
          await page.keyboard.press('g')
          await page.keyboard.press('k')
          await page.getByRole('heading', { name: 'Keys' }).waitFor()
        },
      }
      for (const [name, act] of Object.entries(acts)) {
        await act()
        await page.waitForTimeout(300)
        say(`interaction  ${name.padEnd(22)} ${String(await slowest(page)).padStart(5)} ms`)
      }
      expect(await table.count()).toBe(0)
    }, 300_000)

    it('memory, over as many answers in one tab', async () => {
      const page = await browser.openWith(app.adminKey, '/')
      const inspector = await page.context().newCDPSession(page)
      await inspector.send('Performance.enable')
      for (let answers = 0; answers <= ANSWERS; answers++) {
        if (answers % 100 === 0) say(`memory       ${String(answers).padStart(5)} answers: ${await memory(inspector)}`)
        if (answers % ANSWERS_OF_ONE === 0) await page.getByRole('button', { name: 'New conversation' }).click()
        await page.getByLabel('Message', { exact: true }).fill(`Question ${answers}`)
        await page.keyboard.press('Enter')
        await expect
          .poll(() => page.getByTitle('What was charged').count(), { interval: 20 })
          .toBe((answers % ANSWERS_OF_ONE) + 1)
      }
      expect(await page.getByTitle('What was charged').count()).toBe(1)
    }, 1_800_000)
  },
)

/** Longest time from an input to the frame that shows what it did, since it was last asked for. */
async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { slowest: 0 }
    Object.assign(globalThis, { seen })
    const note = (entries: PerformanceObserverEntryList) => {
      for (const { duration } of entries.getEntries()) seen.slowest = Math.max(seen.slowest, duration)
    }
    const options: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 }
    new PerformanceObserver(note).observe(options)
  })
}

const slowest = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { slowest: number } }
    const { slowest } = seen
    seen.slowest = 0
    return slowest
  })

async function memory(inspector: CDPSession): Promise<string> {
  await inspector.send('HeapProfiler.collectGarbage')
  const { metrics } = await inspector.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return `${(of('JSHeapUsedSize') / 1e6).toFixed(1)} MB, ${of('Nodes')} nodes, ${of('JSEventListeners')} listeners`
}
