/**
 * `npm run bench`: our REST chat path beside a bare Node http + undici pass-through in the same run, ledger on (SQLite, every
 * hold and settlement durable). Rounds alternate between the two. Printed are medians, and as a ratio the median of the ratios
 * of neighbouring rounds: a shared host changes its speed within seconds.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cpuSeconds, runLoad, type LoadResult, type Target } from './load.ts'

const CHUNKS = 100
const CONNECTIONS = 64
/** Deployments in the price listing. */
const LISTED = 300
const LISTINGS = 300
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
const JSON_REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 6_000)
const STREAM_REQUESTS = Math.ceil(JSON_REQUESTS / 10)
/** Before the first round, in rounds: V8 has compiled for good what a server runs for days. */
const WARM_UP = 3

const children: ChildProcess[] = []

/** Starts a process and answers its first line that `pattern` matches. */
async function start(args: string[], pattern: RegExp, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line)?.[0]
    if (found) {
      child.stdout.resume()
      return { url: found, pid: child.pid! }
    }
  }
  throw new Error(`${args.join(' ')} ended before it served.`)
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const here = (file: string) => join(import.meta.dirname, file)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** What the listing shows beside the model that the chats use. */
const listedModels = Array.from({ length: LISTED - 1 }, (_, index) => ({
  id: `listed-${index}`,
  owned_by: 'bench',
  tier: 'medium',
  context_window: 131_072,
  max_output_tokens: 8192,
  deployments: [
    { provider: 'bench', model_id: `vendor/listed-${index}`, input_price_per_million: '0.25', output_price_per_million: '0.75' },
  ],
}))

async function startSluice(provider: string): Promise<Target> {
  const config = join(folder, 'sluice.config.yaml')
  writeFileSync(
    config,
    JSON.stringify({
      server: { port: 0, starting_credits: '100000' },
      database: { url: `sqlite:${join(folder, 'bench.db')}` },
      catalog: { include_shipped: false },
      log: { level: 'warn' },
      sandbox: false,
      providers: [{ id: 'bench', name: 'Bench', base_url: provider, api_key: 'none', stream_usage: 'include_usage' }],
      models: [
        {
          id: 'bench',
          owned_by: 'bench',
          tier: 'light',
          context_window: 8192,
          max_output_tokens: 1024,
          deployments: [
            { provider: 'bench', model_id: 'bench', input_price_per_million: '0.10', output_price_per_million: '0.40' },
          ],
        },
        ...listedModels,
      ],
    }),
  )
  const key = randomBytes(24).toString('hex')
  const main = join(import.meta.dirname, '../../dist/src/main.js')
  const { url, pid } = await start([main, 'serve', '--config', config], /http:\/\/127\.0\.0\.1:\d+/, { SLUICE_ADMIN_KEY: key })
  return { url: `${url}/v1`, key, pid }
}

const body = (stream: boolean) => ({
  model: 'bench',
  messages: [{ role: 'user', content: 'Say a few words.' }],
  max_tokens: 200,
  stream,
})

async function compare(title: string, targets: Record<string, Target>, stream: boolean, requests: number) {
  const results = new Map<string, LoadResult[]>(Object.keys(targets).map((name) => [name, []]))
  for (const target of Object.values(targets)) await runLoad(target, body(stream), requests * WARM_UP, CONNECTIONS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, target] of Object.entries(targets))
      results.get(name)!.push(await runLoad(target, body(stream), requests, CONNECTIONS))
  }
  const row = (name: string, figure: (result: LoadResult) => number) => median(results.get(name)!.map(figure))
  process.stdout.write(`\n${title}: ${requests} requests x ${ROUNDS} rounds, ${CONNECTIONS} connections, medians\n`)
  for (const name of results.keys()) {
    const cpu = row(name, (result) => result.cpuPerRequestUs)
    const perEvent = stream ? `  ${(cpu / (CHUNKS + 2)).toFixed(2).padStart(6)} us CPU/event` : ''
    process.stdout.write(
      `  ${name.padEnd(8)}${row(name, (result) => result.requestsPerSecond)
        .toFixed(0)
        .padStart(7)} requests/s  ${cpu.toFixed(0).padStart(6)} us CPU/request` +
        `${perEvent}  p50 ${row(name, (result) => result.p50Ms).toFixed(1)} ms  p99 ${row(name, (result) => result.p99Ms).toFixed(1)} ms  failures ${row(name, (result) => result.failures)}\n`,
    )
  }
  const ratioOf = (figure: (result: LoadResult) => number) =>
    median(results.get('sluice')!.map((result, round) => figure(result) / figure(results.get('bare')![round]!)))
  const ratio = ratioOf((result) => result.requestsPerSecond)
  const cpuRatio = ratioOf((result) => result.cpuPerRequestUs)
  process.stdout.write(`  ratio sluice/bare: ${ratio.toFixed(2)} of the requests/s, ${cpuRatio.toFixed(2)} of the CPU\n`)
}

/** The price listing through REST beside JSON.stringify of the very rows that it answers. */
async function compareListing({ url, key, pid }: Target) {
  const read = async () =>
    (await (await fetch(`${url}/pricing`, { headers: { authorization: `Bearer ${key}` } })).json()) as { count: number }
  const rows = await read()
  for (let i = 0; i < LISTINGS; i++) await read()
  const cpuBefore = cpuSeconds(pid)
  for (let i = 0; i < LISTINGS; i++) await read()
  const listingUs = ((cpuSeconds(pid) - cpuBefore) / LISTINGS) * 1e6
  const stringify = () => {
    const before = process.cpuUsage()
    for (let i = 0; i < LISTINGS; i++) JSON.stringify(rows)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / LISTINGS
  }
  stringify()
  const stringifyUs = stringify()
  process.stdout.write(
    `\nGET /v1/pricing with ${rows.count} deployments: ${listingUs.toFixed(0)} us CPU, JSON.stringify of the same rows ${stringifyUs.toFixed(0)} us: ` +
      `${(listingUs / stringifyUs).toFixed(1)} times\n`,
  )
}

try {
  const provider = await start([here('mock-provider.ts'), String(CHUNKS)], /http:\S+/)
  const bare = await start([here('bare-proxy.ts'), provider.url], /http:\S+/)
  const targets = { bare: { ...bare, key: 'none' }, sluice: await startSluice(provider.url) }
  await compare('chat, JSON', targets, false, JSON_REQUESTS)
  await compare(`chat, stream of ${CHUNKS} chunks`, targets, true, STREAM_REQUESTS)
  await compareListing(targets.sluice)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
