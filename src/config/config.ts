/**
 * Configuration: `sluice.config.yaml`, overridden by `SLUICE_*` environment variables, checked as a whole and frozen. This is
 * the only file that reads the environment, and every limit of the program has its name and its default here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { MAX_TOKEN_LENGTH } from '#platform/requests/context.js'
import { parseUsd } from '#platform/money.js'
import { catalogConfig } from '../../subgraphs/catalog/index.js'
import { complianceConfig } from '../../subgraphs/compliance/index.js'
import { computeConfig } from '../../subgraphs/compute/index.js'
import { pricingConfig } from '../../subgraphs/pricing/index.js'
import { ConfigError } from './config-error.js'
import { describeIssues } from './config-issues.js'

const seconds = (value: number) => z.number().positive().max(86_400).default(value)
const count = (value: number) => z.int().positive().default(value)

const usd = z.union([z.string(), z.number()]).transform((value, context) => {
  try {
    return parseUsd(String(value))
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

/** As browsers send it: scheme, host and a port that is not the scheme's own. */
const origin = z
  .string()
  .refine((text) => /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text) && (!/^https?:/.test(text) || isSerialOrigin(text)), {
    message: 'An origin is a scheme and a host, in small letters and without a path, such as https://app.example.',
  })

const isSerialOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

const serverConfig = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8787),
  /** Credits of the administrator account that the first start creates. */
  starting_credits: usd.default(() => 10_000_000_000n),
  /** Where callers reach this server, for `server_url`; worked out from host and port when left out. */
  public_url: z.url().optional(),
  /** Whose pages may talk to this server from a browser; while it listens to this machine only, this machine's. */
  cors_origins: z.union([z.literal('*'), z.array(origin)]).optional(),
})

const databaseConfig = z.strictObject({
  url: z.string().default('sqlite:./data/sluice.db'),
  /** Applies pending migrations at start. A SQLite file of one server is safe to migrate; a shared Postgres waits for a person. */
  migrate: z.union([z.boolean(), z.literal('auto')]).default('auto'),
  max_connections: count(10),
  /** For a PostgreSQL connection: a free one of the pool, or a new one. */
  connect_seconds: seconds(3),
  /** For the answer to one statement. */
  statement_seconds: seconds(5),
  /** For a lock that another transaction, or on SQLite another process, holds. */
  lock_seconds: seconds(4),
  /** Until PostgreSQL ends a transaction in which nothing happens. */
  idle_transaction_seconds: seconds(15),
})

const ledgerConfig = z.strictObject({
  /** How long a batch of movements is repeated while the database is in trouble, before callers hear of it. */
  retry_seconds: seconds(5),
  waiting_operations: count(20_000),
  unsettled_outcomes: count(10_000),
  close_seconds: seconds(3),
  /** Days that entries and usage records are kept whole before they become daily sums; null for ever. */
  keep_days: z.int().positive().nullable().default(null),
})

const limitsConfig = z.strictObject({
  body_bytes: count(10 * 1024 * 1024),
  // Of bodies that hold names and little else, such as a request for a rental.
  small_body_bytes: count(64 * 1024),
  header_bytes: count(16 * 1024),
  // Checked by a recursion of that depth.
  json_depth: z.int().positive().max(1_000).default(64),
  messages: count(4096),
  // Bodies above it are read only when there is room, and in a thread of their own.
  large_body_bytes: count(256 * 1024),
  large_body_account_bytes: count(64 * 1024 * 1024),
  large_body_total_bytes: count(512 * 1024 * 1024),
  large_body_account_waiting: count(256),
  large_body_wait_seconds: seconds(10),
  json_values: count(250_000),
  // From the first byte of a request to the last byte of its body.
  body_seconds: seconds(60),
  request_seconds: seconds(120),
  connect_seconds: seconds(5),
  first_byte_seconds: seconds(60),
  idle_seconds: seconds(30),
  stalled_reader_seconds: seconds(60),
  keep_alive_seconds: seconds(75),
  provider_connections: count(1024),
  drain_seconds: z.number().nonnegative().max(3_600).default(5),
  shutdown_seconds: seconds(120),
})

const graphConfig = z.strictObject({
  max_depth: count(12),
  max_aliases: count(50),
  max_directives: count(50),
  max_tokens: count(5_000),
  max_cost: count(5_000),
  introspection: z.boolean().default(true),
  /** How long a gateway waits for a subgraph in another process. */
  subgraph_connect_seconds: seconds(2),
  subgraph_answer_seconds: seconds(130),
  subgraph_idle_seconds: seconds(30),
  subgraph_silence_seconds: seconds(5),
})

