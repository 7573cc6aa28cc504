/** The tables of compute. The services read and write them with kysely (session-tables.ts); these definitions make the schema. */
import { defineEntity, p } from '@mikro-orm/core'

/** Amounts are nano-USD, times are epoch milliseconds: both exact int64. */
const amount = () => p.bigint('bigint')
const time = () => p.bigint('bigint')

const GpuSessionEntity = defineEntity({
  name: 'GpuSession',
  tableName: 'gpu_session',
  indexes: [
    {
      name: 'gpu_session_due',
      expression: 'create index "gpu_session_due" on "gpu_session" ("due_at") where "phase" <> \'terminated\'',
    },
    { name: 'gpu_session_account', properties: ['accountId', 'createdAt'] },
    { name: 'gpu_session_model', properties: ['modelId', 'runningAt'] },
  ],
  uniques: [
    {
      name: 'gpu_session_one_live_per_model',
      expression:
        'create unique index "gpu_session_one_live_per_model" on "gpu_session" ("model_id") where "purpose" = \'model\' and "wanted" = \'running\'',
    },
    { name: 'gpu_session_label_key', properties: ['labelKey'] },
  ],
  properties: {
    id: p.string().length(40).primary(),
    labelKey: p.string().length(40),
    purpose: p.string().length(10),
    accountId: p.string().length(40),
    modelId: p.string().length(200).nullable(),
    wanted: p.string().length(12),
    phase: p.string().length(12),
    driverId: p.string().length(64),
    providerId: p.string().length(64),
    region: p.string().length(100),
    gpuModel: p.string().length(64),
    vramGb: p.integer(),
    gpuCount: p.integer(),
    spot: p.integer(),
    /** Per mille, because columns hold no fractions. */
    interruptionPermille: p.integer(),
    interruptionOrigin: p.string().length(12),
    pricePerGpuHour: amount(),
    anyProvider: p.integer(),
    anyRegion: p.integer(),
    sshKey: p.text().nullable(),
    dockerImage: p.text().nullable(),
    fineTuned: p.integer(),
    attempt: p.integer(),
    attemptAt: time().nullable(),
    label: p.string().length(64).nullable(),
    instanceId: p.string().length(200).nullable(),
    instanceAt: time().nullable(),
    /** A JSON array of instance ids. */
    strays: p.text(),
    absences: p.integer(),
    endpointUrl: p.text().nullable(),
    endpointKey: p.string().length(80),
    sshHost: p.string().length(255).nullable(),
    sshPort: p.integer().nullable(),
    holdPhase: p.string().length(10),
    holdAmount: amount(),
    holdUntil: time(),
    finalCost: amount().nullable(),
    createdAt: time(),
    runningAt: time().nullable(),
    lastAliveAt: time().nullable(),
    aliveMs: p.bigint('bigint').default(0),
    lastActiveAt: time(),
    terminatedAt: time().nullable(),
    destroyAfter: time().nullable(),
    terminationReason: p.string().length(20).nullable(),
    estimatedReadySeconds: p.integer(),
    createFailures: p.integer(),
    probeFailures: p.integer(),
    setbacks: p.integer(),
    dueAt: time(),
    leaseToken: p.string().length(64).nullable(),
    leaseUntil: time(),
    version: p.integer(),
  },
})

/** Markets that failed and are left alone for a while. */
const OfferBarEntity = defineEntity({
  name: 'GpuOfferBar',
  tableName: 'gpu_offer_bar',
  properties: { offerKey: p.string().length(300).primary(), untilMs: time() },
})

/** Providers that are not called for a while. */
const ProviderCircuitEntity = defineEntity({
  name: 'GpuProviderCircuit',
  tableName: 'gpu_provider_circuit',
  properties: { driverId: p.string().length(64).primary(), untilMs: time() },
})

/** Which process does a task that only one may do, such as the sweep. */
const ComputeTaskEntity = defineEntity({
  name: 'ComputeTask',
  tableName: 'compute_task',
  properties: { name: p.string().length(64).primary(), token: p.string().length(64), untilMs: time() },
})

/** One row: what this installation is called in the names of its instances. */
const ComputeInstallEntity = defineEntity({
  name: 'ComputeInstall',
  tableName: 'compute_install',
  properties: { slot: p.string().length(8).primary(), installId: p.string().length(8) },
})

/** Answers of rent requests that carried an Idempotency-Key. */
const RentKeyEntity = defineEntity({
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
