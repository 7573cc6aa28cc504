/**
 * The sandbox: the shipped offers, with instances that are small real processes on this machine. The whole flow works with no
 * cloud and no account; image, SSH key and fine-tuning are accepted and do nothing.
 */
import { join } from 'node:path'
import { entryPoint } from '#platform/entry-point.js'
import { shippedOffers } from '../../offers/offer-catalogue.js'
import { offerKey, type Offer } from '../../offers/offer.js'
import { DriverError, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../driver.js'
import { createProcessInstances, type ProcessRecord } from './process-instances.js'
import type { SandboxServerOptions } from './sandbox-server.js'

export interface SandboxOptions {
  readonly id?: string
  /** Where instances are recorded; survives a restart of the gateway. */
  readonly stateFolder: string
  /** From create to a serving model. */
  readonly bootMs: number
  readonly tokensPerSecond?: number
  /** Compiled entry of the sandbox model server; a one-token server when left out. */
  readonly serverPath?: string
  /** Share of creates that find no capacity, 0 to 1. */
  readonly noCapacityShare?: number
  /** Spot instances are taken away after this long; never when left out. */
  readonly interruptAfterMs?: number
  /** Instances end by themselves when no gateway looked at them for this long. */
  readonly orphanTimeoutMs?: number
  /** Its offers instead of the shipped ones. */
  readonly offers?: readonly Offer[]
}

const ORPHAN_TIMEOUT_MS = 5 * 60_000
const TOKENS_PER_SECOND = 200

export function createSandboxDriver(options: SandboxOptions): GpuDriver {
  const id = options.id ?? 'sandbox'
  const instances = createProcessInstances(join(options.stateFolder, id))
  const offers = options.offers ?? shippedOffers(id)
  const created = new Set<string>()
  const server = options.serverPath ?? entryPoint('./sandbox-server.js', import.meta.url)

  const serverOptions = (spec: InstanceSpec, port: number): SandboxServerOptions => ({
    port,
    apiKey: spec.endpointKey,
    models: spec.modelId === null ? [] : [spec.modelId],
    bootMs: options.bootMs,
    tokensPerSecond: options.tokensPerSecond ?? TOKENS_PER_SECOND,
  })

  /** Half of the boot time passes before the machine is there, the rest while the model loads. */
  function observe(record: ProcessRecord): ObservedInstance {
    const ageMs = Date.now() - record.createdAt
    const { interruptAfterMs } = options
    const isTaken = interruptAfterMs !== undefined && record.slot.endsWith('/spot') && ageMs > options.bootMs + interruptAfterMs
    const isUp = ageMs >= options.bootMs / 2
    return {
      instanceId: record.label,
      label: record.label,
      status: isTaken ? 'ended' : isUp ? 'running' : 'provisioning',
      endpointUrl: isUp ? `http://127.0.0.1:${record.port}/v1` : null,
      sshHost: isUp ? '127.0.0.1' : null,
      sshPort: isUp ? 22 : null,
    }
  }

  return {
    id,
    caps: {
      spot: true,
      bid: false,
      image: true,
      ssh: true,
      createKey: 'unique-name',
      createTimeoutMs: 10_000,
      listLagMs: 0,
      provisionTimeoutMs: Math.max(60_000, options.bootMs * 5),
      startSeconds: Math.ceil(options.bootMs / 1_000),
      pollMs: Math.max(50, Math.min(2_000, Math.round(options.bootMs / 8))),
      billsBoot: false,
    },
    // The catalogue's prices are as old as its file, but the sandbox itself is asked now and always has room.
    listOffers: async () => offers,
    async create(spec) {
      if (Math.random() < (options.noCapacityShare ?? 0))
        throw new DriverError({ kind: 'capacity' }, 'the sandbox was told to be full')
      if (await instances.find(spec.label)) throw new DriverError({ kind: 'in_doubt' }, 'an instance of this label exists')
      await instances.start(spec.label, offerKey(spec.offer), (port) => ({
        program: { file: server, args: [JSON.stringify(serverOptions(spec, port))], isNode: true },
        orphanTimeoutMs: options.orphanTimeoutMs ?? ORPHAN_TIMEOUT_MS,
        env: {},
      }))
      created.add(spec.label)
      return { instanceId: spec.label }
    },
    async get(instanceId) {
      const record = await instances.find(instanceId)
      return record && observe(record)
    },
    list: async (prefix) => (await instances.list(prefix)).map(observe),
    destroy: (instanceId) => instances.end(instanceId),
    home: () => instances.home(),
    async close() {
      await Promise.all([...created].map((label) => instances.end(label)))
    },
  }
}
