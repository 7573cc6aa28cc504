/**
 * The columns of the ledger's hot tables, each said once, here. The types of rows and operations, the SQL of both dialects, the
 * messages of the SQLite thread and the tables of the migrations (ledger-tables.ts) are all made of these lists. They need no
 * library, because the thread loads them too.
 */
import type { NanoUsd } from '#platform/money.js'
import { BudgetPeriod, EndedAs, type ChatApi, type UsageSource } from '#platform/vocabulary/words.js'

export const HoldPurpose = { CHAT: 'chat', GPU_SESSION: 'session' } as const
export type HoldPurpose = (typeof HoldPurpose)[keyof typeof HoldPurpose]

export const HoldState = { OPEN: 'open', CAPTURED: 'captured', RELEASED: 'released', EXPIRED: 'expired' } as const
export type HoldState = (typeof HoldState)[keyof typeof HoldState]

/** How a request ended: as its answer did, or its process died before it could settle. */
export const UsageOutcome = { ...EndedAs, SERVER_LOST: 'swept' } as const
export type UsageOutcome = (typeof UsageOutcome)[keyof typeof UsageOutcome]

/** What a budget does when it is used up. */
export const BudgetAction = { STOP: 'stop', WARN: 'warn' } as const
export type BudgetAction = (typeof BudgetAction)[keyof typeof BudgetAction]

/**
 * `name` is a short text such as an id, `text` one of any length, `count` a whole number from 0 (int4), `amount` nano-USD
 * (int8), `time` epoch milliseconds (int8).
 */
export type ColumnKind = 'name' | 'text' | 'count' | 'amount' | 'time'

/** What is said of a column; `Value` is its type in a row. */
interface Declared<Value> {
  readonly kind: ColumnKind
  /** Where it is not the property's name in snake case. */
  readonly column?: string
  readonly isNullable?: true
  /** Never there: it carries the type. */
  readonly value?: Value
}

const name = <Value extends string = string>(column?: string): Declared<Value> => ({ kind: 'name', ...(column && { column }) })
const text = (): Declared<string> => ({ kind: 'text' })
const count = (): Declared<number> => ({ kind: 'count' })
const amount = (column?: string): Declared<NanoUsd> => ({ kind: 'amount', ...(column && { column }) })
const time = (): Declared<number> => ({ kind: 'time' })
const orNull = <Value>(declared: Declared<Value>): Declared<Value | null> => ({ ...declared, isNullable: true })

