/** What a batch asks of SQLite, prepared once for each connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ACCOUNT, BUDGET, ENTRY, HOLD, type Table, USAGE } from '../ledger-columns.js'
import { SQLITE_FOLD } from '../ledger-fold.js'
import { SQLITE_FORGET } from '../ledger-forget.js'

/** Parameters are a row's values in the order of its columns. */
const insertInto = <Row>({ name, list, columns }: Table<Row>): string =>
  `insert into ${name} (${list}) values (${columns.map(() => '?').join(', ')})`

/** A hold and the usage record that takes its place have one id: this adds a row of either kind while neither is there. */
const insertOnce = <Row>({ name, list, columns: [key, ...others] }: Table<Row>, rival: { name: string; key: string }): string =>
  `insert into ${name} (${list}) select ?1, ${others.map((_, index) => `?${index + 2}`).join(', ')}
    where not exists (select 1 from ${rival.name} where ${rival.key} = ?1) on conflict (${key?.column}) do nothing`

/** The row with the first column's value gets the others. */
const updateOf = <Row>({ name, columns: [key, ...others] }: Table<Row>): string =>
  `update ${name} set ${others.map(({ column }, index) => `${column} = ?${index + 2}`).join(', ')} where ${key?.column} = ?1`

const SQL = {
  ...SQLITE_FOLD,
  ...SQLITE_FORGET,
  begin: 'begin immediate',
  commit: 'commit',
  selectAccount: 'select * from ledger_account where account_id = ?',
  insertAccount: `${insertInto(ACCOUNT)} on conflict do nothing`,
  updateAccount: updateOf(ACCOUNT),
  selectBudget: 'select * from ledger_budget where id = ?',
  insertBudget: `${insertInto(BUDGET)} on conflict do nothing`,
  updateBudget: updateOf(BUDGET),
  selectHold: 'select * from ledger_hold where id = ?',
  insertHold: insertOnce(HOLD, { name: USAGE.name, key: 'request_id' }),
  updateHold:
    "update ledger_hold set amount = ?, captured = ?, metered = ?, state = ?, expires_at = ? where id = ? and state = 'open'",
  deleteHold: "delete from ledger_hold where id = ? and state = 'open'",
  insertEntry: insertInto(ENTRY),
  selectEntry: 'select kind, amount from ledger_entry where account_id = ? and reference = ?',
  insertUsage: insertInto(USAGE),
  insertFirstUsage: insertOnce(USAGE, { name: HOLD.name, key: 'id' }),
  selectUsage: 'select * from usage_record where request_id = ?',
  heartbeat:
    'insert into ledger_process (id, heartbeat_at) values (?, ?) on conflict (id) do update set heartbeat_at = excluded.heartbeat_at',
  leave: 'delete from ledger_process where id = ?',
  selectLeases: 'select * from ledger_lease',
  deleteLeases: 'delete from ledger_lease',
  selectProcess: 'select heartbeat_at from ledger_process where id = ?',
  dataVersion: 'pragma data_version',
  selectOpenHolds: "select * from ledger_hold where state = 'open' order by created_at",
} as const

export type Statements = { readonly [name in keyof typeof SQL]: StatementSync }

export const prepareStatements = (db: DatabaseSync): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])) as Statements
