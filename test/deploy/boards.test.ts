/** The boards and alert rules that are shipped: every query of every panel finds figures in a server at work. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { packageRoot } from '#platform/package-root.js'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { answers, fails, streams, wholeJson } from '../kit/fake-provider-scenes.js'
import { effort } from '../kit/effort.js'
import { hasPrometheus, promtool, startPrometheus, type TestPrometheus } from '../kit/prometheus.js'

const folder = join(packageRoot, 'deploy', 'grafana')

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Board {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const boards = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Board)
const graphs = (board: Board) => board.panels.filter(({ type }) => type !== 'row')

describe.each(boards)('the board $title', (board) => {
  it('has a query in every panel, and no two panels of one name', () => {
    expect(graphs(board).length).toBeGreaterThan(5)
    for (const { title, targets } of graphs(board))
      expect({ title, queries: targets?.length ?? 0 }).not.toMatchObject({ queries: 0 })
    const titles = graphs(board).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe.skipIf(!hasPrometheus)(
  'with a real Prometheus (skipped where Debian\'s package "prometheus" is not installed; CI installs it)',
  () => {
    const rules = join(packageRoot, 'deploy', 'prometheus')

    it('the alert rules are rules, and fire for what they are about', () => {
      expect(promtool(['check', 'rules', 'sluice.rules.yml'], rules)).toContain('rules found')
      expect(promtool(['check', 'config', '--syntax-only', 'prometheus.yml'], rules)).toContain('SUCCESS')
      expect(promtool(['test', 'rules', 'rules.test.yml'], join(packageRoot, 'test', 'deploy'))).toContain('SUCCESS')
    })

    describe.skipIf(effort === 'brief')('every panel (skipped in the brief form of the tests, for its ten seconds)', () => {
      let chat: ChatApp
      let prometheus: TestPrometheus
      let subscription: AsyncIterableIterator<unknown>

      beforeAll(async () => {
        const scenes = {
          good: answers(wholeJson('Hello there')),
          streamed: streams({ pieces: ['a', 'b', 'c'] }),
          broken: fails(500),
        }
        chat = await startChatApp(
          scenes,
          { scanner: { analyzers: 1 }, compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.1 }] } },
          [],
          { isOfOneServer: true },
        )
        prometheus = await startPrometheus({ url: chat.app.url, key: chat.app.adminKey })
        const headers = { authorization: `Bearer ${chat.app.adminKey}` }
        subscription = createClient({ url: `${chat.app.url}/graphql`, headers }).iterate({
          query: 'subscription { creditBalance { balance } }',
        })
        await subscription.next()
        // Analyzers and prompt counters start with their first request.
        await work()
        await vi.waitFor(async () => expect(await prometheus.query('up')).toEqual([1]), { timeout: 40_000, interval: 100 })
        const headersOfJson = { 'content-type': 'application/json' }
        const rent = { method: 'POST', headers: headersOfJson, body: JSON.stringify({ gpu_model: 'L4', ssh_key: SSH_KEY }) }
        const [ended] = await Promise.all(
          [1, 2].map(async () => (await chat.app.fetch('/v1/gpu/rent', rent)).json() as Promise<{ rental_id: string }>),
        )
        expect((await chat.app.fetch(`/v1/gpu/rentals/${ended!.rental_id}`, { method: 'DELETE' })).status).toBe(200)
      })
      afterAll(async () => {
        await subscription.return?.()
        await prometheus[Symbol.asyncDispose]()
        await chat.stop()
      })

      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' }
        const response = await chat.app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
        return (await response.text()).length
      }
      const messages = [{ role: 'user', content: 'Hi' }]
      /** A little of everything. */
      const work = () =>
        Promise.all([
          post('/v1/chat/completions', { model: 'good', messages }),
          post('/v1/chat/completions', { model: 'streamed', stream: true, messages }),
          post('/v1/chat/completions', { model: 'broken', messages }),
          post('/api/scan', { code: 'eval(input())', language: 'python' }),
          chat.app.graphql('query Whoami { viewer { id } }'),
        ])

      const queries = boards.flatMap((board) =>
        graphs(board).flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ board: board.uid, title, expr }))),
      )

      it('finds figures for each of its queries', async () => {
        const empty = async () => {
          await work()
          const answers = await Promise.all(
            queries.map(async (one) => ({ ...one, values: await prometheus.query(asked(one.expr)) })),
          )
          return answers
            .filter(({ values }) => values.length === 0)
            .map(({ board, title, expr }) => `${board}, ${title}: ${expr}`)
        }
        expect(queries.length).toBeGreaterThan(40)
        await expect.poll(empty, { timeout: 50_000 }).toEqual([])
      })

      it('is about what the program knows: no query names a series that is not scraped', async () => {
        const text = await (await chat.app.fetch('/metrics')).text()
        const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
        const named = queries.flatMap(({ expr }) => expr.match(/\bsluice_\w+/g) ?? [])
        const series = named.map((name) => (known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')))
        expect(series.filter((name) => !known.has(name))).toEqual([])
      })
    })
  },
)

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ me@example.com'

/** As Grafana asks: its variables filled in. */
const asked = (expression: string) => expression.replaceAll('$__rate_interval', '10s').replaceAll('$model', '.*')
