/** A session record with every field set, to vary in tests. */
import { nothingYet } from '#platform/database/tables.js'
import { labelKeyOf, type GpuSession, GpuSessionEntity } from '../../../subgraphs/compute/sessions/session.js'

let serial = 0

export function aSession(fields: Partial<GpuSession> = {}): GpuSession {
  const id = `${fields.purpose === 'model' ? 'gses' : 'rent'}_${String(++serial).padStart(25, '0')}`
  return {
    ...nothingYet(GpuSessionEntity),
    id,
    labelKey: labelKeyOf(id),
    purpose: 'rental',
    accountId: 'acc_a',
    wanted: 'running',
    phase: 'requested',
    driverId: 'fake',
    providerId: 'gp90',
    region: 'eu-1',
    gpuModel: 'L4',
    vramGb: 24,
    gpuCount: 1,
    spot: true,
    interruptionPermille: 125,
    interruptionOrigin: 'published',
    pricePerGpuHour: 720_000_000n,
    anyProvider: true,
    anyRegion: false,
    dockerImage: 'busybox',
    fineTuned: false,
    attempt: 0,
    strays: [],
    absences: 0,
    endpointKey: 'sks_test',
    holdPhase: 'open',
    holdAmount: 120_000_000n,
    holdUntil: 9_000_000_000_000,
    createdAt: 1_000,
    aliveMs: 0,
    lastActiveAt: 1_000,
    estimatedReadySeconds: 120,
    createFailures: 0,
    probeFailures: 0,
    setbacks: 0,
    dueAt: 1_000,
    leaseUntil: 0,
    version: 1,
    ...fields,
  }
}
