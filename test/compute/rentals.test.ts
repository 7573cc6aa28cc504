/** A rental through the graph: from the request to its end, on both databases, and what its subscriber is told. */
import { createSourceEventStream, execute, parse, type ExecutionResult } from 'graphql'
import { describe, expect, it } from 'vitest'
import { parseUsd } from '#platform/money.js'
import { answerOf, as, openCompute, RENTAL, SSH_KEY, until } from './kit/compute-graph.js'

/** Of the GPU that is rented here, in nano-USD. */
const PER_SECOND = 200_000n

describe.each(['sqlite', 'postgres'] as const)('a rental on %s', (dialect) => {
  it('is held for, provisioned, run, billed and terminated', async () => {
    const { rent, rental, ask, ledger, cloud, endpoints, clock } = await openCompute({ dialect })
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
    expect(ended).toMatchObject({ status: 'TERMINATED', terminationReason: 'USER', hold: '0.00', endpoint: null })
    // A second is skipped; how many more go by is the machine's.
    const cost = parseUsd(ended.cost)
    expect(cost).toBeGreaterThanOrEqual(PER_SECOND)
    expect(cost % PER_SECOND).toBe(0n)
    expect(ledger.held('acc_a')).toBe(0n)
    expect(ledger.balances.get('acc_a')).toBe(10_000_000_000n - cost)
    expect(
      (await ask(`mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { cost } } }`, { id: rented.id }))
        .terminateRental.rental,
    ).toEqual({ cost: ended.cost })
    await until(
      () => rental(rented.id),
      ({ phase }) => phase === 'TERMINATED',
    )
    expect(cloud.existing()).toEqual([])
    expect(endpoints.size).toBe(0)
  })

  it('costs nothing when it is terminated before it runs', async () => {
    const { rent, rental, ask, ledger, cloud } = await openCompute({ dialect })
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
    const { rent, rental, ask } = await openCompute({ dialect })
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
    const { rent, ask } = await openCompute({ dialect })
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
    const { rent, ask, schema } = await openCompute({ dialect })
    const { rental: rented } = (await rent({ gpuModel: 'L4', modelId: 'cold-model' })).rentGpu
    const document = parse('subscription($id: ID!) { rentalStatus(id: $id, after: 0) { status phase sequence } }')
    const variableValues = { id: rented.id }
    const contextValue = as('acc_a')
    const source = (await createSourceEventStream({ schema, document, variableValues, contextValue })) as AsyncIterable<unknown>
    const seen: string[] = []
    const phases: string[] = []
    const sequences: number[] = []
    for await (const rootValue of source) {
      const { rentalStatus } = answerOf(await execute({ schema, document, variableValues, contextValue, rootValue }))
      if (phases.at(-1) !== rentalStatus.phase) phases.push(rentalStatus.phase)
      if (rentalStatus.sequence !== null) sequences.push(rentalStatus.sequence)
      if (seen.at(-1) !== rentalStatus.status) seen.push(rentalStatus.status)
      if (rentalStatus.status === 'RUNNING')
        await ask('mutation($id: ID!) { terminateRental(input: { id: $id }) { rental { id } } }', { id: rented.id })
    }
    expect(seen).toEqual(['PROVISIONING', 'RUNNING', 'TERMINATED'])
    expect(phases.slice(-3)).toEqual(['RUNNING', 'STOPPING', 'TERMINATED'])
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(sequences.length).toBeGreaterThan(3)
    const denied = await createSourceEventStream({ schema, document, variableValues, contextValue: as('acc_b') })
    expect(answerOf(denied as ExecutionResult)).toMatchObject({ error: { code: 'rental_not_found' } })
  })
})
