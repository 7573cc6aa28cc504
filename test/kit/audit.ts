/**
 * An auditor of the books who trusts nobody: reads the rows of the tables and works everything out again, without a line of
 * the ledger's own code or queries.
 */
import { DatabaseSync } from 'node:sqlite'
import type { PostgresCluster } from './postgres.js'

type Row = Record<string, unknown>
export type ReadTable = (table: string) => Promise<Row[]>

export interface Expectations {
  /** Requests whose answers reached a client, by their `x-request-id`, and what each must have been charged. */
  readonly acknowledged: ReadonlyMap<string, bigint>
}

export const readPostgres =
  (cluster: Pick<PostgresCluster, 'query'>): ReadTable =>
  (table) =>
    cluster.query(`select * from ${table}`)

/** Also while a server has the file open. */
export const readSqlite =
  (file: string): ReadTable =>
  async (table) => {
    const db = new DatabaseSync(file, { readOnly: true, readBigInts: true, timeout: 10_000 })
    try {
      return db.prepare(`select * from ${table}`).all()
    } finally {
      db.close()
    }
  }

/** Sentences, one for each thing that is wrong; none when the books are in order. */
export async function auditBooks(read: ReadTable, { acknowledged }: Expectations): Promise<string[]> {
  const [accounts, holds, entries, usage, budgetRows, leases] = await Promise.all(
    ['ledger_account', 'ledger_hold', 'ledger_entry', 'usage_record', 'ledger_budget', 'ledger_lease'].map(read),
  )
  return [
    ...balances(accounts!, entries!),
    ...movements(accounts!, holds!, usage!, entries!),
    ...holdsCovered(accounts!, holds!, leases!),
    ...budgets(budgetRows!, holds!, entries!),
    ...costs(usage!, holds!, entries!),
    ...missing(usage!, acknowledged),
  ]
}

const amount = (value: unknown): bigint => BigInt(String(value))

function sums(rows: readonly Row[], key: (row: Row) => string, value: (row: Row) => bigint): Map<string, bigint> {
  const totals = new Map<string, bigint>()
  for (const row of rows) totals.set(key(row), (totals.get(key(row)) ?? 0n) + value(row))
  return totals
}

function balances(accounts: readonly Row[], entries: readonly Row[]): string[] {
  const totals = sums(
    entries,
    (row) => String(row['account_id']),
    (row) => amount(row['amount']),
  )
  return accounts.flatMap(({ account_id: id, balance }) => {
    const total = totals.get(String(id)) ?? 0n
    return total === amount(balance) ? [] : [`account ${String(id)} has ${String(balance)}, its entries sum to ${total}`]
  })
}

/** A row is a transfer: a charge takes and belongs to a request or session, everything else gives. */
function movements(accounts: readonly Row[], holds: readonly Row[], usage: readonly Row[], entries: readonly Row[]): string[] {
  const known = new Set(accounts.map((row) => row['account_id']))
  const charged = new Set([...holds.map((row) => row['id']), ...usage.map((row) => row['request_id'])])
  return entries.flatMap((row) => {
    const name = `the ${String(row['kind'])} ${String(row['reference'])} of ${String(row['amount'])}`
    // Of an aged charge the usage record was forgotten on purpose.
    const [, aged, charge] = /^(aged:)?(charge$|capture:)?/.exec(String(row['kind'])) ?? []
    const isCharge = charge !== undefined
    if (!known.has(row['account_id'])) return [`${name} belongs to no account`]
    if (isCharge !== amount(row['amount']) < 0n) return [`${name} goes the wrong way`]
    return isCharge && aged === undefined && !charged.has(row['reference'])
      ? [`${name} belongs to no request and no session`]
      : []
  })
}

