/** Compute through its graph, on SQLite or PostgreSQL, with a simulated cloud in real time. */
import { graphql, type ExecutionResult } from 'graphql'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { skippingClock } from '../../kit/skipping-clock.js'
import { onTestFinished, vi } from 'vitest'
import type { Principal, RequestContext, Scope } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { sessionLedger } from '../../../src/app/ports/compute.js'
import { buildSubgraphSchema } from '../../../src/graph/composition/subgraph-schema.js'
import {
  type AccountLimits,
  computeEntities,
  createComputeSubgraph,
  type SessionEndpoint,
} from '../../../subgraphs/compute/index.js'
import { testDatabase } from '../../kit/database.js'
import { FakeCloud } from '../../kit/clouds/fake-cloud.js'
import { accountsEntities, openLedger } from '../../../subgraphs/accounts/index.js'
import { createFakeLedger } from './fake-ledger.js'
import { testOffer } from './world.js'

export const RENTAL =
  'id status phase terminationReason gpuModel providerId region pricePerGpuHour cost hold endpoint endpointKey startedAt'
export const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILXGDN/SclOozk1xsDztpmhGiKkkrfQB9SKoO8dSIQQZ me@example.com'

interface Options {
  readonly dialect?: 'sqlite' | 'postgres'
  readonly balance?: bigint
  readonly limits?: Partial<AccountLimits>
  /** Money in the real ledger, beside the fake one that then stays untouched. */
  readonly isRealLedger?: boolean
}

/** A subgraph on its own database, in front of a simulated cloud; it ends with the test. */
export async function openCompute({ dialect = 'sqlite', balance = 10_000_000_000n, limits, isRealLedger = false }: Options = {}) {
  const clock = skippingClock()
  const database = await testDatabase(dialect, [...computeEntities, ...accountsEntities, OutboxEventEntity])
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const caps = { pollMs: 15, listLagMs: 0, createTimeoutMs: 1_000 }
  const offers = [testOffer(), testOffer({ providerId: 'gp91', region: 'us-1', pricePerGpuHour: 900_000_000n, spot: false })]
  const cloud = new FakeCloud({ clock, offers, bootMs: 30, loadMs: 30, caps })
  const ledger = createFakeLedger({ acc_a: balance, acc_b: balance })
  const realLedger = isRealLedger ? await openLedger({ url: database.url, clock }) : null
  if (realLedger) {
    onTestFinished(() => realLedger.close())
    await realLedger.openAccount('acc_a', { monthlyCap: null })
    await realLedger.topUp({ accountId: 'acc_a', amount: balance, idempotencyKey: 'start', kind: 'top_up' })
  }
  const endpoints = new Map<string, SessionEndpoint>()
  const recipe = { modelId: 'cold-model', gpuModel: 'L4', gpuCount: 1, minVramGb: 20, estimatedDeploySeconds: 120, image: null }
  const events = createInProcessEvents()
  const gateway = async () => {
    const outbox = createOutbox({ database, events, clock, pollMs: 50 })
    const compute = createComputeSubgraph({
      database,
      outbox,
      events,
      clock,
      log: pino({ level: 'silent' }),
      registry: new Registry(),
      ledger: realLedger ? sessionLedger(realLedger) : ledger,
      accounts: {
        limits: async () => ({ maxConcurrentSessions: null, maxHourlySpend: null, ...limits }),
      },
      catalog: {
        has: async (id) => id === 'cold-model',
        recipe: async (id) => (id === recipe.modelId ? recipe : null),
        recipes: async () => [recipe],
        announce: async (endpoint) => void endpoints.set(endpoint.sessionId, endpoint),
        withdraw: async (id) => void endpoints.delete(id),
      },
      revenue: { billedTokens: async () => 0n },
      drivers: [cloud],
      options: { includeShippedRecipes: false, installId: 'test1', policy: { observeMs: 60, drainMs: 0 } },
      onModelChange: () => {},
      probe: cloud.probe,
    })
    await compute.start?.()
    await compute.startWork?.()
    onTestFinished(async () => compute.stop?.())
    return { compute, ...buildSubgraphSchema(compute) }
  }
  const first = await gateway()
  const ask = async (source: string, variables: object = {}, context = as('acc_a')) => {
    const result = await graphql({ schema: first.schema, source, variableValues: { ...variables }, contextValue: context })
    return answerOf(result)
  }
  const rent = (input: object, context = as('acc_a')) =>
    ask(`mutation($input: RentGpuInput!) { rentGpu(input: $input) { rental { ${RENTAL} } } }`, { input }, context)
  const rental = async (id: string, context = as('acc_a')) =>
    (await ask(`query($id: ID!) { rental(id: $id) { ${RENTAL} } }`, { id }, context)).rental
  return { ...first, gateway, cloud, ledger, endpoints, ask, rent, rental, database, realLedger, clock }
}

interface Shown {
  readonly id: string
  readonly status: string
  readonly phase: string
  readonly cost: string
  readonly sequence: number | null
  readonly endpoint: string | null
  readonly endpointKey: string | null
}

interface Answer {
  readonly rentGpu: { readonly rental: Shown }
  readonly rental: Shown
  readonly gpuQuote: { readonly hold: string }
  readonly rentals: { readonly nodes: readonly Shown[] }
  readonly terminateRental: { readonly rental: Shown }
  readonly rentalStatus: Shown
  readonly gpuOffers: readonly { readonly pricePerGpuHour: string; readonly fetchedAt: string }[]
  readonly gpuDrivers: readonly object[]
  readonly _entities: readonly unknown[]
  readonly error: { readonly code: string; readonly message: string }
}

/** The data, or the error as the edges would see it. */
export function answerOf(result: ExecutionResult): Answer {
  const error = result.errors?.[0]
  if (!error) return result.data as unknown as Answer
  const cause = error.originalError
  if (cause instanceof AppError)
    return {
      error: { code: cause.code, status: cause.httpStatus, param: cause.param, message: cause.message },
    } as unknown as Answer
  throw error
}

export function as(
  accountId: string | null,
  headers: Record<string, string> = {},
  scopes: Scope[] = ['gpu'],
  limits: Pick<Principal, 'budgetIds'> = {},
): RequestContext {
  return {
    requestId: 'req_1',
    principal: accountId === null ? null : { accountId, keyId: 'key_1', scopes: new Set(scopes), ...limits },
    signal: new AbortController().signal,
    startedAt: Date.now(),
    headers: new Map(Object.entries(headers)),
    chats: { count: 0 },
  }
}

export async function until<T>(look: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  let value = await look()
  await vi.waitUntil(async () => isWanted((value = await look())), { interval: 10, timeout: 30_000 })
  return value
}
