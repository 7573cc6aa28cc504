/** The part of the configuration file that compute owns, and the drivers that it asks for. */
import { z } from 'zod'
import type { Clock } from '#platform/clock.js'
import { parseUsd } from '#platform/money.js'
import { createCommandDriver } from './drivers/local/command.js'
import type { GpuDriver } from './drivers/driver.js'
import { createDstackDriver } from './drivers/clouds/dstack.js'
import { createRunpodDriver } from './drivers/clouds/runpod.js'
import { createSandboxDriver } from './drivers/local/sandbox.js'
import { createVastDriver } from './drivers/clouds/vast.js'

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'lower-case letters, digits and "-", at most 40')
const Price = z.union([z.string(), z.number()]).transform((value, context) => {
  try {
    return parseUsd(String(value))
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
const Share = z.number().min(0).max(1)
const HttpUrl = z.string().regex(/^https?:\/\/\S+$/, 'an http(s) URL')

const cloud = {
  id: Name.optional(),
  api_key: z.string().min(1),
  image: z.string().min(1).default('vllm/vllm-openai:v0.11.0'),
  disk_gb: z.int().positive().max(4096).default(120),
  /** Of one answer of the cloud, such as its list of offers. */
  answer_bytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** Where the weights of a model are, by canonical id; the id itself when left out. */
  model_sources: z.record(z.string(), z.string().min(1)).optional(),
}

const Slot = z.strictObject({
  id: Name,
  gpu_model: z.string().min(1).max(60),
  vram_gb: z.int().positive(),
  gpu_count: z.int().positive().max(64).default(1),
  price_per_gpu_hour: Price,
  env: z.record(z.string(), z.string()).optional(),
})

export const DriverConfig = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('sandbox'),
    id: Name.optional(),
    boot_seconds: z.number().min(0).max(3600).default(2),
    tokens_per_second: z.number().positive().max(100_000).optional(),
    no_capacity_share: Share.optional(),
    /** Spot instances are taken away after this long. */
    interrupt_after_seconds: z.number().positive().optional(),
    /** Instances end by themselves when no server looked at them for this long. */
    orphan_seconds: z.number().positive().optional(),
  }),
  z.strictObject({
    type: z.literal('command'),
    id: Name.optional(),
    provider_id: Name,
    region: z.string().min(1).max(60).default('local'),
    slots: z.array(Slot).min(1).max(64),
    /** Program and arguments; {model}, {port} and {key} are filled in, each inside one argument. */
    command: z.array(z.string()).min(1),
    fine_tuned_args: z.array(z.string()).optional(),
    model_names: z.record(z.string(), z.string().min(1)).optional(),
    health_path: z.string().startsWith('/').optional(),
    /** Variables of the server's own environment that the command gets. */
    pass_env: z.array(z.string()).default(['PATH', 'HOME']),
    provision_seconds: z.number().positive().max(86_400).optional(),
  }),
  z.strictObject({ type: z.literal('dstack'), ...cloud, base_url: HttpUrl, project: z.string().min(1) }),
  z.strictObject({
    type: z.literal('vast'),
    ...cloud,
    base_url: HttpUrl.default('https://console.vast.ai'),
    provider_id: Name.default('gv01'),
  }),
  z.strictObject({
    type: z.literal('runpod'),
    ...cloud,
    base_url: HttpUrl.default('https://rest.runpod.io'),
    provider_id: Name.default('gr01'),
  }),
])
export type DriverConfig = z.output<typeof DriverConfig>

export const computeConfig = z.object({
  compute: z
    .strictObject({
      /** Left out: the sandbox while the sandbox provider is on, else none. */
      drivers: z.array(DriverConfig).max(32).optional(),
      /** Part of every instance's name, so that installations in one cloud account do not touch each other's. */
      install_id: z
        .string()
        .regex(/^[a-z0-9]{1,6}$/, '1 to 6 lower-case letters and digits')
        .optional(),
      include_shipped_recipes: z.boolean().default(true),
      /** What a request for a cold model gets, for accounts that are opened without a mode of their own. */
      cold_start_mode: z.enum(['respond', 'retry', 'wait']).default('respond'),
      /** A model session with nothing in flight for this long goes back to cold. */
      idle_seconds: z.number().positive().default(900),
      /** How long other servers leave the instances on a machine to its own servers, after those were last heard of. */
      machine_lease_seconds: z.number().min(1).max(3600).default(60),
      /** A hold covers this much running time; the minimum session cost is its price. */
      hold_seconds: z.number().positive().default(600),
    })
    .prefault({}),
})

export interface DriverEnvironment {
  readonly clock: Clock
  /** Where drivers that run processes on this machine keep their records. */
  readonly stateFolder: string
  readonly variables: ReadonlyMap<string, string>
  /** Compiled entry of the model server that sandbox instances run. */
  readonly sandboxServerPath?: string
}

/** Builds the drivers; names must differ, because sessions are stored under them. */
export function createDrivers(configs: readonly DriverConfig[], environment: DriverEnvironment): GpuDriver[] {
  const drivers = configs.map((config) => createDriver(config, environment))
  const seen = new Set<string>()
  for (const { id } of drivers) {
    if (seen.has(id)) throw new RangeError(`Two GPU drivers are called "${id}"; give one of them an id.`)
    seen.add(id)
  }
  return drivers
}

function createDriver(config: DriverConfig, environment: DriverEnvironment): GpuDriver {
  const { clock, stateFolder } = environment
  switch (config.type) {
    case 'sandbox':
      return createSandboxDriver({
        id: config.id,
        stateFolder,
        bootMs: config.boot_seconds * 1000,
        tokensPerSecond: config.tokens_per_second,
        serverPath: environment.sandboxServerPath,
        noCapacityShare: config.no_capacity_share,
        interruptAfterMs: milliseconds(config.interrupt_after_seconds),
        orphanTimeoutMs: milliseconds(config.orphan_seconds),
      })
    case 'command':
      return createCommandDriver({
        id: config.id,
        providerId: config.provider_id,
        region: config.region,
        stateFolder,
        slots: config.slots.map((slot) => ({
          id: slot.id,
          gpuModel: slot.gpu_model,
          vramGb: slot.vram_gb,
          gpuCount: slot.gpu_count,
          pricePerGpuHour: slot.price_per_gpu_hour,
          env: slot.env,
        })),
        command: config.command,
        fineTunedArgs: config.fine_tuned_args,
        models: config.model_names,
        healthPath: config.health_path,
        env: Object.fromEntries(config.pass_env.flatMap((name) => namedVariable(environment.variables, name))),
        provisionTimeoutMs: milliseconds(config.provision_seconds),
      })
    case 'dstack':
      return createDstackDriver({ ...cloudOptions(config), project: config.project, clock })
    case 'vast':
      return createVastDriver({ ...cloudOptions(config), providerId: config.provider_id, clock })
    case 'runpod':
      return createRunpodDriver({ ...cloudOptions(config), providerId: config.provider_id, clock })
  }
}

const milliseconds = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)

const namedVariable = (variables: ReadonlyMap<string, string>, name: string): [string, string][] => {
  const value = variables.get(name)
  return value === undefined ? [] : [[name, value]]
}

const cloudOptions = (config: Extract<DriverConfig, { api_key: string }>) => ({
  id: config.id,
  baseUrl: config.base_url,
  apiKey: config.api_key,
  maxAnswerBytes: config.answer_bytes,
  serving: { image: config.image, diskGb: config.disk_gb, models: config.model_sources },
})
