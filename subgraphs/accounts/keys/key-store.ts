/** API keys in the database. */
import { sql } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import { notice, NoticeType, type Notice } from '#platform/events/notices.js'
import type { Outbox } from '#platform/events/outbox.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import type { ApiKey, ApiKeyEntity } from './api-key.js'

type KeyPatch = Partial<
  Pick<
    ApiKey,
    'models' | 'answerScan' | 'budgetId' | keyof KeyRateFields | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'replacedBy'
  >
>

export type KeyRateFields = Pick<ApiKey, 'requestsPerMinute' | 'tokensPerMinute' | 'rateGroup'>

export interface PresentedKey {
  readonly key: ApiKey
  readonly mayHaveBudgets: boolean
}

export interface KeyStore {
  /** Operators are told of it. */
  insert(key: ApiKey): Promise<void>
  /** The key as it is then. */
  change<Key extends Pick<ApiKey, 'id'>>(key: Key, patch: KeyPatch): Promise<Key & KeyPatch>
  /** Ends a key that was not revoked before, and operators are told of it. The key as it is then. */
  revoke(key: ApiKey, nowMs: number): Promise<ApiKey>
  /** The key when it belongs to the account (any account for null), else null. */
  find(id: string, accountId: string | null): Promise<ApiKey | null>
  findByPublicId(publicId: string): Promise<ApiKey | null>
  /** The key, and whether its account or any key of it has a budget beside monthly caps. */
  findPresented(publicId: string): Promise<PresentedKey | null>
  /** In no order; without those that do not exist. */
  findMany(ids: readonly string[]): Promise<ApiKey[]>
  /** Oldest first. */
  ofAccount(accountId: string): Promise<ApiKey[]>
  /** Newest first. */
  page(accountId: string, page: PageRequest): Promise<Page<ApiKey>>
  count(accountId: string): Promise<number>
}

/** Databases limit the parameters of one statement. */
const KEYS_A_QUERY = 500

/** One look for what hardly any account has. */
const MAY_HAVE_BUDGETS = sql`exists (select 1 from ledger_budget b
  where b.account_id = api_key.account_id and b.owner_id is not null and b.monthly_cap is not null)`

const KEY_ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: true }

export function createKeyStore(database: Database, outbox: Pick<Outbox, 'append' | 'published'>): KeyStore {
  const db = tablesOf<typeof ApiKeyEntity>(database)
  const keys = () => db.selectFrom('api_key').selectAll()
  const keysOf = (accountId: string) => keys().where('accountId', '=', accountId)
  return {
    async insert(key) {
      const notices = [noticeOf(NoticeType.KEY_CREATED, key)]
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('api_key').values(key).execute()
        await outbox.append(tx, notices)
      })
      outbox.published(notices)
    },
    async change(key, patch) {
      await db.updateTable('api_key').set(patch).where('id', '=', key.id).execute()
      return { ...key, ...patch }
    },
    async revoke(key, nowMs) {
      const revoked = { ...key, revokedAt: key.revokedAt ?? nowMs }
      const notices = [noticeOf(NoticeType.KEY_REVOKED, key)]
      const isNews = await db.transaction().execute(async (tx) => {
        const revocation = tx.updateTable('api_key').set({ revokedAt: nowMs }).where('id', '=', key.id)
        const { numUpdatedRows } = await revocation.where('revokedAt', 'is', null).executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) await outbox.append(tx, notices)
        return numUpdatedRows > 0n
      })
      if (isNews) outbox.published(notices)
      return revoked
    },
    find: async (id, accountId) =>
      (await (accountId === null ? keys() : keysOf(accountId)).where('id', '=', id).executeTakeFirst()) ?? null,
    findByPublicId: async (publicId) => (await keys().where('publicId', '=', publicId).executeTakeFirst()) ?? null,
    async findPresented(publicId) {
      const found = await keys().select(MAY_HAVE_BUDGETS.as('mayHaveBudgets')).where('publicId', '=', publicId).executeTakeFirst()
      if (!found) return null
      const { mayHaveBudgets, ...key } = found
      return { key, mayHaveBudgets: Boolean(mayHaveBudgets) }
    },
    async findMany(ids) {
      const found: ApiKey[] = []
      for (let at = 0; at < ids.length; at += KEYS_A_QUERY) {
        const part = ids.slice(at, at + KEYS_A_QUERY)
        found.push(...(await keys().where('id', 'in', part).execute()))
      }
      return found
    },
    ofAccount: (accountId) => keysOf(accountId).orderBy('createdAt').orderBy('id').execute(),
    page: async (accountId, page) =>
      pageOf(
        await onPage(keysOf(accountId), KEY_ORDER, page).execute(),
        page,
        ({ createdAt, id }) => [createdAt, id],
        (key) => key,
      ),
    count: (accountId) => countOf(keysOf(accountId)),
  }
}

const noticeOf = (type: NoticeType, { id, accountId, name, scopes }: ApiKey): Notice =>
  notice(type, id, { keyId: id, accountId, name, scopes: scopes.join(',') })
