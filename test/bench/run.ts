/**
 * `npm run bench`: what Sluice costs beside a bare pass-through and beside a careful small gateway, in one run on one machine.
 *
 * The server that is measured has a core of its own (with taskset and two cores at least), provider and load share another one.
 * All systems are visited in turn, round by round; ratios are formed inside a round, and printed are medians. Trust the ratios and
 * the CPU times: requests/s and milliseconds move with whatever else the machine does.
 *
 * `node test/bench/run.ts [--short] [--only start,chat,memory,listing,graphql,scale] [--peers <folder>]`; scale runs only where it
 * is named. In the folder is Hive's gateway, for the GraphQL part (see graphql.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { benchGraphql } from './graphql.ts'
import { closedLoop, heldStreams, openLoop, streamLoop } from './load.ts'
import { cores, cpuSeconds, isPinned, memoryMb, pinSelf, start } from './processes.ts'
import { Figures, figure, table, type Row } from './report.ts'
import { benchScale } from './scale.ts'
import { createSystems, models, type Running, type System } from './systems.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: 'start,chat,memory,listing,graphql' },
    peers: { type: 'string' },
  },
})
const parts = new Set(options.only.split(','))
const plan = options.short
  ? { rounds: 2, warmUpSeconds: 2, seconds: 1, perSecond: 500, held: 200, longRequests: 4_000, listings: 100 }
  : { rounds: 7, warmUpSeconds: 5, seconds: 2, perSecond: 500, held: 1_000, longRequests: 20_000, listings: 300 }

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const figures = new Figures()
const print = (text: string) => void process.stdout.write(text)

/** CPU per request, latency and streams of running servers. */
async function measureChats(systems: readonly Running[]): Promise<void> {
  let failures = 0
  for (const { pid, request } of systems) await closedLoop(pid, request(models.json), 16, plan.warmUpSeconds)
  for (const { pid, request } of systems)
    await streamLoop(pid, request(models.stream, { stream: true }), 16, plan.warmUpSeconds / 2)
  for (let round = 0; round < plan.rounds; round++) {
    const turn = round % systems.length
    const order = [...systems.slice(turn), ...systems.slice(0, turn)]
    for (const connections of [16, 64]) {
      for (const { name, pid, request } of order) {
        const result = await closedLoop(pid, request(models.json), connections, plan.seconds)
        figures.add(name, `rate ${connections}`, result.requestsPerSecond)
        figures.add(name, `cpu ${connections}`, result.cpuUsPerRequest)
        failures += result.failures
      }
    }
    for (const { name, request } of order) {
      const result = await openLoop(request(models.json), plan.perSecond, plan.seconds)
      figures.add(name, 'p50', result.p50Ms)
      figures.add(name, 'p99', result.p99Ms)
      failures += result.failures
    }
    for (const { name, pid, request } of order) {
      const { firstTokenMs } = await streamLoop(pid, request(models.short, { stream: true }), 1, plan.seconds / 2)
      figures.add(name, 'first token', firstTokenMs)
    }
    for (const { name, pid, request } of order) {
      const result = await streamLoop(pid, request(models.stream, { stream: true }), 16, plan.seconds)
      figures.add(name, 'event', result.cpuUsPerEvent)
      failures += result.failures
    }
  }
  if (failures > 0) print(`\n${failures} requests were not answered with 200.\n`)
}

/** Memory of a fresh process: at rest, with open streams, after many requests. */
async function measureMemory(system: System): Promise<void> {
  const server = await system.boot()
  await pause(1_000)
  figures.add(system.name, 'rest', memoryMb(server.pid))
  figures.add(system.name, 'held', await heldStreams(server.pid, server.request(models.slow, { stream: true }), plan.held))
  let requests = 0
  while (requests < plan.longRequests) {
    const { requestsPerSecond } = await closedLoop(server.pid, server.request(models.json), 16, 1)
    requests += requestsPerSecond
  }
  await pause(1_000)
  figures.add(system.name, 'after', memoryMb(server.pid))
  await server.stop()
}

