/** What a scrape is told of webhooks. */
import { afterEach, expect, it } from 'vitest'
import { webhooksKit, type WebhooksKit } from './webhooks-kit.js'

const opened: WebhooksKit[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

it.each(['sqlite', 'postgres'] as const)('attempts by outcome, and what waits and was given up, on %s', async (dialect) => {
  const kit = await webhooksKit(dialect)
  opened.push(kit)
  await kit.register()
  const figures = async () => {
    const lines = (await kit.registry.metrics()).split('\n').filter((line) => line.startsWith('sluice_webhook_'))
    return Object.fromEntries(
      lines.map((line) => line.split(' ') as [string, string]).map(([name, value]) => [name, Number(value)]),
    )
  }
  const told = (taken: number, refused: number, unanswered: number, pending: number, dead: number, seconds: number) => ({
    'sluice_webhook_attempts_total{outcome="taken"}': taken,
    'sluice_webhook_attempts_total{outcome="refused"}': refused,
    'sluice_webhook_attempts_total{outcome="unanswered"}': unanswered,
    'sluice_webhook_messages{state="pending"}': pending,
    'sluice_webhook_messages{state="dead"}': dead,
    sluice_webhook_oldest_waiting_seconds: seconds,
  })
  expect(await figures()).toEqual(told(0, 0, 0, 0, 0, 0))
  await kit.webhooks.start()
  await kit.say('rent_1', 1)
  await kit.receiver.took(1)
  await kit.settled()
  expect(await figures()).toEqual(told(1, 0, 0, 0, 0, 0))
  kit.receiver.answer = () => 500
  await kit.say('rent_1', 2)
  await kit.receiver.tried(2)
  await kit.settled()
  await kit.clock.advance(4_000)
  expect(await figures()).toEqual(told(1, 1, 0, 1, 0, 4))
  kit.receiver.answer = () => (response) => void response.destroy()
  await kit.clock.advance(1_000)
  await kit.receiver.tried(3)
  await kit.settled()
  expect(await figures()).toEqual(told(1, 1, 1, 1, 0, 5))
  kit.receiver.answer = () => 410
  await kit.clock.advance(15_000)
  await kit.receiver.tried(4)
  await expect.poll(figures).toEqual(told(1, 2, 1, 0, 1, 0))
})
