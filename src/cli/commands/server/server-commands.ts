/**
 * `sluice serve`, `gateway`, `subgraph`, `compose`, `migrate`: the servers and their schema. The program itself is loaded when
 * one of them runs, so that commands which only talk to a server start at once.
 */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../../../config/config.js'
import { ConfigError } from '../../../config/config-error.js'
import { missingFrom, type ServerMode } from '../../../server/modes.js'
import type { WorkerRole } from '../../../server/workers/worker.js'
import { systemClock } from '#platform/clock.js'
import { SUBGRAPH_NAMES, type SubgraphName } from '../../../app/subgraph-names.js'
import { AnswerIsNo } from '../../exit.js'
import { printJson, printLine } from '../../output.js'

export function addServerCommands(program: Command): void {
  const config = () => readConfig(program.opts<{ config?: string }>().config)

  program
    .command('serve')
    .description('serve everything from one process (the default way to run)')
    .option('--workers <number>', 'processes that serve together on one port, with PostgreSQL', workerCount, 1)
    .action(({ workers }: { workers: number }) => serve(config, { kind: 'serve' }, workers))
  program
    .command('subgraph')
    .description('serve one subgraph for a graph router')
    .argument('<name>', SUBGRAPH_NAMES.join(', '), subgraphName)
    .action((name: SubgraphName) => serve(config, { kind: 'subgraph', name }))
  program
    .command('gateway')
    .description('serve the whole API over subgraphs that run as processes of their own')
    .addOption(
      new Option('--subgraph <name=url>', 'where a subgraph is served; repeat for each')
        .argParser(subgraphUrls)
        .makeOptionMandatory(),
    )
    .option('--allow-partial', 'run the subgraphs without an address inside the gateway, with their background work')
    .action(async ({ subgraph: urls, allowPartial }: GatewayOptions) => {
      const missing = missingFrom(urls)
      if (missing.length > 0 && !allowPartial) throw new ConfigError(describeMissing(missing))
      await serve(config, { kind: 'gateway', urls })
    })
  program
    .command('compose')
    .description('write schema/ from the subgraphs, or check that it is up to date')
    .option('--check', 'change nothing; exit 1 when a file differs')
    .addOption(new Option('--json', 'print JSON'))
    .action(async (options: { check?: boolean; json?: boolean }) => {
      const { checkSchemaFiles, writeSchemaFiles } = await import('../../../app/schema-files.js')
      const changed = options.check ? await checkSchemaFiles() : await writeSchemaFiles()
      if (options.json) printJson({ changed })
      else
        printLine(
          changed.length === 0
            ? 'schema/ is up to date.'
            : changed.map((file) => `${options.check ? 'differs' : 'written'}: ${file}`).join('\n'),
        )
      if (options.check && changed.length > 0) throw new AnswerIsNo('Run "npm run schema".')
    })
  program
    .command('migrate')
    .description('apply pending migrations to the configured database')
    .option('--create <name>', 'write the next migration of both dialects from the entities instead (development)')
    .action(async (options: { create?: string }) => {
      const { applyMigrations, writeMigrations } = await import('../../../migrations/migrate.js')
      const lines = options.create ? await writeMigrations(options.create) : await applyMigrations(await config())
      printLine(lines.length === 0 ? 'Nothing to do.' : lines.join('\n'))
    })
}

interface GatewayOptions {
  readonly subgraph: Map<string, string>
  readonly allowPartial?: boolean
}

/** Sooner said than found out: without its process a subgraph would be answered by this one, and nobody would know. */
const describeMissing = (missing: readonly string[]): string =>
  [
    `No address was given for ${missing.join(', ')}. Give each as --subgraph <name>=<url>,`,
    'or --allow-partial to run these inside the gateway.',
  ].join(' ')

function subgraphName(text: string): SubgraphName {
  if ((SUBGRAPH_NAMES as readonly string[]).includes(text)) return text as SubgraphName
  throw new InvalidArgumentError(`Subgraphs are ${SUBGRAPH_NAMES.join(', ')}.`)
}

