import { describe, expect, it } from 'vitest'
import { eventEntities } from '#platform/events/notice-marks.js'
import { pricingEntities } from '../../subgraphs/pricing/index.js'
import { model } from '../catalog/fixture.js'
import { testDatabase } from '../kit/database.js'
import { HealthEntity } from '../../subgraphs/pricing/health/health-row.js'
import { createHealthStore } from '../../subgraphs/pricing/health/health-store.js'
import { ManualClock } from '../kit/manual-clock.js'
import { FakeTraffic, NO_TRAFFIC, startPricing } from './fixture.js'

const models = [
  model({
    id: 'm',
    deployments: [{ provider: 'hp-1', model_id: 'm', input_price_per_million: '1', output_price_per_million: '1' }],
  }),
]
const QUERY = '{ prices { health { status latencyP50Ms latencyP95Ms tokensPerSecond } } }'
const measured = (latencyP50Ms: number, samples: number) => ({
  ...NO_TRAFFIC,
  deploymentId: 'm@hp-1',
  status: 'degraded' as const,
  latencyP50Ms,
  latencyP95Ms: 900,
  tokensPerSecond: 33.3,
  errorRate: 0.125,
  samples,
})

describe.each(['sqlite', 'postgres'] as const)('the health of deployments on %s', (dialect) => {
  it('is remembered over a restart', async () => {
    await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
    {
      await using first = await startPricing({ database, catalog: { models } })
      first.traffic.load([measured(250, 12)])
    }
    await using second = await startPricing({ database, catalog: { models } })
    expect(await second.ask('pricing', QUERY)).toEqual({
      prices: [{ health: { status: 'DEGRADED', latencyP50Ms: 250, latencyP95Ms: 900, tokensPerSecond: 33.3 } }],
    })
    expect(second.traffic.of('m@hp-1')).toEqual(measured(250, 12))
  })

  it('reaches the other process of one database, and who measured last wins', async () => {
    await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
    const clock = new ManualClock()
    const [one, two] = [new FakeTraffic(), new FakeTraffic()]
    const [first, second] = [createHealthStore(database, one, clock), createHealthStore(database, two, clock)]
    one.load([measured(100, 5)])
    await first.exchange()
    await second.exchange()
    expect(two.of('m@hp-1')).toEqual(measured(100, 5))
    two.load([measured(200, 9)])
    await first.exchange()
    expect(one.of('m@hp-1')).toEqual(measured(100, 5))
    await second.exchange()
    await first.exchange()
    expect(one.of('m@hp-1')).toEqual(measured(200, 9))
  })

  it('is written only by the process that measured it', async () => {
    await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
    const clock = new ManualClock()
    const [one, two] = [new FakeTraffic(), new FakeTraffic()]
    const [first, second] = [createHealthStore(database, one, clock), createHealthStore(database, two, clock)]
    one.load([measured(100, 5)])
    await first.exchange()
    const writtenAt = async () => (await database.fork().findOneOrFail(HealthEntity, 'm@hp-1')).measuredAt
    const before = await writtenAt()
    await clock.advance(60_000)
    await second.exchange()
    await first.exchange()
    await second.exchange()
    expect(await writtenAt()).toBe(before)
  })

  it('is forgotten after a week without a measurement', async () => {
    await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
    const clock = new ManualClock()
    {
      await using first = await startPricing({ database, clock, catalog: { models } })
      first.traffic.load([measured(250, 12)])
    }
    await clock.advance(8 * 24 * 3_600_000)
    await using second = await startPricing({ database, clock, catalog: { models } })
    expect(second.traffic.of('m@hp-1').latencyP50Ms).toBeNull()
  })
})
