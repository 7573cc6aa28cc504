/**
 * dstack: an engine over many clouds, reached over its server's HTTP API. The run's name is our label, and the server refuses
 * a second run of one name, so a create in doubt can never become two machines.
 *
 * A finished run stays as a record. Its machine is gone, so it counts as ended until we delete the record and as absent after.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '#platform/clock.js'
import { PRICE_TOLERANCE_PERCENT } from '../../offers/offer.js'
import { importOffers, type StatedOffer } from '../../offers/offer-catalogue.js'
import { DriverError, type DriverCaps, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../driver.js'
import { callProvider, dollars, field, list, text, type ProviderHttp } from './provider-http.js'
import { SERVING_PORT, servingEnv, servingScript, type ServingOptions } from './serving.js'

export interface DstackOptions extends ProviderHttp {
  readonly id?: string
  readonly project: string
  readonly serving: ServingOptions
  readonly clock: Clock
}

const FINISHED = new Set(['terminated', 'failed', 'done'])
const OFFERS = 500
const RUNS = 1_000

/** Backends are brands; callers see an opaque id that is the same on every start. */
const routingIdOf = (backend: string): string => `gd${createHash('sha256').update(backend).digest('hex').slice(0, 4)}`

const CAPS: DriverCaps = {
  spot: true,
  bid: false,
  image: true,
  ssh: true,
  createKey: 'unique-name',
  createTimeoutMs: 60_000,
  listLagMs: 5_000,
  provisionTimeoutMs: 30 * 60_000,
  pollMs: 5_000,
  billsBoot: true,
}

export function createDstackDriver(options: DstackOptions): GpuDriver {
  const id = options.id ?? 'dstack'
  const inProject = (verb: string) => `/api/project/${encodeURIComponent(options.project)}/runs/${verb}`
  const call = (path: string, body: object, signal: AbortSignal) => callProvider(options, { method: 'POST', path, body, signal })

  async function find(name: string, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await call(inProject('get'), { run_name: name }, signal)
    if (status === 200 && field(body, 'run_spec', 'run_name') === name) return body
    if (status === 404 || isCode(body, 'resource_not_exists')) return null
    throw new DriverError({ kind: 'in_doubt' }, `${status} to a get`)
  }

  return {
    id,
    caps: CAPS,
    async listOffers(filter, signal) {
      const gpu = { count: { min: 1 }, ...(filter.gpuModel != null && { name: [filter.gpuModel] }) }
      const configuration = {
        type: 'task',
        commands: [':'],
        image: 'scratch',
        user: 'root',
        resources: { gpu },
        spot_policy: 'auto',
      }
      const { status, body } = await call(inProject('get_plan'), { run_spec: { configuration }, max_offers: OFFERS }, signal)
      if (status !== 200) throw new DriverError({ kind: 'in_doubt' }, `${status} to a plan`)
      const fetchedAt = options.clock.now()
      return importOffers(list(field(body, 'job_plans', 0, 'offers')).flatMap((offer) => stated(offer, id, fetchedAt))).offers
    },
    async create(spec, signal) {
      const plan = { run_spec: runSpec(spec, options), current_resource: null }
      const { status, body } = await call(inProject('apply'), { plan, force: false }, signal)
      if (status === 200) return { instanceId: spec.label }
      // The name is taken: an earlier create of ours got through after all.
      if (isCode(body, 'resource_exists')) throw new DriverError({ kind: 'in_doubt' }, 'a run of this name exists')
      if (isCode(body, 'no_offers') || status === 409) throw new DriverError({ kind: 'capacity' }, 'no offers')
      throw new DriverError({ kind: 'invalid' }, `${status} to an apply`)
    },
    async get(instanceId, signal) {
      const run = await find(instanceId, signal)
      return run === null ? null : observed(run, options.baseUrl)
    },
    async list(prefix, signal) {
      const { status, body } = await call(
        '/api/runs/list',
        { project_name: options.project, only_active: true, limit: RUNS },
        signal,
      )
      if (status !== 200 || !Array.isArray(body)) throw new DriverError({ kind: 'in_doubt' }, `${status} to the list`)
      if (body.length >= RUNS) throw new DriverError({ kind: 'in_doubt' }, 'the list may be cut off')
      return body.map((run) => observed(run, options.baseUrl)).filter(({ label }) => label.startsWith(prefix))
    },
    async destroy(instanceId, signal) {
      const run = await find(instanceId, signal)
      if (run === null) return 'gone'
      if (!FINISHED.has(text(field(run, 'status')) ?? '')) {
        await call(inProject('stop'), { runs_names: [instanceId], abort: false }, signal)
        return 'pending'
      }
      const { status } = await call(inProject('delete'), { runs_names: [instanceId] }, signal)
      return status === 200 ? 'gone' : 'pending'
    },
  }
}

