/** Old entries go in small steps beside running work, and on SQLite a step holds up every charge: it may look at nothing else. */
import { expect, test } from 'vitest'
import { CompiledQuery } from 'kysely'
import { SQLITE_FOLD } from '../../../subgraphs/accounts/ledger/ledger-fold.js'
import { SQLITE_FORGET } from '../../../subgraphs/accounts/ledger/ledger-forget.js'
import { testLedger } from './kit/ledger-kit.js'

/** How SQLite reaches what it reads of the large tables: `SEARCH <table> USING ... (<by>)`. */
const READ = /^(SCAN|SEARCH) (?:e|l|u|ledger_entry|usage_record)\b(?:.*\((.*)\))?$/

const BY_REFERENCE = ['reference=?', 'request_id=?']
/** Up to the limit of a step: what is old comes first. */
const BY_AGE = 'account_id=? AND created_at<?'

const FINDS_OLD = new Set(['foldable', 'forgettable', 'dropFreeUsage'])

test.each(Object.entries({ ...SQLITE_FOLD, ...SQLITE_FORGET }))(
  'the statement %s of a step reads what the step takes, however much else an account has',
  async (name, sql) => {
    await using kit = await testLedger('sqlite')
    const { rows } = await kit.database.kysely.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`))
    const reads = rows.flatMap(({ detail }) => {
      const [read, how, by] = READ.exec(detail) ?? []
      return read === undefined ? [] : [how === 'SCAN' ? read : by]
    })
    const allowed = FINDS_OLD.has(name) ? [...BY_REFERENCE, BY_AGE] : BY_REFERENCE
    for (const read of reads) expect(allowed).toContain(read)
  },
)
