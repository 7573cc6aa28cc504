/** Which providers these options make live, and what is missing for the others: what an operator asks before starting a server. */
import { probeProviders, type ProviderProbe } from './provider-probe.js'
import { buildSnapshot, type CatalogDeclaration } from '../snapshot.js'
import { missingVariables, type ShippedCatalogue } from '../shipped/shipped-catalogue.js'

export interface ProviderReport {
  /** The routing identifier. */
  readonly id: string
  readonly name: string
  readonly isLive: boolean
  /** Environment variables that would make a shipped preset live; empty when it is. */
  readonly missingVariables: readonly string[]
}

export interface CatalogReport {
  /** The operator's own first, then the shipped presets. */
  readonly providers: readonly ProviderReport[]
  /** Models with at least one deployment at a live provider. */
  readonly servedModels: number
  /** Asks every live provider whether it is there and takes our key. */
  probe(): Promise<ProviderProbe[]>
}

/** Throws AppError 400 when the declaration contradicts itself, as the server would at its start. */
export function reportCatalog(
  declaration: Pick<CatalogDeclaration, 'providers' | 'models' | 'aliases' | 'presetKeys'> & {
    readonly shipped: ShippedCatalogue | null
  },
): CatalogReport {
  const { providers, deployments } = buildSnapshot({
    ...declaration,
    sandbox: null,
    recipes: new Map(),
    canDeploy: false,
    markup: 0n,
  })
  const presets = declaration.shipped?.presets ?? []
  const presetIds = new Set(presets.map(({ id }) => id))
  const own = [...providers.values()].filter(({ id }) => !presetIds.has(id))
  return {
    providers: [
      ...own.map(({ id, name }) => ({ id, name, isLive: true, missingVariables: [] })),
      ...presets.map((preset) => ({
        id: preset.id,
        name: providers.get(preset.id)?.name ?? preset.name,
        isLive: providers.has(preset.id),
        missingVariables: providers.has(preset.id) ? [] : missingVariables(preset, declaration.presetKeys),
      })),
    ],
    servedModels: new Set([...deployments.values()].map(({ modelId }) => modelId)).size,
    probe: () => probeProviders([...providers.values()]),
  }
}
