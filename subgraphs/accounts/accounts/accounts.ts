/** The verbs on accounts: create, change, read; money goes through the ledger. */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { nothingYet, tablesOf } from '#platform/database/tables.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { AccountEntity, type Account } from './account.js'
import type { Ledger } from '../ledger/ledger.js'

export interface AccountSettings extends Partial<Omit<Account, 'id' | 'isAdministrator' | 'createdAt'>> {
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
  readonly coldStartMode: Account['coldStartMode']
}

const MAX_NAME_LENGTH = 200

const NOTHING_YET = nothingYet(AccountEntity)

const ACCOUNT_ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: false }

export function createAccounts({ database, ledger, clock, coldStartMode }: AccountsOptions): Accounts {
  const db = tablesOf<typeof AccountEntity>(database)
  const accounts = () => db.selectFrom('account').selectAll()

  async function findMany(ids: readonly string[]): Promise<(Account | null)[]> {
    if (ids.length === 0) return []
    const found = await accounts()
      .where('id', 'in', [...new Set(ids)])
      .execute()
    const byId = new Map(found.map((account) => [account.id, account]))
    return ids.map((id) => byId.get(id) ?? null)
  }

  const find = async (id: string): Promise<Account | null> => (await findMany([id]))[0] ?? null

  return {
    async create({ name, credits, isAdministrator = false, monthlyCap = null, ...settings }) {
      const account: Account = {
        ...NOTHING_YET,
        scanTier: 'free',
        coldStartMode,
        ...given(settings),
        id: newId('acc', clock.now()),
        name: checkedName(name),
        isAdministrator,
        createdAt: clock.now(),
      }
      // The ledger's row first: an account without one could not be charged, a row without an account harms nobody.
      await ledger.openAccount(account.id, { monthlyCap })
      await db.insertInto('account').values(account).execute()
      if (credits !== undefined && credits > 0n) {
        const idempotencyKey = `starting-credits:${account.id}`
        await ledger.topUp({ accountId: account.id, amount: credits, idempotencyKey, kind: 'top_up' })
      }
      return account
    },

    async update(id, { monthlyCap, ...settings }) {
      const account = await find(id)
      if (!account) throw new AppError('not_found', 'There is no such account.', { param: 'id' })
      const changes = given(settings)
      if (changes.name !== undefined) changes.name = checkedName(changes.name)
      if (monthlyCap !== undefined) await ledger.setMonthlyCap(id, monthlyCap)
      if (Object.keys(changes).length > 0) await db.updateTable('account').set(changes).where('id', '=', id).execute()
      return { ...account, ...changes }
    },

    find,

    findMany,

    page: async (page) =>
      pageOf(
        await onPage(accounts(), ACCOUNT_ORDER, page).execute(),
        page,
        ({ createdAt, id }) => [createdAt, id],
        (account) => account,
      ),

    count: () => countOf(db.selectFrom('account')),

    administrator: async () =>
      (await accounts().where('isAdministrator', '=', true).orderBy('createdAt').limit(1).executeTakeFirst()) ?? null,
  }
}

/** The columns that are said; null only where that is a value. */
const given = <Settings extends object>(settings: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== undefined && (value !== null || name in NOTHING_YET)),
  ) as Partial<Settings>

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length === 0 || trimmed.length > MAX_NAME_LENGTH) {
    throw invalidRequest(`A name has 1 to ${MAX_NAME_LENGTH} characters.`, 'name')
  }
  return trimmed
}
