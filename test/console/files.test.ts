/** The console as it is served: what browsers keep, what they may run, and which paths it takes. */
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { rawGet } from '../kit/raw-get.js'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const visit = (path: string, accept = BROWSER) => app.fetch(path, { key: null, headers: { accept } })

const raw = (path: string, encoding: string) => rawGet(app.url, path, { 'accept-encoding': encoding })

const assetsOf = async (page = '/'): Promise<string[]> =>
  [...(await (await visit(page)).text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)

describe('the page', () => {
  it.each(['/', '/play', '/play/anything/below'])(
    'is at %s for a browser, runs its own files only and is in no frame',
    async (path) => {
      const page = await visit(path)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      const policy = page.headers.get('content-security-policy')
      for (const rule of ["default-src 'self'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
        expect(policy).toContain(`${rule};`)
      }
      expect(await page.text()).toContain('<div id="root">')
    },
  )

  it('names the files of its path, which are there, so that the browser loads them with the entry', async () => {
    const [scan, keys] = await Promise.all(['/scan', '/keys'].map((path) => assetsOf(path)))
    const own = scan!.filter((path) => !keys!.includes(path))
    expect(own.some((path) => path.startsWith('/assets/scan-page-'))).toBe(true)
    for (const path of own) expect((await visit(path, '*/*')).status).toBe(200)
  })

  it('is not at the path of an API, of a file, or of no page', async () => {
    for (const path of ['/v1/nothing', '/api/nothing', '/assets/nothing.js', '/nothing', '/playground', '/PLAY']) {
      const answer = await visit(path)
      expect([path, answer.status]).toEqual([path, path.startsWith('/v1') || path.startsWith('/api') ? 401 : 404])
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })

  it('is not for programs, who learn at / where to go on and elsewhere that there is nothing', async () => {
    const home = await visit('/', 'application/json')
    expect(await home.json()).toMatchObject({ name: 'sluice', links: { graphql: '/graphql' } })
    expect((await visit('/play', '*/*')).status).toBe(404)
  })
})

describe('a file of the page', () => {
  it('is kept for ever by its name, with its kind', async () => {
    const paths = await assetsOf()
    expect(paths.map((path) => path.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css', 'svg']))
    for (const path of paths) {
      const { status, headers } = await visit(path, '*/*')
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toMatch(/^(?:text\/(?:javascript|css)|image\/svg)/)
      expect(headers.get('vary')).toContain('Accept-Encoding')
    }
  })

  it('is sent as small as the browser takes it', async () => {
    const script = (await assetsOf()).find((path) => path.endsWith('.js'))!
    const [plain, gzip, brotli] = await Promise.all([raw(script, 'identity'), raw(script, 'gzip'), raw(script, 'gzip, br')])
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length)
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length)
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
  })
})