/** The price listing through REST beside JSON.stringify of the very rows that it answers. */
async function measureListing({ url, key, pid }: Running): Promise<void> {
  const read = async () => {
    const answer = await fetch(`${url}/v1/pricing`, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()) as { count: number }
  }
  const rows = await read()
  for (let i = 0; i < plan.listings; i++) await read()
  const before = cpuSeconds(pid)
  for (let i = 0; i < plan.listings; i++) await read()
  const listingUs = ((cpuSeconds(pid) - before) / plan.listings) * 1e6
  const stringify = () => {
    const cpuBefore = process.cpuUsage()
    for (let i = 0; i < plan.listings; i++) JSON.stringify(rows)
    const { user, system } = process.cpuUsage(cpuBefore)
    return (user + system) / plan.listings
  }
  stringify()
  const stringifyUs = stringify()
  print(
    `\nGET /v1/pricing with ${rows.count} deployments: ${figure(listingUs)} us CPU, JSON.stringify of the same rows ` +
      `${figure(stringifyUs)} us: ${figure(listingUs / stringifyUs, 1)} times\n`,
  )
}

/** One row a metric: each system's median, then ours against the others. */
function chatTable(names: readonly string[]): string {
  const row = (title: string, metric: string, digits = 0): Row => [
    title,
    ...names.map((name) => figure(figures.median(name, metric), digits)),
    ...['bare', 'reference'].map((other) => figure(figures.ratio('sluice', other, metric), 2)),
  ]
  const added = (title: string, metric: string): Row => {
    const bare = figures.median('bare', metric)
    return [title, ...names.map((name) => figure(figures.median(name, metric) - bare, 2)), '', '']
  }
  const all = [
    row('start to first answer, ms', 'start'),
    row('CPU us/request, 16 connections', 'cpu 16'),
    row('CPU us/request, 64 connections', 'cpu 64'),
    row('requests/s, 64 connections', 'rate 64'),
    row('CPU us/event, 16 streams of 100', 'event', 2),
    added(`added p50 at ${plan.perSecond}/s, ms`, 'p50'),
    added(`added p99 at ${plan.perSecond}/s, ms`, 'p99'),
    added('added time to first token, ms', 'first token'),
    row('MB at rest', 'rest'),
    row(`MB after ${plan.longRequests} requests`, 'after'),
    row('kB per open stream', 'held'),
  ]
  const measured = all.filter((cells) => cells.slice(1).some((cell) => cell !== '-' && cell !== '' && cell !== 'NaN'))
  const where = isPinned ? `core ${cores.measured} for the server alone` : 'not pinned: read the ratios with care'
  return table(`${plan.rounds} rounds, medians, ${where}`, ['', ...names, 'ratio to bare', 'to reference'], measured)
}

/** All systems run at once; those that wait take no CPU. */
async function measureTogether(systems: readonly System[]): Promise<void> {
  const running: Running[] = []
  for (const system of systems) {
    const server = await system.boot()
    figures.add(system.name, 'start', server.startMs)
    running.push(server)
  }
  if (parts.has('chat')) await measureChats(running)
  if (parts.has('listing')) await measureListing(running.find(({ name }) => name === 'sluice')!)
  for (const server of running) await server.stop()
}

pinSelf()
try {
  const provider = await start(cores.load, [join(import.meta.dirname, 'provider.ts')])
  const systems = createSystems(provider.url, folder)
  if (parts.has('memory')) for (const system of systems) await measureMemory(system)
  if (['start', 'chat', 'listing'].some((part) => parts.has(part))) await measureTogether(systems)
  if (['start', 'chat', 'memory'].some((part) => parts.has(part))) print(chatTable(systems.map(({ name }) => name)))
  if (parts.has('graphql')) {
    await benchGraphql({ folder, peers: options.peers ?? null, seconds: plan.seconds, rounds: plan.rounds, print })
  }
  if (parts.has('scale')) await benchScale({ folder, provider: provider.url, seconds: plan.seconds, rounds: plan.rounds, print })
  await provider.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
