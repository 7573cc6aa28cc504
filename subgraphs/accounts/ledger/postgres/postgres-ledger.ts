/**
 * The ledger on Postgres: one dedicated connection, one statement for all operations of a batch on holds (postgres-batch.ts) and
 * one for each of the rare others.
 *
 * Whatever goes wrong that is not the fault of a batch's data, its connection is not used again: the next batch opens a new
 * one, and the queue repeats what was in doubt. Nothing waits without a limit, also not for a server that stands still.
 */
import type { Client } from 'pg'
import { classifyPostgres, DatabaseTrouble } from '../operations/database-trouble.js'
import { periodAt, periodsAt } from '../budget-period.js'
import { ACCOUNT, BUDGET, type Column, columnsBut, HOLD, HOLD_FACTS, sqlTypeOf, USAGE, USAGE_FACTS } from '../ledger-columns.js'
import { POSTGRES_FOLD } from '../ledger-fold.js'
import { POSTGRES_FORGET } from '../ledger-forget.js'
import { MAX_AMOUNT } from '../ledger.js'
import {
  type BatchTime,
  type ChargeOperation,
  type HoldOperation,
  type LeaseOperation,
  type LedgerTransport,
  type MemoryHoldOperation,
  type Operation,
  type Outcome,
  type OutcomeCode,
  type WriteHoldOperation,
  closedHold,
} from '../operations/operation.js'
import { BATCH_SETTINGS, budgetOf } from './postgres-batch.js'
import { executeOnLease, RETURN_ALL } from './postgres-leases.js'
import {
  type Backend,
  closeConnection,
  type Connection,
  type ConnectionLimits,
  type Location,
  openConnection,
  prepareSession,
} from './postgres-connection.js'

/** Reading every entry of a large ledger takes minutes. */
const INSPECTION_MS = 600_000

type Row = Record<string, unknown>

export function openPostgresTransport(location: Location, limits: ConnectionLimits): LedgerTransport {
  let connected: Promise<Connection> | undefined
  let abandoned: Backend | null = null
  const connect = async (): Promise<Connection> => {
    const connection = await openConnection(location, limits, BATCH_SETTINGS)
    connection.client.on('error', () => abandon(connection)).on('end', () => abandon(connection))
    try {
      await prepareSession(connection, abandoned)
      abandoned = null
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }
  let current: Connection | undefined
  /** Whatever state it is in: the next batch gets a new one. */
  const abandon = (connection: Connection) => {
    connection.destroy()
    if (current !== connection) return
    abandoned = connection.backend
    current = undefined
    connected = undefined
  }
  const connection = async (): Promise<Connection> => {
    connected ??= connect()
    try {
      return (current = await connected)
    } catch (error) {
      connected = undefined
      throw error
    }
  }
  return {
    isOnlyWriter: false,
    appliesInOrder: false,
    async execute(operations, time) {
      let used: Connection | undefined
      try {
        used = await connection()
        // Whatever others write is seen under the locks of the batch itself.
        return { outcomes: await executeBatch(used.client, operations, time), othersWrote: false }
      } catch (error) {
        const classified = classifyPostgres(error)
        if (used && classified instanceof DatabaseTrouble) abandon(used)
        throw classified
      }
    },
    inspect: (queries) => inspect(location, limits, queries),
    async close() {
      const last = current
      current = undefined
      if (last) await closeConnection(last)
    },
  }
}

async function inspect(location: Location, limits: ConnectionLimits, queries: readonly string[]): Promise<Row[][]> {
  const { client, destroy } = await openConnection(location, { ...limits, statementMs: INSPECTION_MS }, [])
  try {
    await client.query('begin isolation level repeatable read read only')
    const results: Row[][] = []
    for (const sql of queries) results.push((await client.query<Row>(sql)).rows)
    await client.query('commit')
    return results
  } finally {
    destroy()
  }
}

async function executeBatch(client: Client, operations: readonly Operation[], time: BatchTime): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>()
  const onHolds: [number, OnHold][] = []
  for (const [place, operation] of operations.entries()) {
    if (isHoldOperation(operation)) onHolds.push([place, operation])
    // Rare operations are statements of their own, each atomic, before the batch.
    else outcomes.set(place, await executeAlone(client, operation, time))
  }
  if (onHolds.length > 0) await executeOnHolds(client, onHolds, time, outcomes)
  return operations.map((operation, place) => {
    const outcome = outcomes.get(place)
    if (!outcome) throw new Error(`The ledger function did not answer a ${operation.kind}.`)
    return outcome
  })
}

type OnHold = HoldOperation | MemoryHoldOperation

const isHoldOperation = (operation: Operation): operation is OnHold => 'holdId' in operation

/** How rows name the present periods, by how often these begin: a JSON object. */
function periodNames(now: number): string {
  return JSON.stringify(Object.fromEntries(Object.entries(periodsAt(now)).map(([every, { name }]) => [every, name])))
}

