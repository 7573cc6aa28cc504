/** New API keys. */
import type { Clock } from '#platform/clock.js'
import type { AnswerScanPolicy, Scope } from '#platform/requests/context.js'
import { nothingYet } from '#platform/database/tables.js'
import { invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import { ApiKeyEntity, type ApiKey } from './api-key.js'
import type { KeyCaps } from './key-caps.js'
import { checkRates, groupNamed, type RateChange } from './key-rate-limits.js'
import { newSecret, type NewSecret } from './key-format.js'
import type { KeyStore } from './key-store.js'

export interface CreateKeyInput extends RateChange {
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
  /** What it demands of the code in answers; nothing when left out. */
  readonly answerScan?: AnswerScanPolicy | null
  /** Of another key, to share its rates; those of the new key alone when left out. */
  readonly rateGroup?: string | null
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

interface KeyMaking {
  readonly rows: KeyStore
  readonly caps: KeyCaps
  readonly clock: Clock
  readonly limits: KeyLimits
  readonly announce: (key: ApiKey) => void
}

const MAX_MODEL_NAME = 256

/** Each model once. @throws AppError 400 */
export function modelsWithin(models: readonly string[] | null, most: number): readonly string[] | null {
  if (models === null) return null
  const isFine = models.every((id) => id !== '' && id.length <= MAX_MODEL_NAME && !id.includes('\0'))
  if (models.length === 0 || models.length > most || !isFine) {
    throw invalidRequest(`A list of models has 1 to ${most} ids.`, 'models')
  }
  return [...new Set(models)]
}

export function createKeyMaker({ rows, caps, clock, limits, announce }: KeyMaking) {
  /** Stores a new key with the secret. */
  async function store(secret: NewSecret, input: CreateKeyInput): Promise<ApiKey> {
    const { accountId, name, scopes, monthlyCap = null, expiresAt = null } = input
    const id = newId('key', clock.now())
    const models = modelsWithin(input.models ?? null, limits.models)
    checkRates(input)
    const { requestsPerMinute = null, tokensPerMinute = null } = input
    const isLimited = requestsPerMinute !== null || tokensPerMinute !== null
    // The ledger's row first: a key without its cap could spend, a cap without a key harms nobody.
    const ownBudgetId = monthlyCap === null ? null : await caps.begin({ id, accountId }, monthlyCap)
    const key: ApiKey = {
      ...nothingYet(ApiKeyEntity),
      id,
      publicId: secret.publicId,
      accountId,
      name,
      prefix: secret.prefix,
      secretHash: secret.hash,
      scopes,
      models,
      budgetId: ownBudgetId ?? input.budgetId ?? null,
      requestsPerMinute,
      tokensPerMinute,
      rateGroup: input.rateGroup ?? (isLimited ? groupNamed(id) : null),
      answerScan: input.answerScan ?? null,
      createdAt: clock.now(),
      expiresAt,
    }
    await rows.insert(key)
    announce(key)
    return key
  }

  async function create(input: CreateKeyInput): Promise<CreatedKey> {
    if (input.scopes.length === 0) throw invalidRequest('A key needs at least one scope.', 'scopes')
    if (input.expiresAt != null && input.expiresAt <= clock.now()) {
      throw invalidRequest('The expiry must lie in the future.', 'expiresAt')
    }
    const secret = newSecret()
    return { apiKey: await store(secret, input), secret: secret.token }
  }

  return { create, store }
}
