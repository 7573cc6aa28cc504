/**
 * Configuration: `sluice.config.yaml`, overridden by `SLUICE_*` environment variables, checked as a whole and frozen. A server
 * reads its environment here and nowhere else (commands that ask one read where it is, src/cli/client-settings.ts), and every
 * limit that an operator may change has its name and its default in a section.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import { ConfigError } from './config-error.js'
import { describeIssues } from './config-issues.js'
import { adminKeyOf, expand, withOverrides, type Environment } from './environment.js'
import { configSchema } from './schema.js'

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
  readonly env: Environment
  /** `--config`; wins over `SLUICE_CONFIG`. */
  readonly path?: string | undefined
  readonly workingDirectory?: string
}

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
  // What is read once is read sooner without a program that zod would write and compile for each of its objects.
  const result = configSchema.safeParse(withOverrides(declared, env), { jitless: true })
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
