/**
 * Other names of models and tiers: the operator's `aliases`, and those that entries of the catalogue bring with them. A name
 * leads to a model or a tier, never to another name.
 */
import { invalidRequest } from '#platform/errors.js'
import type { AliasConfig, ModelConfig } from '../catalog-config.js'
import { isTier, type ModelRecord } from '../records.js'

export interface AliasRecord {
  readonly name: string
  /** A model's id or a tier. */
  readonly target: string
  /** Whether lists of models have it beside the models. */
  readonly isShown: boolean
}

interface Declared {
  readonly models: readonly ModelConfig[]
  readonly aliases?: Readonly<Record<string, AliasConfig>>
}

/**
 * The operator's. Such a name takes the place of a shipped model that is called the same, which agents may have written down.
 *
 * @throws AppError 400 for one that is also a model of the operator's
 */
export function declaredAliases({ models, aliases = {} }: Declared): Map<string, AliasRecord> {
  const own = new Set(models.map(({ id }) => id))
  const records = Object.entries(aliases).map(([name, { model: target, show: isShown }]) => {
    if (own.has(name)) throw invalidRequest(`The alias "${name}" is also a model of "models".`, 'aliases')
    return { name, target, isShown }
  })
  return new Map(records.map((record) => [record.name, record]))
}

/**
 * The operator's and those of the models. What the operator declares, and a model's own id, win over the other names that a
 * catalogue gives.
 *
 * @throws AppError 400 for one that leads nowhere, or to two models
 */
export function catalogueAliases(
  declared: ReadonlyMap<string, AliasRecord>,
  configs: ReadonlyMap<string, ModelConfig>,
  models: ReadonlyMap<string, ModelRecord>,
): ReadonlyMap<string, AliasRecord> {
  for (const { name, target } of declared.values()) {
    if (isTier(target) || models.has(target)) continue
    const why = declared.has(target) ? 'is an alias itself' : 'is neither a model nor a tier'
    throw invalidRequest(`The alias "${name}" names "${target}", which ${why}.`, 'aliases')
  }
  const all = new Map(declared)
  for (const { id, aliases = [] } of configs.values()) {
    if (!models.has(id)) continue
    for (const name of aliases) {
      if (declared.has(name) || models.has(name)) continue
      const other = all.get(name)
      if (other && other.target !== id) {
        throw invalidRequest(`The models "${other.target}" and "${id}" both have the alias "${name}".`, 'models')
      }
      all.set(name, { name, target: id, isShown: false })
    }
  }
  return all
}
