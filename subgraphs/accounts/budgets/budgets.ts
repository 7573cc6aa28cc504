/**
 * Budgets of accounts and of keys: what may be spent in an hour, a day, a week, a month or in all. The ledger counts them; this
 * is who has which. Keys that follow each other share the budgets of one of them, as they share its monthly cap.
 */
import { randomBytes } from 'node:crypto'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { NanoUsd } from '#platform/money.js'
import type { Principal } from '#platform/requests/context.js'
import type { BudgetPeriod } from '#platform/vocabulary/words.js'
import type { Keys } from '../keys/keys.js'
import { BUDGETS_CHANGED } from '../keys/key-lookup.js'
import type { Ledger } from '../ledger/ledger.js'
import { BudgetAction, type BudgetTerms } from '../ledger/ledger-columns.js'
import { type Budget, budgetOf, budgetOfAccount } from './budget.js'
import type { BudgetStore } from './budget-store.js'

/** The id of the model that a name or an alias means; null for an unknown one. */
export type ModelNamed = (name: string) => string | null

export interface BudgetOptions {
  readonly store: BudgetStore
  readonly keys: Pick<Keys, 'find' | 'budgetGroup'>
  readonly ledger: Pick<Ledger, 'setBudget' | 'readBudgets' | 'read'>
  readonly events: EventBus
  readonly modelNamed: ModelNamed
  /** Models in a list. */
  readonly mostModels: number
}

export interface BudgetChange {
  readonly name?: string | null
  readonly cap?: NanoUsd | null
  readonly warnAt?: number | null
  readonly action?: BudgetAction | null
  /** Null for whatever is paid for. */
  readonly models?: readonly string[] | null
}

export interface NewBudget extends BudgetChange {
  readonly accountId: string
  /** Of this key; of the account when null. */
  readonly keyId: string | null
  readonly cap: NanoUsd
  readonly every: BudgetPeriod
}

export interface Budgets {
  /** @throws AppError 400, 404 */
  create(input: NewBudget): Promise<Budget>
  /** What is left out stays; what is spent stays spent. @throws AppError 400, 404 */
  update(id: string, change: BudgetChange): Promise<Budget>
  /** The budget as it was. What it counted is not given back to another. @throws AppError 404 */
  remove(id: string): Promise<Budget>
  /** Of the account and all of its keys, but the monthly caps of keys other than the caller's. */
  ofAccount(accountId: string, principal: Principal | null): Promise<Budget[]>
  /** Those that bind the caller. */
  binding(principal: Principal): Promise<Budget[]>
  /** The newest of the keys that share each of these budgets, by the budget's id. */
  keysOf(budgets: readonly Budget[]): Promise<ReadonlyMap<string, string>>
}

/** What a hold names of its budgets has to fit its column: 255 characters with the one that is a key's monthly cap. */
const OF_AN_ACCOUNT = 8
const OF_A_KEY = 4
const OF_ALL_KEYS = 200
const NAME_LENGTH = 100

type Reading = Pick<Budgets, 'ofAccount' | 'binding' | 'keysOf'>

export const createBudgets = (options: BudgetOptions): Budgets => ({ ...createWriting(options), ...createReading(options) })

/** Those that are in force, in the order of the ids. */
const reader =
  ({ ledger }: Pick<BudgetOptions, 'ledger'>) =>
  async (ids: readonly string[]): Promise<Budget[]> => {
    const found = await ledger.readBudgets(ids)
    return ids.flatMap((id) => {
      const row = found.get(id)
      return (row && budgetOf(row)) ?? []
    })
  }

function createWriting(options: BudgetOptions): Omit<Budgets, keyof Reading> {
  const { store, ledger, events } = options
  const read = reader(options)
  const room = roomFor(options)

  async function mustFind(id: string): Promise<BudgetTerms> {
    const row = (await store.find(id)) && (await ledger.readBudgets([id])).get(id)
    if (!row) throw noSuchBudget()
    const { accountId, ownerId, every, name, cap, action, warnAt, models } = row
    return { budgetId: id, accountId, ownerId, every, name, cap, action, warnAt, models }
  }

  async function write(terms: BudgetTerms): Promise<void> {
    await ledger.setBudget(terms)
    events.publish(BUDGETS_CHANGED, { accountId: terms.accountId })
  }

  async function written(terms: BudgetTerms): Promise<Budget> {
    await write(terms)
    return one(await read([terms.budgetId]))
  }

  return {
    async create(input) {
      const { accountId, cap, every } = input
      const terms = { ...USUAL, ...changed(input), models: checkedModels(input.models ?? null, options) }
      return written({ ...terms, budgetId: newBudgetId(), accountId, ownerId: await room(input), cap, every })
    },

    async update(id, change) {
      const before = await mustFind(id)
      const models = change.models === undefined ? before.models : checkedModels(change.models, options)
      return written({ ...before, ...changed(change), models })
    },

    async remove(id) {
      const terms = await mustFind(id)
      const budget = one(await read([id]))
      await write({ ...terms, cap: null })
      return budget
    },
  }
}

