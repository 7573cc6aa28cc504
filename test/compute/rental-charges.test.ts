/** What rentals and model sessions cost, in the real ledger. */
import { describe, expect, it } from 'vitest'
import { parseUsd } from '#platform/money.js'
import { as, openCompute, until } from './kit/compute-graph.js'

describe.each(['sqlite', 'postgres'] as const)('a rental with the real ledger on %s', (dialect) => {
  it('is charged to the nano-dollar and leaves the books in order', async () => {
    const { rent, rental, ask, realLedger, clock } = await openCompute({ dialect, isRealLedger: true })
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
    const { compute, rent, rental, ask, realLedger, clock } = await openCompute({ dialect, isRealLedger: true })
    const ledger = realLedger!
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: 'acc_a', cap: 200_000_000n })
    const capped = as('acc_a', {}, ['gpu'], { budgetIds: ['bdg_1'] })
    const budget = async () => (await ledger.readBudgets(['bdg_1'])).get('bdg_1')!
    const input = { gpuModel: 'L4', modelId: 'cold-model' }
    const { rental: rented } = (await rent(input, capped)).rentGpu
    expect(await budget()).toMatchObject({ held: 120_000_000n, available: 80_000_000n })
    const { error } = await rent(input, capped)
    expect(error).toMatchObject({ code: 'insufficient_credits', status: 402 })
    expect(error.message).toContain('monthly cap is $0.20, of which $0.00 is spent and $0.12 is set aside')
    expect(error.message).toContain('needs a hold of $0.12')
    const model = { modelId: 'cold-model', accountId: 'acc_a' }
    await expect(compute.deployments.ensure({ ...model, budgetIds: ['bdg_1'] })).rejects.toMatchObject({
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
    await compute.deployments.ensure({ ...model, budgetIds: ['bdg_1'] })
    expect(await budget()).toMatchObject({ held: 120_000_000n })
    expect((await ledger.checkInvariants()).violations).toEqual([])
  })

  it('for a model that starts again after an interruption comes out of the same cap', async () => {
    const { compute, ask, cloud, realLedger } = await openCompute({ dialect, isRealLedger: true })
    const ledger = realLedger!
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: 'acc_a', cap: 1_000_000_000n })
    await compute.deployments.ensure({ modelId: 'cold-model', accountId: 'acc_a', budgetIds: ['bdg_1'] })
    const entities = 'query($r: [_Any!]!) { _entities(representations: $r) { ... on Model { session { id status } } } }'
    const session = async () => {
      const { _entities } = await ask(entities, { r: [{ __typename: 'Model', id: 'cold-model' }] })
      return (_entities as { session: { id: string; status: string } | null }[])[0]!.session
    }
    const first = (await until(session, (live) => live?.status === 'RUNNING'))!
    cloud.interrupt(cloud.existing()[0]!, true)
    const second = (await until(session, (live) => live !== null && live.id !== first.id))!
    const ids = [first.id, second.id]
    const holds = await until(
      () => ledger.readHolds(ids),
      (found) => found.size === 2,
    )
    expect(ids.map((id) => holds.get(id)?.budgetIds)).toEqual([['bdg_1'], ['bdg_1']])
  })
})
