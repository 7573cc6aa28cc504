/** Webhooks: every notice reaches its receivers, signed, at least once and in the order of its subject, or is a dead letter. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Dialect } from '#platform/database/database.js'
import { createIntake } from '../../../subgraphs/accounts/webhooks/delivery/intake.js'
import { createWebhookStore } from '../../../subgraphs/accounts/webhooks/webhook-store.js'
import type { WebhookOptions } from '../../../subgraphs/accounts/webhooks/webhooks.js'
import { DAY, HOUR, webhooksKit, type WebhooksKit } from './webhooks-kit.js'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

async function kitOn(dialect: Dialect, options?: Partial<WebhookOptions>): Promise<WebhooksKit> {
  const kit = await webhooksKit(dialect, options)
  opened.push(kit)
  return kit
}

const numbers = (messages: readonly { data: object }[]) => messages.map(({ data }) => (data as { n: number }).n)

/** Moves the clock from one attempt that is due to the next, each when the one before it is done, until this has happened. */
async function passes({ clock, settled, queue }: WebhooksKit, isReached: () => Promise<boolean> | boolean): Promise<void> {
  for (let steps = 0; ; steps++) {
    await settled()
    if (await isReached()) return
    expect(steps).toBeLessThan(200)
    await clock.advance(Math.min(...(await queue.nextDue()).values()) - clock.now())
  }
}