const USUAL = { name: '', action: BudgetAction.STOP, warnAt: 80 } as const

function createReading(options: BudgetOptions): Reading {
  const { store, keys, ledger } = options
  const read = reader(options)

  const withAccountCap = async (accountId: string, ids: readonly string[]): Promise<Budget[]> => {
    const [account, budgets] = await Promise.all([ledger.read(accountId), read(ids)])
    const cap = budgetOfAccount(account)
    return cap ? [cap, ...budgets] : budgets
  }

  return {
    async ofAccount(accountId, principal) {
      const ids = (await store.ofAccount(accountId)).map(({ budgetId }) => budgetId)
      const own = principal?.accountId === accountId ? (principal.budgetIds ?? []) : []
      return withAccountCap(accountId, [...new Set([...own, ...ids])])
    },

    async binding({ accountId, keyId }) {
      const group = (await keys.find(keyId, accountId))?.budgetId ?? null
      const owned = await store.owned(accountId, group === null ? [accountId] : [accountId, group])
      return withAccountCap(accountId, [...(group === null ? [] : [group]), ...owned.map(({ budgetId }) => budgetId)])
    },

    async keysOf(budgets) {
      const [first] = budgets
      if (!first) return new Map()
      const groups = new Map(budgets.filter(isOfKey).map(({ id, ownerId }) => [id, ownerId ?? id]))
      const newest = await store.keysOf(first.accountId, [...new Set(groups.values())])
      return new Map([...groups].flatMap(([id, group]) => (newest.has(group) ? [[id, newest.get(group)!] as const] : [])))
    },
  }
}

/** JSON. @throws AppError 400 */
function checkedModels(
  models: readonly string[] | null,
  { modelNamed, mostModels }: Pick<BudgetOptions, 'modelNamed' | 'mostModels'>,
): string | null {
  if (models === null) return null
  if (models.length === 0 || models.length > mostModels) {
    throw invalidRequest(`A list of models has 1 to ${mostModels} ids.`, 'models')
  }
  const ids = models.map((name) => {
    const id = modelNamed(name)
    if (id === null) throw invalidRequest(`There is no model "${name}".`, 'models')
    return id
  })
  return JSON.stringify([...new Set(ids)].toSorted())
}

/** @returns who owns a new budget, if there is room for one more. */
function roomFor({ store, keys }: Pick<BudgetOptions, 'store' | 'keys'>) {
  return async ({ accountId, keyId }: NewBudget): Promise<string> => {
    const all = await store.ofAccount(accountId)
    const ownerId = keyId === null ? accountId : await keys.budgetGroup(keyId)
    const own = all.filter((budget) => budget.ownerId === ownerId).length
    if (keyId === null) checkRoom(own, OF_AN_ACCOUNT, 'An account')
    else {
      checkRoom(own, OF_A_KEY, 'A key')
      checkRoom(all.length, OF_ALL_KEYS, 'An account with its keys')
    }
    return ownerId
  }
}

const isOfKey = ({ ownerId, accountId }: Budget): boolean => ownerId !== accountId

/** What is said of a budget, checked; only what is given. */
function changed({ name, cap, warnAt, action }: BudgetChange): Partial<Pick<BudgetTerms, 'name' | 'cap' | 'warnAt' | 'action'>> {
  if (name != null && name.length > NAME_LENGTH) throw invalidRequest(`A name has at most ${NAME_LENGTH} characters.`, 'name')
  if (warnAt != null && (warnAt < 1 || warnAt > 100)) throw invalidRequest('"warnAt" is from 1 to 100 percent.', 'warnAt')
  return {
    ...(name != null && { name }),
    ...(cap != null && { cap }),
    ...(warnAt != null && { warnAt }),
    ...(action != null && { action }),
  }
}

function checkRoom(count: number, most: number, who: string): void {
  if (count >= most) throw new AppError('conflict', `${who} has at most ${most} budgets. Delete one first.`)
}

const noSuchBudget = (): AppError => new AppError('not_found', 'There is no such budget.', { param: 'id' })

function one([budget]: readonly Budget[]): Budget {
  if (!budget) throw noSuchBudget()
  return budget
}

/** Short, because each hold and each charge names all of its budgets. */
const newBudgetId = (): string => `bdg_${randomBytes(6).toString('hex')}`