function subgraphUrls(text: string, before: Map<string, string> = new Map()): Map<string, string> {
  const [, name, url] = /^([a-z]+)=(https?:\/\/\S+)$/.exec(text) ?? []
  if (name === undefined || url === undefined)
    throw new InvalidArgumentError('Give name=url, such as catalog=http://127.0.0.1:9001/graphql.')
  return before.set(subgraphName(name), url)
}

async function readConfig(path: string | undefined): Promise<Config> {
  const { loadConfig } = await import('../../../config/config.js')
  return loadConfig({ env: process.env, path })
}

const MAX_WORKERS = 128

function workerCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS) return count
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_WORKERS}.`)
}

async function serve(read: () => Promise<Config>, mode: ServerMode, workers = 1): Promise<void> {
  const config = await read()
  const { default: cluster } = await import('node:cluster')
  if (cluster.isWorker)
    return serveUntilSignal(config, mode, (await import('../../../server/workers/worker.js')).createWorkerRole())
  if (workers === 1) return serveUntilSignal(config, mode)
  if (config.database.url.startsWith('sqlite:'))
    throw new ConfigError('--workers needs PostgreSQL: a SQLite file belongs to one process. Set SLUICE_DATABASE_URL.')
  const [{ runWorkers }, { createLog, standardError }] = await Promise.all([
    import('../../../server/workers/workers.js'),
    import('#platform/log.js'),
  ])
  const log = createLog({ level: config.log.level, destination: standardError() })
  process.exitCode = await runWorkers({ count: workers, log, welcome: printLine, longestStopMs: longestStopMs(config) })
  process.disconnect?.()
}

/** For what comes after the last request: outcomes that become durable, machines that are left to others, connections. */
const CLOSING_SECONDS = 20

/** A stop that takes longer hangs, such as on a database that does not answer; the ledger's next process settles what is open. */
const longestStopMs = ({ limits }: Config): number => (limits.drain_seconds + limits.shutdown_seconds + CLOSING_SECONDS) * 1000

/** Runs until SIGINT or SIGTERM; a second signal does not wait for open requests. */
async function serveUntilSignal(config: Config, mode: ServerMode, role: WorkerRole | null = null): Promise<void> {
  const [{ startServer }, { collectWhenIdle }, { compileEarly }] = await Promise.all([
    import('../../../server/server.js'),
    import('../../../server/idle-collection.js'),
    import('../../../server/early-compilation.js'),
  ])
  const server = await startServer(config, mode, { isAtTerminal: process.stdout.isTTY, ...role }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new ConfigError(`Port ${config.server.port} is taken. Set SLUICE_PORT or server.port to another.`)
    },
  )
  // The heap and V8's flags are the process's, and here the process is the server's alone.
  compileEarly()
  const callOffCollection = collectWhenIdle(server.requests, systemClock)
  // A terminal that is closed sends it too, and means an end.
  const reload = () => void server.app.reload().catch(() => undefined)
  if (role) role.onReload(reload)
  else if (!process.stdout.isTTY) process.on('SIGHUP', reload)
  await new Promise<void>((resolve) => {
    let signals = 0
    const onSignal = () => {
      if (++signals > 1) process.exit(130)
      callOffCollection()
      setTimeout(() => process.exit(1), longestStopMs(config)).unref()
      server.stop().then(resolve, () => process.exit(1))
    }
    if (role) {
      role.onStop(onSignal)
      return role.serves(server.welcome)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    // A parent that started us over a pipe and died would leave us behind.
    process.on('disconnect', onSignal)
    // Last: whoever reads it may send a signal at once.
    printLine(server.welcome)
  })
  role?.leave()
  // A connection to a database that stands still could keep the process; only while something does this timer comes to fire.
  setTimeout(() => process.exit(), EXIT_MS).unref()
}

/** For the last lines of the log. */
const EXIT_MS = 500
