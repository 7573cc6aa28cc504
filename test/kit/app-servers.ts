/**
 * The servers behind one test app. `SLUICE_TEST_MODE` runs the same tests on another shape of the program:
 *
 * - `embedded` (when left out): one server on a SQLite file;
 * - `replicated`: two servers on one PostgreSQL, asked in turn;
 * - `leased`: the same, and they hold chats in what they lease of accounts (`ledger.leases`);
 * - `federated`: a gateway in front of one server for each subgraph, on one PostgreSQL. The servers share this process and talk
 *   over HTTP; that they also do as processes of their own is shown by test/modes.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { SUBGRAPH_NAMES } from '../../src/app/subgraph-names.js'
import { loadConfig, type Config } from '../../src/config/config.js'
import { applyMigrations } from '../../src/migrations/migrate.js'
import type { ServerMode } from '../../src/server/modes.js'
import { startServer, type RunningServer } from '../../src/server/server.js'
import { databaseFolder, testLocation } from './database.js'
import { freePort } from './free-port.js'

export interface TestServers extends AsyncDisposable {
  /** The one that answers what is not asked in turn. */
  readonly first: RunningServer
  /** Of the server that is to be asked next. */
  nextUrl(): string
  /** Of all of them, those behind a gateway too. */
  readonly urls: readonly string[]
}

const MODES = ['embedded', 'replicated', 'leased', 'federated'] as const
export const testMode = MODES.find((mode) => mode === (process.env['SLUICE_TEST_MODE'] ?? 'embedded'))
if (testMode === undefined) throw new Error(`SLUICE_TEST_MODE is one of ${MODES.join(', ')}.`)
const isOfReplicas = testMode === 'replicated' || testMode === 'leased'

/**
 * What was changed through one server holds in it at once, and in the others when they have heard of it: in a mode with several,
 * the check is repeated until each of them passes it.
 */
export async function everywhere(check: () => Promise<void>): Promise<void> {
  if (testMode === 'embedded') return check()
  await vi.waitFor(
    async () => {
      await check()
      if (isOfReplicas) await check()
    },
    { timeout: 20_000, interval: 100 },
  )
}

export interface TestServersOptions {
  readonly workingDirectory: string
  readonly env: Record<string, string>
  readonly mode: ServerMode | undefined
  /** Whether another start is to see the same SQLite file. */
  readonly isLasting: boolean
  readonly isOfOneServer: boolean
}

/**
 * A SQLite file with all tables and no rows, made once for all servers of this process: a sixth of what a start in it costs. That
 * a server makes them itself is shown wherever the program runs as a process of its own.
 */
let migrated: Promise<string> | undefined

async function migratedFile(): Promise<string> {
  const workingDirectory = databaseFolder('sluice-migrated-')
  const file = join(workingDirectory, 'sluice.db')
  await applyMigrations(loadConfig({ workingDirectory, env: { SLUICE_DATABASE_URL: `sqlite:${file}` } }))
  return file
}

export async function startServers({
  workingDirectory,
  env,
  mode,
  isLasting,
  isOfOneServer,
}: TestServersOptions): Promise<TestServers> {
  // A test that chooses its database or its mode means that one.
  const isFree = mode === undefined && env['SLUICE_DATABASE_URL'] === undefined && !isLasting
  if (!isFree || testMode === 'embedded') {
    const file = join(workingDirectory, 'sluice.db')
    const config = loadConfig({ workingDirectory, env: { SLUICE_DATABASE_URL: `sqlite:${file}`, ...env } })
    if (config.database.url === `sqlite:${file}` && !existsSync(file)) copyFileSync(await (migrated ??= migratedFile()), file)
    const server = await startServer(config, mode)
    return { first: server, nextUrl: () => server.url, urls: [server.url], [Symbol.asyncDispose]: () => server.stop() }
  }
  const location = await testLocation('postgres')
  const port = await freePort()
  // What stands behind another server is told by which address it is asked.
  const shared = { SLUICE_DATABASE_URL: location.url, SLUICE_PUBLIC_URL: `http://127.0.0.1:${port}` }
  const configOf = (own: Record<string, string>) => loadConfig({ workingDirectory, env: { ...shared, ...env, ...own } })
  const [front, behind] = [configOf({ SLUICE_PORT: String(port) }), configOf({})]
  await applyMigrations(front)
  const servers = isOfReplicas ? await replicas(front, behind) : await federation(front, behind)
  let turn = 0
  return {
    first: servers[0]!,
    nextUrl: () => (isOfReplicas && !isOfOneServer ? servers[turn++ % servers.length]! : servers[0]!).url,
    urls: servers.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.stop()
      await location[Symbol.asyncDispose]()
    },
  }
}

const replicas = async (front: Config, behind: Config): Promise<RunningServer[]> => [
  await startServer(front),
  await startServer(behind),
]

/** The gateway first. */
async function federation(front: Config, behind: Config): Promise<RunningServer[]> {
  const subgraphs: RunningServer[] = []
  for (const name of SUBGRAPH_NAMES) subgraphs.push(await startServer(behind, { kind: 'subgraph', name }))
  const urls = new Map(SUBGRAPH_NAMES.map((name, at) => [name, `${subgraphs[at]!.url}/graphql`]))
  return [await startServer(front, { kind: 'gateway', urls }), ...subgraphs]
}
