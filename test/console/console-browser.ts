/** A browser for the flows of the console. Whatever a page asks of another host, and whatever throws in it, fails the flow. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page, Request, Route } from 'playwright-core'
import { expect, onTestFinished, TestRunner } from 'vitest'
import { sharedChromium } from '../kit/chromium.js'

export { hasChromium } from '../kit/chromium.js'

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

export interface ConsoleBrowser extends AsyncDisposable {
  /** A page of a browser that knows nobody and is used by no other page; it is closed when the test is over. */
  open(path: string, size?: typeof WIDE): Promise<Page>
  /** The same, with a session of the key. */
  openWith(key: string, path: string, size?: typeof WIDE): Promise<Page>
}

export async function startBrowser(url: string): Promise<ConsoleBrowser> {
  const chromium = await sharedChromium()
  const problems: string[] = []
  const contexts: BrowserContext[] = []
  /** Each of a browser of its own, which is given out again when a test is over: opening a window costs more than a flow. */
  const idle: Page[] = []

  async function newPage(): Promise<Page> {
    const context = await chromium.newContext({ reducedMotion: 'reduce' })
    contexts.push(context)
    context.setDefaultTimeout(20_000)
    context.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(url) && !/^(?:blob|data):/.test(asked)) problems.push(`asked another host: ${asked}`)
    })
    countStreams(context)
    context.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(message.text())
    })
    context.on('weberror', (error) => problems.push(`threw: ${error.error().message}`))
    return context.newPage()
  }

  async function open(path: string, size: typeof WIDE, key?: string): Promise<Page> {
    const page = idle.pop() ?? (await newPage())
    // One that is opened before the first test is the file's.
    if (TestRunner.getCurrentTest())
      onTestFinished(async () => {
        if (page.isClosed()) return
        await page.goto('about:blank')
        streams.delete(page)
        idle.push(page)
      })
    await page.context().setStorageState({ cookies: key === undefined ? [] : [await sessionOf(url, key)], origins: [] })
    await page.setViewportSize(size)
    await page.goto(url + path, { waitUntil: 'commit' })
    return page
  }

  return {
    open: (path, size = WIDE) => open(path, size),
    async openWith(key, path, size = WIDE) {
      const page = await open(path, size, key)
      await page.locator('#page h1').waitFor()
      return page
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()))
      expect(problems).toEqual([])
    },
  }
}

/** The cookie that signing in by the form would set. */
async function sessionOf(url: string, key: string) {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sluice-console': '1', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key }),
  })
  const [, name, value] = /^(\w+)=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (!name || !value) throw new Error(`no session: ${response.status} ${await response.text()}`)
  const { hostname: domain } = new URL(url)
  return { name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' as const }
}

export async function signInWith(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#page h1').waitFor()
}

/** Of each page: subscriptions that were asked for, and those that the server has opened. */
const streams = new WeakMap<Page, { asked: number; opened: number }>()

function countStreams(context: BrowserContext): void {
  const of = (request: Request) => {
    const page = request.frame().page()
    const known = streams.get(page) ?? { asked: 0, opened: 0 }
    streams.set(page, known)
    return known
  }
  const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream'
  context.on('request', (request) => void (isStream(request) && of(request).asked++))
  context.on('response', (response) => void (isStream(response.request()) && of(response.request()).opened++))
}

/** Resolves when the page hears of what changes from now on. */
export async function isLive(page: Page): Promise<void> {
  const waiting = () => {
    const { asked, opened } = streams.get(page) ?? { asked: 0, opened: 0 }
    return asked === 0 ? 'no subscription' : asked - opened
  }
  await expect.poll(waiting).toBe(0)
}

/** What the page asks to hear of is held back, as on a slow network, until the returned function is called. */
export const holdStreams = (page: Page) => hold(page, (request) => request.headers()['accept'] === 'text/event-stream')

/** The same with what it asks for in a body. */
export const holdRequests = (page: Page, isHeld: (body: string) => boolean) =>
  hold(page, (request) => isHeld(request.postData() ?? ''))

async function hold(page: Page, isHeld: (request: Request) => boolean): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>()
  const handle = async (route: Route) => {
    if (!isHeld(route.request())) return route.fallback()
    await release.promise
    await route.continue().catch(() => undefined)
  }
  await page.route('**/graphql', handle)
  return async () => {
    release.resolve()
    await page.unroute('**/graphql', handle)
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const HOW = { resultTypes: ['violations'], selectors: false, preload: false }
/** Only these look at colours: the rest finds the same in either theme. */
const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] }

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/**
 * Wide and narrow, in both themes: nothing on the page as it stands that axe finds fault with. Where a dialog is open it alone is
 * looked at: what lies behind it is a page of its own.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  const own = page.viewportSize()!
  const found: string[] = []
  const look = async (colorScheme: 'light' | 'dark', rules: object) => {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    const { violations } = await page.evaluate<AxeResult>(
      `axe.run(document.querySelector('[role=dialog]') ?? document, ${JSON.stringify({ ...HOW, ...rules })})`,
    )
    const where = `${page.viewportSize()!.width} ${colorScheme}`
    found.push(...violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`))
  }
  await look('light', {})
  await look('dark', COLOURS)
  await page.setViewportSize(own.width === WIDE.width ? NARROW : WIDE)
  await look('dark', COLOURS)
  await look('light', {})
  await page.setViewportSize(own)
  expect(found).toEqual([])
}