const configSchema = z.strictObject({
  server: serverConfig.prefault({}),
  database: databaseConfig.prefault({}),
  ledger: ledgerConfig.prefault({}),
  limits: limitsConfig.prefault({}),
  graphql: graphConfig.prefault({}),
  log: z.strictObject({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info') }).prefault({}),
  ...catalogConfig.shape,
  ...pricingConfig.shape,
  ...computeConfig.shape,
  ...complianceConfig.shape,
  sandbox: z.union([z.literal('auto'), z.boolean()]).default('auto'),
  sandbox_tokens_per_second: z.number().positive().max(100_000).default(80),
})

type ConfigFile = z.output<typeof configSchema>

export interface Config extends ConfigFile {
  /** `SLUICE_ADMIN_KEY`: presets the administrator's key. */
  readonly adminKey: string | null
  /** Environment variables that a shipped provider preset may name as its key. */
  readonly environment: ReadonlyMap<string, string>
  /** Relative paths are taken from here. */
  readonly workingDirectory: string
  /** The file that was read, null when there was none. */
  readonly path: string | null
}

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>
  /** `--config`; wins over `SLUICE_CONFIG`. */
  readonly path?: string | undefined
  readonly workingDirectory?: string
}

/** The environment variables that override the file, and where in it they belong. */
const OVERRIDES = {
  SLUICE_HOST: ['server', 'host'],
  SLUICE_PORT: ['server', 'port'],
  SLUICE_PUBLIC_URL: ['server', 'public_url'],
  SLUICE_CORS_ORIGINS: ['server', 'cors_origins'],
  SLUICE_STARTING_CREDITS: ['server', 'starting_credits'],
  SLUICE_DATABASE_URL: ['database', 'url'],
  SLUICE_DATABASE_MIGRATE: ['database', 'migrate'],
  SLUICE_LOG_LEVEL: ['log', 'level'],
  SLUICE_SANDBOX: ['sandbox'],
} as const

const NUMERIC = new Set(['SLUICE_PORT'])
const DEFAULT_FILE = 'sluice.config.yaml'

/**
 * Reads the file and the environment.
 *
 * @throws ConfigError with one line per wrong value: its path in the file and the reason.
 */
export function loadConfig({ env, path, workingDirectory = process.cwd() }: ConfigSource = { env: process.env }): Config {
  const named = path ?? (env['SLUICE_CONFIG'] || undefined)
  const file = resolve(workingDirectory, named ?? DEFAULT_FILE)
  const exists = existsSync(file)
  if (named !== undefined && !exists) throw new ConfigError(`There is no configuration file ${named}.`)
  const declared = exists ? expand(readYaml(file), env, '') : {}
  const result = configSchema.safeParse(withOverrides(declared, env))
  if (!result.success) throw new ConfigError(describeIssues(result.error, configSchema, exists ? file : 'the environment'))
  return Object.freeze({
    ...deepFreeze(result.data),
    adminKey: adminKeyOf(env['SLUICE_ADMIN_KEY']),
    environment: new Map(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]))),
    workingDirectory,
    path: exists ? file : null,
  })
}

/** A setting that some part of the program changed would be in force for the parts that read it later only. */
function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    throw new ConfigError(`${file} is not readable YAML: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** Replaces `${NAME}` by the environment's value; a secret is always a reference, so a missing one must stop the start. */
function expand(value: unknown, env: ConfigSource['env'], path: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) => {
      const found = env[name]
      if (!found) throw new ConfigError(`${path}: the environment variable ${name} is not set.`)
      return found
    })
  }
  if (Array.isArray(value)) return value.map((item, index) => expand(item, env, `${path}[${index}]`))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expand(item, env, path === '' ? key : `${path}.${key}`)]),
  )
}

function withOverrides(declared: unknown, env: ConfigSource['env']): unknown {
  if (declared === null || typeof declared !== 'object' || Array.isArray(declared)) return declared
  const merged: Record<string, unknown> = { ...declared }
  for (const [name, [section, key]] of Object.entries(OVERRIDES)) {
    const text = env[name]
    if (text === undefined || text === '') continue
    const value = overrideValue(name, text)
    merged[section] = key === undefined ? value : { ...(merged[section] as object | undefined), [key]: value }
  }
  return merged
}

function overrideValue(name: string, text: string): unknown {
  if (name === 'SLUICE_CORS_ORIGINS') return text === '*' ? text : text.split(',').map((item) => item.trim())
  if (text === 'true' || text === 'false') return text === 'true'
  return NUMERIC.has(name) ? Number(text) : text
}

const MIN_ADMIN_KEY_LENGTH = 32

function adminKeyOf(text: string | undefined): string | null {
  if (!text) return null
  if (text.length < MIN_ADMIN_KEY_LENGTH || text.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(text)) {
    throw new ConfigError(
      `SLUICE_ADMIN_KEY needs ${MIN_ADMIN_KEY_LENGTH} to ${MAX_TOKEN_LENGTH} printable ASCII characters without spaces.`,
    )
  }
  return text
}
