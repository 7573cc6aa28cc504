/** Pages of lists, read from a table on both databases. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, pageRequest, type Page, type PageArguments } from '#platform/paging/page.js'
import { OutboxEventEntity } from '#platform/events/outbox.js'
import { testDatabase } from '../kit/database.js'

const SIZES = { standard: 3, most: 5 }

const refused = (args: PageArguments) => {
  try {
    pageRequest(args, SIZES)
  } catch (error) {
    return error
  }
  throw new Error('The request was taken.')
}

describe('a page is refused', () => {
  it.each([
    [{ first: 0 }, 'first'],
    [{ first: 6 }, 'first'],
    [{ last: 6 }, 'last'],
    [{ first: 2, last: 2 }, 'first'],
    [{ first: 2, before: 'x' }, 'before'],
    [{ last: 2, after: 'x' }, 'after'],
    [{ after: 'not a cursor' }, 'after'],
    [{ after: Buffer.from('{"a":1}').toString('base64url') }, 'after'],
    [{ before: 'x'.repeat(10_000) }, 'before'],
  ] as [PageArguments, string][])('for %j, naming the argument', (args, param) => {
    expect(refused(args)).toMatchObject({ code: 'invalid_request_error', param })
  })
})

describe.each(['sqlite', 'postgres'] as const)('a list on %s', (dialect) => {
  type Row = { id: string; at: bigint }
  const up: ListOrder = { columns: [wholeNumber('at'), text('id')], isDescending: false }

  async function openList() {
    const database = await testDatabase(dialect, [OutboxEventEntity])
    const tables = database.kysely.withTables<{ thing: Row }>()
    await sql`create table thing (id varchar(20) primary key, at bigint not null)`.execute(tables)
    // Two rows share every moment, so only the id tells them apart.
    const rows = Array.from({ length: 10 }, (_, at) => ({ id: `t${at}`, at: BigInt(at - (at % 2)) }))
    await tables.insertInto('thing').values(rows).execute()
    const read = async (args: PageArguments, order = up): Promise<Page<string>> => {
      const page = pageRequest(args, SIZES)
      const found = await onPage(tables.selectFrom('thing').selectAll(), order, page).execute()
      return pageOf(
        found,
        page,
        (row) => [row.at, row.id],
        (row) => row.id,
      )
    }
    return { tables, read, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
  }

  const idsOf = ({ edges }: Page<string>) => edges.map(({ node }) => node).join(' ')

  it('is read forward to its end without a gap or a double, in either order', async () => {
    await using list = await openList()
    for (const isDescending of [false, true]) {
      const seen: string[] = []
      for (let after: string | null = null, goesOn = true; goesOn;) {
        const page: Page<string> = await list.read({ first: 3, after }, { ...up, isDescending })
        expect(page.hasPreviousPage).toBe(after !== null)
        seen.push(...page.edges.map(({ node }) => node))
        after = page.edges.at(-1)!.cursor
        goesOn = page.hasNextPage
      }
      const all = Array.from({ length: 10 }, (_, at) => `t${at}`)
      expect(seen).toEqual(isDescending ? all.toReversed() : all)
    }
  })

  it('is read backward from its end, each page in the order of the list', async () => {
    await using list = await openList()
    const end = await list.read({ last: 4 })
    expect([idsOf(end), end.hasNextPage, end.hasPreviousPage]).toEqual(['t6 t7 t8 t9', false, true])
    const before = await list.read({ last: 5, before: end.edges[0]!.cursor })
    expect([idsOf(before), before.hasNextPage, before.hasPreviousPage]).toEqual(['t1 t2 t3 t4 t5', true, true])
    const start = await list.read({ last: 5, before: before.edges[0]!.cursor })
    expect([idsOf(start), start.hasNextPage, start.hasPreviousPage]).toEqual(['t0', true, false])
  })

  it('goes on at the same place when rows were added and removed meanwhile', async () => {
    await using list = await openList()
    const first = await list.read({})
    await list.tables.deleteFrom('thing').where('id', 'in', ['t2', 't3']).execute()
    await list.tables.insertInto('thing').values({ id: 'new', at: -1n }).execute()
    expect(idsOf(await list.read({ after: first.edges.at(-1)!.cursor }))).toBe('t4 t5 t6')
  })

  it('refuses the cursor of another list', async () => {
    await using list = await openList()
    const cursor = (values: string[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    for (const after of [cursor(['1']), cursor(['soon', 't1']), cursor(['1', 't1', 'x'])]) {
      await expect(list.read({ after })).rejects.toMatchObject({ code: 'invalid_request_error', param: 'after' })
    }
  })
})
