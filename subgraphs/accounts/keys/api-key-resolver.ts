/** API keys in the graph. A key manages the keys of its own account; an administrator's key those of every account. */
import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql'
import { requirePrincipal, type Principal, type RequestContext, type Scope } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { formatUsd } from '#platform/money.js'
import { DecimalScalar } from '#platform/scalars.js'
import { ApiKeyType, CreateApiKeyArgs, CreatedApiKey } from '../accounts/account-type.js'
import type { Accounts } from '../accounts/accounts.js'
import type { ApiKey } from './api-key.js'
import type { CreatedKey, Keys } from './keys.js'
import type { BudgetSnapshot } from '../ledger/ledger.js'
import { optionalUsd } from '../usd-input.js'

const DEFAULT_SCOPES: readonly Scope[] = ['chat', 'gpu', 'scan']
const DEFAULT_GRACE_SECONDS = 24 * 3600
const MAX_GRACE_SECONDS = 30 * 24 * 3600

/** `budgets`: by id, as the keys' service answers them. */
export function apiKeyType(key: ApiKey, budgets: ReadonlyMap<string, BudgetSnapshot>): ApiKeyType {
  const budget = budgets.get(key.budgetId ?? '')
  return Object.assign(new ApiKeyType(), {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopeList(),
    models: key.modelList(),
    monthlyCap: budget?.monthlyCap == null ? null : formatUsd(budget.monthlyCap),
    spentThisMonth: budget ? formatUsd(budget.spent) : null,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    replacedBy: key.replacedBy ?? null,
  })
}

/** Null for an administrator: any account's key. */
const reach = (principal: Principal) => (principal.scopes.has('admin') ? null : principal.accountId)

function requireAll(principal: Principal, scopes: readonly Scope[]): void {
  if (principal.scopes.has('admin')) return
  const excess = scopes.find((scope) => !principal.scopes.has(scope))
  if (excess) throw new AppError('insufficient_scope', `This API key lacks the scope "${excess}".`, { param: 'scopes' })
}

/** `models`: what another key may ask, null for everything. */
function requireModels(principal: Principal, models: readonly string[] | null): void {
  const own = principal.models
  if (!own || models?.every((id) => own.has(id))) return
  throw new AppError('insufficient_scope', 'This API key may ask some models only, and no key of it may ask others.', {
    param: 'models',
  })
}

const beyondCap = (): AppError =>
  new AppError('insufficient_scope', 'This API key has a monthly cap, and no key may be made or changed with it to spend more.', {
    param: 'monthly_cap',
  })

@Resolver()
export class ApiKeyResolver {
  constructor(
    private readonly keys: Keys,
    private readonly accounts: Accounts,
  ) {}

  @Mutation(() => CreatedApiKey, { description: 'Creates an API key. Its secret appears in this answer only.' })
  async createApiKey(
    @Arg('input', () => CreateApiKeyArgs, { description: 'The new key.' }) input: CreateApiKeyArgs,
    @Ctx() context: RequestContext,
  ): Promise<CreatedApiKey> {
    const principal = requirePrincipal(context)
    const accountId = input.accountId ?? principal.accountId
    const scopes = input.scopes ?? DEFAULT_SCOPES
    const isAdministrator = principal.scopes.has('admin')
    if (!isAdministrator && accountId !== principal.accountId) {
      throw new AppError('not_found', 'There is no such account.', { param: 'account_id' })
    }
    // A key cannot make one that may do more than itself.
    requireAll(principal, scopes)
    const models = input.models ?? null
    requireModels(principal, models)
    const monthlyCap = optionalUsd(input.monthlyCap ?? null, 'monthly_cap')
    // What a capped key makes spends of the same cap.
    const budgetId = await this.#ownBudget(principal)
    if (budgetId !== null && monthlyCap !== null) throw beyondCap()
    if (!(await this.accounts.find(accountId)))
      throw new AppError('not_found', 'There is no such account.', { param: 'account_id' })
    const name = input.name ?? 'key'
    if (name.length === 0 || name.length > 200) throw invalidRequest('A name has 1 to 200 characters.', 'name')
    const expiresAt = input.expiresAt?.getTime() ?? null
    const limits = { scopes: [...new Set(scopes)], expiresAt, models, monthlyCap, budgetId }
    return this.#showCreated(await this.keys.create({ accountId, name, ...limits }))
  }

