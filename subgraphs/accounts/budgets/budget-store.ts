/** Which budgets there are. What they count is the ledger's to say. */
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { ApiKeyEntity } from '../keys/api-key.js'
import type { LedgerBudget } from '../ledger/ledger-tables.js'

export interface BudgetStore {
  /** Those in force whose owner is one of these, oldest first; budgets that are the monthly cap of keys have no owner. */
  owned(accountId: string, ownerIds: readonly string[]): Promise<StoredBudget[]>
  /** All of an account that are in force, but the monthly caps of keys; oldest first. */
  ofAccount(accountId: string): Promise<StoredBudget[]>
  /** Null for one that does not exist or was deleted, and for the monthly cap of a key. */
  find(budgetId: string): Promise<StoredBudget | null>
  /** The newest of the keys that share each of these monthly caps. */
  keysOf(accountId: string, budgetIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface StoredBudget {
  readonly budgetId: string
  readonly accountId: string
  readonly ownerId: string | null
  /** JSON. */
  readonly models: string | null
}

export function createBudgetStore(database: Database): BudgetStore {
  const db = tablesOf<typeof LedgerBudget | typeof ApiKeyEntity>(database)
  const inForce = () =>
    db
      .selectFrom('ledger_budget')
      .select(['budgetId', 'accountId', 'ownerId', 'models'])
      .where('ownerId', 'is not', null)
      .where('cap', 'is not', null)
      .orderBy('budgetId')
  return {
    owned: (accountId, ownerIds) =>
      inForce()
        .where('accountId', '=', accountId)
        .where('ownerId', 'in', [...ownerIds])
        .execute(),
    ofAccount: (accountId) => inForce().where('accountId', '=', accountId).execute(),
    find: async (budgetId) => (await inForce().where('budgetId', '=', budgetId).executeTakeFirst()) ?? null,
    async keysOf(accountId, budgetIds) {
      if (budgetIds.length === 0) return new Map()
      const keys = db.selectFrom('api_key').select(['id', 'budgetId']).where('accountId', '=', accountId)
      const rows = await keys
        .where('budgetId', 'in', [...budgetIds])
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      return new Map(rows.flatMap(({ id, budgetId }) => (budgetId === null ? [] : [[budgetId, id] as const])))
    },
  }
}
