/** Refused requests: kept for some days, a bounded number of them, whatever their callers wrote. */
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '#platform/log.js'
import { type Refusal, RefusalEntity } from '../../../subgraphs/accounts/refusals/refusal.js'
import { createRefusals } from '../../../subgraphs/accounts/refusals/refusals.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'

const DAY = 86_400_000
const ALL = { keyId: null, code: null }

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

describe.each(['sqlite', 'postgres'] as const)('refused requests on %s', (dialect) => {
  async function kit(keepDays = 7) {
    const database = await testDatabase(dialect, [RefusalEntity])
    opened.push(database)
    const clock = new ManualClock()
    const logged: string[] = []
    const log = createLog({ level: 'trace', destination: { write: (line: string) => void logged.push(line) } })
    const refusals = createRefusals({ database, clock, log, keepDays: () => keepDays })
    const note = (id: string, more: Partial<Refusal> = {}) =>
      refusals.note({
        id,
        accountId: 'acc_1',
        keyId: 'key_1',
        createdAt: clock.now(),
        model: 'm',
        api: 'messages',
        code: 'insufficient_credits',
        message: 'No credits.',
        ...more,
      })
    const list = async (filter: { keyId: string | null; code: string | null } = ALL, accountId = 'acc_1') => {
      await refusals.flush()
      const page = await refusals.page(accountId, filter, { size: 500, isBackward: false, cursor: null })
      return page.edges.map(({ node }) => node)
    }
    return { database, clock, logged, refusals, note, list }
  }

  it('are written together, a second after the first, and listed newest first', async () => {
    const { clock, refusals, note, list } = await kit()
    note('one')
    await clock.advance(10)
    note('two', { keyId: 'key_2', code: 'rate_limit' })
    note('of another', { accountId: 'acc_2' })
    const page = () => refusals.page('acc_1', ALL, { size: 10, isBackward: false, cursor: null })
    expect((await page()).edges).toEqual([])
    await clock.advance(990)
    await expect.poll(async () => (await page()).edges.length).toBe(2)
    expect((await list()).map(({ id }) => id)).toEqual(['two', 'one'])
    expect(await list({ keyId: 'key_2', code: null })).toMatchObject([{ id: 'two' }])
    expect(await list({ keyId: null, code: 'insufficient_credits' })).toMatchObject([{ id: 'one', api: 'messages' }])
    expect(await list(ALL, 'acc_2')).toHaveLength(1)
  })

  it('are kept for as many days as are set, and then forgotten', async () => {
    const { clock, refusals, note, list } = await kit()
    note('old')
    await clock.advance(DAY)
    note('young')
    await clock.advance(6 * DAY)
    await refusals.prune()
    expect((await list()).map(({ id }) => id)).toEqual(['young', 'old'])
    await clock.advance(1)
    await refusals.prune()
    expect((await list()).map(({ id }) => id)).toEqual(['young'])
  })

  it('are not kept at all where no days are set', async () => {
    const { note, list } = await kit(0)
    note('one')
    expect(await list()).toEqual([])
  })

  it('are the first sixty of an account in each minute', async () => {
    const { clock, note, list } = await kit()
    for (let at = 0; at < 1_000; at++) note(`first ${at}`)
    note('of another', { accountId: 'acc_2' })
    await clock.advance(60_000)
    note('of the next minute')
    expect(await list()).toHaveLength(61)
    expect(await list(ALL, 'acc_2')).toHaveLength(1)
  })

  it('may hold any text, cut to its column', async () => {
    const { note, list, logged } = await kit()
    note('zero', { model: 'a\0b' })
    note('long', { model: '😀'.repeat(300), message: 'é'.repeat(1_000) })
    note('half', { model: `${'x'.repeat(199)}😀` })
    note('twice')
    note('twice')
    note('none', { model: null })
    const rows = await list()
    expect(rows).toHaveLength(5)
    expect(rows.find(({ id }) => id === 'zero')!.model).toBe('ab')
    expect(rows.find(({ id }) => id === 'half')!.model).toBe(`${'x'.repeat(199)}\uFFFD`)
    expect(rows.find(({ id }) => id === 'long')!.message).toHaveLength(300)
    expect(logged).toEqual([])
  })

  it('are let go, with a word in the log, while the database takes none', async () => {
    const { database, note, list, refusals, logged } = await kit()
    await database.kysely.schema.alterTable('refused_request').renameTo('gone').execute()
    note('lost')
    await refusals.flush()
    expect(logged.join('')).toContain('refused requests were not written')
    await database.kysely.schema.alterTable('gone').renameTo('refused_request').execute()
    note('kept')
    expect((await list()).map(({ id }) => id)).toEqual(['kept'])
  })
})
