/** API keys: create, list, rotate with grace, revoke. */
import type { Clock } from '#platform/clock.js'
import type { Principal, Scope } from '#platform/requests/context.js'
import type { Database } from '#platform/database/database.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import { newId } from '#platform/ids.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import type { NanoUsd } from '#platform/money.js'
import { ApiKey } from './api-key.js'
import type { BudgetSnapshot, Ledger } from '../ledger/ledger.js'
import { createKeyFamily } from './key-family.js'
import { newSecret, presetSecret, type NewSecret } from './key-format.js'
import { createKeyLookup } from './key-lookup.js'

export interface KeysOptions {
  readonly limits: KeyLimits
  readonly database: Database
  readonly clock: Clock
  readonly events: EventBus
  readonly ledger: Pick<Ledger, 'setBudget' | 'readBudgets'>
}

export interface CreateKeyInput {
  readonly accountId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Epoch milliseconds. */
  readonly expiresAt?: number | null
  /** The only models that it may ask; null or left out for every model. */
  readonly models?: readonly string[] | null
  /** Most that it may spend in a calendar month; null or left out for all that its account may. */
  readonly monthlyCap?: NanoUsd | null
  /** Of another key, to share what is left of its cap. */
  readonly budgetId?: string | null
}

export interface CreatedKey {
  readonly apiKey: ApiKey
  /** The secret itself. This is the only time that it exists outside the caller's hands. */
  readonly secret: string
}

/** What a key may be given. */
export interface KeyLimits {
  /** Models in its list. */
  readonly models: number
  /** The longest that it may go on after another has taken its place. */
  readonly graceSeconds: number
}

export interface Keys {
  authenticate(token: string): Principal | null | Promise<Principal | null>
  create(input: CreateKeyInput): Promise<CreatedKey>
  /** Gives the account a key whose secret the operator chose; the same secret again changes nothing. */
  ensurePreset(accountId: string, token: string, name: string, scopes: readonly Scope[]): Promise<void>
  /** Newest first, revoked ones included. */
  page(accountId: string, page: PageRequest): Promise<Page<ApiKey>>
  count(accountId: string): Promise<number>
  /** In the order of the ids, of any account; null for what does not exist. */
  findMany(ids: readonly string[]): Promise<(ApiKey | null)[]>
  /** The key when it belongs to the account (any account for null), else null. */
  find(id: string, accountId: string | null): Promise<ApiKey | null>
  /** Changes which models a key may ask, in every process; null for every model. */
  setModels(id: string, accountId: string | null, models: readonly string[] | null): Promise<ApiKey>
  /**
   * Changes a key's monthly cap, in every process; null for no cap. What was spent of it stays spent. The keys that it replaced
   * and that replaced it share the cap, so that a grace period is no second one.
   */
  setMonthlyCap(id: string, accountId: string | null, monthlyCap: NanoUsd | null): Promise<ApiKey>
  /** The budgets of those keys that have one, by the budget's id. */
  budgets(keys: readonly ApiKey[]): Promise<ReadonlyMap<string, BudgetSnapshot>>
  /** A new key in the place of `id`; the old one stays valid for `graceSeconds`, a day when null. */
  rotate(id: string, accountId: string | null, graceSeconds: number | null): Promise<CreatedKey & { readonly replaced: ApiKey }>
  /** Repeating it changes nothing. */
  revoke(id: string, accountId: string | null): Promise<ApiKey>
  /** Of these keys, those that are valid no longer. */
  ended(ids: readonly string[]): Promise<string[]>
  /** Calls the listener after any key was created, rotated or revoked, in this process or another. */
  onChange(listener: () => void): () => void
  close(): void
}

const KEY_CHANGED = 'key.changed'
/** Databases limit the parameters of one statement. */
const KEYS_A_QUERY = 500

const MAX_MODEL_NAME = 256

const USUAL_GRACE_SECONDS = 24 * 3600

/** @throws AppError 400 */
function graceWithin(given: number | null, most: number): number {
  const grace = given ?? Math.min(USUAL_GRACE_SECONDS, most)
  if (grace < 0 || grace > most) throw invalidRequest(`"graceSeconds" is from 0 to ${most}.`, 'graceSeconds')
  return grace
}

/** A list as it is stored. @throws AppError 400 */
function storedModels(models: readonly string[] | null, most: number): string | null {
  if (models === null) return null
  const isFine = models.every((id) => id !== '' && id.length <= MAX_MODEL_NAME && !id.includes('\0'))
  if (models.length === 0 || models.length > most || !isFine) {
    throw invalidRequest(`A list of models has 1 to ${most} ids.`, 'models')
  }
  return JSON.stringify([...new Set(models)])
}

/** Told by the key, so that two who give it a cap at once give it one. */
const budgetIdOf = (keyId: string): string => keyId.replace('key_', 'bdg_')

type Tables = {
  api_key: { id: string; account_id: string; created_at: bigint }
}

const KEY_ORDER: ListOrder = { columns: [wholeNumber('created_at'), text('id')], isDescending: true }

