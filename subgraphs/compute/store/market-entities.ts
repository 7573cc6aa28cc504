/** The tables of compute beside the sessions. */
import { defineEntity, p } from '@mikro-orm/core'
import { time } from '#platform/database/columns.js'
import { GpuSessionEntity } from '../sessions/session.js'

/** Markets that failed and are left alone for a while. */
export const OfferBarEntity = defineEntity({
  name: 'GpuOfferBar',
  tableName: 'gpu_offer_bar',
  properties: { offerKey: p.string().length(300).primary(), untilMs: time() },
})

/** Providers that are not called for a while. */
export const ProviderCircuitEntity = defineEntity({
  name: 'GpuProviderCircuit',
  tableName: 'gpu_provider_circuit',
  properties: { driverId: p.string().length(64).primary(), untilMs: time() },
})

/** Which process does a task that only one may do, such as the sweep. */
export const ComputeTaskEntity = defineEntity({
  name: 'ComputeTask',
  tableName: 'compute_task',
  properties: { name: p.string().length(64).primary(), token: p.string().length(64), untilMs: time() },
})

/** One row: what this installation is called in the names of its instances. */
export const ComputeInstallEntity = defineEntity({
  name: 'ComputeInstall',
  tableName: 'compute_install',
  properties: { slot: p.string().length(8).primary(), installId: p.string().length(8) },
})

/** Answers of rent requests that carried an Idempotency-Key. */
export const RentKeyEntity = defineEntity({
  name: 'RentIdempotencyKey',
  tableName: 'rent_idempotency_key',
  properties: {
    accountId: p.string().length(40).primary(),
    key: p.string().length(255).primary(),
    requestHash: p.string().length(64),
    sessionId: p.string().length(40),
    expiresAt: time(),
  },
})

export const computeEntities = [
  GpuSessionEntity,
  OfferBarEntity,
  ProviderCircuitEntity,
  ComputeTaskEntity,
  ComputeInstallEntity,
  RentKeyEntity,
]
