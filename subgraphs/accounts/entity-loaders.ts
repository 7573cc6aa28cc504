/** The objects of accounts by their ids, as their owner and administrators see them; for everybody else they do not exist. */
import { sees } from '#platform/requests/context.js'
import type { ReferenceResolver } from '#platform/subgraph.js'
import { accountType } from './accounts/account-resolver.js'
import type { Accounts } from './accounts/accounts.js'
import type { Books } from './books/books.js'
import { apiKeyType } from './keys/api-key-resolver.js'
import type { Keys } from './keys/keys.js'

export interface EntityLoaders {
  readonly Account: ReferenceResolver
  readonly ApiKey: ReferenceResolver
  readonly UsageRecord: ReferenceResolver
}

export const entityLoaders = (accounts: Accounts, keys: Keys, books: Books): EntityLoaders => ({
  async Account(references, { principal }) {
    const found = await accounts.findMany(references.map(({ id }) => id))
    return found.map((account) => (account && sees(principal, account.id) ? accountType(account) : null))
  },
  async ApiKey(references, { principal }) {
    const found = await keys.findMany(references.map(({ id }) => id))
    const visible = found.map((key) => (key && sees(principal, key.accountId) ? key : null))
    const budgets = await keys.budgets(visible.filter((key) => key !== null))
    return visible.map((key) => key && apiKeyType(key, budgets))
  },
  async UsageRecord(references, { principal }) {
    const found = await books.usageByIds(references.map(({ id }) => id))
    return found.map((record) => (record && sees(principal, record.accountId) ? record : null))
  },
})
