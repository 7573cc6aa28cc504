/** Operators hear of a provider that answers no more, and when it answers again. */
import { describe, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createNoticeMarks, eventEntities } from '#platform/events/notice-marks.js'
import { NOTICE_TOPIC } from '#platform/events/notices.js'
import { createOutbox } from '#platform/events/outbox.js'
import { createProviderNotices } from '../../subgraphs/pricing/health/provider-notices.js'
import type { PricedDeployment } from '../../subgraphs/pricing/ports.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'
import { FakeTraffic, NO_TRAFFIC } from './fixture.js'

const clock = new ManualClock()
const deployment = (id: string, providerId: string) => ({ id, providerId }) as PricedDeployment
const deployments = [deployment('a@p1', 'p1'), deployment('b@p1', 'p1'), deployment('a@p2', 'p2')]

function watch(database: Database, traffic: FakeTraffic) {
  const outbox = createOutbox({ database, events: createInProcessEvents(), clock })
  const look = createProviderNotices(createNoticeMarks({ database, outbox, clock }), { deployments: () => deployments }, traffic)
  const told = async () =>
    (await outbox.read({ topic: NOTICE_TOPIC, afterSequence: 0 })).map(
      ({ payload, subject }) => `${String(payload['type'])} ${subject}`,
    )
  return { look, told }
}

const answers = (traffic: FakeTraffic, id: string) => {
  traffic.openCircuits.delete(id)
  traffic.figures.set(id, { ...NO_TRAFFIC, deploymentId: id, samples: 5 })
}
const fails = (traffic: FakeTraffic, id: string) => {
  traffic.openCircuits.set(id, clock.now() + 1_000)
  traffic.figures.set(id, { ...NO_TRAFFIC, deploymentId: id, samples: 5, status: 'down', errorRate: 1 })
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  it('a provider is down when nothing of it answers, and up when something does', async () => {
    await using database = await testDatabase(dialect, eventEntities)
    const traffic = new FakeTraffic()
    const { look, told } = watch(database, traffic)
    answers(traffic, 'a@p1')
    answers(traffic, 'a@p2')
    await look()
    fails(traffic, 'b@p1')
    await look()
    expect(await told()).toEqual([])
    fails(traffic, 'a@p1')
    await look()
    await look()
    expect(await told()).toEqual(['provider.down p1'])
    answers(traffic, 'b@p1')
    await look()
    expect(await told()).toEqual(['provider.down p1', 'provider.up p1'])
  })

  it('a provider that is asked nothing is no news, and neither is one whose pause is over', async () => {
    await using database = await testDatabase(dialect, eventEntities)
    const traffic = new FakeTraffic()
    const { look, told } = watch(database, traffic)
    fails(traffic, 'a@p2')
    await look()
    traffic.figures.clear()
    await look()
    // The pause is over and nobody has tried.
    traffic.figures.set('a@p2', { ...NO_TRAFFIC, deploymentId: 'a@p2', samples: 1, status: 'degraded' })
    await look()
    expect(await told()).toEqual(['provider.down p2'])
  })

  it('the next process goes on from what was told', async () => {
    await using database = await testDatabase(dialect, eventEntities)
    const traffic = new FakeTraffic()
    fails(traffic, 'a@p2')
    await watch(database, traffic).look()
    const { look, told } = watch(database, traffic)
    await look()
    expect(await told()).toEqual(['provider.down p2'])
    answers(traffic, 'a@p2')
    await look()
    expect(await told()).toEqual(['provider.down p2', 'provider.up p2'])
  })
})
