/**
 * What a GraphQL request over HTTP costs: one entity, and a join of all shipped models with their prices. In one process, and in a
 * gateway before subgraph processes, where Hive's gateway stands beside ours before the same ones when a folder has it:
 * `npm install --prefix <folder> @graphql-hive/gateway graphql@16`, then `npm run bench -- --only graphql --peers <folder>`.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../kit/free-port.ts'
import { startPostgres } from '../kit/postgres.ts'
import { closedLoop } from './load.ts'
import { cores, start, type Service } from './processes.ts'
import { Figures, figure, table, type Row } from './report.ts'
import { startSluice } from './systems.ts'

const operations = {
  'one entity': {
    query: 'query One($id: ID!) { model(id: $id) { id ownedBy displayName contextWindow availability } }',
    variables: { id: 'llama-3.3-70b-instruct' },
  },
  'models with prices': {
    query: '{ models(limit: 50) { models { id ownedBy prices { providerId pricing { inputPerMillion outputPerMillion } } } } }',
  },
}

const SUBGRAPHS = ['accounts', 'catalog', 'pricing', 'inference', 'compute', 'compliance']
const CONNECTIONS = 16

interface Options {
  readonly folder: string
  /** Where Hive's gateway is installed; null where it is not to be measured. */
  readonly peers: string | null
  readonly seconds: number
  readonly rounds: number
  readonly print: (text: string) => void
}

export async function benchGraphql({ folder, peers, seconds, rounds, print }: Options): Promise<void> {
  const key = randomBytes(24).toString('hex')
  const figures = new Figures()
  await using postgres = await startPostgres({ settings: {} })
  const settings = { database: { url: postgres.url, migrate: true } }
  const subgraphs = new Map<string, Service>()
  for (const name of SUBGRAPHS) {
    const place = join(folder, `graphql ${name}`)
    subgraphs.set(name, await startSluice(place, key, { args: ['subgraph', name], core: cores.load, settings }))
  }
  const urls = [...subgraphs].map(([name, { url }]) => [name, `${url}/graphql`] as const)
  const args = ['gateway', ...urls.flatMap(([name, url]) => ['--subgraph', `${name}=${url}`])]
  const systems = new Map<string, Service>([
    ['one process', await startSluice(join(folder, 'graphql'), key, {})],
    ['gateway', await startSluice(join(folder, 'graphql gateway'), key, { args, settings })],
  ])
  if (peers !== null) systems.set(HIVE, await startHive(folder, peers, urls))

  const request = ({ url }: Service, operation: object) => ({
    origin: url,
    path: '/graphql',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(operation),
  })
  for (const service of systems.values()) {
    await answersWithData(service, key)
    for (const operation of Object.values(operations)) {
      await closedLoop(service.pid, request(service, operation), CONNECTIONS, 2 * seconds)
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, operation] of Object.entries(operations)) {
      for (const [system, service] of systems) {
        const { cpuUsPerRequest } = await closedLoop(service.pid, request(service, operation), CONNECTIONS, seconds)
        figures.add(system, name, cpuUsPerRequest)
      }
    }
  }
  for (const service of [...systems.values(), ...subgraphs.values()]) await service.stop()
  print(graphqlTable(figures, [...systems.keys()]))
}

function graphqlTable(figures: Figures, systems: readonly string[]): string {
  const ours = systems.filter((name) => name !== HIVE)
  const isBesideHive = systems.length > ours.length
  const rows = Object.keys(operations).map((operation): Row => {
    const cells = systems.map((system) => figure(figures.median(system, operation)))
    const ratios = isBesideHive ? ours.map((system) => figure(figures.ratio(system, HIVE, operation), 2)) : []
    return [operation, ...cells, ...ratios]
  })
  const head: Row = ['', ...systems, ...(isBesideHive ? ours.map((system) => `${system} to ${HIVE}`) : [])]
  return table('GraphQL over HTTP, CPU us/request of the process that is asked', head, rows)
}

const HIVE = 'Hive'

/** Hive's gateway before the same subgraphs, with one process and its defaults. */
async function startHive(
  folder: string,
  peers: string,
  urls: readonly (readonly [name: string, url: string])[],
): Promise<Service> {
  const program = join(peers, 'node_modules/@graphql-hive/gateway/dist/bin.js')
  if (!existsSync(program)) throw new Error(`${peers} has no Hive gateway: npm install --prefix ${peers} @graphql-hive/gateway`)
  let supergraph = readFileSync(join(import.meta.dirname, '../../schema/supergraph.graphql'), 'utf8')
  for (const [name, url] of urls) supergraph = supergraph.replace(new RegExp(`http://${name}\\.invalid[^"]*`, 'g'), url)
  const [schemaFile, configFile] = [join(folder, 'supergraph.graphql'), join(folder, 'hive.config.mjs')]
  writeFileSync(schemaFile, supergraph)
  writeFileSync(
    configFile,
    `export const gatewayConfig = {
      supergraph: ${JSON.stringify(schemaFile)},
      propagateHeaders: {
        fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') ?? '' }),
      },
    }`,
  )
  const place = ['--host', '127.0.0.1', '--port', String(await freePort()), '--fork', '1']
  return start(cores.measured, [program, 'supergraph', '--config-path', configFile, ...place], {}, peers)
}

/** An answer of errors is cheap too. */
async function answersWithData({ url }: Service, key: string): Promise<void> {
  for (const operation of Object.values(operations)) {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(operation),
    })
    const { errors } = (await answer.json()) as { errors?: unknown[] }
    if (errors) throw new Error(`The operation does not run: ${JSON.stringify(errors)}`)
  }
}
