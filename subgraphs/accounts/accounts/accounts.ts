/** The verbs on accounts: create, change, read; money goes through the ledger. */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { Account, type ColdStartMode, type ScanTier } from './account.js'
import type { Ledger } from '../ledger/ledger.js'

export interface AccountSettings {
  readonly name?: string
  readonly scanTier?: ScanTier
  readonly coldStartMode?: ColdStartMode
  readonly maxConcurrentSessions?: number | null
  readonly maxHourlySpend?: NanoUsd | null
  readonly monthlyCap?: NanoUsd | null
}

export interface CreateAccountInput extends AccountSettings {
  readonly name: string
  readonly credits?: NanoUsd
  readonly isAdministrator?: boolean
}

export interface Accounts {
  create(input: CreateAccountInput): Promise<Account>
  update(id: string, settings: AccountSettings): Promise<Account>
  find(id: string): Promise<Account | null>
  findMany(ids: readonly string[]): Promise<(Account | null)[]>
  /** Oldest first. */
  page(page: PageRequest): Promise<Page<Account>>
  count(): Promise<number>
  /** The administrator of this installation; null before the first start. */
  administrator(): Promise<Account | null>
}

export interface AccountsOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
  /** Of accounts that are opened without a mode of their own. */
  readonly coldStartMode: ColdStartMode
}

const MAX_NAME_LENGTH = 200

type Tables = {
  account: { id: string; created_at: bigint }
}

const ACCOUNT_ORDER: ListOrder = { columns: [wholeNumber('created_at'), text('id')], isDescending: false }

export function createAccounts({ database, ledger, clock, coldStartMode }: AccountsOptions): Accounts {
  const tables = database.kysely.withTables<Tables>()
  return {
    async create({ name, credits, isAdministrator = false, monthlyCap = null, ...settings }) {
      const id = newId('acc', clock.now())
      const em = database.fork()
      const account = em.create(Account, {
        id,
        name: checkedName(name),
        isAdministrator,
        scanTier: settings.scanTier ?? 'free',
        coldStartMode: settings.coldStartMode ?? coldStartMode,
        maxConcurrentSessions: settings.maxConcurrentSessions ?? null,
        maxHourlySpend: settings.maxHourlySpend ?? null,
        createdAt: clock.now(),
      })
      // The ledger's row first: an account without one could not be charged, a row without an account harms nobody.
      await ledger.openAccount(id, { monthlyCap })
      await em.flush()
      if (credits !== undefined && credits > 0n) {
        await ledger.topUp({ accountId: id, amount: credits, idempotencyKey: `starting-credits:${id}`, kind: 'top_up' })
      }
      return account
    },

    async update(id, { monthlyCap, ...settings }) {
      const em = database.fork()
      const account = await em.findOne(Account, { id })
      if (!account) throw new AppError('not_found', 'There is no such account.', { param: 'id' })
      const { name, ...rest } = settings
      if (name !== undefined) account.name = checkedName(name)
      em.assign(account, Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)))
      if (monthlyCap !== undefined) await ledger.setMonthlyCap(id, monthlyCap)
      await em.flush()
      return account
    },

    find: (id) => database.fork().findOne(Account, { id }),

    async findMany(ids) {
      const found = await database.fork().find(Account, { id: [...new Set(ids)] })
      const byId = new Map(found.map((account) => [account.id, account]))
      return ids.map((id) => byId.get(id) ?? null)
    },

    async page(page) {
      const rows = await onPage(tables.selectFrom('account').select(['id', 'created_at']), ACCOUNT_ORDER, page).execute()
      const found = await database.fork().find(Account, { id: { $in: rows.map(({ id }) => id) } })
      const byId = new Map(found.map((account) => [account.id, account]))
      // Accounts are never deleted.
      return pageOf(
        rows,
        page,
        (row) => [row.created_at, row.id],
        ({ id }) => byId.get(id)!,
      )
    },

    count: () => database.fork().count(Account),

    administrator: () => database.fork().findOne(Account, { isAdministrator: true }, { orderBy: { createdAt: 'asc' } }),
  }
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length === 0 || trimmed.length > MAX_NAME_LENGTH) {
    throw invalidRequest(`A name has 1 to ${MAX_NAME_LENGTH} characters.`, 'name')
  }
  return trimmed
}
