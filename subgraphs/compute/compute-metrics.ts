/** What operators see of compute: transitions, leaks found, and machines that will not go. */
import { Counter, type Registry } from 'prom-client'
import type { GpuSession } from './sessions/session.js'

export interface ComputeMetrics {
  changed(session: GpuSession): void
  orphan(driverId: string): void
  adopted(session: GpuSession): void
  slowDestroy(session: GpuSession): void
  fault(where: string): void
}

export function createComputeMetrics(registry: Registry): ComputeMetrics {
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
  return {
    changed: ({ purpose, phase, terminationReason }) => transitions.inc({ purpose, phase, reason: terminationReason ?? '' }),
    orphan: (driver) => orphans.inc({ driver }),
    adopted: ({ driverId }) => adopted.inc({ driver: driverId }),
    slowDestroy: ({ driverId }) => slow.inc({ driver: driverId }),
    fault: (where) => faults.inc({ where }),
  }
}
