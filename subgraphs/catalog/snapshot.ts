/**
 * The immutable catalogue of one moment: who is live, which models exist and where they are deployed.
 *
 * Built from the operator's configuration, the shipped files and the sandbox. Pure: the same input gives the same snapshot,
 * and every lookup is a Map, so that a model called "__proto__" simply does not exist.
 */
import { invalidRequest } from '#platform/errors.js'
import { parseUsd } from '#platform/money.js'
import { USUAL_TOKENIZER } from '#platform/vocabulary/words.js'
import { type AliasConfig, type DeploymentConfig, type ModelConfig, type ProviderConfig, parseMarkup } from './catalog-config.js'
import { type AliasRecord, catalogueAliases, declaredAliases } from './models/aliases.js'
import {
  type BaseRecipe,
  type DeployRecipe,
  type DeploymentRecord,
  deploymentId,
  type ListPrice,
  type ModelRecord,
  type ProviderRecord,
} from './records.js'
import { resolvePreset, type ShippedCatalogue } from './shipped/shipped-catalogue.js'

/** The embedded provider that answers without keys or network. */
export interface SandboxProvider {
  readonly providerId: string
  readonly baseUrl: string
  readonly apiKey: string | null
}

export interface CatalogDeclaration {
  readonly providers: readonly ProviderConfig[]
  readonly models: readonly ModelConfig[]
  /** The operator's names for models and tiers. */
  readonly aliases?: Readonly<Record<string, AliasConfig>>
  /** null leaves the shipped catalogue out. */
  readonly shipped: ShippedCatalogue | null
  /** Values of the environment variables that presets name. */
  readonly presetKeys: ReadonlyMap<string, string>
  readonly sandbox: SandboxProvider | null
  /** Recipes by model id for models that declare none; a model's own `deploy` wins. */
  readonly recipes: ReadonlyMap<string, BaseRecipe>
  /** Whether anything can run a recipe; without it no model is cold. */
  readonly canDeploy: boolean
  /** For providers and models that name none, in billionths. */
  readonly markup: bigint
}

export interface Snapshot {
  readonly models: ReadonlyMap<string, ModelRecord>
  /** By name; no model has the id of one. */
  readonly aliases: ReadonlyMap<string, AliasRecord>
  readonly providers: ReadonlyMap<string, ProviderRecord>
  readonly deployments: ReadonlyMap<string, DeploymentRecord>
}

/** `created` of a model whose entry states no day: OpenAI's clients want a number, and it must not change between calls. */
const UNDATED_CREATED = Date.UTC(2026, 0, 1) / 1000

/** Builds the snapshot. Throws AppError 400 naming the entry that contradicts another. */
export function buildSnapshot(declaration: CatalogDeclaration): Snapshot {
  const { providers, markups } = liveProviders(declaration)
  const models = new Map<string, ModelRecord>()
  const deployments = new Map<string, DeploymentRecord>()
  const shippedEntries = new Set((declaration.shipped?.models ?? []).flatMap(({ deployments }) => deployments ?? []))
  const known = new Set([...providers.keys(), ...(declaration.shipped?.presets ?? []).map((preset) => preset.id)])
  const declared = mergedModels(declaration)
  const aliases = declaredAliases(declaration)
  for (const config of declared.values()) {
    if (aliases.has(config.id)) continue
    const model = modelRecord(config, declaration)
    models.set(model.id, model)
    for (const entry of config.deployments ?? []) {
      const provider = providers.get(entry.provider)
      if (!provider && !known.has(entry.provider)) {
        throw invalidRequest(`The model "${model.id}" names the provider "${entry.provider}", which is not declared.`, 'models')
      }
      if (!provider) continue
      const markup = config.markup === undefined ? (markups.get(provider.id) ?? declaration.markup) : parseMarkup(config.markup)
      const deployment = deploymentRecord(entry, model, provider, markup, !shippedEntries.has(entry))
      if (deployments.has(deployment.id)) {
        throw invalidRequest(`The model "${model.id}" has two deployments at "${provider.id}" in one region.`, 'models')
      }
      deployments.set(deployment.id, deployment)
    }
    const embedded = sandboxDeployment(config, model, declaration, providers)
    if (embedded) deployments.set(embedded.id, embedded)
  }
  return { models, aliases: catalogueAliases(aliases, declared, models), providers, deployments }
}

