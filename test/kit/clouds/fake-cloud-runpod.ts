/** Simulator of the runpod REST API v2: catalog and pods. From its public OpenAPI document. */
import type { Dialect, Machine, SimulatedCall } from './fake-cloud-server.js'

const GPUS = [
  {
    id: 'NVIDIA L4',
    name: 'L4',
    price: { secure: 0.43, community: 0.3 },
    dataCenters: [
      { id: 'EU-RO-1', availability: 'HIGH' },
      { id: 'US-KS-2', availability: 'NONE' },
    ],
  },
  {
    id: 'NVIDIA H100 80GB HBM3',
    name: 'H100 SXM',
    price: { secure: 2.99 },
    dataCenters: [{ id: 'US-KS-2', availability: 'LOW' }],
  },
  { id: 'Quantum 9000', name: 'Q', price: { secure: 1 }, dataCenters: [{ id: 'US-KS-2', availability: 'HIGH' }] },
]

const shape = ({ id, label, state }: Machine) => ({
  id,
  name: label,
  status: { provisioning: 'PROVISIONING', running: 'RUNNING', ended: 'EXITED' }[state],
  ssh: { proxy: null, direct: state === 'running' ? { host: '192.0.2.7', port: 22001, username: 'root' } : null },
})

const idOf = ({ path }: SimulatedCall): string => path.split('/').at(-1) ?? ''

export const runpodDialect: Dialect = {
  verbOf({ method, path }) {
    if (path === '/v2/catalog/gpus') return 'offers'
    if (path === '/v2/pods') return method === 'POST' ? 'create' : 'list'
    if (path.startsWith('/v2/pods/')) return method === 'DELETE' ? 'destroy' : 'get'
    return null
  },
  answer(verb, call, cloud) {
    switch (verb) {
      case 'offers':
        return { status: 200, body: { gpus: GPUS } }
      case 'create': {
        const id = `pod${cloud.machines.size + 1}`
        const machine: Machine = { id, label: String(call.body['name']), request: call.body, state: 'provisioning' }
        cloud.machines.set(id, machine)
        return { status: 201, body: shape(machine) }
      }
      case 'list':
        return { status: 200, body: { pods: [...cloud.machines.values()].map(shape) } }
      case 'get': {
        const machine = cloud.machines.get(idOf(call))
        return machine
          ? { status: 200, body: shape(machine) }
          : { status: 404, body: { title: 'Not Found', status: 404, detail: 'none' } }
      }
      case 'destroy':
        return { status: cloud.machines.delete(idOf(call)) ? 204 : 404 }
    }
  },
}
