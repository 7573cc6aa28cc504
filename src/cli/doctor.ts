/**
 * What `sluice doctor` looks at, each check by itself: a fault in one says what to do and does not hide the others. Nothing is
 * started and nothing of the installation is changed.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { openDatabase } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { pendingMigrations } from '#platform/database/migrations.js'
import { catalogReport, type ProviderProbe, type ProviderReport } from '../../subgraphs/catalog/index.js'
import { createScanner } from '../../subgraphs/compliance/engine/index.js'
import { entities } from '../app/entities.js'
import { loadConfig, type Config, type ConfigSource } from '../config/config.js'
import { CliViewerDocument } from '../generated/cli.js'
import { clientSettings } from './client-settings.js'
import { createGraphClient } from './graph-client.js'

export interface Check {
  readonly name: 'node' | 'configuration' | 'database' | 'providers' | 'probe' | 'drivers' | 'scanner' | 'port' | 'key'
  /** `problem` keeps a server from starting or answering; `note` is worth knowing. */
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** What to do about it. */
  readonly advice?: string
}

export interface Diagnosis {
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly providers: readonly ProviderReport[]
  /** What each live provider answered, when they were asked. */
  readonly probes: readonly ProviderProbe[]
}

/** `probe`: also asks every live provider whether it is there and takes its key. */
export async function diagnose(source: ConfigSource, probe = false): Promise<Diagnosis> {
  const checks: Check[] = [{ name: 'node', status: 'ok', message: `Node ${process.versions.node}.` }]
  const { config, check } = checkConfiguration(source)
  checks.push(check)
  let providers: readonly ProviderReport[] = []
  let probes: readonly ProviderProbe[] = []
  if (config) {
    checks.push(await checkDatabase(config))
    const catalog = checkProviders(config)
    checks.push(catalog.check)
    providers = catalog.providers
    if (probe) {
      probes = await catalog.probe()
      checks.push(...probes.map(checkProbe))
    }
    checks.push(checkDrivers(config))
    checks.push(await checkScanner(config))
    const port = await checkPort(config)
    checks.push(port.check)
    checks.push(await checkKey(source.env, port.isServing))
  }
  return { ok: checks.every(({ status }) => status !== 'problem'), checks, providers, probes }
}

function checkProbe({ result, message }: ProviderProbe): Check {
  const name = 'probe'
  if (result === 'accepted') return { name, status: 'ok', message }
  if (result === 'unknown') return { name, status: 'note', message }
  const advice = result === 'refused' ? 'Set the right key for it.' : 'Check its base_url, and that this machine may reach it.'
  return { name, status: 'problem', message, advice }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function checkConfiguration(source: ConfigSource): { config?: Config; check: Check } {
  try {
    const config = loadConfig(source)
    const message = config.path === null ? 'No configuration file; the defaults apply.' : `Configuration ${config.path}.`
    return { config, check: { name: 'configuration', status: 'ok', message } }
  } catch (error) {
    const advice = 'Correct these values; docs/operations.md names every setting.'
    return { check: { name: 'configuration', status: 'problem', message: messageOf(error), advice } }
  }
}

async function checkDatabase({ database: { url, migrate } }: Config): Promise<Check> {
  const name = 'database'
  try {
    const location = parseDatabaseUrl(url)
    if (location.dialect === 'sqlite' && !existsSync(location.file)) return checkNewFile(resolve(location.file))
    const database = await openDatabase({ url, entities })
    try {
      const pending = await pendingMigrations(database)
      const where = location.dialect === 'sqlite' ? `SQLite file ${resolve(location.file)}` : 'PostgreSQL'
      if (pending.length === 0) return { name, status: 'ok', message: `${where} answers and its tables are up to date.` }
      const message = `${where} answers and lacks ${pending.length} migration(s), first ${pending[0]}.`
      const isAutomatic = migrate === true || (migrate === 'auto' && location.dialect === 'sqlite')
      if (isAutomatic) return { name, status: 'note', message: `${message} The next start applies them.` }
      return { name, status: 'problem', message, advice: 'Back the database up, then run "sluice migrate".' }
    } finally {
      await database.close()
    }
  } catch (error) {
    const advice = 'Check database.url (SLUICE_DATABASE_URL), and that the server behind it runs and lets you in.'
    return { name, status: 'problem', message: messageOf(error), advice }
  }
}

/** A start creates the folder and the file, if it may. */
function checkNewFile(file: string): Check {
  let folder = dirname(file)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return { name: 'database', status: 'ok', message: `The first start creates the SQLite file ${file}.` }
  } catch {
    const message = `The SQLite file ${file} cannot be created: ${folder} is not writable.`
    return {
      name: 'database',
      status: 'problem',
      message,
      advice: 'Let this user write there, or set database.url to another place.',
    }
  }
}

interface CheckedProviders {
  readonly check: Check
  readonly providers: readonly ProviderReport[]
  probe(): Promise<readonly ProviderProbe[]>
}

