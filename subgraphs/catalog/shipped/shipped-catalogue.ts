/**
 * The catalogue that we ship: provider presets and open-weight models as YAML in `subgraphs/catalog/shipped`. The compiler
 * does not copy YAML, so compiled code reads the same files below the package's root.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'
import { readYaml } from '#platform/yaml-file.js'
import { ProviderApi, StreamUsage } from '#platform/vocabulary/words.js'
import { z } from 'zod'
import { ModelConfig } from '../catalog-config.js'

const ProviderPreset = z.strictObject({
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  api_key_env: z.string(),
  api: z.enum(ProviderApi).optional(),
  stream_usage: z.enum(StreamUsage),
  max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  feed_id: z.string(),
  docs: z.string(),
})
export type ProviderPreset = z.infer<typeof ProviderPreset>

const ProvidersFile = z.strictObject({ providers: z.array(ProviderPreset) })
const ModelsFile = z.strictObject({ sources: z.record(z.string(), z.unknown()), models: z.array(ModelConfig) })

export interface ShippedCatalogue {
  readonly presets: readonly ProviderPreset[]
  readonly models: readonly ModelConfig[]
}

const folder = join(packageRoot, 'subgraphs/catalog/shipped')

let loaded: ShippedCatalogue | undefined

/** Reads and checks the shipped files once per process. */
export function shippedCatalogue(): ShippedCatalogue {
  if (loaded) return loaded
  const files = readdirSync(`${folder}/models`).filter((name) => name.endsWith('.yaml'))
  loaded = {
    presets: ProvidersFile.parse(readYaml(`${folder}/providers.yaml`)).providers,
    models: files.toSorted().flatMap((name) => ModelsFile.parse(readYaml(`${folder}/models/${name}`)).models),
  }
  return loaded
}

const variablesOf = (preset: ProviderPreset): string[] => [preset.api_key_env, ...placeholders(preset.base_url)]

/** What must be set for the preset to be live. */
export const missingVariables = (preset: ProviderPreset, presetKeys: ReadonlyMap<string, string>): string[] =>
  variablesOf(preset).filter((name) => !presetKeys.get(name))

const placeholders = (text: string): string[] => [...text.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]!)

/** The preset's base URL and key when all that it needs is set, else null; `ownKey` is the operator's and wins. */
export function resolvePreset(
  preset: ProviderPreset,
  presetKeys: ReadonlyMap<string, string>,
  ownKey?: string | null,
): { readonly baseUrl: string; readonly apiKey: string } | null {
  const apiKey = ownKey ?? presetKeys.get(preset.api_key_env)
  if (!apiKey || placeholders(preset.base_url).some((name) => !presetKeys.get(name))) return null
  const baseUrl = preset.base_url.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => encodeURIComponent(presetKeys.get(name)!))
  return { baseUrl, apiKey }
}
