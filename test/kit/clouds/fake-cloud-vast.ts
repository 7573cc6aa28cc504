/** Simulator of the vast API: bundles, asks, instances (v0 and the paged v1 list). From its public API reference. */
import type { Dialect, FakeCloudServer, Machine, SimulatedCall } from './fake-cloud-server.js'

const OFFERS = [
  { id: 101, gpu_name: 'L4', num_gpus: 1, dph_total: 0.42, min_bid: 0.21, geolocation: 'France, FR' },
  { id: 102, gpu_name: 'H100 SXM', num_gpus: 4, dph_total: 8.4, min_bid: 4.2, geolocation: 'Texas, US' },
  { id: 103, gpu_name: 'Quantum 9000', num_gpus: 1, dph_total: 1, min_bid: 0.5, geolocation: 'Texas, US' },
  { id: 104, gpu_name: 'RTX 4090', num_gpus: 1, dph_total: 0.001, min_bid: 0.0005, geolocation: 'Texas, US' },
]
const PAGE = 2

const shape = ({ id, label, state }: Machine) => ({
  id: Number(id),
  label,
  actual_status: { provisioning: null, running: 'running', ended: 'stopped' }[state],
  public_ipaddr: state === 'running' ? '127.0.0.1' : null,
  ports: state === 'running' ? { '8000/tcp': [{ HostIp: '0.0.0.0', HostPort: '40123' }] } : null,
  ssh_host: 'ssh4.example',
  ssh_port: 10600,
})

const idOf = ({ path }: SimulatedCall): string => path.split('/').at(-2) ?? ''

function create(call: SimulatedCall, cloud: FakeCloudServer) {
  const offer = OFFERS.find(({ id }) => String(id) === idOf(call))
  if (!offer) return { status: 404, body: { success: false, error: 'no_such_ask', msg: 'no such ask' } }
  if (typeof call.body['price'] === 'number' && call.body['price'] < offer.min_bid) {
    return { status: 400, body: { success: false, error: 'bid_too_low' } }
  }
  const id = String(7000 + cloud.machines.size)
  cloud.machines.set(id, { id, label: String(call.body['label']), request: call.body, state: 'provisioning' })
  return { status: 200, body: { success: true, new_contract: Number(id) } }
}

function listPage(call: SimulatedCall, cloud: FakeCloudServer) {
  const from = Number(call.query.get('after_token') ?? 0)
  const all = [...cloud.machines.values()]
  const next = from + PAGE < all.length ? String(from + PAGE) : null
  return { status: 200, body: { success: true, instances: all.slice(from, from + PAGE).map(shape), next_token: next } }
}

export const vastDialect: Dialect = {
  verbOf({ method, path }) {
    if (path === '/api/v0/bundles/') return 'offers'
    if (method === 'PUT' && /^\/api\/v0\/asks\/\d+\/$/.test(path)) return 'create'
    if (path === '/api/v1/instances/') return 'list'
    if (/^\/api\/v0\/instances\/[^/]+\/$/.test(path)) return method === 'DELETE' ? 'destroy' : 'get'
    return null
  },
  answer(verb, call, cloud) {
    switch (verb) {
      case 'offers':
        return { status: 200, body: { offers: OFFERS } }
      case 'create':
        return create(call, cloud)
      case 'list':
        return listPage(call, cloud)
      case 'get': {
        const machine = cloud.machines.get(idOf(call))
        return { status: 200, body: { instances: machine ? shape(machine) : null } }
      }
      case 'destroy':
        return cloud.machines.delete(idOf(call))
          ? { status: 200, body: { success: true } }
          : { status: 404, body: { success: false, error: 'no_such_instance' } }
    }
  },
}
