/** Which settings a running server takes over when its configuration is read again, and which wait for a restart. */
import type { Config } from './config.js'
import { configSchema } from './schema.js'

/** By their paths, a section's settings one by one. */
const LIVE: ReadonlySet<string> = new Set([
  'providers',
  'models',
  'aliases',
  'catalog.include_shipped',
  'pricing.markup',
  'log.level',
  'ledger.keep_days',
  'usage.keep_days',
  'usage.refused_days',
])

export interface ConfigChanges {
  /** The settings in force once the changes are applied: what needs a restart is as it was. */
  readonly config: Config
  /** Paths of changed settings that a running server takes over. */
  readonly live: readonly string[]
  /** Paths of changed settings that it does not. */
  readonly restart: readonly string[]
}

export function changesBetween(current: Config, next: Config): ConfigChanges {
  const live: string[] = []
  const restart: string[] = []
  /** The value that is in force from now on. */
  const chosen = (path: string, before: unknown, after: unknown): unknown => {
    if (textOf(before) === textOf(after)) return before
    const isLive = LIVE.has(path)
    ;(isLive ? live : restart).push(path)
    return isLive ? after : before
  }
  const sections = (Object.keys(configSchema.shape) as (keyof typeof configSchema.shape)[]).map((section) => {
    const before: unknown = current[section]
    const after: unknown = next[section]
    if (LIVE.has(section) || !isSection(before) || !isSection(after)) return [section, chosen(section, before, after)]
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return [section, Object.fromEntries(names.map((name) => [name, chosen(`${section}.${name}`, before[name], after[name])]))]
  })
  const config = Object.freeze({ ...current, ...Object.fromEntries(sections), environment: next.environment }) as Config
  return { config, live, restart }
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? ''
