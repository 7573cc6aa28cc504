/** Compute as a subgraph: its services as the graph shows them, and when they start and stop. */
import type { Subgraph } from '#platform/subgraph.js'
import { createBackgroundWork } from './background-work.js'
import { type ComputeDependencies, createComputeParts, type ComputeServices, createComputeServices } from './compute-services.js'
import { DriverResolver } from './drivers/driver-resolver.js'
import { createDriverStates } from './drivers/driver-states.js'
import { AccountStub, ModelStub } from './entity-stubs.js'
import { OfferResolver } from './offers/offer-resolver.js'
import { offersSource } from './offers/offer-source.js'
import { AccountRentalsResolver, ModelSessionResolver, RentalResolver } from './rentals/rental-resolver.js'
import { rentalSource, rentalsSource } from './rentals/rental-source.js'
import { GpuSessionType, RentalType, rentalType } from './rentals/rental-type.js'

export interface ComputeSubgraph extends Subgraph, Pick<ComputeServices, 'deployments' | 'activity' | 'offers' | 'rentals'> {
  /** What a model's session is doing, from memory; `refresh` reads anew what any process has done. */
  readonly live: Pick<ComputeServices['live'], 'stateOf' | 'refresh'>
}

export function createComputeSubgraph(deps: ComputeDependencies): ComputeSubgraph {
  const { outbox, clock } = deps
  const parts = createComputeParts(deps)
  const { policy, drivers, store } = parts
  const work = createBackgroundWork(deps, parts)
  const services = createComputeServices(deps, parts, work.kick)
  const { offers, rentals, activity, waiters, deployments, live } = services
  return {
    name: 'compute',
    deployments,
    activity,
    live,
    offers,
    rentals,
    resolvers: [
      new RentalResolver(rentals, clock),
      new OfferResolver(offers),
      new DriverResolver(createDriverStates({ drivers, store, offers, clock, policy, installId: work.installId })),
      new ModelSessionResolver(live, clock),
      new AccountRentalsResolver(rentals, clock),
    ],
    orphanedTypes: [RentalType, GpuSessionType, ModelStub, AccountStub],
    entities: {
      Rental: {
        kind: 'owner',
        async load(references, { principal }) {
          const ids = references.map(({ id }) => id)
          const found = await rentals.findMany(ids, principal?.accountId ?? '')
          return found.map((session) => session && rentalType(session, clock.now()))
        },
      },
      Model: { kind: 'contributor' },
      Account: { kind: 'contributor' },
    },
    sources: {
      rentalStatus: rentalSource(rentals, outbox, clock),
      rentalsChanged: rentalsSource(rentals, outbox),
      gpuOffersChanged: offersSource(offers, clock, policy),
    },
    start: () => live.start(),
    startWork: () => work.start(services),
    drain: () => waiters.stop(),
    async stop() {
      waiters.stop()
      activity.stop()
      live.stop()
      await work.stop()
      for (const driver of drivers.values()) await driver.close?.()
    },
  }
}
