/** A model that nobody runs is deployed once, by one gateway or two, and wakes those who wait. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openCompute, until } from './kit/compute-graph.js'

describe.each(['sqlite', 'postgres'] as const)('a cold model on %s', (dialect) => {
  const request = { modelId: 'cold-model', accountId: 'acc_a' }

  it('is deployed once, however many ask, and wakes those who wait', async () => {
    const { compute, ask, cloud, ledger } = await openCompute({ dialect })
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
    const { compute } = await openCompute({ dialect, balance: 50_000_000n })
    await expect(compute.deployments.ensure(request)).rejects.toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining('$0.05'),
    })
    expect(compute.live.stateOf('cold-model').state).toBe('none')
  })

  it('tells those who wait when it cannot be had', async () => {
    const { compute, cloud, ledger } = await openCompute({ dialect })
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
    const { compute, gateway, cloud, ledger } = await openCompute({ dialect: 'postgres' })
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

  it('call a model ready only where it can be routed to, whoever has put it up and whatever news got lost', async () => {
    const { compute, gateway, database } = await openCompute({ dialect: 'postgres' })
    const other = (await gateway()).compute
    const request = { modelId: 'cold-model', accountId: 'acc_a' }
    await compute.deployments.ensure(request)
    expect(await compute.deployments.waitUntilReady('cold-model', 5_000, new AbortController().signal)).toBe('ready')
    // As it was before, for whoever has not heard of the last change.
    await sql`update gpu_session set phase = 'loading'`.execute(database.kysely)
    await other.live.refresh()
    expect(other.live.stateOf('cold-model').state).toBe('deploying')
    await sql`update gpu_session set phase = 'running'`.execute(database.kysely)
    expect(await other.deployments.ensure(request)).toEqual({ kind: 'ready' })
    expect(other.live.stateOf('cold-model').state).toBe('running')
  })
})