async function executeOnHolds(
  client: Client,
  operations: readonly [number, OnHold][],
  time: BatchTime,
  outcomes: Map<number, Outcome>,
): Promise<void> {
  const accounts: string[] = []
  const holds: string[] = []
  const reserves: object[] = []
  const bills: object[] = []
  const meters: object[] = []
  const writes: object[] = []
  let process: string | null = null
  for (const [ord, operation] of operations) {
    holds.push(operation.holdId)
    if ('accountId' in operation) accounts.push(operation.accountId)
    // All leases that are charged here are those of the one process whose connection this is.
    if (operation.kind === 'charge' || operation.kind === 'write_hold') process = operation.ownerId
    if (operation.kind === 'charge') bills.push(chargeRow(ord, operation))
    else if (operation.kind === 'write_hold') writes.push(writeRow(ord, operation))
    else if (operation.kind === 'meter') meters.push({ ord, id: operation.holdId, amount: String(operation.amount) })
    else if (operation.kind === 'bill' || operation.kind === 'sweep') bills.push(billRow(ord, operation))
    else reserves.push(reserveRow(ord, reserves.length + 1, operation))
  }
  const json = (rows: object[]) => (rows.length === 0 ? null : JSON.stringify(rows))
  const { now, period } = time
  const { rows } = await client.query<Row>({
    name: 'ledger_batch',
    text: 'select * from pg_temp.ledger_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [accounts, holds, ...[reserves, bills, meters, writes].map(json), now, period, periodNames(now), process],
  })
  for (const row of rows) {
    const budget = budgetOf(row)
    outcomes.set(row.ord as number, {
      code: row.code as OutcomeCode,
      ...(row.captured === null ? {} : { captured: row.captured as bigint }),
      account: row.account_id === null ? null : ACCOUNT.read(row),
      ...(budget && { budgets: [budget] }),
    })
  }
}

function reserveRow(ord: number, place: number, operation: HoldOperation & { kind: 'reserve' | 'extend' }): object {
  if (operation.kind === 'extend') {
    const { holdId, toAmount, expiresAt } = operation
    return { ord, place, id: holdId, amount: String(toAmount), expires_at: expiresAt, extend: true }
  }
  return { ord, place, extend: false, ...jsonOf(HOLD_FACTS, operation) }
}

/** By the names of the columns, without what is null; amounts as text, because JSON numbers are not exact. */
function jsonOf<Row>(columns: readonly Column<keyof Row & string>[], row: Row): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const { field, column, kind } of columns) {
    const value = row[field]
    if (value !== null) json[column] = kind === 'amount' ? String(value) : value
  }
  return json
}

function chargeRow(ord: number, { holdId, accountId, amount, total, usage, leaseEpoch, ...facts }: ChargeOperation): object {
  const row = { ord, id: holdId, total: String(total), close: true, payer: accountId, lease: leaseEpoch, amount: String(amount) }
  if (usage) return { ...row, ...jsonOf(USAGE_FACTS, usage) }
  return { ...row, expires_at: facts.expiresAt, key_id: facts.keyId, model_id: facts.modelId }
}

const writeRow = (ord: number, { metered, leaseEpoch, ...facts }: WriteHoldOperation): object => ({
  ord,
  metered: String(metered),
  lease: leaseEpoch,
  ...jsonOf(HOLD_FACTS, facts),
})

function billRow(ord: number, operation: HoldOperation & { kind: 'bill' | 'sweep' }): object {
  if (operation.kind === 'sweep') {
    const { holdId, aliveSince, deadOwners } = operation
    return { ord, id: holdId, close: true, alive_since: aliveSince, dead_owners: deadOwners }
  }
  const { holdId, total, close, usage } = operation
  const row = { ord, id: holdId, total: String(total), close }
  if (!usage) return row
  return { ...row, ...jsonOf(USAGE_FACTS, usage) }
}