describe.each(['sqlite', 'postgres'] as const)('webhooks on %s', (dialect) => {
  it('send what happens, signed so that the library of receivers takes it', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    const [message] = await kit.receiver.took(1)
    expect(message).toEqual({
      id: expect.stringMatching(/^msg_/) as string,
      type: 'rental.running',
      timestamp: new Date(kit.clock.now()).toISOString(),
      data: { rentalId: 'rent_1', n: 1 },
    })
    await vi.waitFor(async () =>
      expect(await kit.list(id)).toMatchObject([{ id: message!.id, state: 'delivered', attempts: 1, answered: 204 }]),
    )
    expect(kit.receiver.forged).toEqual([])
  })

  it('send a webhook what it asked for, and nothing from before it was there', async () => {
    const kit = await kitOn(dialect)
    await kit.say('rent_1', 1, 'rental.terminated')
    await kit.register(['balance.low', 'rental.terminated'])
    await kit.webhooks.start()
    await kit.say('rent_1', 2)
    await kit.say('rent_1', 3, 'rental.terminated')
    await kit.say('acc_1', 4, 'balance.low')
    await kit.receiver.took(2)
    await kit.say('acc_1', 5, 'balance.low')
    await kit.receiver.took(3)
    expect(numbers(kit.receiver.attempts).toSorted((a, b) => a - b)).toEqual([3, 4, 5])
  })

  it('hold back what follows about a subject until the first is taken, and nothing about others', async () => {
    const kit = await kitOn(dialect)
    await kit.register()
    kit.receiver.answer = ({ data }) => (data['n'] === 1 && kit.receiver.attempts.length < 8 ? 500 : 204)
    await kit.webhooks.start()
    for (const n of [1, 2, 3]) await kit.say('rent_1', n)
    for (const n of [4, 5]) await kit.say('rent_2', n)
    await kit.receiver.took(2)
    expect(numbers(kit.receiver.taken)).toEqual([4, 5])
    await passes(kit, () => kit.receiver.taken.length === 5)
    expect(numbers(kit.receiver.taken)).toEqual([4, 5, 1, 2, 3])
    const first = kit.receiver.attempts.filter(({ data }) => data['n'] === 1)
    expect(first.length).toBeGreaterThan(1)
    expect(new Set(first.map(({ id }) => id)).size).toBe(1)
  })

  it('try again after seconds at first and hours in the end, for three days, and then keep a dead letter', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    kit.receiver.answer = () => 503
    const begun = kit.clock.now()
    const triedAt: number[] = []
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    for (let tries = 1; ; tries++) {
      await kit.receiver.tried(tries)
      triedAt.push((kit.clock.now() - begun) / 1000)
      await kit.settled()
      const [delivery] = await kit.list(id)
      if (delivery!.state === 'dead') break
      // Nothing is sent a moment before it is due.
      await kit.clock.advance(delivery!.dueAt - kit.clock.now() - 1)
      expect(kit.receiver.attempts).toHaveLength(tries)
      await kit.clock.advance(1)
    }
    expect(triedAt.slice(0, 9)).toEqual([0, 5, 20, 65, 200, 605, 1820, 5465, 16_400])
    expect(triedAt.at(-1)).toBeGreaterThanOrEqual(3 * 86_400)
    expect(triedAt.at(-1)).toBeLessThan(3 * 86_400 + 8 * 3_600)
    expect(new Set(kit.receiver.attempts.map((message) => message.id)).size).toBe(1)
    expect(await kit.list(id, 'dead')).toMatchObject([{ answered: 503, failure: 'the receiver answered 503' }])
    expect(kit.logged.join('')).toContain('a webhook message was given up')
  })

  it('go on with the next about a subject once one is dead, and send dead letters again when somebody asks', async () => {
    const kit = await kitOn(dialect, { retryMs: HOUR })
    const id = await kit.register()
    kit.receiver.answer = ({ data }) => (data['n'] === 1 ? 500 : 204)
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    await kit.say('rent_1', 2)
    await passes(kit, () => kit.receiver.taken.length > 0)
    expect(numbers(kit.receiver.taken)).toEqual([2])
    const [dead] = await kit.list(id, 'dead')
    expect(dead!.data).toEqual({ rentalId: 'rent_1', n: 1 })
    kit.receiver.answer = () => 204
    expect(await kit.webhooks.replay(id, null)).toBe(1)
    await kit.receiver.took(2)
    expect(kit.receiver.taken[1]!.id).toBe(dead!.id)
    await kit.settled()
    expect(await kit.list(id, 'dead')).toEqual([])
    // A message that was delivered is sent again when it is named.
    expect(await kit.webhooks.replay(id, [dead!.id, 'msg_of_nobody'])).toBe(1)
    await kit.receiver.took(3)
    expect(kit.receiver.taken[2]!.id).toBe(dead!.id)
  })

  it('are turned off by a receiver that answers 410, and keep what waited as dead letters', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    kit.receiver.answer = () => 410
    await kit.say('rent_1', 1)
    await kit.say('rent_1', 2)
    await kit.webhooks.start()
    await vi.waitFor(async () => expect((await kit.webhooks.find(id))?.offBecause).toBe('gone'))
    await kit.say('rent_1', 3)
    await kit.clock.advance(HOUR)
    await kit.settled()
    expect(await kit.list(id, 'dead')).toHaveLength(2)
    expect(numbers(kit.receiver.attempts)).toEqual([1])
    await expect(kit.webhooks.replay(id, null)).rejects.toMatchObject({ code: 'conflict' })
    kit.receiver.answer = () => 204
    await kit.webhooks.setOn(id, true)
    await kit.webhooks.replay(id, null)
    await kit.receiver.took(2)
    // What happened while it was off is not made up for.
    expect(numbers(kit.receiver.taken)).toEqual([1, 2])
  })

  it('lose nothing when the program stops in the middle of an attempt and starts again', async () => {
    const kit = await kitOn(dialect)
    await kit.register()
    // Neither of the first two is ever answered.
    kit.receiver.answer = () => () => undefined
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    await kit.say('rent_2', 2)
    await kit.receiver.tried(2)
    await kit.webhooks.stop()
    await kit.say('rent_1', 3)
    kit.receiver.answer = () => 204
    await kit.another().start()
    await kit.receiver.took(3)
    expect(numbers(kit.receiver.taken).filter((n) => n !== 2)).toEqual([1, 3])
  })

  it('lose nothing when the program dies in the middle of an attempt: its lease runs out', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    await kit.say('rent_1', 1)
    // As a process leaves it that died before it could write what came of its attempt.
    await createIntake(kit.outbox, kit.queue, createWebhookStore(kit.database), () => kit.clock.now())()
    expect(await kit.queue.claim(id, 'of the dead', kit.clock.now(), 4)).toHaveLength(1)
    await kit.webhooks.start()
    await kit.clock.advance(121_000)
    await kit.receiver.took(1)
    expect(numbers(kit.receiver.taken)).toEqual([1])
  })

  it('are read off the outbox by one process at a time: who was overtaken stores nothing', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    await kit.say('rent_1', 1)
    const store = createWebhookStore(kit.database)
    await createIntake(kit.outbox, kit.queue, store, () => kit.clock.now())()
    const [made] = await kit.list(id)
    const late = { ...made!, id: 'msg_late', sequence: made!.sequence + 1 }
    expect(await kit.queue.advance(0, made!.sequence + 1, [late])).toBe(false)
    expect(await kit.queue.readUpTo()).toBe(made!.sequence)
    expect(await kit.list(id)).toHaveLength(1)
  })

  it('keep an outbox from forgetting what they have not read, however old it is', async () => {
    const kit = await kitOn(dialect)
    await kit.register()
    await kit.say('rent_1', 1)
    await kit.clock.advance(8 * DAY)
    expect(await kit.outbox.prune(7 * DAY, await kit.webhooks.unread())).toBe(0)
    await kit.webhooks.start()
    await kit.receiver.took(1)
    expect(await kit.outbox.prune(7 * DAY, await kit.webhooks.unread())).toBe(1)
  })

  it('forget what ended long ago, and never what waits', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    kit.receiver.answer = ({ data }) => (data['n'] === 1 ? 204 : 500)
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    await kit.receiver.took(1)
    await vi.waitFor(async () => expect(await kit.list(id, 'delivered')).toHaveLength(1))
    await kit.webhooks.stop()
    const later = kit.another({ retryMs: 90 * DAY })
    await later.start()
    await kit.say('rent_1', 2)
    await kit.receiver.tried(2)
    await kit.clock.advance(31 * DAY)
    await later.prune()
    expect(numbers(await kit.list(id))).toEqual([2])
  })

  it('are removed with everything that was sent to them', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    await kit.receiver.took(1)
    await kit.webhooks.remove(id)
    expect(await kit.webhooks.find(id)).toBeNull()
    expect(await kit.list(id)).toEqual([])
    await expect(kit.webhooks.remove(id)).rejects.toMatchObject({ code: 'not_found', param: 'id' })
  })

  it('sign with the old secret and the new one for a while, then with the new one alone', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    await kit.webhooks.start()
    const before = kit.receiver.secret
    const { secret, webhook } = await kit.webhooks.rotateSecret(id, 3_600)
    expect(webhook.earlierSecretUntil).toBe(kit.clock.now() + HOUR)
    const takesWith = async (known: string) => {
      kit.receiver.secret = known
      return (await kit.webhooks.test(id)).failure === null
    }
    expect([await takesWith(before), await takesWith(secret)]).toEqual([true, true])
    await kit.clock.advance(HOUR - 1)
    expect([await takesWith(before), await takesWith(secret)]).toEqual([true, true])
    await kit.clock.advance(1)
    expect([await takesWith(before), await takesWith(secret)]).toEqual([false, true])
    // One that leaked is to end at once.
    const { secret: third } = await kit.webhooks.rotateSecret(id, 0)
    expect([await takesWith(secret), await takesWith(third)]).toEqual([false, true])
    for (const grace of [-1, 30 * 86_400 + 1]) {
      await expect(kit.webhooks.rotateSecret(id, grace)).rejects.toMatchObject({ param: 'graceSeconds' })
    }
    await expect(kit.webhooks.rotateSecret('whk_none', null)).rejects.toMatchObject({ code: 'not_found', param: 'id' })
  })

  it('change their secret for one of those who do it at once: the others are told, and none is lost', async () => {
    const kit = await kitOn(dialect)
    const id = await kit.register()
    const before = kit.receiver.secret
    const made = await Promise.allSettled([1, 2, 3].map(() => kit.another().rotateSecret(id, null)))
    const given = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []))
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []))
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(refused.length === 0 ? [] : ['conflict']))
    const now = await kit.webhooks.find(id)
    expect(given).toContain(now!.secret)
    // Each took the place of the one before it: none was overwritten unseen.
    expect(given.length === 1 ? [before] : given).toContain(now!.earlierSecret)
  })

  it('never show their secret in the log, nor the address', async () => {
    const kit = await kitOn(dialect, { retryMs: 1 })
    await kit.register()
    kit.receiver.answer = () => 500
    await kit.webhooks.start()
    await kit.say('rent_1', 1)
    await passes(kit, () => kit.logged.join('').includes('given up'))
    expect(kit.logged.join('')).not.toContain(kit.receiver.secret)
    expect(kit.logged.join('')).not.toContain(new URL(kit.receiver.url).host)
  })
})

it('two processes on PostgreSQL send every message once and in order, however they race', async () => {
  const kit = await kitOn('postgres')
  const id = await kit.register()
  const other = kit.another()
  await kit.webhooks.start()
  await other.start()
  const subjects = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const count = 160
  for (let n = 0; n < count; n++) await kit.say(subjects[n % subjects.length]!, n)
  await passes(kit, () => kit.receiver.taken.length >= count)
  expect(numbers(kit.receiver.taken).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
  for (const subject of subjects) {
    const its = numbers(kit.receiver.taken.filter(({ data }) => data['rentalId'] === subject))
    expect(its).toEqual(its.toSorted((a, b) => a - b))
  }
  expect(kit.receiver.forged).toEqual([])
  expect(await kit.list(id, 'pending')).toEqual([])
})