export function createKeys({ database, clock, events, ledger, limits }: KeysOptions): Keys {
  const tables = database.kysely.withTables<Tables>()
  const lookup = createKeyLookup(database, clock)
  const stopListening = events.listen(KEY_CHANGED, ({ publicId }) => lookup.forget(String(publicId)))
  const announce = (key: ApiKey) => events.publish(KEY_CHANGED, { publicId: key.publicId })
  const family = createKeyFamily(database, announce)

  async function store(secret: NewSecret, input: CreateKeyInput): Promise<ApiKey> {
    const em = database.fork()
    const id = newId('key', clock.now())
    const models = storedModels(input.models ?? null, limits.models)
    const { accountId, monthlyCap = null } = input
    // The ledger's row first: a key without its cap could spend, a cap without a key harms nobody.
    if (monthlyCap !== null) await ledger.setBudget({ budgetId: budgetIdOf(id), accountId, monthlyCap })
    const key = em.create(ApiKey, {
      id,
      publicId: secret.publicId,
      accountId,
      name: input.name,
      prefix: secret.prefix,
      secretHash: secret.hash,
      scopes: input.scopes.join(','),
      models,
      budgetId: monthlyCap === null ? (input.budgetId ?? null) : budgetIdOf(id),
      createdAt: clock.now(),
      expiresAt: input.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
      replacedBy: null,
    })
    await em.flush()
    announce(key)
    return key
  }

  async function mustFind(id: string, accountId: string | null) {
    const em = database.fork()
    const key = await em.findOne(ApiKey, accountId === null ? { id } : { id, accountId })
    if (!key) throw new AppError('not_found', 'There is no such API key.', { param: 'id' })
    return { em, key }
  }

  async function create(input: CreateKeyInput): Promise<CreatedKey> {
    if (input.scopes.length === 0) throw invalidRequest('A key needs at least one scope.', 'scopes')
    if (input.expiresAt != null && input.expiresAt <= clock.now()) {
      throw invalidRequest('The expiry must lie in the future.', 'expires_at')
    }
    const secret = newSecret()
    return { apiKey: await store(secret, input), secret: secret.token }
  }

  return {
    authenticate: (token) => lookup.authenticate(token),

    create,

    async ensurePreset(accountId, token, name, scopes) {
      const secret = presetSecret(token)
      const known = await database.fork().findOne(ApiKey, { publicId: secret.publicId })
      if (!known) await store(secret, { accountId, name, scopes })
    },

    async page(accountId, page) {
      const mine = tables.selectFrom('api_key').select(['id', 'created_at']).where('account_id', '=', accountId)
      const rows = await onPage(mine, KEY_ORDER, page).execute()
      const keys = await database.fork().find(ApiKey, { id: { $in: rows.map(({ id }) => id) } })
      const byId = new Map(keys.map((key) => [key.id, key]))
      return pageOf(
        rows.filter(({ id }) => byId.has(id)),
        page,
        (row) => [row.created_at, row.id],
        ({ id }) => byId.get(id)!,
      )
    },

    count: (accountId) => database.fork().count(ApiKey, { accountId }),

    async findMany(ids) {
      const found = await database.fork().find(ApiKey, { id: { $in: [...new Set(ids)] } })
      const byId = new Map(found.map((key) => [key.id, key]))
      return ids.map((id) => byId.get(id) ?? null)
    },

    find: (id, accountId) => database.fork().findOne(ApiKey, accountId === null ? { id } : { id, accountId }),

    async setModels(id, accountId, models) {
      const { em, key } = await mustFind(id, accountId)
      key.models = storedModels(models, limits.models)
      await em.flush()
      announce(key)
      return key
    },

    async setMonthlyCap(id, accountId, monthlyCap) {
      const { key } = await mustFind(id, accountId)
      if (monthlyCap === null && key.budgetId == null) return key
      const budgetId = key.budgetId ?? budgetIdOf((await family.of(key))[0]!.id)
      await ledger.setBudget({ budgetId, accountId: key.accountId, monthlyCap })
      // Looked at again after it was written, for one that a rotation puts in its place meanwhile.
      for (let without = [key]; without.length > 0;) {
        without = (await family.of(key)).filter((relative) => relative.budgetId !== budgetId)
        await family.shareBudget(without, budgetId)
      }
      return (await mustFind(id, accountId)).key
    },

    budgets: (keys) => ledger.readBudgets(keys.flatMap(({ budgetId }) => budgetId ?? [])),

    async rotate(id, accountId, given) {
      const graceSeconds = graceWithin(given, limits.graceSeconds)
      const { em, key } = await mustFind(id, accountId)
      const now = clock.now()
      if (now >= key.validUntil()) throw new AppError('conflict', 'Only a valid key can be rotated.', { param: 'id' })
      const created = await create({
        accountId: key.accountId,
        name: key.name,
        scopes: key.scopeList(),
        models: key.modelList(),
        budgetId: key.budgetId ?? null,
        // A key that ran for 30 days is followed by one that runs for 30 days.
        expiresAt: key.expiresAt == null ? null : now + (key.expiresAt - key.createdAt),
      })
      key.replacedBy = created.apiKey.id
      key.expiresAt = Math.min(key.expiresAt ?? Infinity, now + graceSeconds * 1000)
      await em.flush()
      announce(key)
      // A cap that was given to the old key meanwhile is the new one's too.
      const budgetId = (await mustFind(id, accountId)).key.budgetId ?? null
      if (budgetId !== (created.apiKey.budgetId ?? null)) {
        await family.shareBudget([created.apiKey], budgetId)
        created.apiKey.budgetId = budgetId
      }
      return { ...created, replaced: key }
    },

    async revoke(id, accountId) {
      const { em, key } = await mustFind(id, accountId)
      key.revokedAt ??= clock.now()
      await em.flush()
      announce(key)
      return key
    },

    async ended(ids) {
      const valid = new Set<string>()
      for (let at = 0; at < ids.length; at += KEYS_A_QUERY) {
        const rows = await database.fork().find(ApiKey, { id: { $in: ids.slice(at, at + KEYS_A_QUERY) } })
        const now = clock.now()
        for (const row of rows) if (now < row.validUntil()) valid.add(row.id)
      }
      return ids.filter((id) => !valid.has(id))
    },

    onChange: (listener) => events.listen(KEY_CHANGED, listener),

    close: stopListening,
  }
}
