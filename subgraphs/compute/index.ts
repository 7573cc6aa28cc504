/**
 * Compute: GPUs that can be had, GPUs that are rented, and models that are put on one when somebody asks for them.
 *
 * Owns GPU offers, rentals, sessions, the drivers to GPU providers and deploy recipes.
 *
 * States of a session: requested -> creating -> booting -> loading -> running -> stopping -> terminated. Callers see the first
 * four as provisioning and everything after the decision to end as terminated. `wanted` and money say what is owed; `phase`
 * follows the machine, and cleaning it up goes on until its absence was seen twice, however long that takes.
 *
 * Invariants: no machine is asked for before its hold is placed; one hold per session; what is charged never exceeds the hold
 * nor the time that the machine was seen alive; a session that never ran costs nothing; at most one live session serves a
 * model for everyone, and at most one machine exists per session; an ended session stays ended; a machine whose creation was
 * in doubt is found again or known not to exist; machines that are not of this installation are never touched.
 */
import 'reflect-metadata'

export type { Activity } from './deployments/activity.js'
export type { Deployments } from './deployments/deployments.js'
export type { GpuDriver } from './drivers/driver.js'
export type { AccountLimits, AccountsPort, CatalogPort, LedgerPort, SessionEndpoint } from './ports.js'
export { computeConfig, createDrivers, DriverConfig } from './compute-config.js'
export { shippedRecipes } from './deployments/recipe.js'
export { computeEntities } from './store/market-entities.js'
export { createComputeSubgraph, type ComputeSubgraph } from './compute.js'