export interface Column<Field extends string = string> {
  readonly field: Field
  readonly column: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

/** One table, as a type and as text for SQL. */
export interface Table<Row> {
  readonly name: string
  readonly columns: readonly Column<keyof Row & string>[]
  /** The columns' names for SQL, separated by commas. */
  readonly list: string
  /** From a row of either dialect with exact bigints. */
  read(row: Readonly<Record<string, unknown>>): Row
  /** In the order of the columns. */
  values(row: Row): (string | number | bigint | null)[]
}

export type RowOf<T> = T extends Table<infer Row> ? Row : never

function table<Columns extends Record<string, Declared<unknown>>>(
  tableName: string,
  declared: Columns,
): Table<{ readonly [Field in keyof Columns]: Columns[Field] extends Declared<infer Value> ? Value : never }> {
  const columns = Object.entries(declared).map(([field, { kind, column = snakeCase(field), isNullable = false }]) => {
    return { field, kind, column, isNullable }
  })
  return {
    name: tableName,
    columns,
    list: columns.map(({ column }) => column).join(', '),
    read(row) {
      const values: Record<string, unknown> = {}
      for (const { field, column, kind } of columns) {
        const value = row[column]
        values[field] = (kind === 'time' || kind === 'count') && value !== null ? Number(value) : value
      }
      return values as never
    },
    values: (row) => columns.map(({ field }) => row[field] as never),
  }
}

const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const SQL_TYPES = { name: 'text', text: 'text', count: 'int', amount: 'bigint', time: 'bigint' } as const

export const sqlTypeOf = ({ kind }: Column): string => SQL_TYPES[kind]

/** All columns of a table but some. */
export const columnsBut = <Row, Field extends keyof Row>(
  { columns }: Table<Row>,
  ...fields: readonly Field[]
): readonly Column<Exclude<keyof Row & string, Field>>[] =>
  columns.filter(
    (column): column is Column<Exclude<keyof Row & string, Field>> => !fields.some((field) => field === column.field),
  )

/**
 * One customer's money. `spent` counts the calendar month `period` ("2026-11", UTC) and starts again in the next. `leased` is the
 * part of `held` that processes hold chats in by themselves.
 */
export const ACCOUNT = table('ledger_account', {
  accountId: name(),
  balance: amount(),
  held: amount(),
  leased: amount(),
  monthlyCap: orNull(amount()),
  spent: amount(),
  period: name(),
})

/**
 * What an account or some of its keys may spend in a period: counted like the account's own month, and changed only under the
 * account's lock. One without an amount to keep within goes on counting, and refuses nothing.
 */
export const BUDGET = table('ledger_budget', {
  budgetId: name('id'),
  accountId: name(),
  cap: orNull(amount('monthly_cap')),
  held: amount(),
  spent: amount(),
  /** Which hour, day, week or month `spent` counts (budget-period.ts). */
  period: name(),
  every: name<BudgetPeriod>(),
  action: name<BudgetAction>(),
  /** Percent of the amount at which operators are told. */
  warnAt: count(),
  /** For people. */
  name: name('label'),
  /** The account, or the budget that some keys share as their monthly cap; null for such a cap itself. */
  ownerId: orNull(name()),
  /** JSON: the ids of the only models that it is about; null for whatever is paid for. */
  models: orNull(text()),
})

/**
 * Money set aside for one request or session. Its id is the idempotency key. Every state but `open` is final. A chat request's
 * hold goes when its usage record is written, which says all that the closed hold would.
 */
export const HOLD = table('ledger_hold', {
  holdId: name('id'),
  accountId: name(),
  amount: amount(),
  captured: amount(),
  metered: amount(),
  state: name<HoldState>(),
  purpose: name<HoldPurpose>(),
  ownerId: name(),
  /** For the usage record that a sweep writes when the process died. */
  keyId: orNull(name()),
  modelId: orNull(name()),
  /** The budgets that it comes out of, separated by spaces. */
  budgetIds: orNull(name('budget_id')),
  createdAt: time(),
  expiresAt: time(),
})

/**
 * What one process may hold chats in without asking, of an account that several processes share. It counts in the account's
 * `held` and `leased`, is spent by charges, and ends when its process does not renew it. Changed only under the account's lock;
 * its expiry also without.
 */
export const LEASE = table('ledger_lease', {
  processId: name(),
  accountId: name(),
  /** Of each lease that a process takes of an account, another one: what was held in one that is gone is told by it. */
  epoch: count(),
  amount: amount(),
  /** By the clock of the database. */
  expiresAt: time(),
  /** 1 when another process runs dry: what is free is to be returned. */
  wanted: count(),
})

/**
 * Append-only. A row is a transfer with both its sides: what an account loses by a charge (negative) is revenue, what it gains
 * is funding. `reference` is a hold's id or a top-up's idempotency key; of what is older than it has to be kept, a day.
 * The key is the once-only guarantee of last resort: the same movement cannot be written twice.
 */
export const ENTRY = table('ledger_entry', {
  reference: text(),
  kind: name(),
  accountId: name(),
  amount: amount(),
  createdAt: time(),
  /** The budgets that a charge came out of, as its hold names them: so that what a budget has spent can be proved. */
  budgetIds: orNull(name('budget_id')),
})

/** One row per request that was charged or tried: what was delivered, from where, and what it cost. Never a prompt. */
export const USAGE = table('usage_record', {
  requestId: name(),
  accountId: name(),
  keyId: name(),
  modelId: name(),
  deploymentId: orNull(name()),
  priceVersionId: orNull(name()),
  /** Disjoint buckets: prompt tokens that were not cached, those that were, and completion tokens. */
  inputTokens: count(),
  cachedInputTokens: count(),
  outputTokens: count(),
  usageSource: name<UsageSource>(),
  /** What was charged: never more than the hold. */
  cost: amount(),
  /** What the provider charges us for the same tokens, when known. */
  providerCost: orNull(amount()),
  endedAs: name<UsageOutcome>(),
  /** JSON text. */
  route: orNull(text()),
  /** When the request arrived. */
  createdAt: time(),
  /** From there to the first token of a stream; null when none was streamed. */
  firstTokenMs: orNull(count()),
  durationMs: count(),
  /** How many deployments were asked until one answered; null where that was not counted. */
  attempts: orNull(count()),
  /** The API that it came by; null where that was not kept. */
  api: orNull(name<ChatApi>()),
  /** Violations in the code of the answer; null where it was not scanned. */
  codeFindings: orNull(count()),
})

/** The `period` of an account's or budget's row may be a past one. */
export type AccountRow = RowOf<typeof ACCOUNT>
export type BudgetRow = RowOf<typeof BUDGET>
export type HoldRow = RowOf<typeof HOLD>
export type LeaseRow = RowOf<typeof LEASE>
export type EntryRow = RowOf<typeof ENTRY>
export type UsageRow = RowOf<typeof USAGE>

/** What is decided about a budget; the rest of its row is counted. */
export type BudgetTerms = Omit<BudgetRow, 'held' | 'spent' | 'period'>

/** Most holds name none. */
const NONE: readonly string[] = []

/** The budgets that a hold or charge names. */
export const listedBudgets = (budgetIds: string | null): readonly string[] => (budgetIds === null ? NONE : budgetIds.split(' '))
export const budgetList = (budgetIds: readonly string[]): string | null => (budgetIds.length === 0 ? null : budgetIds.join(' '))

/** What a settled request leaves behind; its id, account and cost come from the hold. */
export type Usage = Omit<UsageRow, 'requestId' | 'accountId' | 'cost'>
export const USAGE_FACTS = columnsBut(USAGE, 'requestId', 'accountId', 'cost')

/** What a new hold says of itself. */
export type HoldFacts = Omit<HoldRow, 'captured' | 'metered' | 'state' | 'createdAt'>
export const HOLD_FACTS = columnsBut(HOLD, 'captured', 'metered', 'state', 'createdAt')

const BLANKS = { name: '', text: '', count: 0, amount: 0n, time: 0 } as const

/** Usage of which nothing is known. */
export const NO_USAGE: Usage = Object.fromEntries(
  USAGE_FACTS.map(({ field, kind, isNullable }) => [field, isNullable ? null : BLANKS[kind]]),
) as never
