/** What the environment says: values that override the file's, references from the file, and the administrator's key. */
import { readFileSync } from 'node:fs'
import { MAX_TOKEN_LENGTH } from '#platform/requests/context.js'
import { ConfigError } from './config-error.js'

export type Environment = Readonly<Record<string, string | undefined>>

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

/**
 * Replaces `${NAME}` by the environment's value and `${file:/path}` by what a file holds, without the line break at its end. A secret
 * is always a reference, so a missing one must stop the start.
 */
export function expand(value: unknown, env: Environment, path: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(?:file:([^}]+)|([A-Z][A-Z0-9_]*))\}/g, (_, file: string | undefined, name: string) => {
      if (file !== undefined) return secretIn(file, path)
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

function secretIn(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch {
    throw new ConfigError(`${path}: the file ${file} cannot be read.`)
  }
}

export function withOverrides(declared: unknown, env: Environment): unknown {
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

export function adminKeyOf(text: string | undefined): string | null {
  if (!text) return null
  if (text.length < MIN_ADMIN_KEY_LENGTH || text.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(text)) {
    throw new ConfigError(
      `SLUICE_ADMIN_KEY needs ${MIN_ADMIN_KEY_LENGTH} to ${MAX_TOKEN_LENGTH} printable ASCII characters without spaces.`,
    )
  }
  return text
}
