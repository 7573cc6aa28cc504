/** Compute through its graph: offers, rentals and model sessions, on SQLite and Postgres, with a simulated cloud in real time. */
import { createSourceEventStream, execute, graphql, parse, type ExecutionResult } from 'graphql'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { skippingClock } from '../kit/skipping-clock.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Principal, RequestContext, Scope } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { parseUsd } from '#platform/money.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { sessionLedger } from '../../src/app/ports.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import {
  type AccountLimits,
  computeEntities,
  createComputeSubgraph,
  type SessionEndpoint,
} from '../../subgraphs/compute/index.js'
import { testDatabase } from '../kit/database.js'
import { FakeCloud } from '../kit/fake-cloud.js'
import { accountsEntities, openLedger } from '../../subgraphs/accounts/index.js'
import { createFakeLedger } from './fake-ledger.js'
import { testOffer } from './world.js'

const RENTAL =
  'id status phase terminationReason gpuModel providerId region pricePerGpuHour cost hold endpoint endpointKey startedAt'
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILXGDN/SclOozk1xsDztpmhGiKkkrfQB9SKoO8dSIQQZ me@example.com'

interface Options {
  readonly dialect?: 'sqlite' | 'postgres'
  readonly balance?: bigint
  readonly limits?: Partial<AccountLimits>
  /** Money in the real ledger, beside the fake one that then stays untouched. */
  readonly isRealLedger?: boolean
}

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function open({ dialect = 'sqlite', balance = 10_000_000_000n, limits, isRealLedger = false }: Options = {}) {
  const clock = skippingClock()
  const database = await testDatabase(dialect, [...computeEntities, ...accountsEntities, OutboxEventEntity])
  cleanUps.push(async () => database[Symbol.asyncDispose]())
  const caps = { pollMs: 15, listLagMs: 0, createTimeoutMs: 1_000 }
  const offers = [testOffer(), testOffer({ providerId: 'gp91', region: 'us-1', pricePerGpuHour: 900_000_000n, spot: false })]
  const cloud = new FakeCloud({ clock, offers, bootMs: 30, loadMs: 30, caps })
  const ledger = createFakeLedger({ acc_a: balance, acc_b: balance })
  const realLedger = isRealLedger ? await openLedger({ url: database.url, clock }) : null
  if (realLedger) {
    cleanUps.push(() => realLedger.close())
    await realLedger.openAccount('acc_a', { monthlyCap: null })
    await realLedger.topUp({ accountId: 'acc_a', amount: balance, idempotencyKey: 'start', kind: 'top_up' })
  }
  const endpoints = new Map<string, SessionEndpoint>()
  const recipe = { modelId: 'cold-model', gpuModel: 'L4', gpuCount: 1, minVramGb: 20, estimatedDeploySeconds: 120, image: null }
  const events = createInProcessEvents()
  const gateway = async () => {
    const outbox = createOutbox({ dialect, kysely: database.kysely, events, clock, pollMs: 50 })
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
        recipe: async (id) => (id === recipe.modelId ? recipe : null),
        recipes: async () => [recipe],
        announce: async (endpoint) => void endpoints.set(endpoint.sessionId, endpoint),
        withdraw: async (id) => void endpoints.delete(id),
      },
      revenue: { billedTokens: async () => 0n },
      drivers: [cloud],
      options: { includeShippedRecipes: false, policy: { observeMs: 60, drainMs: 0 } },
      onModelChange: () => {},
      probe: cloud.probe,
    })
    await compute.start?.()
    await compute.startWork?.()
    cleanUps.push(async () => compute.stop?.())
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
  readonly rentals: { readonly nodes: readonly Shown[] }
  readonly terminateRental: { readonly rental: Shown }
  readonly rentalStatus: Shown
  readonly gpuOffers: readonly { readonly pricePerGpuHour: string; readonly fetchedAt: string }[]
  readonly _entities: readonly unknown[]
  readonly error: { readonly code: string; readonly message: string }
}

