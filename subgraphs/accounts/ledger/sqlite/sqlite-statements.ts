/** What a batch asks of SQLite, prepared once for each connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { SQLITE_FOLD } from '../ledger-fold.js'

const SQL = {
  ...SQLITE_FOLD,
  begin: 'begin immediate',
  commit: 'commit',
  selectAccount: 'select * from ledger_account where account_id = ?',
  insertAccount:
    'insert into ledger_account (account_id, balance, held, monthly_cap, spent, period) values (?, 0, 0, ?, 0, ?) on conflict do nothing',
  updateAccount: 'update ledger_account set balance = ?, held = ?, monthly_cap = ?, spent = ?, period = ? where account_id = ?',
  selectBudget: 'select * from ledger_budget where id = ?',
  insertBudget:
    'insert into ledger_budget (id, account_id, monthly_cap, held, spent, period) values (?, ?, ?, 0, 0, ?) on conflict do nothing',
  updateBudget: 'update ledger_budget set monthly_cap = ?, held = ?, spent = ?, period = ? where id = ?',
  selectHold: 'select * from ledger_hold where id = ?',
  insertHold:
    "insert into ledger_hold (id, account_id, amount, captured, metered, state, purpose, owner_id, key_id, model_id, budget_id, created_at, expires_at) select ?1, ?2, ?3, 0, 0, 'open', ?4, ?5, ?6, ?7, ?8, ?9, ?10 where not exists (select 1 from usage_record where request_id = ?1) on conflict (id) do nothing",
  updateHold:
    "update ledger_hold set amount = ?, captured = ?, metered = ?, state = ?, expires_at = ? where id = ? and state = 'open'",
  deleteHold: "delete from ledger_hold where id = ? and state = 'open'",
  insertEntry: 'insert into ledger_entry (account_id, reference, kind, amount, created_at, budget_id) values (?, ?, ?, ?, ?, ?)',
  selectEntry: 'select kind, amount from ledger_entry where account_id = ? and reference = ?',
  insertUsage:
    'insert into usage_record (request_id, account_id, key_id, model_id, deployment_id, price_version_id, input_tokens, cached_input_tokens, output_tokens, usage_source, cost, provider_cost, ended_as, route, created_at, first_token_ms, duration_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  selectUsage: 'select account_id, cost, created_at from usage_record where request_id = ?',
  heartbeat:
    'insert into ledger_process (id, heartbeat_at) values (?, ?) on conflict (id) do update set heartbeat_at = excluded.heartbeat_at',
  leave: 'delete from ledger_process where id = ?',
  selectProcess: 'select heartbeat_at from ledger_process where id = ?',
  dataVersion: 'pragma data_version',
  selectOpenHolds: "select * from ledger_hold where state = 'open' order by created_at",
} as const

export type Statements = { readonly [name in keyof typeof SQL]: StatementSync }

export const prepareStatements = (db: DatabaseSync): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])) as Statements
