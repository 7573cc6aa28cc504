/**
 * What several servers on one PostgreSQL cost: requests/s of all together, and the processor time of the servers and of PostgreSQL
 * for each request, with a row for every hold and with leases. All callers share one account, which is the hardest case.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresCluster, startPostgres } from '../kit/postgres.ts'
import type { Request } from './connection.ts'
import { closedLoop } from './load.ts'
import { cpuSeconds, type Service } from './processes.ts'
import { figure, Figures, table, type Row } from './report.ts'
import { models, startSluice } from './systems.ts'

const SERVERS = [1, 2, 4]
const CONNECTIONS = 64
/** For each server: they share a core. */
const WARM_UP_SECONDS = 8
/** As an installation would have it: a test's cluster waits for no disk. */
const DURABLE = { fsync: 'on', full_page_writes: 'on' }

interface Options {
  readonly folder: string
  readonly provider: string
  readonly seconds: number
  readonly rounds: number
  readonly print: (text: string) => void
}

type RequestTo = (origin: string) => Request

export async function benchScale(options: Options): Promise<void> {
  const figures = new Figures()
  const variants = SERVERS.flatMap((count) => [false, true].map((leases) => ({ count, leases })))
  await measureProvider(options, figures)
  for (const variant of variants) await measure(options, figures, variant)
  const rows = variants.map(({ count, leases }): Row => {
    const cell = (metric: string, digits = 0) => figure(figures.median(nameOf(count, leases), metric), digits)
    return [nameOf(count, leases), cell('rate'), cell('server'), cell('postgres')]
  })
  const limit = `the load alone reaches ${figure(figures.median('provider', 'rate'))} requests/s`
  const title = `${options.rounds} rounds, medians, ${CONNECTIONS} connections in all, one account, all servers on one core; ${limit}`
  options.print(table(title, ['', 'requests/s', 'servers, CPU us', 'PostgreSQL, CPU us'], rows))
}

const nameOf = (count: number, leases: boolean) => `${count} ${count === 1 ? 'server' : 'servers'}, ${leases ? 'leases' : 'rows'}`

/** What the load can do: the same requests, sent to the provider itself. */
async function measureProvider({ provider, seconds, rounds }: Options, figures: Figures): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const { requestsPerSecond } = await closedLoop(process.pid, requestWith('none')(provider), CONNECTIONS, seconds)
    figures.add('provider', 'rate', requestsPerSecond)
  }
}

async function measure(
  { folder, provider, seconds, rounds }: Options,
  figures: Figures,
  { count, leases }: { count: number; leases: boolean },
): Promise<void> {
  const name = nameOf(count, leases)
  const key = randomBytes(24).toString('hex')
  await using postgres = await startPostgres({ settings: DURABLE })
  const database = await postmaster(postgres)
  const servers: Service[] = []
  for (let index = 0; index < count; index++) {
    const settings = { database: { url: postgres.url, migrate: true }, ledger: { leases } }
    servers.push(await startSluice(join(folder, `${name} ${index}`), key, { provider, settings }))
  }
  const load = (time: number) => together(servers, requestWith(key), time)
  await load(WARM_UP_SECONDS * count)
  for (let round = 0; round < rounds; round++) {
    const before = cpuSeconds(database)
    const { perSecond, requests, cpuUs } = await load(seconds)
    figures.add(name, 'rate', perSecond)
    figures.add(name, 'server', cpuUs)
    figures.add(name, 'postgres', ((cpuSeconds(database) - before) / requests) * 1e6)
  }
  for (const server of servers) await server.stop()
}

/** The same load on all of them at once. */
async function together(servers: readonly Service[], requestTo: RequestTo, seconds: number) {
  const each = await Promise.all(
    servers.map(({ pid, url }) => closedLoop(pid, requestTo(url), CONNECTIONS / servers.length, seconds)),
  )
  if (each.some(({ failures }) => failures > 0)) throw new Error('Not every request was answered with 200.')
  const perSecond = each.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0)
  const cpuUs =
    each.reduce((sum, { cpuUsPerRequest, requestsPerSecond }) => sum + cpuUsPerRequest * requestsPerSecond, 0) / perSecond
  return { perSecond, requests: perSecond * seconds, cpuUs }
}

const requestWith =
  (key: string): RequestTo =>
  (origin) => ({
    origin,
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: models.json,
      messages: [{ role: 'user', content: 'Hello there, how are you today?' }],
      max_tokens: 256,
    }),
  })

/** The process that all of PostgreSQL's others descend from. */
async function postmaster(postgres: PostgresCluster): Promise<number> {
  const [shown] = await postgres.query<{ data_directory: string }>('show data_directory')
  return Number(readFileSync(join(shown!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}
