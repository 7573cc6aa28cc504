/** API keys: create, list, rotate with grace, revoke. */
import type { Clock } from '#platform/clock.js'
import type { AnswerScanPolicy, Principal, Scope } from '#platform/requests/context.js'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import type { NanoUsd } from '#platform/money.js'
import { validUntil, type ApiKey } from './api-key.js'
import type { BudgetSnapshot, Ledger } from '../ledger/ledger.js'
import type { BudgetStore } from '../budgets/budget-store.js'
import { createKeyAnswerScans } from './key-answer-scan.js'
import { createKeyCaps } from './key-caps.js'
import { presetSecret } from './key-format.js'
import { createKeyRateLimits, type RateChange } from './key-rate-limits.js'
import { createKeyRotation, type RotatedKey } from './key-rotation.js'
import { BUDGETS_CHANGED, createKeyLookup, type KeyLookup } from './key-lookup.js'
import { type CreatedKey, type CreateKeyInput, createKeyMaker, type KeyLimits, modelsWithin } from './key-maker.js'
import { createKeyStore, type KeyStore } from './key-store.js'

export interface KeysOptions {
  readonly limits: KeyLimits
  readonly database: Database
  readonly outbox: Pick<Outbox, 'append' | 'published'>
  readonly clock: Clock
  readonly events: EventBus
  readonly ledger: Pick<Ledger, 'setBudget' | 'readBudgets'>
  readonly budgets: BudgetStore
}

export interface Keys {
  authenticate(token: string): Principal | null | Promise<Principal | null>
  /** Who the key with this public id speaks for now; null once it has ended. */
  principalOf(publicId: string): Principal | null | Promise<Principal | null>
  create(input: CreateKeyInput): Promise<CreatedKey>
  /** Gives the account a key whose secret the operator chose; the same secret again changes nothing. */
  ensurePreset(accountId: string, token: string, name: string, scopes: readonly Scope[]): Promise<void>
  /** Newest first, revoked ones included. */
  page(accountId: string, page: PageRequest): Promise<Page<ApiKey>>
  count(accountId: string): Promise<number>
  /** The oldest valid key of the account that may do everything; null when there is none. */
  administrative(accountId: string): Promise<ApiKey | null>
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
  /** Changes a key's rates, in every process. The keys that share them get them too. @throws AppError 400 */
  setRateLimits(id: string, accountId: string | null, rates: RateChange): Promise<ApiKey>
  /** Changes what a key demands of the code in answers, in every process; null for nothing. */
  setAnswerScan(id: string, accountId: string | null, policy: AnswerScanPolicy | null): Promise<ApiKey>
  /** The budgets of those keys that have one, by the budget's id. */
  budgets(keys: readonly Pick<ApiKey, 'budgetId'>[]): Promise<ReadonlyMap<string, BudgetSnapshot>>
  /** What its budgets name as their owner; keys that follow each other share it. */
  budgetGroup(id: string): Promise<string>
  /** Shared by all keys that are bound by the same monthly cap and budgets; null for a key that is bound by none. */
  bindingBudget(key: ApiKey): Promise<string | null>
  /** A new key in the place of `id`; the old one stays valid for `graceSeconds`, a day when null. */
  rotate(id: string, accountId: string | null, graceSeconds: number | null): Promise<RotatedKey>
  /** Repeating it changes nothing. */
  revoke(id: string, accountId: string | null): Promise<ApiKey>
  /** Of these keys, those that are valid no longer. */
  ended(ids: readonly string[]): Promise<string[]>
  /** Calls the listener after any key was created, rotated or revoked, in this process or another. */
  onChange(listener: () => void): () => void
  close(): void
}

/** With the public id of the key, its id, and whose it is. */
export const KEY_CHANGED = 'key.changed'

const administrativeOf = (oldestFirst: readonly ApiKey[], now: number): ApiKey | null =>
  oldestFirst.find((key) => key.scopes.includes('admin') && now < validUntil(key)) ?? null

/** What the look-up remembers follows the news of every process, until the returned function is called. */
function keepFresh(lookup: KeyLookup, events: EventBus): () => void {
  const stopping = [
    events.listen(KEY_CHANGED, ({ publicId }) => lookup.forget(String(publicId))),
    events.listen(BUDGETS_CHANGED, ({ accountId }) => lookup.forgetAccount(String(accountId))),
  ]
  return () => stopping.forEach((stop) => stop())
}

export function createKeys({ database, outbox, clock, events, ledger, limits, budgets }: KeysOptions): Keys {
  const rows = createKeyStore(database, outbox)
  const lookup = createKeyLookup(rows, budgets, clock)
  const stopListening = keepFresh(lookup, events)
  const announce = ({ publicId, id, accountId }: ApiKey) => events.publish(KEY_CHANGED, { publicId, id, accountId })
  const caps = createKeyCaps(rows, ledger, budgets, announce)
  const rates = createKeyRateLimits(rows, announce)
  const answerScans = createKeyAnswerScans(rows, announce)
  const { create, store } = createKeyMaker({ rows, caps, clock, limits, announce })

  async function mustFind(id: string, accountId: string | null): Promise<ApiKey> {
    const key = await rows.find(id, accountId)
    if (!key) throw new AppError('not_found', 'There is no such API key.', { param: 'id' })
    return key
  }

  async function change(key: ApiKey, patch: Parameters<KeyStore['change']>[1]): Promise<ApiKey> {
    const changed = await rows.change(key, patch)
    announce(changed)
    return changed
  }

  const rotate = createKeyRotation({ rows, clock, limits, caps, rates, answerScans, create, announce })

  return {
    authenticate: lookup.authenticate,

    principalOf: (publicId) => lookup.principalOf(publicId),

    create,

    async ensurePreset(accountId, token, name, scopes) {
      const secret = presetSecret(token)
      if (!(await rows.findByPublicId(secret.publicId))) await store(secret, { accountId, name, scopes })
    },

    page: rows.page,

    count: rows.count,

    administrative: async (accountId) => administrativeOf(await rows.ofAccount(accountId), clock.now()),

    async findMany(ids) {
      const byId = new Map((await rows.findMany([...new Set(ids)])).map((key) => [key.id, key]))
      return ids.map((id) => byId.get(id) ?? null)
    },

    find: rows.find,

    setModels: async (id, accountId, models) =>
      change(await mustFind(id, accountId), { models: modelsWithin(models, limits.models) }),

    async setMonthlyCap(id, accountId, monthlyCap) {
      await caps.set(await mustFind(id, accountId), monthlyCap)
      return mustFind(id, accountId)
    },

    async setRateLimits(id, accountId, change) {
      await rates.set(await mustFind(id, accountId), change)
      return mustFind(id, accountId)
    },

    async setAnswerScan(id, accountId, policy) {
      await answerScans.set(await mustFind(id, accountId), policy)
      return mustFind(id, accountId)
    },

    budgets: caps.budgets,
    bindingBudget: caps.binding,
    budgetGroup: async (id) => caps.group(await mustFind(id, null)),

    rotate: async (id, accountId, graceSeconds) => rotate(await mustFind(id, accountId), graceSeconds),

    async revoke(id, accountId) {
      const key = await mustFind(id, accountId)
      const revoked = await rows.revoke(key, clock.now())
      announce(revoked)
      return revoked
    },

    async ended(ids) {
      const found = await rows.findMany(ids)
      const now = clock.now()
      const valid = new Set(found.flatMap((key) => (now < validUntil(key) ? key.id : [])))
      return ids.filter((id) => !valid.has(id))
    },

    onChange: (listener) => events.listen(KEY_CHANGED, listener),

    close: stopListening,
  }
}
