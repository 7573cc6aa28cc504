/** What operators see of compute: transitions, leaks found, and machines that will not go. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { readOnce } from '#platform/metrics/read-once.js'
import type { GpuSession, Phase } from './sessions/session.js'

export interface ComputeMetrics {
  changed(session: GpuSession): void
  orphan(driverId: string): void
  adopted(session: GpuSession): void
  slowDestroy(session: GpuSession): void
  fault(where: string): void
  /** Where the machines of the whole installation are read when they are asked for. */
  watchMachines(read: () => Promise<readonly Machines[]>): void
}

/** Sessions alike. */
export interface Machines {
  readonly purpose: GpuSession['purpose']
  readonly phase: Phase
  readonly driverId: string
  readonly count: number
  /** What their payers are billed for an hour of all of them. */
  readonly usdPerHour: number
}

/** From the request to the first answer of the machine. */
const COLD_START_SECONDS = [1, 5, 15, 30, 60, 120, 180, 300, 450, 600, 900, 1_800, 3_600]

/** The first event of a series is only seen as a change by whoever has seen the series before: those of `driverIds` begin at zero. */
export function createComputeMetrics(registry: Registry, driverIds: readonly string[] = []): ComputeMetrics {
  const registers = [registry]
  const transitions = new Counter({
    name: 'sluice_gpu_session_transitions_total',
    help: 'Changes of GPU sessions by purpose, phase and, once ended, reason.',
    labelNames: ['purpose', 'phase', 'reason'],
    registers,
  })
  const orphans = new Counter({
    name: 'sluice_gpu_orphans_total',
    help: 'Instances of ours that no session answered for and that the sweep destroyed. Anything but 0 deserves a look.',
    labelNames: ['driver'],
    registers,
  })
  const adopted = new Counter({
    name: 'sluice_gpu_adopted_total',
    help: 'Instances that were found again after their creation was in doubt.',
    labelNames: ['driver'],
    registers,
  })
  const slow = new Counter({
    name: 'sluice_gpu_slow_destroys_total',
    help: 'Attempts to destroy an instance more than 15 minutes after its session ended. Rising: a machine costs money that nobody pays.',
    labelNames: ['driver'],
    registers,
  })
  const faults = new Counter({
    name: 'sluice_gpu_faults_total',
    help: 'Unexpected failures of background work, by place.',
    labelNames: ['where'],
    registers,
  })
  const coldStart = new Histogram({
    name: 'sluice_gpu_cold_start_seconds',
    help: 'Seconds from the request for a GPU session to the moment that it runs, by purpose and driver.',
    labelNames: ['purpose', 'driver'],
    buckets: COLD_START_SECONDS,
    registers,
  })
  for (const driver of driverIds) {
    for (const counter of [orphans, adopted, slow]) counter.inc({ driver }, 0)
    for (const purpose of ['rental', 'model']) coldStart.zero({ purpose, driver })
  }
  return {
    changed({ purpose, phase, terminationReason, driverId: driver, createdAt, runningAt }) {
      transitions.inc({ purpose, phase, reason: terminationReason ?? '' })
      if (phase === 'running' && terminationReason === null && runningAt !== null) {
        coldStart.observe({ purpose, driver }, Math.max(0, runningAt - createdAt) / 1_000)
      }
    },
    orphan: (driver) => orphans.inc({ driver }),
    adopted: ({ driverId }) => adopted.inc({ driver: driverId }),
    slowDestroy: ({ driverId }) => slow.inc({ driver: driverId }),
    fault: (where) => faults.inc({ where }),
    watchMachines: machineGauges(registers),
  }
}

function machineGauges(registers: Registry[]): ComputeMetrics['watchMachines'] {
  let read: () => Promise<readonly Machines[] | null> = async () => null
  const sessions = new Gauge({
    name: 'sluice_gpu_sessions',
    help: 'GPU sessions that are not over, of the whole installation, by purpose and phase.',
    labelNames: ['purpose', 'phase', 'driver'],
    registers,
    // Every process of an installation tells the same.
    aggregator: 'max',
    async collect() {
      const machines = await read()
      if (machines === null) return
      sessions.reset()
      for (const { purpose, phase, driverId: driver, count } of machines) sessions.inc({ purpose, phase, driver }, count)
    },
  })
  const cost = new Gauge({
    name: 'sluice_gpu_usd_per_hour',
    help: 'US dollars that an hour of the GPU sessions that run now is billed at, of the whole installation.',
    labelNames: ['purpose', 'driver'],
    registers,
    aggregator: 'max',
    async collect() {
      const machines = await read()
      if (machines === null) return
      cost.reset()
      for (const { purpose, phase, driverId: driver, usdPerHour } of machines) {
        if (phase === 'running') cost.inc({ purpose, driver }, usdPerHour)
      }
    },
  })
  return (from) => {
    read = readOnce(from)
  }
}