async function executeAlone(client: Client, operation: Exclude<Operation, OnHold>, time: BatchTime): Promise<Outcome> {
  const { now, period } = time
  const query = async (text: string, values: unknown[]) => (await client.query<Row>(text, values)).rows
  if (isOnLease(operation)) return executeOnLease(query, operation, time)
  const accountOutcome = ([row]: Row[]): Outcome =>
    row ? { code: (row.code as OutcomeCode | undefined) ?? 'done', account: ACCOUNT.read(row) } : { code: 'unknown_account' }
  switch (operation.kind) {
    case 'open_account':
      await query(`insert into ledger_account (${ACCOUNT.list}) values ($1, 0, 0, 0, $2, 0, $3) on conflict do nothing`, [
        operation.accountId,
        operation.monthlyCap,
        period,
      ])
      return { code: 'done' }
    case 'set_cap':
      return accountOutcome(await query(SET_CAP, [operation.accountId, operation.monthlyCap]))
    case 'top_up': {
      const { accountId, reference, entryKind, amount } = operation
      return accountOutcome(await query(TOP_UP, [accountId, reference, entryKind, amount, now, MAX_AMOUNT]))
    }
    case 'read_account':
      return accountOutcome(await query('select * from ledger_account where account_id = $1', [operation.accountId]))
    case 'set_budget': {
      const { terms } = operation
      const values = BUDGET.values({ ...terms, held: 0n, spent: 0n, period: periodAt(terms.every, now).name })
      return accountOutcome(await query(SET_BUDGET, values))
    }
    case 'read_budgets':
      return {
        code: 'done',
        budgets: (await query('select * from ledger_budget where id = any($1)', [operation.budgetIds])).map(BUDGET.read),
      }
    case 'read_holds':
      return {
        code: 'done',
        holds: [
          ...(await query('select * from ledger_hold where id = any($1)', [operation.holdIds])).map(HOLD.read),
          ...(await query(TOLD_HOLDS, [operation.holdIds])).map((usage) => closedHold(USAGE.read(usage))),
        ],
      }
    case 'find_sweepable':
      return {
        code: 'done',
        holds: (await query(SWEEPABLE, [now, operation.aliveSince, operation.deadOwners, operation.limit])).map(HOLD.read),
      }
    case 'fold':
    case 'forget': {
      const step = operation.kind === 'fold' ? POSTGRES_FOLD : POSTGRES_FORGET
      const [row] = await query(step, [operation.accountId, operation.before, operation.limit])
      return { code: 'done', count: Number(row?.count) }
    }
    case 'heartbeat':
    case 'probe':
      if (operation.kind === 'probe') await query(CAN_CHARGE, [])
      await query(
        'insert into ledger_process (id, heartbeat_at, knows_leases) values ($1, $2, 1) on conflict (id) do update set heartbeat_at = excluded.heartbeat_at',
        [operation.ownerId, now],
      )
      return { code: 'done' }
    case 'leave':
      await query(RETURN_ALL, [operation.ownerId])
      await query('delete from ledger_process where id = $1', [operation.ownerId])
      return { code: 'done' }
  }
}

/** A heartbeat works while the tables of the charges are locked: this waits for them as a charge does. */
const CAN_CHARGE = `do $$ begin
  lock table ledger_account, ledger_budget, ledger_hold, ledger_entry, usage_record in row exclusive mode;
end $$`

/**
 * Once per reference. When another process adds the same one at this moment, the entry's key rejects the second and the queue's
 * repetition finds the first.
 */
const TOP_UP = `
with account as materialized (
  select * from ledger_account where account_id = $1 for update
), before as materialized (
  select kind, amount from ledger_entry where account_id = $1 and reference = $2
), entered as (
  insert into ledger_entry (account_id, reference, kind, amount, created_at)
  select account.account_id, $2, $3, $4::bigint, $5::bigint from account
  where not exists (select from before) and account.balance + $4::bigint <= $6::bigint
  returning account_id
), moved as (
  update ledger_account a set balance = a.balance + $4::bigint
  where a.account_id in (select account_id from entered) returning a.*
)
select a.account_id, coalesce(moved.balance, a.balance) as balance, a.held, a.leased, a.monthly_cap, a.spent, a.period, case
    when moved.account_id is not null then 'done'
    when before.kind is null then 'too_large'
    when before.kind = $3 and before.amount = $4::bigint then 'replayed' else 'conflict' end as code
from account a left join moved on true left join before on true`

/** What was leased under another cap is asked for. */
const SET_CAP = `
with capped as (
  update ledger_account set monthly_cap = $2 where account_id = $1 returning *
), wanted as (
  update ledger_lease l set wanted = 1 from capped where l.account_id = capped.account_id
)
select * from capped`

const LEASE_OPERATIONS = new Set<string>([
  'lease',
  'return_lease',
  'renew_leases',
  'want_leases',
  'sweep_leases',
] satisfies LeaseOperation['kind'][])

const isOnLease = (operation: Operation): operation is LeaseOperation => LEASE_OPERATIONS.has(operation.kind)

const TERMS = columnsBut(BUDGET, 'budgetId', 'accountId', 'every', 'held', 'spent', 'period')

/** A budget belongs to one account, whose lock its figures are changed under; new terms change none of them. */
const SET_BUDGET = `
with account as materialized (
  select * from ledger_account where account_id = $2
), written as (
  insert into ledger_budget (${BUDGET.list})
  select ${BUDGET.columns.map((column, index) => `$${index + 1}::${sqlTypeOf(column)}`).join(', ')} from account
  on conflict (id) do update set ${TERMS.map(({ column }) => `${column} = excluded.${column}`).join(', ')}
  where ledger_budget.account_id = excluded.account_id and ledger_budget.every = excluded.every
  returning id
)
select account.*, case when written.id is null then 'conflict' else 'done' end as code
from account left join written on true`

/** Closed holds of which only the usage record is left. */
const TOLD_HOLDS = `
select * from usage_record u
where request_id = any($1) and not exists (select from ledger_hold h where h.id = u.request_id)`

const SWEEPABLE = `
select h.* from ledger_hold h where h.state = 'open' and (
  h.expires_at < $1 or (h.purpose = 'chat' and (h.owner_id = any($3::text[]) or not exists (
    select from ledger_process p where p.id = h.owner_id and p.heartbeat_at >= $2))))
order by h.created_at limit $4`
