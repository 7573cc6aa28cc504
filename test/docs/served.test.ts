/** The documentation as it is served: who may read it, what browsers keep, and that no link leads nowhere. */
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { rawGet } from '../kit/raw-get.js'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const visit = (path: string, headers: Record<string, string> = {}) => app.fetch(path, { key: null, headers })

interface Visited {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Everything that a page or a Markdown file of ours names, with anchors. */
const linksOf = ({ type, text }: Visited): string[] => {
  const marks = type.includes('html') ? /(?:href|src|srcset)="([^"]+)"/g : /\]\(([^()\s]+)\)/g
  const prose = type.includes('html') ? text : text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(marks)].map(([, link]) => link!)
}

/** Only these are read for more links: what else they lead to belongs to others. */
const isOurs = (path: string) => /^\/(?:docs(?:\/|$)|llms)/.test(path)

async function crawl(): Promise<{ visited: Map<string, Visited>; links: Map<string, string[]> }> {
  const visited = new Map<string, Visited>()
  const links = new Map<string, string[]>()
  const waiting = ['/docs', '/llms.txt']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (visited.has(path)) continue
    const answer = await visit(path, { accept: 'text/html,*/*;q=0.8' })
    const found = { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() }
    visited.set(path, found)
    if (!isOurs(path) || !/html|markdown|plain/.test(found.type)) continue
    const own = linksOf(found).filter((link) => !/^[a-z]+:/.test(link))
    links.set(path, own)
    waiting.push(...own.map((link) => new URL(link, `http://docs${path}`).pathname))
  }
  return { visited, links }
}

let site: Awaited<ReturnType<typeof crawl>>
beforeAll(async () => {
  site = await crawl()
})
const pages = () => [...site.visited].filter(([path, { type }]) => isOurs(path) && type.includes('html'))
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

describe('every link', () => {
  it('from every page, every Markdown file and /llms.txt leads to something', () => {
    expect(pages().length).toBeGreaterThan(25)
    const dead = [...site.visited].filter(([, { status }]) => status !== 200).map(([path]) => path)
    expect(dead).toEqual([])
  })

  it('with an anchor leads to a heading that is there', () => {
    const anchored = [...site.links].flatMap(([from, links]) =>
      links.filter((link) => link.includes('#')).map((link) => ({ from, to: new URL(link, `http://docs${from}`) })),
    )
    expect(anchored.length).toBeGreaterThan(500)
    const missing = anchored.filter(({ to }) => {
      const page = site.visited.get(to.pathname.replace(/\/index\.md$|\.md$/, ''))
      return !idsOf(page?.text ?? '').includes(decodeURIComponent(to.hash.slice(1)))
    })
    expect(missing.map(({ from, to }) => `${from}: ${to.pathname}${to.hash}`)).toEqual([])
  })
})

describe('every page', () => {
  it('has words, one title, headings without gaps and ids that are its own', () => {
    for (const [path, { text }] of pages()) {
      const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
      expect([path, main.replaceAll(/<[^>]+>/g, '').length > 200]).toEqual([path, true])
      const depths = [...main.matchAll(/<h(\d)/g)].map(([, depth]) => Number(depth))
      expect([path, depths[0], depths.filter((depth) => depth === 1)]).toEqual([path, 1, [1]])
      expect([path, depths.every((depth, at) => at === 0 || depth <= depths[at - 1]! + 1)]).toEqual([path, true])
      const ids = idsOf(text)
      expect([path, ids.length]).toEqual([path, new Set(ids).size])
      expect(text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/`)
    }
  })

  it('is marked as open in its own navigation, unless it is a decision', () => {
    const open = pages().filter(([, { text }]) => text.includes('aria-current="page"'))
    const closed = pages().filter(([, { text }]) => !text.includes('aria-current="page"'))
    expect(open.length).toBeGreaterThan(15)
    expect(closed.map(([path]) => path).filter((path) => !path.startsWith('/docs/decisions/'))).toEqual([])
  })

  it('runs nothing, embeds nothing and reaches nobody', async () => {
    for (const path of ['/docs', '/docs/rest', '/docs/']) {
      const page = await visit(path)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy')!.split('; ')
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'"]))
      expect(policy.some((rule) => /script|unsafe|\*|http/.test(rule))).toBe(false)
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    }
    for (const [, { text }] of pages()) expect(text).not.toMatch(/<script|<style| style=| on\w+="|<form|<iframe/)
  })
})

describe('a file', () => {
  it('is not sent again to who has it', async () => {
    const ask = (headers: Record<string, string> = {}) => rawGet(app.url, '/docs/error-codes', headers)
    const first = await ask()
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await ask({ 'if-none-match': first.headers.etag! })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200)
  })

  it('is sent as small as the reader takes it, each form under a tag of its own', async () => {
    const forms = await Promise.all(
      ['identity', 'gzip', 'gzip, br'].map((encoding) => rawGet(app.url, '/docs/rest', { 'accept-encoding': encoding })),
    )
    expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    expect(forms[2]!.bytes.length).toBeLessThan(forms[1]!.bytes.length)
    expect(brotliDecompressSync(forms[2]!.bytes).equals(forms[0]!.bytes)).toBe(true)
    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('that hangs on a page is kept for ever where its name says what is in it', async () => {
    const style = /href="(\/docs\/assets\/[^"]+\.css)"/.exec(await (await visit('/docs')).text())![1]!
    const { status, headers } = await visit(style)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers.get('cache-control')).toContain('immutable')
  })

  it('that does not exist is not found, in whichever way it is asked for', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/files.json',
      '/docs/files.json',
      '/DOCS',
    ]) {
      expect([path, (await visit(path)).status]).toEqual([path, 404])
    }
  })
})

describe('for programs', () => {
  it('every page has its Markdown, which /llms.txt names with a line each', async () => {
    const list = await visit('/llms.txt')
    expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await list.text()
    expect(text).toMatch(/^# Sluice\n\n> .+\n/)
    const named = [...text.matchAll(/^- \[[^\n]+\]\((\/docs\/[^)]+\.md)\): \S.+$/gm)].map(([, path]) => path!)
    const own = pages().map(([path]) => (/^\/docs\/?$/.test(path) ? '/docs/index.md' : `${path}.md`))
    expect(named.toSorted()).toEqual([...new Set(own)].toSorted())
    for (const path of named) expect(site.visited.get(path)?.type).toBe('text/markdown; charset=utf-8')
  })

  it('/llms-full.txt is all of them', async () => {
    const full = await (await visit('/llms-full.txt')).text()
    const texts = [...site.visited].filter(([path]) => path.endsWith('.md'))
    expect(texts.filter(([, { text }]) => !full.includes(text.trim())).map(([path]) => path)).toEqual([])
  })

  it('the address is named at /', async () => {
    const home = await visit('/', { accept: 'application/json' })
    expect(await home.json()).toMatchObject({ links: { docs: '/docs' } })
  })
})