/** The data, or the error as the edges would see it. */
function answerOf(result: ExecutionResult): Answer {
  const error = result.errors?.[0]
  if (!error) return result.data as unknown as Answer
  const cause = error.originalError
  if (cause instanceof AppError)
    return {
      error: { code: cause.code, status: cause.httpStatus, param: cause.param, message: cause.message },
    } as unknown as Answer
  throw error
}

function as(
  accountId: string | null,
  headers: Record<string, string> = {},
  scopes: Scope[] = ['gpu'],
  limits: Pick<Principal, 'budgetId'> = {},
): RequestContext {
  return {
    requestId: 'req_1',
    principal: accountId === null ? null : { accountId, keyId: 'key_1', scopes: new Set(scopes), ...limits },
    signal: new AbortController().signal,
    startedAt: Date.now(),
    headers: new Map(Object.entries(headers)),
  }
}

async function until<T>(look: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  let value = await look()
  await vi.waitUntil(async () => isWanted((value = await look())), { interval: 10, timeout: 30_000 })
  return value
}

describe('gpuOffers', () => {
  it('stacks all four filters, cheapest first', async () => {
    const { ask } = await open()
    const list = async (filter: string) =>
      (
        await ask(
          `{ gpuOffers${filter} { gpuModel vramGb providerId region pricePerGpuHour interruptionProbability interruptionOrigin spot gpuCount fetchedAt } }`,
        )
      ).gpuOffers
    const all = await list('')
    expect(all.map(({ pricePerGpuHour }) => pricePerGpuHour)).toEqual(['0.72', '0.90'])
    expect(all[0]).toMatchObject({
      gpuModel: 'L4',
      vramGb: 24,
      providerId: 'gp90',
      region: 'eu-1',
      spot: true,
      interruptionOrigin: 'PRIOR',
      gpuCount: 1,
    })
    expect(Date.parse(all[0]!.fetchedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await list('(gpuModel: "l4", maxPrice: "0.8")')).toHaveLength(1)
    expect(await list('(provider: "gp91", minVram: 24)')).toHaveLength(1)
    expect(await list('(provider: "gp91", minVram: 25)')).toEqual([])
    expect(await list('(gpuModel: "H100")')).toEqual([])
  })

  it('names the filter that is wrong', async () => {
    const { ask } = await open()
    expect(await ask('{ gpuOffers(minVram: -1) { gpuModel } }')).toMatchObject({
      error: { code: 'invalid_request_error', param: 'minVram' },
    })
    expect(await ask('{ gpuOffers(maxPrice: "-1") { gpuModel } }')).toMatchObject({ error: { param: 'maxPrice' } })
    expect(await ask('{ gpuOffers { gpuModel } }', {}, as(null))).toMatchObject({ error: { status: 401 } })
  })
})

describe.each(['sqlite', 'postgres'] as const)('a rental on %s', (dialect) => {
  it('is held for, provisioned, run, billed and terminated', async () => {
    const { rent, rental, ask, ledger, cloud, endpoints, clock } = await open({ dialect })
    const { rental: rented } = (await rent({ gpuModel: 'L4', modelId: 'cold-model', sshKey: SSH_KEY })).rentGpu
    expect(rented).toMatchObject({
      status: 'PROVISIONING',
      phase: 'REQUESTED',
      providerId: 'gp90',
      pricePerGpuHour: '0.72',
      cost: '0.00',
      hold: '0.12',
      endpoint: null,
    })
    expect(ledger.held('acc_a')).toBe(120_000_000n)
    const running = await until(
      () => rental(rented.id),
      ({ status }) => status === 'RUNNING',
    )
    expect(running.endpoint).toMatch(/^http:\/\/10\.0\.0\.\d\/v1$/)
    expect(endpoints.get(rented.id)).toMatchObject({ modelId: 'cold-model', accountId: 'acc_a', apiKey: running.endpointKey })
    clock.skip(1_000)
    const { rental: ended } = (
      await ask(`mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { ${RENTAL} } } }`, { id: rented.id })
    ).terminateRental
    expect(ended).toMatchObject({
      status: 'TERMINATED',
      terminationReason: 'USER',
      cost: '0.0002',
      hold: '0.00',
      endpoint: null,
    })
    expect(ledger.held('acc_a')).toBe(0n)
    expect(ledger.balances.get('acc_a')).toBe(10_000_000_000n - 200_000n)
    expect(
      (await ask(`mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { cost } } }`, { id: rented.id }))
        .terminateRental.rental,
    ).toEqual({
      cost: '0.0002',
    })
    await until(
      () => rental(rented.id),
      ({ phase }) => phase === 'TERMINATED',
    )
    expect(cloud.existing()).toEqual([])
    expect(endpoints.size).toBe(0)
  })

  it('costs nothing when it is terminated before it runs', async () => {
    const { rent, rental, ask, ledger, cloud } = await open({ dialect })
    cloud.bootMs = 60_000
    const { rental: rented } = (await rent({ gpuModel: 'L4', dockerImage: 'me/own:1' })).rentGpu
    await until(
      async () => cloud.existing().length,
      (count) => count === 1,
    )
    const { rental: ended } = (
      await ask(`mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { ${RENTAL} } } }`, { id: rented.id })
    ).terminateRental
    expect(ended).toMatchObject({ status: 'TERMINATED', cost: '0.00' })
    expect(ledger.balances.get('acc_a')).toBe(10_000_000_000n)
    expect(ledger.held('acc_a')).toBe(0n)
    await until(
      () => rental(rented.id),
      ({ phase }) => phase === 'TERMINATED',
    )
    expect(cloud.existing()).toEqual([])
  })

  it('does not exist for other accounts', async () => {
    const { rent, rental, ask } = await open({ dialect })
    const { rental: rented } = (await rent({ gpuModel: 'L4', modelId: 'cold-model' })).rentGpu
    expect(await rental(rented.id, as('acc_b'))).toBeNull()
    const terminate = 'mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { id } } }'
    expect(await ask(terminate, { id: rented.id }, as('acc_b'))).toMatchObject({
      error: { code: 'rental_not_found', status: 404 },
    })
    expect((await ask('{ rentals { nodes { id } } }', {}, as('acc_b'))).rentals.nodes).toEqual([])
    expect((await ask('{ rentals { nodes { id } } }')).rentals.nodes).toHaveLength(1)
    const entities =
      'query($r: [_Any!]!) { _entities(representations: $r) { ... on Rental { id } ... on Account { rentals { nodes { id } } } } }'
    const references = [
      { __typename: 'Rental', id: rented.id },
      { __typename: 'Account', id: 'acc_a' },
    ]
    expect((await ask(entities, { r: references }))._entities).toEqual([
      { id: rented.id },
      { rentals: { nodes: [{ id: rented.id }] } },
    ])
    expect((await ask(entities, { r: references }, as('acc_b')))._entities).toEqual([null, { rentals: { nodes: [] } }])
  })

  it('is the same for the same Idempotency-Key, and a conflict for another request', async () => {
    const { rent, ask } = await open({ dialect })
    const keyed = as('acc_a', { 'idempotency-key': 'abc' })
    const input = { gpuModel: 'L4', modelId: 'cold-model' }
    const first = (await rent(input, keyed)).rentGpu.rental
    expect((await rent(input, keyed)).rentGpu.rental.id).toBe(first.id)
    expect(await rent({ ...input, region: 'eu-1' }, keyed)).toMatchObject({
      error: { code: 'idempotency_conflict', status: 409 },
    })
    expect((await rent(input, as('acc_b', { 'idempotency-key': 'abc' }))).rentGpu.rental.id).not.toBe(first.id)
    expect((await ask('{ rentals { nodes { id } } }')).rentals.nodes).toHaveLength(1)
  })

  it('tells its subscriber every status, the stored one first, and then ends', async () => {
    const { rent, ask, schema } = await open({ dialect })
    const { rental: rented } = (await rent({ gpuModel: 'L4', modelId: 'cold-model' })).rentGpu
    const document = parse('subscription($id: ID!) { rentalStatus(id: $id, after: 0) { status phase sequence } }')
    const variableValues = { id: rented.id }
    const contextValue = as('acc_a')
    const source = (await createSourceEventStream({ schema, document, variableValues, contextValue })) as AsyncIterable<unknown>
    const seen: string[] = []
    const sequences: number[] = []
    for await (const rootValue of source) {
      const { rentalStatus } = answerOf(await execute({ schema, document, variableValues, contextValue, rootValue }))
      if (rentalStatus.sequence !== null) sequences.push(rentalStatus.sequence)
      if (seen.at(-1) !== rentalStatus.status) seen.push(rentalStatus.status)
      if (rentalStatus.status === 'RUNNING')
        await ask('mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { id } } }', { id: rented.id })
    }
    expect(seen).toEqual(['PROVISIONING', 'RUNNING', 'TERMINATED'])
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(sequences.length).toBeGreaterThan(3)
    const denied = await createSourceEventStream({ schema, document, variableValues, contextValue: as('acc_b') })
    expect(answerOf(denied as ExecutionResult)).toMatchObject({ error: { code: 'rental_not_found' } })
  })
})

describe.each(['sqlite', 'postgres'] as const)('a rental with the real ledger on %s', (dialect) => {
  it('is charged to the nano-dollar and leaves the books in order', async () => {
    const { rent, rental, ask, realLedger, clock } = await open({ dialect, isRealLedger: true })
    const rentals = await Promise.all([1, 2, 3].map(async () => (await rent({ gpuModel: 'L4', modelId: 'cold-model' })).rentGpu))
    expect((await realLedger!.read('acc_a')).held).toBe(360_000_000n)
    for (const { rental: rented } of rentals)
      await until(
        () => rental(rented.id),
        ({ status }) => status === 'RUNNING',
      )
    clock.skip(1_000)
    const ended = await Promise.all(
      rentals.map(({ rental: rented }) =>
        ask('mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { cost status } } }', { id: rented.id }),
      ),
    )
    const cost = ended.reduce((sum, { terminateRental }) => sum + parseUsd(terminateRental.rental.cost), 0n)
    expect(cost).toBeGreaterThanOrEqual(600_000n)
    expect(await realLedger!.read('acc_a')).toMatchObject({ held: 0n, balance: 10_000_000_000n - cost, spent: cost })
    expect(await realLedger!.checkInvariants()).toMatchObject({ ok: true, openHolds: 0 })
  })

  it('comes out of the cap of the key that rents, as a model session does, and other keys of the account rent on', async () => {
    const { compute, rent, rental, ask, realLedger, clock } = await open({ dialect, isRealLedger: true })
    const ledger = realLedger!
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: 'acc_a', monthlyCap: 200_000_000n })
    const capped = as('acc_a', {}, ['gpu'], { budgetId: 'bdg_1' })
    const budget = async () => (await ledger.readBudgets(['bdg_1'])).get('bdg_1')!
    const input = { gpuModel: 'L4', modelId: 'cold-model' }
    const { rental: rented } = (await rent(input, capped)).rentGpu
    expect(await budget()).toMatchObject({ held: 120_000_000n, available: 80_000_000n })
    const { error } = await rent(input, capped)
    expect(error).toMatchObject({ code: 'insufficient_credits', status: 402 })
    expect(error.message).toContain('monthly cap is $0.20, of which $0.00 is spent and $0.12 is set aside')
    expect(error.message).toContain('needs a hold of $0.12')
    const model = { modelId: 'cold-model', accountId: 'acc_a' }
    await expect(compute.deployments.ensure({ ...model, budgetId: 'bdg_1' })).rejects.toMatchObject({
      code: 'insufficient_credits',
    })
    expect(await rent(input)).toMatchObject({ rentGpu: { rental: { phase: expect.any(String) } } })
    await until(
      () => rental(rented.id),
      ({ status }) => status === 'RUNNING',
    )
    clock.skip(1_000)
    const { rental: ended } = (
      await ask('mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { cost } } }', { id: rented.id })
    ).terminateRental
    expect(await budget()).toMatchObject({ held: 0n, spent: parseUsd(ended.cost) })
    await compute.deployments.ensure({ ...model, budgetId: 'bdg_1' })
    expect(await budget()).toMatchObject({ held: 120_000_000n })
    expect((await ledger.checkInvariants()).violations).toEqual([])
  })

  it('for a model that starts again after an interruption comes out of the same cap', async () => {
    const { compute, cloud, realLedger } = await open({ dialect, isRealLedger: true })
    const ledger = realLedger!
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: 'acc_a', monthlyCap: 1_000_000_000n })
    await compute.deployments.ensure({ modelId: 'cold-model', accountId: 'acc_a', budgetId: 'bdg_1' })
    const state = async () => (await compute.deployments.state('cold-model'))!
    const first = await until(state, ({ availability }) => availability === 'instant')
    cloud.interrupt(cloud.existing()[0]!, true)
    const second = await until(state, ({ sessionId }) => sessionId !== null && sessionId !== first.sessionId)
    const ids = [first.sessionId!, second.sessionId!]
    const holds = await until(
      () => ledger.readHolds(ids),
      (found) => found.size === 2,
    )
    expect(ids.map((id) => holds.get(id)?.budgetId)).toEqual(['bdg_1', 'bdg_1'])
  })
})