/** How many providers would be live, so that the caller can decide whether the sandbox is needed. */
export function countLiveProviders(
  declaration: Omit<CatalogDeclaration, 'aliases' | 'sandbox' | 'recipes' | 'canDeploy' | 'markup'>,
): number {
  return liveProviders({ ...declaration, sandbox: null }).providers.size
}

function liveProviders(declaration: Pick<CatalogDeclaration, 'providers' | 'shipped' | 'presetKeys' | 'sandbox'>) {
  const providers = new Map<string, ProviderRecord>()
  const markups = new Map<string, bigint>()
  const overrides = new Map(declaration.providers.map((config) => [config.id, config]))
  if (overrides.size < declaration.providers.length) throw invalidRequest('Two providers have the same id.', 'providers')
  for (const preset of declaration.shipped?.presets ?? []) {
    const override = overrides.get(preset.id)
    overrides.delete(preset.id)
    const changed = override?.base_url === undefined ? preset : { ...preset, base_url: override.base_url }
    const resolved = resolvePreset(changed, declaration.presetKeys, override?.api_key)
    if (!resolved) continue
    const { api_key_env: _env, docs: _docs, ...declared } = preset
    providers.set(
      preset.id,
      providerRecord({ ...declared, ...override, base_url: resolved.baseUrl, api_key: resolved.apiKey }, 'preset'),
    )
  }
  for (const config of overrides.values()) {
    if (config.base_url === undefined) {
      throw invalidRequest(`The provider "${config.id}" is no shipped preset, so it needs a base_url.`, 'providers')
    }
    providers.set(config.id, providerRecord(config, 'config'))
  }
  for (const { id, markup } of declaration.providers) if (markup !== undefined) markups.set(id, parseMarkup(markup))
  const { sandbox } = declaration
  if (sandbox) {
    const config = { id: sandbox.providerId, name: 'Sandbox', base_url: sandbox.baseUrl, api_key: sandbox.apiKey }
    providers.set(sandbox.providerId, providerRecord(config, 'sandbox'))
  }
  return { providers, markups }
}

function providerRecord(config: ProviderConfig, kind: ProviderRecord['kind']): ProviderRecord {
  return {
    id: config.id,
    name: config.name ?? config.id,
    kind,
    baseUrl: config.base_url!.replace(/\/+$/, ''),
    apiKey: config.api_key ?? null,
    ...(config.api === undefined ? {} : { api: config.api }),
    streamUsage: config.stream_usage ?? 'include_usage',
    ...(config.max_tokens_field === undefined ? {} : { maxTokensField: config.max_tokens_field }),
    ...(config.connections === undefined ? {} : { connections: config.connections }),
    feedId: config.feed_id ?? null,
  }
}

/** The operator's entries laid over the shipped ones of the same id: named fields win, deployments add up. */
function mergedModels(declaration: CatalogDeclaration): ReadonlyMap<string, ModelConfig> {
  const merged = new Map<string, ModelConfig>()
  for (const shipped of declaration.shipped?.models ?? []) merged.set(shipped.id, shipped)
  const seen = new Set<string>()
  for (const config of declaration.models) {
    if (seen.has(config.id)) throw invalidRequest(`The model "${config.id}" is declared twice.`, 'models')
    seen.add(config.id)
    const shipped = merged.get(config.id)
    merged.set(config.id, shipped ? { ...shipped, ...config, deployments: mergedDeployments(shipped, config) } : config)
  }
  return merged
}

function mergedDeployments(shipped: ModelConfig, config: ModelConfig): DeploymentConfig[] {
  const key = (entry: DeploymentConfig) => deploymentId(config.id, entry.provider, entry.region ?? null)
  const own = new Set((config.deployments ?? []).map(key))
  return [...(shipped.deployments ?? []).filter((entry) => !own.has(key(entry))), ...(config.deployments ?? [])]
}