  @Mutation(() => ApiKeyType, { description: 'Changes which models a key may ask, at once and in every process.' })
  async setApiKeyModels(
    @Arg('id', () => ID, { description: 'The key.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('models', () => [ID], { nullable: true, description: 'The only models that it may ask; every model when left out.' })
    models?: string[] | null,
  ): Promise<ApiKeyType> {
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    requireModels(principal, models ?? null)
    return this.#show(await this.keys.setModels(id, reach(principal), models ?? null))
  }

  @Mutation(() => ApiKeyType, {
    description: 'Changes what a key may spend in a calendar month, at once and in every process. What it has spent stays spent.',
  })
  async setApiKeyMonthlyCap(
    @Arg('id', () => ID, { description: 'The key. Those that share its cap, as a rotated one does, get it too.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('monthlyCap', () => DecimalScalar, { nullable: true, description: 'Most USD a month (UTC); no cap when left out.' })
    monthlyCap?: string | null,
  ): Promise<ApiKeyType> {
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    if ((await this.#ownBudget(principal)) !== null) throw beyondCap()
    return this.#show(await this.keys.setMonthlyCap(id, reach(principal), optionalUsd(monthlyCap ?? null, 'monthly_cap')))
  }

  @Mutation(() => CreatedApiKey, { description: 'Puts a new key in the place of one that stays valid for a grace period.' })
  async rotateApiKey(
    @Arg('id', () => ID, { description: 'The key to replace.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('graceSeconds', () => Int, { nullable: true, description: 'How long the old key stays valid; a day when left out.' })
    graceSeconds?: number,
  ): Promise<CreatedApiKey> {
    const grace = graceSeconds ?? DEFAULT_GRACE_SECONDS
    if (grace < 0 || grace > MAX_GRACE_SECONDS) {
      throw invalidRequest(`"graceSeconds" is from 0 to ${MAX_GRACE_SECONDS}.`, 'grace_seconds')
    }
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    return this.#showCreated(await this.keys.rotate(id, reach(principal), grace))
  }

  @Mutation(() => ApiKeyType, { description: 'Ends a key at once, in every process. Repeating it answers the same.' })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'The key.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ApiKeyType> {
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    return this.#show(await this.keys.revoke(id, reach(principal)))
  }

  /** Rotating a stronger key would hand its scopes out; a key that is not there is told so by the verb itself. */
  async #mayManage(id: string, principal: Principal): Promise<void> {
    const key = await this.keys.find(id, reach(principal))
    if (!key) return
    requireAll(principal, key.scopeList())
    requireModels(principal, key.modelList())
    const own = await this.#ownBudget(principal)
    if (own !== null && key.budgetId !== own) throw beyondCap()
  }

  /** The budget whose cap binds the caller; null for a key without a cap and for an administrator's. Read, not remembered. */
  async #ownBudget(principal: Principal): Promise<string | null> {
    if (principal.scopes.has('admin')) return null
    const key = await this.keys.find(principal.keyId, principal.accountId)
    const budget = key && (await this.keys.budgets([key])).get(key.budgetId ?? '')
    return budget && budget.monthlyCap !== null ? budget.budgetId : null
  }

  async #show(key: ApiKey): Promise<ApiKeyType> {
    return apiKeyType(key, await this.keys.budgets([key]))
  }

  async #showCreated({ apiKey, secret }: CreatedKey): Promise<CreatedApiKey> {
    return Object.assign(new CreatedApiKey(), { apiKey: await this.#show(apiKey), secret })
  }
}
