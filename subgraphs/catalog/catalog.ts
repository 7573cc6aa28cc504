/** The catalogue as a service: the current snapshot, deployments that come and go, and lookups for the hot path. */
import type { EventBus } from '#platform/events/events.js'
import { AppError } from '#platform/errors.js'
import type { Tier } from '#platform/vocabulary/words.js'
import type { AliasRecord } from './models/aliases.js'
import { type Availability, deriveAvailability, type ModelAvailability } from './models/availability.js'
import type { HealthSource, PriceSource, SessionSource, SessionState } from './ports.js'
import { createView, type DynamicDeployment, dynamicRecord, pricePoints } from './catalog-view.js'
import type { Capabilities, DeployRecipe, DeploymentRecord, ModelRecord, PricePoint, ProviderRecord } from './records.js'
import type { Resolution } from './deployments/routing-table.js'
import { buildSnapshot, type CatalogDeclaration } from './snapshot.js'

/** Events of this topic, within this process, carry `modelId`: its availability may have changed, look again. */
export const MODEL_AVAILABILITY = 'model.availability'

interface ModelFilter {
  readonly availability?: Availability
  readonly tier?: Tier
}

interface ListedModel {
  readonly model: ModelRecord
  readonly availability: ModelAvailability
}

export interface Catalog {
  /**
   * From memory, and the same object for the same state: what `model` of a chat request, which is a model's id, a tier or an
   * alias, names for this account. A tier is chosen among the models of `only`, when there is such a list, and nothing else
   * exists.
   */
  resolve(name: string, accountId: string, only?: ReadonlySet<string>): Resolution
  model(id: string): ModelRecord | undefined
  /** By its id or another name of it. */
  modelNamed(name: string): ModelRecord | undefined
  alias(name: string): AliasRecord | undefined
  /** Other names of models and tiers, ordered by name. */
  aliases(): readonly AliasRecord[]
  provider(id: string): ProviderRecord | undefined
  /** Every provider that is live, ordered by id. */
  providers(): readonly ProviderRecord[]
  deployment(id: string): DeploymentRecord | undefined
  /** Every model, servable or not. */
  models(): Iterable<ModelRecord>
  /** Every current deployment that the account may see, ordered by id; without an account, the public ones. */
  deployments(accountId?: string): readonly DeploymentRecord[]
  /** The model's deployments that the account may see, ordered by id. */
  deploymentsOf(modelId: string, accountId?: string): readonly DeploymentRecord[]
  /** Everything that needs a price, GPU recipes included. */
  pricePoints(): readonly PricePoint[]
  recipeOf(modelId: string): DeployRecipe | null
  /** null for what is not in the catalogue or cannot be served in any way. */
  availabilityOf(modelId: string, accountId?: string): ModelAvailability | null
  /** What its GPU session is doing. */
  sessionOf(modelId: string, accountId?: string): SessionState
  /** Servable models ordered by id. */
  list(filter: ModelFilter, accountId?: string): ListedModel[]
  /** Throws AppError 404 when the model is not in the catalogue. Adding the same id again replaces it. */
  addDynamicDeployment(deployment: DynamicDeployment): void
  removeDynamicDeployment(id: string): void
  /** Replaces what was declared. Throws AppError 400 when the new declaration contradicts itself; nothing is changed then. */
  declare(changes: Partial<CatalogDeclaration>): void
  /** Tells subscribers that the model's state changed for a reason outside the catalogue, such as its GPU session. */
  announce(modelId: string): void
  /**
   * What a public price list says about deployments, by deployment id; replaces what the same list said before. It fills in
   * what nobody stated and updates shipped entries, but never what the operator's own entries state.
   */
  applyListedCapabilities(list: string, capabilities: ReadonlyMap<string, Partial<Capabilities>>): void
  /** Calls back after deployments were added or removed; the returned function ends it. */
  onChange(listener: () => void): () => void
}

export interface CatalogServices {
  readonly prices: PriceSource
  readonly sessions: SessionSource
  readonly health: HealthSource
  readonly events: EventBus
}