function checkProviders(config: Config): CheckedProviders {
  const name = 'providers'
  try {
    const { providers, servedModels, probe } = catalogReport({
      providers: config.providers,
      models: config.models,
      aliases: config.aliases,
      includeShipped: config.catalog.include_shipped,
      presetKeys: config.environment,
    })
    const live = providers.filter(({ isLive }) => isLive)
    if (live.length > 0) {
      const message = `Live: ${live.map(({ id }) => id).join(', ')}; they serve ${servedModels} models.`
      return { providers, probe, check: { name, status: 'ok', message } }
    }
    if (config.sandbox === false) {
      const message = 'No provider is live and the sandbox is off, so no model answers.'
      const advice = 'Set the key of a provider below, declare one under "providers", or turn the sandbox on.'
      return { providers, probe, check: { name, status: 'problem', message, advice } }
    }
    const message = 'No provider is live; the built-in sandbox answers.'
    return {
      providers,
      probe,
      check: { name, status: 'note', message, advice: 'For real answers set the key of a provider below.' },
    }
  } catch (error) {
    const advice = 'Correct "providers" and "models" in the configuration.'
    return { providers: [], probe: async () => [], check: { name, status: 'problem', message: messageOf(error), advice } }
  }
}

function checkDrivers({ compute, sandbox }: Config): Check {
  const name = 'drivers'
  if (compute.drivers && compute.drivers.length > 0) {
    const types = compute.drivers.map(({ id, type }) => id ?? type)
    return { name, status: 'ok', message: `GPU drivers: ${types.join(', ')}.` }
  }
  if (compute.drivers === undefined && sandbox !== false) {
    return { name, status: 'note', message: 'No GPU driver is configured; while the sandbox answers, GPUs are pretended too.' }
  }
  const advice = 'Name one under "compute.drivers" to rent GPUs and to deploy models on demand.'
  return { name, status: 'note', message: 'No GPU driver is configured.', advice }
}

/** Starts one analyzer as a server would, and lets it analyze a line. */
async function checkScanner({ scanner: { standards = [] } }: Config): Promise<Check> {
  const name = 'scanner'
  try {
    const scanner = createScanner({ analyzers: 1 })
    try {
      // Each must be known.
      for (const standard of standards) scanner.rules(standard)
      const { status, latencyMs } = await scanner.health()
      if (status !== 'down') return { name, status: 'ok', message: `An analyzer started and answered in ${latencyMs} ms.` }
      const advice = 'Look at what it printed above; it needs about 600 MB of memory and leave to start processes.'
      return { name, status: 'problem', message: 'The analyzer of the scanner does not answer.', advice }
    } finally {
      await scanner.close()
    }
  } catch (error) {
    return { name, status: 'problem', message: messageOf(error), advice: 'Correct "scanner.standards", or install again.' }
  }
}

async function checkPort({ server: { host, port } }: Config): Promise<{ check: Check; isServing: boolean }> {
  const name = 'port'
  const code = await listenCode(host, port)
  if (code === null) return { isServing: false, check: { name, status: 'ok', message: `${host}:${port} is free for a server.` } }
  if (code === 'EADDRINUSE' && (await isSluice(`http://${host.includes(':') ? `[${host}]` : host}:${port}`))) {
    return { isServing: true, check: { name, status: 'ok', message: `A Sluice server answers at ${host}:${port}.` } }
  }
  const message = `A server cannot listen at ${host}:${port} (${code}).`
  const advice = 'Set server.host (SLUICE_HOST) or server.port (SLUICE_PORT) to what is free here.'
  return { isServing: false, check: { name, status: 'problem', message, advice } }
}

/** Why one cannot listen there, null when one can. */
function listenCode(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done(null)))
  })
}

/** A server of this machine answers a probe in far less. */
const PROBE_MS = 2_000

async function isSluice(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.json() as Promise<{ status?: unknown }>)
    .catch(() => null)
  return answer?.status === 'ok'
}

async function checkKey(env: ConfigSource['env'], isServing: boolean): Promise<Check> {
  const name = 'key'
  const settings = clientSettings(env)
  const { url, apiKey } = settings
  if (apiKey === null) {
    return { name, status: 'note', message: 'SLUICE_API_KEY is not set.', advice: 'Commands that ask a running server need it.' }
  }
  if (!isServing && !(await isSluice(url)))
    return { name, status: 'note', message: `No server runs at ${url}, so the key is not tried.` }
  try {
    const { viewer } = await createGraphClient(settings).request(CliViewerDocument, {})
    return { name, status: 'ok', message: `The key opens the account ${viewer.id} (${viewer.name}) at ${url}.` }
  } catch (error) {
    const advice = 'Set SLUICE_API_KEY to a key of this server, and SLUICE_URL to where it is.'
    return { name, status: 'problem', message: messageOf(error), advice }
  }
}