describe('a rent request', () => {
  it.each([
    [{ gpuModel: 'L4' }, 'modelId'],
    [{ gpuModel: 'L4', sshKey: 'ssh-rsa hello' }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: `${SSH_KEY}\ncommand="evil" ${SSH_KEY}` }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: `command="evil" ${SSH_KEY}` }, 'sshKey'],
    [{ gpuModel: 'L4', sshKey: SSH_KEY.replace('ssh-ed25519', 'ssh-rsa') }, 'sshKey'],
    [{ gpuModel: 'L4', dockerImage: 'busybox; rm -rf /' }, 'dockerImage'],
    [{ gpuModel: 'L4', dockerImage: '--privileged' }, 'dockerImage'],
    [{ gpuModel: 'L4', dockerImage: 'busybox', fineTuned: true }, 'fineTuned'],
    [{ gpuModel: 'L4', modelId: '../../etc/passwd' }, 'modelId'],
    [{ gpuModel: 'L4', modelId: 'cold-model', maxPricePerGpuHour: '0' }, 'maxPricePerGpuHour'],
    [{ gpuModel: 'L4; drop', modelId: 'cold-model' }, 'gpuModel'],
  ])('%j is refused naming %s', async (input, param) => {
    const { rent, ledger } = await open()
    expect(await rent(input)).toMatchObject({ error: { code: 'invalid_request_error', status: 400, param } })
    expect(ledger.holds.size).toBe(0)
  })

  it.each([
    [{ gpuModel: 'H100', modelId: 'cold-model' }, 'offer_unavailable', 'gpuModel'],
    [{ gpuModel: 'L4', modelId: 'cold-model', region: 'mars' }, 'offer_unavailable', 'region'],
    [{ gpuModel: 'L4', modelId: 'cold-model', maxPricePerGpuHour: '0.5' }, 'offer_unavailable', 'maxPricePerGpuHour'],
    [{ gpuModel: 'L4', modelId: 'unheard-of' }, 'model_not_found', 'modelId'],
  ])('%j gets %s', async (input, code, param) => {
    const { rent } = await open()
    expect(await rent(input)).toMatchObject({ error: { code, param } })
  })

  it('needs the scope gpu', async () => {
    const { rent } = await open()
    expect(await rent({ gpuModel: 'L4', modelId: 'cold-model' }, as('acc_a', {}, ['chat']))).toMatchObject({
      error: { code: 'insufficient_scope' },
    })
  })

  it('is refused with the live balance and the amount needed when it is not covered', async () => {
    const { rent, ask, cloud } = await open({ balance: 100_000_000n })
    const { error } = await rent({ gpuModel: 'L4', modelId: 'cold-model' })
    expect(error).toMatchObject({ code: 'insufficient_credits', status: 402 })
    expect(error.message).toContain('$0.12')
    expect(error.message).toContain('balance is $0.10')
    expect((await ask('{ rentals { nodes { id } } }')).rentals.nodes).toEqual([])
    expect(cloud.calls.create).toBe(0)
  })

  it('respects the limits of the account', async () => {
    const input = { gpuModel: 'L4', modelId: 'cold-model' }
    const { rent } = await open({ limits: { maxConcurrentSessions: 1 } })
    await rent(input)
    expect(await rent(input)).toMatchObject({ error: { code: 'conflict', status: 409 } })
    const other = await open({ limits: { maxHourlySpend: 1_000_000_000n } })
    await other.rent(input)
    expect(await other.rent(input)).toMatchObject({ error: { code: 'insufficient_credits', status: 402 } })
  })
})

