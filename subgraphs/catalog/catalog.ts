/** The catalogue as a service: the current snapshot, deployments that come and go, and lookups for the hot path. */
import type { EventBus } from '#platform/events.js'
import { AppError } from '#platform/errors.js'
import { type Availability, deriveAvailability, type ModelAvailability } from './availability.js'
import type { HealthSource, PriceSource, SessionSource } from './ports.js'
import {
  type Capabilities,
  type DeployRecipe,
  type DeploymentRecord,
  type ListPrice,
  type ModelRecord,
  type PricePoint,
  type ProviderRecord,
  sessionPriceId,
  type StreamUsage,
  type Tier,
} from './records.js'
import { buildRoutingTable, type Resolution, type RoutingTable } from './routing-table.js'
import { buildSnapshot, type CatalogDeclaration, type SandboxProvider, type Snapshot } from './snapshot.js'

/** Events of this topic, within this process, carry `modelId`: its availability may have changed, look again. */
export const MODEL_AVAILABILITY = 'model.availability'

/** A deployment that a running GPU session adds to a model. */
export interface DynamicDeployment {
  /** Unique, such as the session's id. */
  readonly id: string
  readonly modelId: string
  /** Routing identifier of who runs the GPU. */
  readonly providerId: string
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly providerModelId?: string
  readonly streamUsage?: StreamUsage
  readonly region?: string | null
  /** The only account that may use it; null or absent for everyone. */
  readonly accountId?: string | null
  /** What its tokens cost when the model has no recipe with a price. */
  readonly listPrice?: ListPrice | null
}

interface ModelFilter {
  readonly availability?: Availability
  readonly tier?: Tier
}

interface ListedModel {
  readonly model: ModelRecord
  readonly availability: ModelAvailability
}

