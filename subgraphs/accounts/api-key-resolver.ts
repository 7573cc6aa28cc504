/** API keys in the graph. A key manages the keys of its own account; an administrator's key those of every account. */
import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql'
import { requirePrincipal, type Principal, type RequestContext, type Scope } from '#platform/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { ApiKeyType, CreateApiKeyArgs, CreatedApiKey } from './account-type.js'
import type { Accounts } from './accounts.js'
import type { ApiKey } from './api-key.js'
import type { CreatedKey, Keys } from './keys.js'

const DEFAULT_SCOPES: readonly Scope[] = ['chat', 'gpu', 'scan']
const DEFAULT_GRACE_SECONDS = 24 * 3600
const MAX_GRACE_SECONDS = 30 * 24 * 3600

export function apiKeyType(key: ApiKey): ApiKeyType {
  return Object.assign(new ApiKeyType(), {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopeList(),
    models: key.modelList(),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    replacedBy: key.replacedBy ?? null,
  })
}

const createdType = ({ apiKey, secret }: CreatedKey): CreatedApiKey =>
  Object.assign(new CreatedApiKey(), { apiKey: apiKeyType(apiKey), secret })

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
    if (!(await this.accounts.find(accountId)))
      throw new AppError('not_found', 'There is no such account.', { param: 'account_id' })
    const name = input.name ?? 'key'
    if (name.length === 0 || name.length > 200) throw invalidRequest('A name has 1 to 200 characters.', 'name')
    const expiresAt = input.expiresAt?.getTime() ?? null
    return createdType(await this.keys.create({ accountId, name, scopes: [...new Set(scopes)], expiresAt, models }))
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
    return apiKeyType(await this.keys.setModels(id, reach(principal), models ?? null))
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
    return createdType(await this.keys.rotate(id, reach(principal), grace))
  }

  @Mutation(() => ApiKeyType, { description: 'Ends a key at once, in every process. Repeating it answers the same.' })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'The key.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ApiKeyType> {
    const principal = requirePrincipal(context)
    await this.#mayManage(id, principal)
    return apiKeyType(await this.keys.revoke(id, reach(principal)))
  }

  /** Rotating a stronger key would hand its scopes out; a key that is not there is told so by the verb itself. */
  async #mayManage(id: string, principal: Principal): Promise<void> {
    const key = await this.keys.find(id, reach(principal))
    if (!key) return
    requireAll(principal, key.scopeList())
    requireModels(principal, key.modelList())
  }
}
