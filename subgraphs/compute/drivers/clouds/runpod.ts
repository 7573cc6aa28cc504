/**
 * runpod, REST API v2: on-demand pods by GPU type and data centre. A refused create answers 400 for missing capacity and for a
 * bad request alike, so 400 counts as missing capacity: the session gives up after a few of them either way.
 */
import type { Clock } from '#platform/clock.js'
import { importOffers, type StatedOffer } from '../../offers/offer-catalogue.js'
import { DriverError, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../driver.js'
import { callProvider, dollars, field, list, text, type ProviderHttp } from './provider-http.js'
import { SERVING_PORT, servingArgs, servingEnv, type ServingOptions } from './serving.js'

export interface RunpodOptions extends ProviderHttp {
  readonly id?: string
  /** The opaque routing id that callers see. */
  readonly providerId: string
  readonly serving: ServingOptions
  readonly clock: Clock
}

/** Where a pod's HTTP port is reached. */
const ENDPOINT = 'https://{pod}-{port}.proxy.runpod.net/v1'

const STATUS: Readonly<Record<string, ObservedInstance['status']>> = {
  PROVISIONING: 'provisioning',
  STARTING: 'provisioning',
  RUNNING: 'running',
  EXITED: 'ended',
  ERROR: 'ended',
}

export function createRunpodDriver(options: RunpodOptions): GpuDriver {
  const id = options.id ?? 'runpod'
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, signal: AbortSignal, body?: object) =>
    callProvider(options, { method, path, signal, ...(body && { body }) })

  function observed(pod: unknown): ObservedInstance | null {
    const podId = text(field(pod, 'id'))
    const status = text(field(pod, 'status'))
    // A terminated pod is only a line of history.
    if (podId === null || status === null || status === 'TERMINATED') return null
    const sshPort = field(pod, 'ssh', 'direct', 'port')
    return {
      instanceId: podId,
      label: text(field(pod, 'name')) ?? '',
      status: STATUS[status] ?? 'provisioning',
      endpointUrl: status === 'RUNNING' ? ENDPOINT.replace('{pod}', podId).replace('{port}', String(SERVING_PORT)) : null,
      sshHost: text(field(pod, 'ssh', 'direct', 'host')),
      sshPort: typeof sshPort === 'number' ? sshPort : null,
    }
  }

  return {
    id,
    caps: {
      spot: false,
      bid: false,
      image: true,
      ssh: true,
      createKey: 'label',
      createTimeoutMs: 60_000,
      listLagMs: 30_000,
      provisionTimeoutMs: 20 * 60_000,
      pollMs: 5_000,
      billsBoot: true,
    },
    async listOffers(_filter, signal) {
      const { body } = await call('GET', '/v2/catalog/gpus?include=AVAILABILITY&product=POD&cloud=SECURE', signal)
      const base = { driverId: id, providerId: options.providerId, fetchedAt: options.clock.now() }
      return importOffers(list(field(body, 'gpus')).flatMap((gpu) => stated(gpu, base))).offers
    },
    async create(spec, signal) {
      const { status, body } = await call('POST', '/v2/pods', signal, createBody(spec, options))
      const podId = text(field(body, 'id'))
      if (status === 201 && podId !== null) return { instanceId: podId }
      if (podId !== null && status >= 400)
        throw new DriverError({ kind: 'failed', createdId: podId }, 'an error that came with a pod')
      if (status === 400 || status === 404 || status === 409) throw new DriverError({ kind: 'capacity' }, `${status} to a create`)
      if (status === 422 || status === 413) throw new DriverError({ kind: 'invalid' }, `${status} to a create`)
      throw new DriverError({ kind: 'in_doubt' }, `${status} to a create`)
    },
    async get(instanceId, signal) {
      const { status, body } = await call('GET', `/v2/pods/${encodeURIComponent(instanceId)}`, signal)
      if (status === 404 || (status === 200 && field(body, 'status') === 'TERMINATED')) return null
      const seen = status === 200 ? observed(body) : null
      if (!seen) throw new DriverError({ kind: 'in_doubt' }, `${status} without a pod`)
      return seen
    },
    async list(prefix, signal) {
      const { status, body } = await call('GET', '/v2/pods', signal)
      const pods = field(body, 'pods')
      if (status !== 200 || !Array.isArray(pods)) throw new DriverError({ kind: 'in_doubt' }, `${status} to the list`)
      return pods.flatMap((pod) => observed(pod) ?? []).filter(({ label }) => label.startsWith(prefix))
    },
    async destroy(instanceId, signal) {
      const { status } = await call('DELETE', `/v2/pods/${encodeURIComponent(instanceId)}`, signal)
      return status === 404 || (status >= 200 && status < 300) ? 'gone' : 'pending'
    },
  }
}

/** One offer per data centre that has the GPU now. */
function stated(gpu: unknown, base: Pick<StatedOffer, 'driverId' | 'providerId' | 'fetchedAt'>): StatedOffer[] {
  const gpuId = text(field(gpu, 'id'))
  const pricePerGpuHour = dollars(field(gpu, 'price', 'secure'))
  if (gpuId === null || pricePerGpuHour === null) return []
  return list(field(gpu, 'dataCenters'))
    .filter((place) => !['NONE', undefined].includes(text(field(place, 'availability')) ?? undefined))
    .map((place) => {
      const region = text(field(place, 'id')) ?? 'unknown'
      return { ...base, region, gpu: gpuId, gpuCount: 1, pricePerGpuHour, spot: false, interruption: null, reference: gpuId }
    })
}

function createBody(spec: InstanceSpec, { serving }: RunpodOptions): object {
  const args = servingArgs(spec, serving)
  return {
    name: spec.label,
    image: spec.dockerImage ?? serving.image,
    gpu: { id: spec.offer.reference, count: spec.gpuCount },
    cloud: 'SECURE',
    dataCenterIds: [spec.offer.region],
    disk: serving.diskGb,
    ports: [`${SERVING_PORT}/http`, ...(spec.sshKey === null ? [] : ['22/tcp'])],
    env: servingEnv(spec, serving),
    ...(spec.sshKey !== null && { startSsh: true }),
    // A caller's own image gets no arguments of ours.
    ...(spec.dockerImage === null && args.length > 0 && { args: args.join(' ') }),
  }
}
