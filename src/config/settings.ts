/** The settings in force as administrators may see them: every one by its path, no secret among them. */
import { formatUsd } from '#platform/money.js'
import type { Setting } from '../../subgraphs/accounts/index.js'
import type { Config } from './config.js'
import { configSchema } from './schema.js'

/** Lists with more entries, such as a catalogue of thousands, are told by their length. */
const LONGEST_LIST = 50

/** A key, and whatever a command may be given: numbers and switches of these names are none. */
const SECRET = /(?:^|[._])(?:\w*key|secret|token|password)$|(?:^|\.)(?:env|command|fine_tuned_args)(?:\.|$)/

export function settingsInForce(config: Config): readonly Setting[] {
  const defaults = new Map(valuesOf(configSchema.parse({})))
  const sections = Object.keys(configSchema.shape).map((name) => [name, config[name as keyof typeof configSchema.shape]])
  return valuesOf(Object.fromEntries(sections)).map(([name, value]) => {
    const isHidden = typeof value !== 'number' && typeof value !== 'boolean' && SECRET.test(name.replaceAll(/\[\d+\]/g, ''))
    const isDefault = defaults.has(name) && JSON.stringify(defaults.get(name)) === JSON.stringify(value)
    return { name, value: isHidden ? null : value, isHidden, isDefault }
  })
}

/** What has no settings of its own, by its path. */
function valuesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value === 'bigint') return [[path, formatUsd(value)]]
  if (typeof value === 'string') return [[path, withoutSecrets(value)]]
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    if (value.length > LONGEST_LIST) return [[path, `${value.length} entries`]]
    return value.flatMap((item, index) => valuesOf(item, `${path}[${index}]`))
  }
  if (Array.isArray(value)) return [[path, value.map((item) => (typeof item === 'string' ? withoutSecrets(item) : item))]]
  if (value === null || typeof value !== 'object') return value === undefined ? [] : [[path, value]]
  return Object.entries(value).flatMap(([key, part]) => valuesOf(part, path === '' ? key : `${path}.${key}`))
}

/** An address without who signs in there, and without its parameters, among which keys travel. */
function withoutSecrets(text: string): string {
  if (!text.includes('://') || !URL.canParse(text)) return text
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
