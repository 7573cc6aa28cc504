/** Simulator of a dstack server: plans, apply, get, list, stop and delete of runs. From its public HTTP API reference. */
import type { Dialect, FakeCloudServer, Machine, SimulatedCall } from './fake-cloud-server.js'

const gpu = (name: string, memory_mib: number, count: number, spot: boolean) => ({
  name: `${name}-machine`,
  resources: { gpus: Array.from({ length: count }, () => ({ name, memory_mib })), spot },
})
const OFFERS = [
  { backend: 'aws', region: 'us-east-1', price: 0.35, availability: 'available', instance: gpu('L4', 24_576, 1, true) },
  { backend: 'aws', region: 'us-east-1', price: 0.8, availability: 'available', instance: gpu('L4', 24_576, 1, false) },
  { backend: 'gcp', region: 'europe-west4', price: 3.2, availability: 'unknown', instance: gpu('A100', 40_960, 2, false) },
  { backend: 'gcp', region: 'europe-west4', price: 9, availability: 'not_available', instance: gpu('H100', 81_920, 1, false) },
]

const shape = ({ id, label, state }: Machine) => ({
  id,
  status: { provisioning: 'provisioning', running: 'running', ended: 'failed' }[state],
  run_spec: { run_name: label },
  service: { url: `/proxy/services/main/${label}/` },
  latest_job_submission: { job_provisioning_data: state === 'running' ? { hostname: '192.0.2.8', ssh_port: 22 } : null },
})

const missing = { status: 400, body: { detail: [{ code: 'resource_not_exists', msg: 'Resource not found' }] } }

function apply(call: SimulatedCall, cloud: FakeCloudServer) {
  const { plan } = call.body as { plan: { run_spec: { run_name: string; configuration: object } } }
  const name = plan.run_spec.run_name
  if (cloud.machines.has(name)) return { status: 400, body: { detail: [{ code: 'resource_exists', msg: 'exists' }] } }
  const machine: Machine = {
    id: name,
    label: name,
    request: { ...plan.run_spec },
    state: 'provisioning',
  }
  cloud.machines.set(name, machine)
  return { status: 200, body: shape(machine) }
}

/** Stop makes a run finish; only delete makes its record go. */
function end(call: SimulatedCall, cloud: FakeCloudServer) {
  for (const name of call.body['runs_names'] as string[]) {
    const machine = cloud.machines.get(name)
    if (!machine) return missing
    if (call.path.endsWith('/stop')) machine.state = 'ended'
    else cloud.machines.delete(name)
  }
  return { status: 200 }
}

export const dstackDialect: Dialect = {
  verbOf({ path }) {
    if (path === '/api/runs/list') return 'list'
    const verb = /^\/api\/project\/main\/runs\/(\w+)$/.exec(path)?.[1]
    const verbs = { get_plan: 'offers', apply: 'create', get: 'get', stop: 'destroy', delete: 'destroy' } as const
    return verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb as keyof typeof verbs] : null
  },
  answer(verb, call, cloud) {
    switch (verb) {
      case 'offers':
        return { status: 200, body: { job_plans: [{ offers: OFFERS, total_offers: OFFERS.length }], action: 'create' } }
      case 'create':
        return apply(call, cloud)
      case 'list':
        return { status: 200, body: [...cloud.machines.values()].filter(({ state }) => state !== 'ended').map(shape) }
      case 'get': {
        const machine = cloud.machines.get(String(call.body['run_name']))
        return machine ? { status: 200, body: shape(machine) } : missing
      }
      case 'destroy':
        return end(call, cloud)
    }
  },
}
