/** What compute does unasked: the reconciler, under the name that the installation has. */
import { randomBytes } from 'node:crypto'
import { createNoticeMarks } from '#platform/events/notice-marks.js'
import type { ComputeDependencies, ComputeParts, ComputeServices } from './compute-services.js'
import { probeEndpoint } from './deployments/probe.js'
import type { GpuDriver } from './drivers/driver.js'
import { createCircuits } from './reconciler/circuit.js'
import { createOrphanNotices } from './reconciler/orphan-notices.js'
import { createReconciler, type Reconciler } from './reconciler/reconciler.js'
import { SESSION_CHANGED } from './sessions/live-view.js'
import type { GpuSession } from './sessions/session.js'

export interface BackgroundWork {
  /** Something is due now; nothing happens where this process does no such work. */
  kick(): void
  /** Part of every instance's name; the first process of an installation chooses it. */
  installId(): Promise<string>
  start(services: Pick<ComputeServices, 'offers' | 'deployments'>): Promise<void>
  stop(): Promise<void>
}

export function createBackgroundWork(deps: ComputeDependencies, parts: ComputeParts): BackgroundWork {
  const { store, drivers } = parts
  let reconciler: Reconciler | null = null
  let stopListening: (() => void) | null = null
  const kick = () => reconciler?.kick()
  const installId = () => store.installId(deps.options.installId ?? newInstallId())
  return {
    kick,
    installId,
    async start(services) {
      // An embedded database has one process: whatever lease is left is of a process that died.
      if (deps.database.dialect === 'sqlite') await store.breakLeases()
      reconciler = newReconciler(deps, parts, services, await installId(), await homesOf(drivers.values()))
      // Whoever asked may be another process, which drives nothing.
      stopListening = deps.events.listen(SESSION_CHANGED, kick)
      await reconciler.start()
    },
    async stop() {
      stopListening?.()
      await reconciler?.stop()
    },
  }
}

function newReconciler(
  { database, outbox, ledger, catalog, revenue, clock, probe = probeEndpoint }: ComputeDependencies,
  { store, drivers, aliveTime, policy, metrics, onFault, onChange }: ComputeParts,
  { offers, deployments }: Pick<ComputeServices, 'offers' | 'deployments'>,
  installId: string,
  homes: ReadonlyMap<string, string>,
): Reconciler {
  const tellOrphan = createOrphanNotices(createNoticeMarks({ database, outbox, clock }), onFault('orphans'))

  async function restart(session: GpuSession): Promise<void> {
    if (session.modelId === null || clock.now() - session.lastActiveAt > policy.restartIfAskedWithinMs) return
    const { id, modelId, accountId } = session
    // What the key of the first one may not spend, the next one may not either.
    const budgetIds = (await ledger.read([id])).get(id)?.budgetIds
    await deployments.ensure({ modelId, accountId, budgetIds })
  }

  return createReconciler({
    homes,
    store,
    ledger,
    catalog,
    revenue,
    drivers,
    clock,
    aliveTime,
    policy,
    installId,
    freshOffers: (driver, session, signal) => offers.fresh(driver, { gpuModel: session.gpuModel }, signal),
    circuits: createCircuits(store, clock, policy),
    probe,
    random: Math.random,
    onChange,
    onInterrupted: restart,
    onError: onFault('reconciler'),
    onOrphan(driverId, instanceId) {
      metrics.orphan(driverId)
      return tellOrphan(driverId, instanceId)
    },
    onAdopted: (session) => metrics.adopted(session),
    onSlowDestroy: (session) => metrics.slowDestroy(session),
  })
}

async function homesOf(drivers: Iterable<GpuDriver>): Promise<ReadonlyMap<string, string>> {
  const homes = new Map<string, string>()
  for (const driver of drivers) if (driver.home) homes.set(driver.id, await driver.home())
  return homes
}

/** Six letters and digits: enough that two installations in one cloud account do not meet. */
const newInstallId = (): string => randomBytes(8).readBigUInt64BE().toString(36).slice(0, 6)