/** Throws AppError 400 when the declaration contradicts itself. */
export function createCatalog(declaration: CatalogDeclaration, services: CatalogServices): Catalog {
  const { prices, sessions, events } = services
  const dynamic = new Map<string, DeploymentRecord>()
  const listed = new Map<string, ReadonlyMap<string, Partial<Capabilities>>>()
  const listeners = new Set<() => void>()
  let inForce = declaration
  let snapshot = buildSnapshot(declaration)
  // Made at the first question, because prices may be wired after the catalogue.
  let view: ReturnType<typeof createView> | null = null

  const current = () => {
    if (view?.revision !== prices.revision()) view = createView(snapshot, dynamic, listed, prices)
    return view
  }
  const changed = (modelIds: Iterable<string>) => {
    view = null
    for (const listener of listeners) listener()
    for (const modelId of new Set(modelIds)) events.publish(MODEL_AVAILABILITY, { modelId })
  }
  const availabilityOf = (modelId: string, accountId?: string) => {
    const model = snapshot.models.get(modelId)
    if (!model) return null
    const { resolve } = current().tableFor(accountId)
    return deriveAvailability(resolve(modelId), sessions.stateOf(modelId, accountId), model.recipe)
  }

  return {
    resolve: (name, accountId, only) => current().tableFor(accountId).resolve(name, only),
    model: (id) => snapshot.models.get(id),
    modelNamed: (name) => snapshot.models.get(snapshot.aliases.get(name)?.target ?? name),
    alias: (name) => snapshot.aliases.get(name),
    aliases: () => [...snapshot.aliases.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    providers: () => [...snapshot.providers.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    provider: (id) => snapshot.providers.get(id) ?? [...dynamic.values()].find(({ providerId }) => providerId === id)?.provider,
    deployment: (id) => current().byId.get(id),
    models: () => snapshot.models.values(),
    deployments: (accountId) => current().deploymentsFor(accountId),
    deploymentsOf: (modelId, accountId) => current().byModelFor(accountId).get(modelId) ?? [],
    pricePoints: () => pricePoints(snapshot, dynamic, inForce.markup),
    recipeOf: (modelId) => snapshot.models.get(modelId)?.recipe ?? null,
    availabilityOf,
    sessionOf: (modelId, accountId) => sessions.stateOf(modelId, accountId),
    list: (filter, accountId) => servable(snapshot.models.values(), filter, (id) => availabilityOf(id, accountId)),
    addDynamicDeployment(deployment) {
      const model = snapshot.models.get(deployment.modelId)
      if (!model) throw new AppError('model_not_found', `The model "${deployment.modelId}" is not in the catalogue.`)
      dynamic.set(deployment.id, dynamicRecord(deployment, model, inForce.markup))
      changed([model.id])
    },
    removeDynamicDeployment(id) {
      const removed = dynamic.get(id)
      if (!removed) return
      dynamic.delete(id)
      changed([removed.modelId])
    },
    applyListedCapabilities(list, capabilities) {
      listed.set(list, capabilities)
      view = null
    },
    declare(changes) {
      const next = { ...inForce, ...changes }
      const before = snapshot
      snapshot = buildSnapshot(next)
      inForce = next
      changed([...before.models.keys(), ...snapshot.models.keys()])
    },
    announce: (modelId) => events.publish(MODEL_AVAILABILITY, { modelId }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Those that can be asked for, ordered by id. */
const servable = (
  models: Iterable<ModelRecord>,
  filter: ModelFilter,
  availabilityOf: (modelId: string) => ModelAvailability | null,
): ListedModel[] =>
  [...models]
    .filter(({ tier }) => !filter.tier || tier === filter.tier)
    .flatMap((model) => {
      const availability = availabilityOf(model.id)
      return availability ? [{ model, availability }] : []
    })
    .filter(({ availability }) => !filter.availability || availability.state === filter.availability)
    .sort((a, b) => (a.model.id < b.model.id ? -1 : 1))
