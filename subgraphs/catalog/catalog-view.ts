/** What accounts see of the catalogue: the snapshot, GPU sessions and public price lists laid over each other. */
import type { StreamUsage } from '#platform/vocabulary/words.js'
import type { PriceSource } from './ports.js'
import {
  type Capabilities,
  type DeploymentRecord,
  type ListPrice,
  type ModelRecord,
  type PricePoint,
  sessionPriceId,
} from './records.js'
import { buildRoutingTable, type RoutingTable } from './deployments/routing-table.js'
import type { Snapshot } from './snapshot.js'

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

/** Deployments as accounts see them; accounts without an own deployment share one table. */
export function createView(
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

export function dynamicRecord(added: DynamicDeployment, model: ModelRecord, markup: bigint): DeploymentRecord {
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

export function pricePoints(
  snapshot: Snapshot,
  dynamic: ReadonlyMap<string, DeploymentRecord>,
  markup: bigint,
): readonly PricePoint[] {
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