/** What an account holds is its open holds, and what processes leased to hold chats in by themselves. */
function holdsCovered(accounts: readonly Row[], holds: readonly Row[], leases: readonly Row[]): string[] {
  const open = sums(
    holds.filter(({ state }) => state === 'open'),
    (row) => String(row['account_id']),
    (row) => amount(row['amount']) - amount(row['captured']),
  )
  const leased = sums(
    leases,
    (row) => String(row['account_id']),
    (row) => amount(row['amount']),
  )
  return accounts.flatMap(({ account_id: id, held, leased: said, balance }) => {
    const inLeases = leased.get(String(id)) ?? 0n
    const total = (open.get(String(id)) ?? 0n) + inLeases
    return [
      ...(total === amount(held)
        ? []
        : [`account ${String(id)} holds ${String(held)}, its open holds and leases sum to ${total}`]),
      ...(inLeases === amount(said) ? [] : [`account ${String(id)} has leased ${String(said)}, its leases sum to ${inLeases}`]),
      ...(amount(balance) < amount(held) ? [`account ${String(id)} holds ${String(held)} of ${String(balance)}`] : []),
    ]
  })
}

/** Holds and charges name the budgets that they come out of, with spaces between them. */
const comesOutOf = ({ account_id: account, budget_id: named }: Row, budget: Row): boolean =>
  account === budget['account_id'] && typeof named === 'string' && named.split(' ').includes(String(budget['id']))

const PERIOD_NAMES: Readonly<Record<string, (at: Date) => string>> = {
  hour: (at) => at.toISOString().slice(0, 13),
  day: (at) => at.toISOString().slice(0, 10),
  week: (at) => {
    const monday = new Date(at)
    while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1)
    return monday.toISOString().slice(0, 10)
  },
  month: (at) => at.toISOString().slice(0, 7),
  total: () => 'total',
}

/** Where charges were folded as they grew old, a budget without end has spent more than those that are left. */
function budgets(rows: readonly Row[], holds: readonly Row[], entries: readonly Row[]): string[] {
  const folded = new Set(entries.flatMap((row) => (/^(?:aged:|folded)/.test(String(row['kind'])) ? [row['account_id']] : [])))
  const total = (found: readonly Row[], value: (row: Row) => bigint) => found.reduce((sum, row) => sum + value(row), 0n)
  return rows.flatMap((budget) => {
    const name = `the budget ${String(budget['id'])}`
    const of = (list: readonly Row[]) => list.filter((row) => comesOutOf(row, budget))
    const open = of(holds).filter(({ state }) => state === 'open')
    const held = total(open, (row) => amount(row['amount']) - amount(row['captured']))
    const periodOf = PERIOD_NAMES[String(budget['every'])]!
    const charged = of(entries).filter((row) => periodOf(new Date(Number(row['created_at']))) === budget['period'])
    const spent = total(charged, (row) => -amount(row['amount']))
    const isExplained = amount(budget['spent']) === spent || (folded.has(budget['account_id']) && amount(budget['spent']) > spent)
    return [
      ...(held === amount(budget['held']) ? [] : [`${name} holds ${String(budget['held'])}, its open holds sum to ${held}`]),
      ...(isExplained ? [] : [`${name} has spent ${String(budget['spent'])}, its charges sum to ${spent}`]),
    ]
  })
}

function costs(usage: readonly Row[], holds: readonly Row[], entries: readonly Row[]): string[] {
  const open = new Set(holds.flatMap((row) => (row['state'] === 'open' ? [row['id']] : [])))
  const charged = sums(
    entries,
    (row) => `${String(row['account_id'])} ${String(row['reference'])}`,
    (row) => -amount(row['amount']),
  )
  return usage.flatMap(({ request_id: id, account_id: account, cost }) => {
    if (open.has(id)) return [`${String(id)} is over and its hold is open`]
    const total = charged.get(`${String(account)} ${String(id)}`) ?? 0n
    return total === amount(cost) ? [] : [`usage ${String(id)} says ${String(cost)}, its entries ${total}`]
  })
}

function missing(usage: readonly Row[], acknowledged: ReadonlyMap<string, bigint>): string[] {
  const recorded = new Map(usage.map((row) => [String(row['request_id']), amount(row['cost'])]))
  return [...acknowledged].flatMap(([id, cost]) => {
    const found = recorded.get(id)
    return found === cost ? [] : [`${id} was answered and must cost ${cost}, the books say ${found ?? 'nothing'}`]
  })
}
