/** API keys in the graph. A key manages the keys of its own account; an administrator's key those of every account. */
import { Arg, Ctx, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import {
  authenticationError,
  isAdministrator,
  requirePrincipal,
  requireScope,
  sees,
  type AnswerScanPolicy,
  type Principal,
  type RequestContext,
  type Scope,
} from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { fromSources } from '#platform/subgraph.js'
import type { Accounts } from '../accounts/accounts.js'
import type { ApiKey } from './api-key.js'
import {
  type AnswerScanPolicyInput,
  ApiKeyType,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
  RotateApiKeyInput,
  RotateApiKeyPayload,
  SetApiKeyAnswerScanInput,
  SetApiKeyAnswerScanPayload,
  SetApiKeyModelsInput,
  SetApiKeyModelsPayload,
  SetApiKeyMonthlyCapInput,
  SetApiKeyMonthlyCapPayload,
  SetApiKeyRateLimitsInput,
  SetApiKeyRateLimitsPayload,
} from './api-key-type.js'
import { isSamePolicy } from './key-answer-scan.js'
import { ratesOf, type RateChange } from './key-rate-limits.js'
import type { KeyRateFields } from './key-store.js'
import type { Keys } from './keys.js'
import type { BudgetSnapshot } from '../ledger/ledger.js'
import { optionalUsd } from '../usd-input.js'

/** Names of standards as the scanner writes them. @throws AppError 400 for an unknown one */
export type StandardsNamed = (names: readonly string[]) => string[]

const DEFAULT_SCOPES: readonly Scope[] = ['chat', 'gpu', 'scan']

/** Fields are named like the columns that they show; only declared fields are shown. `budgets`: by id, as the keys' service answers them. */
export function apiKeyType(key: ApiKey, budgets: ReadonlyMap<string, BudgetSnapshot>): ApiKeyType {
  const budget = budgets.get(key.budgetId ?? '')
  const caps = { monthlyCap: budget?.cap ?? null, spentThisMonth: budget?.spent ?? null }
  return Object.assign(new ApiKeyType(), key, caps)
}

/** Null for an administrator: any account's key. */
const reach = (principal: Principal) => (isAdministrator(principal) ? null : principal.accountId)

function requireAll(principal: Principal, scopes: readonly Scope[]): void {
  if (isAdministrator(principal)) return
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
  new AppError(
    'insufficient_scope',
    'This API key has a monthly cap or a budget, and no key may be made or changed with it to spend more.',
    {
      param: 'monthlyCap',
    },
  )

const beyondRates = (): AppError =>
  new AppError('insufficient_scope', 'This API key has a rate limit, and no key outside of it may be changed with it.')

const beyondAnswerScan = (): AppError =>
  new AppError(
    'insufficient_scope',
    'The code in answers to this API key is scanned, and no key that is not may be changed with it.',
  )

const onlyAdministrators = (what: string, param: string): AppError =>
  new AppError('insufficient_scope', `Only administrators set ${what}.`, { param })

@Resolver()
export class ApiKeyResolver {
  constructor(
    private readonly keys: Keys,
    private readonly accounts: Accounts,
    private readonly standardsNamed: StandardsNamed,
  ) {}

  @Query(() => ApiKeyType, { description: 'The API key of this request, or the one in whose name its console session is.' })
  async viewerKey(@Ctx() context: RequestContext): Promise<ApiKeyType> {
    const { keyId } = requirePrincipal(context)
    const key = await this.keys.find(keyId, null)
    if (!key) throw authenticationError()
    return this.#show(key)
  }

  @Mutation(() => CreateApiKeyPayload, { description: 'Creates an API key. Its secret appears in this answer only.' })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The new key.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateApiKeyPayload> {
    const principal = requirePrincipal(context)
    const accountId = input.accountId ?? principal.accountId
    const scopes = input.scopes ?? DEFAULT_SCOPES
    if (!sees(principal, accountId)) {
      throw new AppError('not_found', 'There is no such account.', { param: 'accountId' })
    }
    // A key cannot make one that may do more than itself.
    requireAll(principal, scopes)
    const models = input.models ?? null
    requireModels(principal, models)
    const monthlyCap = optionalUsd(input.monthlyCap ?? null, 'monthlyCap')
    // What a capped key makes spends of the same cap.
    const budgetId = await this.#ownBudget(principal)
    if (budgetId !== null && monthlyCap !== null) throw beyondCap()
    const rates = await this.#ratesOfNew(input, principal)
    const answerScan = await this.#answerScanOfNew(input, principal)
    if (!(await this.accounts.find(accountId)))
      throw new AppError('not_found', 'There is no such account.', { param: 'accountId' })
    const name = input.name ?? 'key'
    if (name.length === 0 || name.length > 200) throw invalidRequest('A name has 1 to 200 characters.', 'name')
    const expiresAt = input.expiresAt?.getTime() ?? null
    const limits = { scopes: [...new Set(scopes)], expiresAt, models, monthlyCap, budgetId, answerScan, ...rates }
    const { apiKey, secret } = await this.keys.create({ accountId, name, ...limits })
    return { apiKey: await this.#show(apiKey), secret }
  }

  @Mutation(() => SetApiKeyModelsPayload, {
    description: 'Changes which models a key may ask, at once and in every process.',
  })
  async setApiKeyModels(
    @Arg('input', () => SetApiKeyModelsInput, { description: 'Which key, and which models.' }) input: SetApiKeyModelsInput,
    @Ctx() context: RequestContext,
  ): Promise<SetApiKeyModelsPayload> {
    const principal = requirePrincipal(context)
    const { id, models = null } = input
    await this.#mayManage(id, principal)
    requireModels(principal, models)
    return { apiKey: await this.#show(await this.keys.setModels(id, reach(principal), models)) }
  }

  @Mutation(() => SetApiKeyMonthlyCapPayload, {
    description: 'Changes what a key may spend in a calendar month, at once and in every process. What it has spent stays spent.',
  })
  async setApiKeyMonthlyCap(
    @Arg('input', () => SetApiKeyMonthlyCapInput, { description: 'Which key, and how much.' }) input: SetApiKeyMonthlyCapInput,
    @Ctx() context: RequestContext,
  ): Promise<SetApiKeyMonthlyCapPayload> {
    const principal = requirePrincipal(context)
    const { id, monthlyCap = null } = input
    await this.#mayManage(id, principal)
    if ((await this.#ownBudget(principal)) !== null) throw beyondCap()
    const key = await this.keys.setMonthlyCap(id, reach(principal), optionalUsd(monthlyCap, 'monthlyCap'))
    return { apiKey: await this.#show(key) }
  }

  @Mutation(() => SetApiKeyRateLimitsPayload, {
    description: 'Administrators only: changes what a key may ask in a minute, at once and in every process.',
  })
  async setApiKeyRateLimits(
    @Arg('input', () => SetApiKeyRateLimitsInput, { description: 'Which key, and its rates.' }) input: SetApiKeyRateLimitsInput,
    @Ctx() context: RequestContext,
  ): Promise<SetApiKeyRateLimitsPayload> {
    requireScope(context, 'admin')
    const { id, requestsPerMinute, tokensPerMinute } = input
    return { apiKey: await this.#show(await this.keys.setRateLimits(id, null, { requestsPerMinute, tokensPerMinute })) }
  }

  @Mutation(() => SetApiKeyAnswerScanPayload, {
    description: 'Administrators only: changes what a key demands of the code in answers, at once and in every process.',
  })
  async setApiKeyAnswerScan(
    @Arg('input', () => SetApiKeyAnswerScanInput, { description: 'Which key, and what it demands.' })
    { id, answerScan }: SetApiKeyAnswerScanInput,
    @Ctx() context: RequestContext,
  ): Promise<SetApiKeyAnswerScanPayload> {
    requireScope(context, 'admin')
    return { apiKey: await this.#show(await this.keys.setAnswerScan(id, null, this.#policyOf(answerScan))) }
  }

  @Mutation(() => RotateApiKeyPayload, {
    description:
      'Puts a new key in the place of one that stays valid for a grace period. The secret appears in this answer only.',
  })
  async rotateApiKey(
    @Arg('input', () => RotateApiKeyInput, { description: 'Which key, and its grace period.' }) input: RotateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RotateApiKeyPayload> {
    const principal = requirePrincipal(context)
    await this.#mayManage(input.id, principal)
    const { apiKey, replaced, secret } = await this.keys.rotate(input.id, reach(principal), input.graceSeconds ?? null)
    return { apiKey: await this.#show(apiKey), replacedKey: await this.#show(replaced), secret }
  }

  @Mutation(() => RevokeApiKeyPayload, { description: 'Ends a key at once, in every process. Repeating it answers the same.' })
  async revokeApiKey(
    @Arg('input', () => RevokeApiKeyInput, { description: 'Which key.' }) { id }: RevokeApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeApiKeyPayload> {
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    return { apiKey: await this.#show(await this.keys.revoke(id, reach(principal))) }
  }

  @Subscription(() => ApiKeyType, {
    subscribe: fromSources,
    description:
      'Every key of your account that was created, changed, rotated or revoked, as it is then. Nothing is repeated from before.',
  })
  apiKeysChanged(@Root() key: ApiKey): Promise<ApiKeyType> {
    return this.#show(key)
  }

  /** Rotating a stronger key would hand its scopes out; a key that is not there is told so by the verb itself. */
  async #mayManage(id: string, principal: Principal): Promise<void> {
    const key = await this.keys.find(id, reach(principal))
    if (!key) return
    requireAll(principal, key.scopes)
    requireModels(principal, key.models)
    const own = await this.#ownBudget(principal)
    if (own !== null && key.budgetId !== own) throw beyondCap()
    const rates = await this.#ownRates(principal)
    if (rates && key.rateGroup !== rates.rateGroup) throw beyondRates()
    const demanded = await this.#ownAnswerScan(principal)
    if (demanded && !isSamePolicy(demanded, key.answerScan)) throw beyondAnswerScan()
  }

  /** What a key makes whose answers are scanned has its answers scanned too. */
  async #answerScanOfNew({ answerScan }: CreateApiKeyInput, principal: Principal): Promise<AnswerScanPolicy | null> {
    if (isAdministrator(principal)) return this.#policyOf(answerScan)
    if (answerScan) throw onlyAdministrators('what a key demands of the code in answers', 'answerScan')
    return this.#ownAnswerScan(principal)
  }

  #policyOf(input: AnswerScanPolicyInput | null | undefined): AnswerScanPolicy | null {
    if (!input) return null
    const { mode, standards, minSeverity } = input
    return { mode, standards: this.standardsNamed(standards ?? []), minSeverity: minSeverity ?? 'low' }
  }

  /** Null for a key that demands nothing, and for an administrator's. Read, not remembered. */
  async #ownAnswerScan(principal: Principal): Promise<AnswerScanPolicy | null> {
    if (isAdministrator(principal)) return null
    return (await this.keys.find(principal.keyId, principal.accountId))?.answerScan ?? null
  }

  /** What a key with rates makes shares them. */
  async #ratesOfNew(input: CreateApiKeyInput, principal: Principal): Promise<RateChange & { rateGroup?: string | null }> {
    const { requestsPerMinute = null, tokensPerMinute = null } = input
    if (isAdministrator(principal)) return { requestsPerMinute, tokensPerMinute }
    if (requestsPerMinute !== null || tokensPerMinute !== null) throw onlyAdministrators('rate limits', 'requestsPerMinute')
    return (await this.#ownRates(principal)) ?? {}
  }

  /** The rates that bind the caller; null for a key without them and for an administrator's. Read, not remembered. */
  async #ownRates(principal: Principal): Promise<KeyRateFields | null> {
    if (isAdministrator(principal)) return null
    const key = await this.keys.find(principal.keyId, principal.accountId)
    return key && (key.requestsPerMinute !== null || key.tokensPerMinute !== null) ? ratesOf(key) : null
  }

  /** What binds the caller and all keys that share it; null for a key without a cap or budget and for an administrator's. Read, not remembered. */
  async #ownBudget(principal: Principal): Promise<string | null> {
    if (isAdministrator(principal)) return null
    const key = await this.keys.find(principal.keyId, principal.accountId)
    return key && this.keys.bindingBudget(key)
  }

  async #show(key: ApiKey): Promise<ApiKeyType> {
    return apiKeyType(key, await this.keys.budgets([key]))
  }
}
