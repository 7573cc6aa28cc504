/** API keys: found by their form, refused at once when they end, never stored. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '#platform/requests/context.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { ApiKeyEntity, type ApiKey } from '../../subgraphs/accounts/keys/api-key.js'
import { newSecret, presentedKey, storedKey } from '../../subgraphs/accounts/keys/key-format.js'
import { createKeyLookup } from '../../subgraphs/accounts/keys/key-lookup.js'
import { createBudgetStore } from '../../subgraphs/accounts/budgets/budget-store.js'
import type { PresentedKey } from '../../subgraphs/accounts/keys/key-store.js'
import { createKeys, type Keys } from '../../subgraphs/accounts/keys/keys.js'
import { createBatchedLedger } from '../../subgraphs/accounts/ledger/batched-ledger.js'
import type { Ledger } from '../../subgraphs/accounts/ledger/ledger.js'
import { ledgerEntities } from '../../subgraphs/accounts/ledger/ledger-tables.js'
import { testDatabase, type TestDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'
import { openTransport } from './ledger/kit/ledger-kit.js'

const NO_BUDGETS = { owned: async () => [] }

describe.each(['sqlite', 'postgres'] as const)('keys on %s', (dialect) => {
  let database: TestDatabase
  let ledger: Ledger
  let keys: Keys
  let elsewhere: Keys
  const clock = new ManualClock()
  const limits = { models: 3, graceSeconds: 86_400 }
  const input = { accountId: 'acc_1', name: 'test', scopes: ['chat'] as const }

  beforeAll(async () => {
    database = await testDatabase(dialect, [ApiKeyEntity, OutboxEventEntity, ...ledgerEntities])
    const events = createInProcessEvents()
    const outbox = createOutbox({ database, events, clock })
    ledger = await createBatchedLedger({ transport: openTransport(database.url), clock })
    await ledger.openAccount('acc_1', { monthlyCap: null })
    keys = createKeys({ database, outbox, clock, ledger, events, limits, budgets: createBudgetStore(database) })
    // Another process whose announcements are lost: only its cache's age helps it.
    elsewhere = createKeys({
      database,
      outbox,
      clock,
      ledger,
      events: createInProcessEvents(),
      limits,
      budgets: createBudgetStore(database),
    })
  })
  afterAll(async () => {
    await ledger.close()
    await database[Symbol.asyncDispose]()
  })

  const who = async (token: string, at: Keys = keys): Promise<Principal | null> => at.authenticate(token)

  it('answer who holds them, with their scopes', async () => {
    const { secret, apiKey } = await keys.create(input)
    expect(await who(secret)).toEqual({ accountId: 'acc_1', keyId: apiKey.id, scopes: new Set(['chat']) })
  })

  it('are not stored: no column holds the secret', async () => {
    const { secret, apiKey } = await keys.create(input)
    const row = await database.fork().findOneOrFail(ApiKeyEntity, { id: apiKey.id })
    expect(JSON.stringify(row)).not.toContain(secret.slice(22))
  })

  it('are refused with one character changed', async () => {
    const { secret } = await keys.create(input)
    await fc.assert(
      fc.asyncProperty(fc.nat(secret.length - 1), fc.constantFrom('0', 'a', '9', 'z', 'A', '_'), async (at, character) => {
        fc.pre(secret[at] !== character)
        expect(await who(secret.slice(0, at) + character + secret.slice(at + 1))).toBeNull()
      }),
    )
  })

  it('end at once where they are revoked, and within 5 seconds everywhere', async () => {
    const { secret, apiKey } = await keys.create(input)
    expect(await who(secret, elsewhere)).not.toBeNull()
    await keys.revoke(apiKey.id, 'acc_1')
    expect(await who(secret)).toBeNull()
    await clock.advance(5_000)
    expect(await who(secret, elsewhere)).toBeNull()
  })

  it('are not made with an expiry in the past, and the fault names the field as the domain does', async () => {
    const late = keys.create({ ...input, expiresAt: clock.now() })
    await expect(late).rejects.toMatchObject({ code: 'invalid_request_error', param: 'expiresAt' })
  })

  it('are read once, however many requests bring one at once', async () => {
    const { secret, apiKey } = await keys.create(input)
    let reads = 0
    const findPresented = async () => (reads++, { key: apiKey, mayHaveBudgets: false })
    const lookup = createKeyLookup({ findPresented, change: async (key) => key }, NO_BUDGETS, clock)
    const answers = await Promise.all(Array.from({ length: 200 }, async () => lookup.authenticate(secret)))
    expect(new Set(answers.map((principal) => principal?.keyId))).toEqual(new Set([apiKey.id]))
    expect(reads).toBe(1)
  })

  it('that end while they are read are not remembered as they were', async () => {
    const { secret, apiKey } = await keys.create(input)
    const answers: ((key: ApiKey) => void)[] = []
    const findPresented = () =>
      new Promise<PresentedKey>((resolve) => answers.push((key) => resolve({ key, mayHaveBudgets: false })))
    const lookup = createKeyLookup({ findPresented, change: async (key) => key }, NO_BUDGETS, clock)
    const before = lookup.authenticate(secret)
    lookup.forget(apiKey.publicId)
    const after = lookup.authenticate(secret)
    answers[0]!(apiKey)
    await before
    const later = lookup.authenticate(secret)
    answers[1]!({ ...apiKey, revokedAt: clock.now() })
    expect([await after, await later, answers.length]).toEqual([null, null, 2])
  })

  it('end when they expire, while cached', async () => {
    const { secret } = await keys.create({ ...input, expiresAt: clock.now() + 1_000 })
    expect(await who(secret)).not.toBeNull()
    await clock.advance(1_000)
    expect(await who(secret)).toBeNull()
  })

  it('stay valid for the grace period when they are rotated, and no longer', async () => {
    const { secret, apiKey } = await keys.create(input)
    const next = await keys.rotate(apiKey.id, 'acc_1', 60)
    expect(await who(secret)).not.toBeNull()
    expect(await who(next.secret)).not.toBeNull()
    await clock.advance(60_000)
    expect(await who(secret)).toBeNull()
    expect(await who(next.secret)).not.toBeNull()
  })

  const capOf = async ({ budgetId }: ApiKey) => (await keys.budgets([{ budgetId }])).get(budgetId ?? '')?.cap

  it('with a monthly cap carry its budget, which a key in their place shares, however often they are rotated', async () => {
    const { secret, apiKey } = await keys.create({ ...input, monthlyCap: 70n })
    const { budgetId } = apiKey
    expect(await who(secret)).toEqual({ accountId: 'acc_1', keyId: apiKey.id, scopes: new Set(['chat']), budgetIds: [budgetId] })
    const second = await keys.rotate(apiKey.id, 'acc_1', 60)
    const third = await keys.rotate(second.apiKey.id, 'acc_1', 60)
    expect(third.apiKey.budgetId).toBe(budgetId)
    await keys.setMonthlyCap(third.apiKey.id, 'acc_1', 50n)
    expect(await capOf(apiKey)).toBe(50n)
    expect((await who((await keys.create(input)).secret))?.budgetIds).toBeUndefined()
  })

  it('that get a cap later share it with those in their grace period, also while they are rotated', async () => {
    const first = await keys.create(input)
    const second = await keys.rotate(first.apiKey.id, 'acc_1', 60)
    expect((await who(first.secret))?.budgetIds).toBeUndefined()
    await keys.setMonthlyCap(second.apiKey.id, 'acc_1', null)
    expect((await who(first.secret))?.budgetIds).toBeUndefined()
    const [, third] = await Promise.all([
      keys.setMonthlyCap(first.apiKey.id, 'acc_1', 9n),
      keys.rotate(second.apiKey.id, 'acc_1', 60),
    ])
    const budgets = await Promise.all([first, second, third].map(async ({ secret }) => (await who(secret))?.budgetIds))
    expect(new Set(budgets.flat()).size).toBe(1)
    expect(budgets[0]).toEqual([expect.stringMatching(/^bdg_/)])
    expect((await keys.setMonthlyCap(third.apiKey.id, 'acc_1', null)).budgetId).toBe(budgets[0]?.[0])
    expect(await capOf((await keys.find(third.apiKey.id, 'acc_1'))!)).toBeNull()
  })

  it('with rates carry them, and share them with those in their place, also when they get them later', async () => {
    const most = { requestsPerMinute: 5, tokensPerMinute: null }
    const first = await keys.create({ ...input, accountId: 'acc_2', ...most })
    const rateLimits = { group: first.apiKey.id, ...most }
    expect((await who(first.secret))?.rateLimits).toEqual(rateLimits)
    const second = await keys.rotate(first.apiKey.id, 'acc_2', 60)
    expect((await who(second.secret))?.rateLimits).toEqual(rateLimits)
    await keys.setRateLimits(second.apiKey.id, 'acc_2', { tokensPerMinute: 100 })
    expect((await who(first.secret))?.rateLimits).toEqual({ ...rateLimits, tokensPerMinute: 100 })
    await keys.setRateLimits(first.apiKey.id, 'acc_2', { requestsPerMinute: null, tokensPerMinute: null })
    expect((await who(second.secret))?.rateLimits).toBeUndefined()
  })

  it('that get rates later share them with those in their grace period, also while they are rotated', async () => {
    const first = await keys.create({ ...input, accountId: 'acc_2' })
    const second = await keys.rotate(first.apiKey.id, 'acc_2', 60)
    const [, third] = await Promise.all([
      keys.setRateLimits(first.apiKey.id, 'acc_2', { requestsPerMinute: 7 }),
      keys.rotate(second.apiKey.id, 'acc_2', 60),
    ])
    const rates = await Promise.all([first, second, third].map(async ({ secret }) => (await who(secret))?.rateLimits))
    expect(rates[0]).toMatchObject({ requestsPerMinute: 7, tokensPerMinute: null })
    expect(rates).toEqual([rates[0], rates[0], rates[0]])
  })

  it('of another account do not exist', async () => {
    const { apiKey } = await keys.create(input)
    await expect(keys.revoke(apiKey.id, 'acc_2')).rejects.toMatchObject({ code: 'not_found' })
    expect(await keys.find(apiKey.id, 'acc_2')).toBeNull()
  })

  it('that the operator chose work without our form, and twice the same is one', async () => {
    const token = 'an-operator-chose-these-40-characters-xx'
    await keys.ensurePreset('acc_1', token, 'preset', ['admin'])
    await keys.ensurePreset('acc_1', token, 'preset', ['admin'])
    expect((await who(token))?.scopes).toEqual(new Set(['admin']))
    expect(
      (await keys.page('acc_1', { size: 10, isBackward: false, cursor: null })).edges.filter(
        ({ node }) => node.name === 'preset',
      ),
    ).toHaveLength(1)
  })

  it('that the operator chose work whatever their form is, also where it is nearly or wholly ours', async () => {
    const own = newSecret().token
    const printable = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    const ofOurAlphabet = fc.string({ unit: fc.constantFrom(...'0189abhjkmz_'.split('')), minLength: 58, maxLength: 58 })
    const nearlyOurs = fc.oneof(
      ofOurAlphabet.map((rest) => `slk_0123456789abcdef_${rest}`),
      ofOurAlphabet.map((rest) => `slk_${rest}`),
      fc.constantFrom(`${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`, newSecret().token),
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(printable, nearlyOurs), async (text) => {
        const token = text.padEnd(32, '_')
        await keys.ensurePreset('acc_1', token, 'chosen', ['admin'])
        // The first look-up may be remembered, the second is.
        expect(await who(token, elsewhere)).not.toBeNull()
        expect(await who(token, elsewhere)).not.toBeNull()
        expect(await who(`${token.slice(0, -1)}${token.endsWith('!') ? '?' : '!'}`)).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})

describe('the form of a key', () => {
  it('decides where it is looked up: under its public id only when the checksum fits', () => {
    const { token, publicId } = newSecret()
    const mistyped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    expect(storedKey(token)).toEqual(presentedKey(token))
    expect(storedKey(token).publicId).toBe(publicId)
    expect(presentedKey(mistyped).publicId).toBe(publicId)
    for (const other of [mistyped, 'slk_short', 'anything']) {
      expect(storedKey(other).publicId).toBe(storedKey(other).hash.slice(0, 16))
    }
  })
})
