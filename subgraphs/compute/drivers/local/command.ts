/**
 * The operator's own machine: GPUs that are there anyway, and a command that serves a model on one of them, such as
 * `vllm serve {model} --port {port} --api-key {key}`. No shell is involved: each placeholder fills exactly one argument.
 */
import { join } from 'node:path'
import { request } from 'undici'
import type { NanoUsd } from '#platform/money.js'
import type { Offer } from '../../offers/offer.js'
import { DriverError, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../driver.js'
import { createProcessInstances, type ProcessRecord } from './process-instances.js'

export interface CommandSlot {
  /** Names the slot, such as `gpu0`. */
  readonly id: string
  readonly gpuModel: string
  readonly vramGb: number
  readonly gpuCount: number
  /** What callers pay per GPU and hour. */
  readonly pricePerGpuHour: NanoUsd
  /** Added to the command's environment, such as CUDA_VISIBLE_DEVICES. */
  readonly env?: Readonly<Record<string, string>>
}

export interface CommandOptions {
  readonly id?: string
  /** The opaque routing id that callers see. */
  readonly providerId: string
  readonly region: string
  readonly stateFolder: string
  /** One instance runs per slot. */
  readonly slots: readonly CommandSlot[]
  /** Program and arguments; {model}, {port} and {key} are filled in. */
  readonly command: readonly string[]
  /** Added after the command for a fine-tuned variant. */
  readonly fineTunedArgs?: readonly string[]
  /** What the command calls a model, by canonical id. */
  readonly models?: Readonly<Record<string, string>>
  /** Answers 200 once the server is up; a path on the served port, such as /health. */
  readonly healthPath?: string
  /** Passed through to the command from the gateway's environment by the composition root, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>
  readonly provisionTimeoutMs?: number
  readonly pollMs?: number
}

const PROVISION_TIMEOUT_MS = 20 * 60_000
const POLL_MS = 3_000

export function createCommandDriver(options: CommandOptions): GpuDriver {
  const id = options.id ?? 'command'
  const instances = createProcessInstances(join(options.stateFolder, id))
  /** Slots that a create of this process is filling right now. */
  const filling = new Set<string>()

  async function freeSlots(): Promise<readonly CommandSlot[]> {
    const taken = new Set((await instances.list('')).map(({ slot }) => slot))
    return options.slots.filter((slot) => !taken.has(slot.id) && !filling.has(slot.id))
  }

  async function observe(record: ProcessRecord, signal: AbortSignal): Promise<ObservedInstance> {
    const isUp = await answers(`http://127.0.0.1:${record.port}${options.healthPath ?? '/health'}`, signal)
    return {
      instanceId: record.label,
      label: record.label,
      status: isUp ? 'running' : 'provisioning',
      endpointUrl: isUp ? `http://127.0.0.1:${record.port}/v1` : null,
      sshHost: null,
      sshPort: null,
    }
  }

  return {
    id,
    caps: {
      spot: false,
      bid: false,
      image: false,
      ssh: false,
      createKey: 'unique-name',
      createTimeoutMs: 10_000,
      listLagMs: 0,
      provisionTimeoutMs: options.provisionTimeoutMs ?? PROVISION_TIMEOUT_MS,
      pollMs: options.pollMs ?? POLL_MS,
      billsBoot: false,
    },
    listOffers: async () => (await freeSlots()).map((slot) => offerOf(slot, id, options)),
    async create(spec) {
      if (spec.modelId === null) throw new DriverError({ kind: 'invalid' }, 'the command serves models only')
      if (await instances.find(spec.label)) throw new DriverError({ kind: 'in_doubt' }, 'an instance of this label exists')
      const slot = (await freeSlots()).find(
        ({ gpuModel, gpuCount }) => gpuModel === spec.offer.gpuModel && gpuCount >= spec.gpuCount,
      )
      if (!slot) throw new DriverError({ kind: 'capacity' }, 'every slot is taken')
      filling.add(slot.id)
      try {
        await instances.start(spec.label, slot.id, (port) => launch(options, slot, spec, port))
      } catch (cause) {
        throw new DriverError({ kind: 'in_doubt' }, 'its supervisor did not start in time', { cause })
      } finally {
        filling.delete(slot.id)
      }
      return { instanceId: spec.label }
    },
    async get(instanceId, signal) {
      const record = await instances.find(instanceId)
      return record && observe(record, signal)
    },
    list: async (prefix, signal) => Promise.all((await instances.list(prefix)).map((record) => observe(record, signal))),
    destroy: (instanceId) => instances.end(instanceId),
    home: () => instances.home(),
  }
}

const offerOf = (slot: CommandSlot, driverId: string, { providerId, region }: CommandOptions): Offer => ({
  driverId,
  providerId,
  region,
  gpuModel: slot.gpuModel,
  vramGb: slot.vramGb,
  gpuCount: slot.gpuCount,
  pricePerGpuHour: slot.pricePerGpuHour,
  spot: false,
  interruptionProbability: 0,
  interruptionOrigin: 'on_demand',
  fetchedAt: Date.now(),
  reference: slot.id,
})

function launch(options: CommandOptions, slot: CommandSlot, spec: InstanceSpec, port: number) {
  const model = spec.modelId ?? ''
  const fill = (text: string): string =>
    text
      .replaceAll('{model}', () => options.models?.[model] ?? model)
      .replaceAll('{port}', String(port))
      .replaceAll('{key}', () => spec.endpointKey)
  const [file = '', ...args] = [...options.command, ...(spec.fineTuned ? (options.fineTunedArgs ?? []) : [])].map(fill)
  return { program: { file, args, isNode: false }, env: { ...options.env, ...slot.env }, orphanTimeoutMs: null }
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { signal, headersTimeout: 5_000 })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