export interface Catalog {
  /** From memory, and the same object for the same state: what `model` of a chat request names for this account. */
  resolve(modelIdOrTier: string, accountId: string): Resolution
  model(id: string): ModelRecord | undefined
  provider(id: string): ProviderRecord | undefined
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
  /** Servable models ordered by id. */
  list(filter: ModelFilter, accountId?: string): ListedModel[]
  /** Throws AppError 404 when the model is not in the catalogue. Adding the same id again replaces it. */
  addDynamicDeployment(deployment: DynamicDeployment): void
  removeDynamicDeployment(id: string): void
  /** Turns the sandbox on at this address, or off. */
  setSandbox(sandbox: SandboxProvider | null): void
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
  let declared = declaration
  let snapshot = buildSnapshot(declared)
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
    resolve: (modelIdOrTier, accountId) => current().tableFor(accountId).resolve(modelIdOrTier),
    model: (id) => snapshot.models.get(id),
    provider: (id) => snapshot.providers.get(id) ?? [...dynamic.values()].find(({ providerId }) => providerId === id)?.provider,
    deployment: (id) => current().byId.get(id),
    models: () => snapshot.models.values(),
    deployments: (accountId) => current().deploymentsFor(accountId),
    deploymentsOf: (modelId, accountId) => current().byModelFor(accountId).get(modelId) ?? [],
    pricePoints: () => pricePoints(snapshot, dynamic, declared.markup),
    recipeOf: (modelId) => snapshot.models.get(modelId)?.recipe ?? null,
    availabilityOf,
    list(filter, accountId) {
      const listed: ListedModel[] = []
      for (const model of snapshot.models.values()) {
        if (filter.tier && model.tier !== filter.tier) continue
        const availability = availabilityOf(model.id, accountId)
        if (!availability || (filter.availability && availability.state !== filter.availability)) continue
        listed.push({ model, availability })
      }
      return listed.sort((a, b) => (a.model.id < b.model.id ? -1 : 1))
    },
    addDynamicDeployment(deployment) {
      const model = snapshot.models.get(deployment.modelId)
      if (!model) throw new AppError('model_not_found', `The model "${deployment.modelId}" is not in the catalogue.`)
      dynamic.set(deployment.id, dynamicRecord(deployment, model, declared.markup))
      changed([model.id])
    },
    removeDynamicDeployment(id) {
      const removed = dynamic.get(id)
      if (!removed) return
      dynamic.delete(id)
      changed([removed.modelId])
    },
    setSandbox(sandbox) {
      declared = { ...declared, sandbox }
      const before = snapshot
      snapshot = buildSnapshot(declared)
      const moved = [...before.deployments.values(), ...snapshot.deployments.values()]
      changed(moved.filter(({ provider }) => provider.kind === 'sandbox').map(({ modelId }) => modelId))
    },
    applyListedCapabilities(list, capabilities) {
      listed.set(list, capabilities)
      view = null
    },
    announce: (modelId) => events.publish(MODEL_AVAILABILITY, { modelId }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Deployments as accounts see them; accounts without an own deployment share one table. */
function createView(
  snapshot: Snapshot,
  dynamic: ReadonlyMap<string, DeploymentRecord>,
  listed: ReadonlyMap<string, ReadonlyMap<string, Partial<Capabilities>>>,
  prices: PriceSource,
) {
  const declared = [...snapshot.deployments.values()].map((deployment) => withListedCapabilities(deployment, listed.values()))
  const all = [...declared, ...dynamic.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const owners = new Set([...dynamic.values()].flatMap(({ accountId }) => accountId ?? []))
  const perAccount = new Map<string | undefined, ReturnType<typeof build>>()
  const build = (accountId: string | undefined) => {
    const deployments = all.filter((deployment) => deployment.accountId === null || deployment.accountId === accountId)
    const byModel = Map.groupBy(deployments, ({ modelId }) => modelId)
    return { deployments, byModel, table: buildRoutingTable(snapshot, byModel, prices) }
  }
  const viewFor = (accountId: string | undefined) => {
    const owner = accountId !== undefined && owners.has(accountId) ? accountId : undefined
    let found = perAccount.get(owner)
    if (!found) perAccount.set(owner, (found = build(owner)))
    return found
  }
  return {
    revision: prices.revision(),
    byId: new Map(all.map((deployment) => [deployment.id, deployment])),
    tableFor: (accountId?: string): RoutingTable => viewFor(accountId).table,
    deploymentsFor: (accountId?: string): readonly DeploymentRecord[] => viewFor(accountId).deployments,
    byModelFor: (accountId?: string): ReadonlyMap<string, readonly DeploymentRecord[]> => viewFor(accountId).byModel,
  }
}

function withListedCapabilities(
  deployment: DeploymentRecord,
  lists: Iterable<ReadonlyMap<string, Partial<Capabilities>>>,
): DeploymentRecord {
  let record = deployment
  for (const list of lists) {
    const stated = list.get(deployment.id)
    if (!stated) continue
    const own = deployment.isOwn ? withoutNulls(deployment) : {}
    record = { ...record, ...stated, ...own }
  }
  return record
}

/** The capabilities that the operator's entry, or its model, states. */
function withoutNulls(deployment: Capabilities): Partial<Capabilities> {
  const { contextWindow, maxOutputTokens, supportsFunctionCalling, supportsJsonMode } = deployment
  const entries = Object.entries({ contextWindow, maxOutputTokens, supportsFunctionCalling, supportsJsonMode })
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

function dynamicRecord(added: DynamicDeployment, model: ModelRecord, markup: bigint): DeploymentRecord {
  const { contextWindow, maxOutputTokens, supportsFunctionCalling, supportsJsonMode } = model
  return {
    id: added.id,
    modelId: model.id,
    providerId: added.providerId,
    providerModelId: added.providerModelId ?? model.id,
    region: added.region ?? null,
    accountId: added.accountId ?? null,
    priceId: sessionPriceId(model.id),
    isOwn: true,
    listPrice: model.recipe?.listPrice ?? added.listPrice ?? null,
    markup,
    model,
    provider: {
      id: added.providerId,
      name: added.providerId,
      kind: 'session',
      baseUrl: added.baseUrl.replace(/\/+$/, ''),
      apiKey: added.apiKey,
      streamUsage: added.streamUsage ?? 'include_usage',
      feedId: null,
    },
    contextWindow,
    maxOutputTokens,
    supportsFunctionCalling,
    supportsJsonMode,
  }
}

function pricePoints(snapshot: Snapshot, dynamic: ReadonlyMap<string, DeploymentRecord>, markup: bigint): readonly PricePoint[] {
  const points = new Map<string, PricePoint>()
  for (const { id, recipe } of snapshot.models.values()) {
    if (!recipe) continue
    const priceId = sessionPriceId(id)
    points.set(priceId, { priceId, modelId: id, providerId: 'session', listPrice: recipe.listPrice, markup })
  }
  for (const deployment of [...snapshot.deployments.values(), ...dynamic.values()]) {
    if (!points.has(deployment.priceId)) points.set(deployment.priceId, deployment)
  }
  return [...points.values()]
}