function observed(run: unknown, baseUrl: string): ObservedInstance {
  const name = text(field(run, 'run_spec', 'run_name')) ?? ''
  const status = text(field(run, 'status')) ?? ''
  const machine = field(run, 'latest_job_submission', 'job_provisioning_data')
  const url = text(field(run, 'service', 'url'))
  const sshPort = field(machine, 'ssh_port')
  return {
    instanceId: name,
    label: name,
    status: status === 'running' ? 'running' : FINISHED.has(status) || status === 'terminating' ? 'ended' : 'provisioning',
    endpointUrl: status === 'running' && url !== null ? new URL(`${url.replace(/\/$/, '')}/v1`, baseUrl).href : null,
    sshHost: text(field(machine, 'hostname')),
    sshPort: typeof sshPort === 'number' ? sshPort : null,
  }
}

const isCode = (body: unknown, code: string): boolean => list(field(body, 'detail')).some((one) => field(one, 'code') === code)

function stated(offer: unknown, driverId: string, fetchedAt: number): StatedOffer[] {
  const gpus = list(field(offer, 'instance', 'resources', 'gpus'))
  const price = dollars(field(offer, 'price'))
  const backend = text(field(offer, 'backend'))
  const gpu = text(field(gpus[0], 'name'))
  const isFree = !['not_available', 'no_quota', 'busy'].includes(text(field(offer, 'availability')) ?? '')
  if (gpus.length === 0 || price === null || backend === null || gpu === null || !isFree) return []
  return [
    {
      driverId,
      providerId: routingIdOf(backend),
      region: text(field(offer, 'region')) ?? 'unknown',
      gpu: withMemory(gpu, field(gpus[0], 'memory_mib')),
      gpuCount: gpus.length,
      pricePerGpuHour: price / BigInt(gpus.length),
      spot: field(offer, 'instance', 'resources', 'spot') === true,
      interruption: null,
      fetchedAt,
      reference: backend,
    },
  ]
}

/** One name stands for two cards that differ in memory. */
const withMemory = (gpu: string, memoryMib: unknown): string =>
  gpu === 'A100' && typeof memoryMib === 'number' ? `A100-${memoryMib > 50_000 ? 80 : 40}GB` : gpu

function runSpec(spec: InstanceSpec, { serving }: DstackOptions): object {
  const { offer, gpuCount, modelId } = spec
  const price = Number(spec.pricePerGpuHour * BigInt(gpuCount)) / 1e9
  const shared = {
    image: spec.dockerImage ?? serving.image,
    env: servingEnv(spec, serving),
    resources: {
      gpu: { name: [offer.gpuModel], count: { min: gpuCount, max: gpuCount } },
      disk: { size: { min: `${serving.diskGb}GB` } },
    },
    spot_policy: offer.spot ? 'spot' : 'on-demand',
    // The plan may move within our tolerance; above it the run must not start.
    max_price: Math.ceil(price * (1 + PRICE_TOLERANCE_PERCENT / 100) * 1e6) / 1e6,
    backends: [offer.reference],
    regions: [offer.region],
    retry: false,
  }
  const script = servingScript({ ...spec, sshKey: null })
  const configuration =
    modelId === null
      ? { type: 'task', ...shared, commands: spec.dockerImage === null ? ['sleep infinity'] : [] }
      : { type: 'service', ...shared, port: SERVING_PORT, auth: false, ...(spec.dockerImage === null && { commands: [script] }) }
  return { run_name: spec.label, configuration, ...(spec.sshKey !== null && { ssh_key_pub: spec.sshKey }) }
}
