/** Responses that callers ask to keep, on both databases: whose they are, how long they stay, and what a conversation is. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#platform/clock.js'
import { createStoredResponses, inferenceEntities, type StoredResponses } from '../../../subgraphs/inference/index.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'

let cleanUp: AsyncDisposable | null = null
afterEach(async () => {
  await cleanUp?.[Symbol.asyncDispose]()
  cleanUp = null
})

describe.each(['sqlite', 'postgres'] as const)('stored responses on %s', (dialect) => {
  const clock = new ManualClock()
  async function open(limits: { keepDays?: number; conversationSize?: number; accountSize?: number } = {}) {
    const database = await testDatabase(dialect, inferenceEntities)
    cleanUp = database
    return createStoredResponses(database, clock, { keepDays: 30, conversationSize: 10_000, accountSize: 100_000, ...limits })
  }
  const keep = (stored: StoredResponses, id: string, more: { accountId?: string; previousId?: string; text?: string } = {}) => {
    const { accountId = 'acc_1', previousId = null, text = 'Hi' } = more
    return stored.keep({
      id,
      accountId,
      previousId,
      response: { id, output: [{ id: `msg_${id}` }] },
      items: [{ type: 'message', text }],
    })
  }
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  it('are given back as they were, to their account alone', async () => {
    const stored = await open()
    await keep(stored, 'resp_1')
    expect(await stored.find('resp_1', 'acc_1')).toMatchObject({
      id: 'resp_1',
      previousId: null,
      response: { id: 'resp_1', output: [{ id: 'msg_resp_1' }] },
      items: [{ type: 'message', text: 'Hi' }],
    })
    expect(await stored.find('resp_1', 'acc_2')).toBeNull()
    await expect(stored.conversation('resp_1', 'acc_2')).rejects.toMatchObject({ code: 'not_found' })
    await expect(keep(stored, 'resp_2', { accountId: 'acc_2', previousId: 'resp_1' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await stored.remove('resp_1', 'acc_2')).toBe(false)
    expect(ids(await stored.findMany(['resp_1', 'none'], 'acc_1'))).toEqual(['resp_1'])
    for (const accountId of ['acc_1', 'acc_2']) {
      await expect(keep(stored, 'resp_1', { accountId, text: 'Other' })).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await stored.find('resp_1', 'acc_1')).toMatchObject({ items: [{ text: 'Hi' }] })
  })

  it('are a conversation along the way back to the first, whatever else branches off', async () => {
    const stored = await open()
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), async (picks) => {
        const paths: string[][] = []
        for (const pick of picks) {
          const id = `resp_${count++}`
          const before = paths.length === 0 || pick % 5 === 0 ? null : paths[pick % paths.length]!
          await keep(stored, id, before ? { previousId: before.at(-1)! } : {})
          paths.push([...(before ?? []), id])
        }
        for (const path of paths) expect(ids(await stored.conversation(path.at(-1)!, 'acc_1'))).toEqual(path)
      }),
      { numRuns: 10 },
    )
  })

  it('cannot be gone on from where one of them is gone', async () => {
    const stored = await open()
    await keep(stored, 'resp_1')
    await keep(stored, 'resp_2', { previousId: 'resp_1' })
    expect(await stored.remove('resp_1', 'acc_1')).toBe(true)
    expect(await stored.remove('resp_1', 'acc_1')).toBe(false)
    await expect(stored.conversation('resp_2', 'acc_1')).rejects.toMatchObject({ code: 'not_found' })
    expect(await stored.find('resp_2', 'acc_1')).not.toBeNull()
  })

  it('go after their days, at once for who asks and then from the table', async () => {
    const stored = await open()
    await keep(stored, 'resp_1')
    await clock.advance(29 * DAY_MS)
    await keep(stored, 'resp_2')
    expect(await stored.prune()).toBe(0)
    await clock.advance(DAY_MS)
    expect(await stored.find('resp_1', 'acc_1')).toBeNull()
    expect(await stored.prune()).toBe(1)
    expect(await stored.find('resp_2', 'acc_1')).not.toBeNull()
  })

  it('are bounded: a large one is refused, a long conversation is not gone on with, and the oldest of an account give way', async () => {
    const stored = await open({ conversationSize: 1_000, accountSize: 1_600 })
    const text = 'x'.repeat(400)
    await expect(keep(stored, 'resp_0', { text: 'x'.repeat(1_000) })).rejects.toMatchObject({ code: 'invalid_request_error' })
    await keep(stored, 'resp_1', { text, accountId: 'acc_2' })
    for (const [id, previousId] of [['resp_2'], ['resp_3', 'resp_2'], ['resp_4', 'resp_3']] as const) {
      await clock.advance(1)
      await keep(stored, id, { text, ...(previousId !== undefined && { previousId }) })
    }
    expect(ids(await stored.conversation('resp_3', 'acc_1'))).toEqual(['resp_2', 'resp_3'])
    await expect(stored.conversation('resp_4', 'acc_1')).rejects.toMatchObject({ param: 'previous_response_id' })
    await clock.advance(1)
    await keep(stored, 'resp_5', { text })
    expect(ids(await stored.findMany(['resp_2', 'resp_3', 'resp_4', 'resp_5'], 'acc_1')).toSorted()).toEqual([
      'resp_3',
      'resp_4',
      'resp_5',
    ])
    expect(await stored.find('resp_1', 'acc_2')).not.toBeNull()
  })
})
