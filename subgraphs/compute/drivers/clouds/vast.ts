/**
 * vast: a market of single machines, on demand or by bid. Offers are read without filters that only we understand; a create
 * names one offer, and may fail while still leaving a contract, whose id then comes with the error.
 */
import type { Clock } from '#platform/clock.js'
import { importOffers, type StatedOffer } from '../../offers/offer-catalogue.js'
import { DriverError, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../driver.js'
import { callProvider, dollars, field, list, text, type ProviderHttp } from './provider-http.js'
import { SERVING_PORT, servingEnv, servingScript, type ServingOptions } from './serving.js'

export interface VastOptions extends ProviderHttp {
  readonly id?: string
  /** The opaque routing id that callers see. */
  readonly providerId: string
  readonly serving: ServingOptions
  readonly clock: Clock
}

const PAGE = 25
const MAX_PAGES = 200
const OFFERS = 500

/** Unknown and offline hosts may come back: they are not running, and not ended either. */
const STATUS: Readonly<Record<string, ObservedInstance['status']>> = {
  running: 'running',
  stopped: 'ended',
  frozen: 'ended',
  exited: 'ended',
}

export function createVastDriver(options: VastOptions): GpuDriver {
  const id = options.id ?? 'vast'
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, signal: AbortSignal, body?: object) =>
    callProvider(options, { method, path, signal, ...(body && { body }) })

  async function search(type: 'bid' | 'ondemand', signal: AbortSignal): Promise<readonly StatedOffer[]> {
    const query = { type, rentable: { eq: true }, verified: { eq: true }, limit: OFFERS, order: [['dph_total', 'asc']] }
    const { body } = await call('POST', '/api/v0/bundles/', signal, query)
    const fetchedAt = options.clock.now()
    return list(field(body, 'offers')).flatMap((offer) =>
      stated(offer, type, { driverId: id, providerId: options.providerId, fetchedAt }),
    )
  }

  return {
    id,
    caps: {
      spot: true,
      bid: true,
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
      const [onDemand, bids] = await Promise.all([search('ondemand', signal), search('bid', signal)])
      return importOffers([...onDemand, ...bids]).offers
    },
    async create(spec, signal) {
      const ask = spec.offer.reference ?? ''
      const { status, body } = await call('PUT', `/api/v0/asks/${encodeURIComponent(ask)}/`, signal, createBody(spec, options))
      const contract = field(body, 'new_contract')
      const instanceId = typeof contract === 'number' ? String(contract) : null
      if (status === 200 && field(body, 'success') === true && instanceId !== null) return { instanceId }
      if (instanceId !== null)
        throw new DriverError({ kind: 'failed', createdId: instanceId }, 'an error that came with a contract')
      throw refusal(status, text(field(body, 'error')))
    },
    async get(instanceId, signal) {
      const { status, body } = await call('GET', `/api/v0/instances/${encodeURIComponent(instanceId)}/`, signal)
      const instance = field(body, 'instances')
      if (status === 404 || (status === 200 && instance === null)) return null
      const seen = status === 200 ? observed(instance) : null
      if (!seen) throw new DriverError({ kind: 'in_doubt' }, `${status} without an instance`)
      return seen
    },
    async list(prefix, signal) {
      const all: ObservedInstance[] = []
      for (let page = 0, token: string | null = null; page < MAX_PAGES; page++) {
        const query: string = token === null ? '' : `&after_token=${encodeURIComponent(token)}`
        const { status, body } = await call('GET', `/api/v1/instances/?limit=${PAGE}${query}`, signal)
        const instances = field(body, 'instances')
        if (status !== 200 || !Array.isArray(instances)) throw new DriverError({ kind: 'in_doubt' }, `${status} to the list`)
        all.push(...instances.flatMap((instance) => observed(instance) ?? []))
        token = text(field(body, 'next_token'))
        if (token === null) return all.filter(({ label }) => label.startsWith(prefix))
      }
      // A list that is cut off would make instances look absent.
      throw new DriverError({ kind: 'in_doubt' }, 'the list does not end')
    },
    async destroy(instanceId, signal) {
      const { status, body } = await call('DELETE', `/api/v0/instances/${encodeURIComponent(instanceId)}/`, signal)
      if (status === 404 || field(body, 'error') === 'no_such_instance') return 'gone'
      return status === 200 && field(body, 'success') === true ? 'gone' : 'pending'
    },
  }
}

/** Bids are per machine; the price of an offer is per GPU. */
function stated(
  offer: unknown,
  type: 'bid' | 'ondemand',
  base: Pick<StatedOffer, 'driverId' | 'providerId' | 'fetchedAt'>,
): StatedOffer[] {
  const gpuCount = field(offer, 'num_gpus')
  const perMachine = dollars(field(offer, type === 'bid' ? 'min_bid' : 'dph_total'))
  const reference = field(offer, 'id')
  const gpu = text(field(offer, 'gpu_name'))
  if (typeof gpuCount !== 'number' || gpuCount < 1 || perMachine === null || gpu === null || typeof reference !== 'number')
    return []
  const country = /,\s*([A-Z]{2})$/.exec(text(field(offer, 'geolocation')) ?? '')?.[1]
  return [
    {
      ...base,
      region: country?.toLowerCase() ?? 'unknown',
      gpu,
      gpuCount,
      pricePerGpuHour: perMachine / BigInt(gpuCount),
      spot: type === 'bid',
      interruption: null,
      reference: String(reference),
    },
  ]
}

function createBody(spec: InstanceSpec, { serving }: VastOptions): object {
  const bid = Number(spec.pricePerGpuHour * BigInt(spec.gpuCount)) / 1e9
  const onstart = servingScript(spec)
  return {
    client_id: 'me',
    image: spec.dockerImage ?? serving.image,
    label: spec.label,
    disk: serving.diskGb,
    runtype: 'ssh_direct',
    env: { ...servingEnv(spec, serving), [`-p ${SERVING_PORT}:${SERVING_PORT}`]: '1' },
    ...(onstart !== '' && { onstart }),
    ...(spec.offer.spot && { price: bid }),
    cancel_unavail: true,
  }
}

/** What a refused create means. An ask that is gone, taken or outbid is missing capacity; anything else is our mistake. */
function refusal(status: number, error: string | null): DriverError {
  const isGone =
    status === 404 || status === 410 || ['no_such_ask', 'ask_unavailable', 'unavailable', 'bid_too_low'].includes(error ?? '')
  if (isGone) return new DriverError({ kind: error === 'bid_too_low' ? 'price_moved' : 'capacity' }, `${status} ${error ?? ''}`)
  if (status === 200) return new DriverError({ kind: 'in_doubt' }, 'an answer without a contract')
  return new DriverError({ kind: 'invalid' }, `${status} ${error ?? ''}`)
}

function observed(instance: unknown): ObservedInstance | null {
  const id = field(instance, 'id')
  if (typeof id !== 'number') return null
  const host = text(field(instance, 'public_ipaddr'))?.trim() ?? null
  const port = Number(field(instance, 'ports', `${SERVING_PORT}/tcp`, 0, 'HostPort'))
  const sshPort = field(instance, 'ssh_port')
  return {
    instanceId: String(id),
    label: text(field(instance, 'label')) ?? '',
    status: STATUS[text(field(instance, 'actual_status')) ?? ''] ?? 'provisioning',
    endpointUrl: host !== null && port > 0 ? `http://${host}:${port}/v1` : null,
    sshHost: text(field(instance, 'ssh_host')),
    sshPort: typeof sshPort === 'number' ? sshPort : null,
  }
}