describe.each(['sqlite', 'postgres'] as const)('a cold model on %s', (dialect) => {
  const request = { modelId: 'cold-model', accountId: 'acc_a' }

  it('is deployed once, however many ask, and wakes those who wait', async () => {
    const { compute, ask, cloud, ledger } = await open({ dialect })
    const { deployments, live } = compute
    expect(live.stateOf('cold-model').state).toBe('none')
    expect(await deployments.ensure({ ...request, modelId: 'other' })).toEqual({ kind: 'not_deployable' })
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => deployments.ensure({ ...request, accountId: n % 2 ? 'acc_a' : 'acc_b' })),
    )
    const started = answers.filter((answer) => answer.kind === 'deploying' && !answer.alreadyQueued)
    expect(started).toHaveLength(1)
    expect(started[0]).toMatchObject({
      status: 'deploying',
      type: 'model_deploying',
      model: 'cold-model',
      estimatedReadySeconds: 120,
      deploymentStatus: 'requested',
      deploymentProvider: 'gp90',
      retryAfterSeconds: 120,
    })
    expect(ledger.holds.size).toBe(1)
    expect(await deployments.waitUntilReady('cold-model', 5_000, new AbortController().signal)).toBe('ready')
    expect(await deployments.ensure(request)).toEqual({ kind: 'ready' })
    expect(live.stateOf('cold-model')).toMatchObject({ state: 'running', estimatedCostPerHour: 720_000_000n })
    const entities =
      'query($r: [_Any!]!) { _entities(representations: $r) { ... on Model { session { status gpuModel pricePerHour } } } }'
    const { _entities } = await ask(entities, {
      r: [
        { __typename: 'Model', id: 'cold-model' },
        { __typename: 'Model', id: 'none' },
      ],
    })
    expect(_entities).toEqual([{ session: { status: 'RUNNING', gpuModel: 'L4', pricePerHour: '0.72' } }, { session: null }])
    expect(cloud.calls.create).toBe(1)
  })

  it('answers 402 with the live balance and stays cold when it is not covered', async () => {
    const { compute } = await open({ dialect, balance: 50_000_000n })
    await expect(compute.deployments.ensure(request)).rejects.toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining('$0.05'),
    })
    expect(await compute.deployments.state('cold-model')).toMatchObject({
      availability: 'cold',
      estimatedDeploySeconds: 120,
      estimatedCostPerHour: 720_000_000n,
    })
  })

  it('tells those who wait when it cannot be had', async () => {
    const { compute, cloud, ledger } = await open({ dialect })
    cloud.faults.create.push('invalid')
    await compute.deployments.ensure(request)
    expect(await compute.deployments.waitUntilReady('cold-model', 5_000, new AbortController().signal)).toBe('failed')
    await until(
      async () => ledger.held('acc_a'),
      (held) => held === 0n,
    )
  })
})

describe('two gateways on one Postgres', () => {
  it('start one session between them, and both can route to it', async () => {
    const { compute, gateway, cloud, ledger } = await open({ dialect: 'postgres' })
    const other = (await gateway()).compute
    const request = { modelId: 'cold-model', accountId: 'acc_a' }
    await Promise.all([compute, other, compute, other].map(({ deployments }) => deployments.ensure(request)))
    const waits = [compute, other].map(({ deployments }) =>
      deployments.waitUntilReady('cold-model', 5_000, new AbortController().signal),
    )
    expect(await Promise.all(waits)).toEqual(['ready', 'ready'])
    expect(cloud.calls.create).toBe(1)
    expect(ledger.holds.size).toBe(1)
    expect([compute, other].map(({ live }) => live.stateOf('cold-model').state)).toEqual(['running', 'running'])
  })
})
