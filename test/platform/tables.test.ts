/** Declared tables: what an entity says of a column holds for the ORM and for kysely, in both dialects. */
import { defineEntity, p } from '@mikro-orm/core'
import { afterEach, describe, expect, it } from 'vitest'
import { amountsOf, flag, json, money, time } from '#platform/database/columns.js'
import { nothingYet, type Row, tablesOf } from '#platform/database/tables.js'
import type { Database } from '#platform/database/database.js'
import { testDatabase } from '../kit/database.js'

const Parcel = defineEntity({
  name: 'Parcel',
  tableName: 'parcel',
  properties: {
    id: p.string().primary(),
    customsFee: money(),
    paidFee: money().nullable(),
    sentAt: time(),
    arrivedAt: time().nullable(),
    isFragile: flag(),
    stopsOnWay: json<readonly string[]>(),
    weightGrams: p.integer(),
  },
})

const BIG = 9_007_199_254_740_993n
const aParcel = (fields: Partial<Row<typeof Parcel>> = {}): Row<typeof Parcel> => ({
  ...nothingYet(Parcel),
  id: 'a',
  customsFee: BIG,
  sentAt: 1_795_000_000_000,
  isFragile: true,
  stopsOnWay: ['"quoted"', 'Łódź'],
  weightGrams: 700,
  ...fields,
})

describe.each(['sqlite', 'postgres'] as const)('a declared table on %s', (dialect) => {
  let database: Database & AsyncDisposable
  afterEach(() => database[Symbol.asyncDispose]())
  const open = async () => {
    database = await testDatabase(dialect, [Parcel])
    return tablesOf<typeof Parcel>(database)
  }

  it('gives back every value as it was written, whichever way it went in', async () => {
    const tables = await open()
    await tables.insertInto('parcel').values(aParcel()).execute()
    const em = database.fork()
    em.create(Parcel, { ...aParcel({ id: 'b', paidFee: -1n, arrivedAt: 5, isFragile: false }) })
    await em.flush()
    const [a, b] = await tables.selectFrom('parcel').selectAll().orderBy('id').execute()
    expect([a, b]).toEqual([aParcel(), aParcel({ id: 'b', paidFee: -1n, arrivedAt: 5, isFragile: false })])
    const [first] = await database.fork().find(Parcel, { isFragile: true })
    expect({ ...first }).toMatchObject({ id: 'a', customsFee: BIG, isFragile: true, stopsOnWay: ['"quoted"', 'Łódź'] })
  })

  it('converts what a condition and a change say, inside a transaction and on a conflict', async () => {
    const tables = await open()
    const changed = aParcel({ id: 'a', isFragile: false, stopsOnWay: [], sentAt: 7.4 })
    await tables.transaction().execute(async (tx) => {
      await tx
        .insertInto('parcel')
        .values([aParcel(), aParcel({ id: 'b', sentAt: 1 })])
        .execute()
      const { id: _, ...fields } = changed
      const query = tx.insertInto('parcel').values(changed)
      await query
        .onConflict((conflict) => conflict.column('id').doUpdateSet(fields).where('parcel.isFragile', '=', true))
        .execute()
      await tx
        .updateTable('parcel')
        .set({ paidFee: BIG, arrivedAt: 9 })
        .where('isFragile', '=', true)
        .where('sentAt', '<', 2)
        .execute()
    })
    const rows = await tables.selectFrom('parcel').selectAll().where('customsFee', '=', BIG).orderBy('sentAt').execute()
    expect(rows).toEqual([aParcel({ id: 'b', sentAt: 1, paidFee: BIG, arrivedAt: 9 }), { ...changed, sentAt: 7 }])
  })

  it('takes nothing of a transaction that failed', async () => {
    const tables = await open()
    const failing = tables.transaction().execute(async (tx) => {
      await tx.insertInto('parcel').values(aParcel()).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await tables.selectFrom('parcel').select('id').execute()).toEqual([])
  })
})

it('knows which columns are amounts', () => {
  expect(amountsOf(Parcel)).toEqual(new Set(['customsFee', 'paidFee']))
})
