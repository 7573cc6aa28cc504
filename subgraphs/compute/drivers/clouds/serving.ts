/** How a cloud instance is made to serve a model: one image, one port, one command. */
import type { InstanceSpec } from '../driver.js'

export interface ServingOptions {
  /** Runs when a request names no image. */
  readonly image: string
  /** Where the weights of a model are, by canonical id; the id itself when left out. */
  readonly models?: Readonly<Record<string, string>>
  /** Disk in gigabytes. */
  readonly diskGb: number
}

export const SERVING_PORT = 8000

/** Environment of the instance. The key is read by the server from VLLM_API_KEY, so it is in no command line. */
export function servingEnv(spec: InstanceSpec, { models }: ServingOptions): Record<string, string> {
  const env: Record<string, string> = {}
  if (spec.modelId !== null) {
    env['VLLM_API_KEY'] = spec.endpointKey
    env['SLUICE_MODEL'] = models?.[spec.modelId] ?? spec.modelId
    env['SLUICE_SERVED_NAME'] = spec.modelId
  }
  if (spec.sshKey !== null) env['PUBLIC_KEY'] = spec.sshKey
  if (spec.fineTuned) env['SLUICE_FINE_TUNED'] = '1'
  return env
}

/** Arguments of the server. A fine-tuned variant is served with adapters switched on. */
export function servingArgs(spec: InstanceSpec, { models }: ServingOptions): readonly string[] {
  if (spec.modelId === null) return []
  const base = [
    '--model',
    models?.[spec.modelId] ?? spec.modelId,
    '--served-model-name',
    spec.modelId,
    '--port',
    String(SERVING_PORT),
  ]
  const parallel = spec.gpuCount > 1 ? ['--tensor-parallel-size', String(spec.gpuCount)] : []
  return [...base, ...parallel, ...(spec.fineTuned ? ['--enable-lora', '--max-lora-rank', '64'] : [])]
}

/** For the places where only a shell line is accepted; values go in as environment variables, never as text. */
export function servingScript(spec: InstanceSpec): string {
  const ssh = 'mkdir -p ~/.ssh && printf "%s\\n" "$PUBLIC_KEY" >> ~/.ssh/authorized_keys'
  const flags = `${spec.gpuCount > 1 ? ` --tensor-parallel-size ${spec.gpuCount}` : ''}${spec.fineTuned ? ' --enable-lora --max-lora-rank 64' : ''}`
  const serve = `vllm serve "$SLUICE_MODEL" --served-model-name "$SLUICE_SERVED_NAME" --port ${SERVING_PORT}${flags}`
  return [...(spec.sshKey === null ? [] : [ssh]), ...(spec.modelId === null ? [] : [serve])].join('\n')
}