function modelRecord(config: ModelConfig, declaration: CatalogDeclaration): ModelRecord {
  return {
    id: config.id,
    displayName: config.display_name ?? config.id,
    ownedBy: config.owned_by ?? 'operator',
    created: config.created === undefined ? UNDATED_CREATED : Date.parse(`${config.created}T00:00:00Z`) / 1000,
    tier: config.tier ?? 'medium',
    openWeight: config.open_weight ?? false,
    paramsB: config.params_b ?? null,
    activeParamsB: config.active_params_b ?? null,
    tokenizer: config.tokenizer ?? USUAL_TOKENIZER,
    inputModalities: config.input_modalities ?? null,
    contextWindow: config.context_window ?? null,
    maxOutputTokens: config.max_output_tokens ?? null,
    supportsFunctionCalling: config.supports_function_calling ?? null,
    supportsJsonMode: config.supports_json_mode ?? null,
    recipe: declaration.canDeploy ? deployRecipe(config, declaration.recipes.get(config.id)) : null,
  }
}

function deployRecipe(config: ModelConfig, shipped: BaseRecipe | undefined): DeployRecipe | null {
  const { deploy } = config
  if (!deploy) {
    return shipped ? { ...shipped, isOwn: false, priceHint: null, listPrice: cheapestListPrice(config) } : null
  }
  return {
    modelId: config.id,
    gpuModel: deploy.gpu_model ?? null,
    gpuCount: deploy.gpu_count ?? 1,
    minVramGb: deploy.vram_gb,
    estimatedDeploySeconds: deploy.estimated_seconds ?? 300,
    image: deploy.docker_image ?? null,
    isOwn: true,
    priceHint: deploy.price_hint == null ? null : parseUsd(deploy.price_hint),
    listPrice: listPrice(deploy) ?? cheapestListPrice(config),
  }
}

function deploymentRecord(
  entry: DeploymentConfig,
  model: ModelRecord,
  provider: ProviderRecord,
  markup: bigint,
  isOwn: boolean,
): DeploymentRecord {
  const region = entry.region ?? null
  const id = deploymentId(model.id, provider.id, region)
  return {
    id,
    modelId: model.id,
    providerId: provider.id,
    providerModelId: entry.model_id,
    region,
    accountId: null,
    priceId: id,
    listPrice: listPrice(entry),
    isOwn,
    markup,
    model,
    provider,
    contextWindow: entry.context_window ?? model.contextWindow,
    maxOutputTokens: entry.max_output_tokens ?? model.maxOutputTokens,
    supportsFunctionCalling: entry.supports_function_calling ?? model.supportsFunctionCalling,
    supportsJsonMode: entry.supports_json_mode ?? model.supportsJsonMode,
  }
}

function listPrice(
  config: Pick<DeploymentConfig, 'input_price_per_million' | 'output_price_per_million' | 'cached_input_price_per_million'>,
): ListPrice | null {
  const { input_price_per_million: input, output_price_per_million: output, cached_input_price_per_million: cached } = config
  if (input == null || output == null) return null
  return { input: parseUsd(input), output: parseUsd(output), cachedInput: cached == null ? null : parseUsd(cached) }
}

/**
 * What the cheapest declared host of the model charges, live or not. Sessions and the sandbox charge the same when nothing
 * else is said, so that they are priced like real deployments.
 */
function cheapestListPrice(config: ModelConfig): ListPrice | null {
  let cheapest: ListPrice | null = null
  for (const entry of config.deployments ?? []) {
    const price = listPrice(entry)
    if (price && (!cheapest || price.input + price.output < cheapest.input + cheapest.output)) cheapest = price
  }
  return cheapest
}

function sandboxDeployment(
  config: ModelConfig,
  model: ModelRecord,
  declaration: CatalogDeclaration,
  providers: ReadonlyMap<string, ProviderRecord>,
): DeploymentRecord | null {
  const provider = declaration.sandbox && providers.get(declaration.sandbox.providerId)
  if (!provider || !config.sandbox) return null
  const record = deploymentRecord({ provider: provider.id, model_id: model.id }, model, provider, declaration.markup, true)
  return { ...record, listPrice: cheapestListPrice(config) }
}
