/** What an account reads of its usage: filtered, sorted and added up, on both databases. */
import { describe, expect, test } from 'vitest'
import { createBooks, type Books } from '../../subgraphs/accounts/books/books.js'
import type { ChatApi } from '../../src/platform/vocabulary/words.js'
import type { UsageFilter } from '../../subgraphs/accounts/books/usage-filter.js'
import type { UsageOutcome } from '../../subgraphs/accounts/ledger/ledger-columns.js'
import { newSessionId } from '../../subgraphs/compute/sessions/session.js'
import { dialects, MINUTE_MS, testLedger, usage, type TestLedger } from './ledger/kit/ledger-kit.js'

const EVERYTHING: UsageFilter = {
  modelId: null,
  keyId: null,
  providerId: null,
  outcome: null,
  api: null,
  minCost: null,
  from: null,
  to: null,
}
const HOUR_MS = 60 * MINUTE_MS

interface Request {
  readonly id: string
  readonly deploymentId: string | null
  readonly cost: bigint
  readonly keyId?: string
  readonly endedAs?: UsageOutcome
  readonly api?: ChatApi
  readonly durationMs?: number
  /** Of its arrival, after the first one. */
  readonly hours?: number
}

const SESSION = newSessionId('model', 0)

const REQUESTS: readonly Request[] = [
  { id: 'a', deploymentId: 'small@hp-1', cost: 5n, durationMs: 30 },
  { id: 'b', deploymentId: 'small@hp-1:eu', cost: 9n, keyId: 'key_b', durationMs: 10, hours: 1 },
  { id: 'c', deploymentId: 'large@hp-10', cost: 7n, api: 'messages', durationMs: 50, hours: 2 },
  { id: 'd', deploymentId: 'large@HP-1', cost: 1n, durationMs: 40, hours: 26 },
  { id: 'e', deploymentId: SESSION, cost: 2n, durationMs: 20, hours: 26 },
  { id: 'f', deploymentId: null, cost: 0n, endedAs: 'failed', durationMs: 60, hours: 27 },
]

async function openBooks(dialect: (typeof dialects)[number]) {
  const kit = await testLedger(dialect)
  const { ledger, clock, database } = kit
  const start = clock.now()
  await ledger.openAccount('acc', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
  for (const request of REQUESTS) await record(kit, request, start)
  clock.time = start + 28 * HOUR_MS
  return { kit, start, books: createBooks({ database, ledger, clock }) }
}

async function record({ ledger, clock }: TestLedger, request: Request, start: number): Promise<void> {
  const { id, deploymentId, cost, keyId = 'key_a', endedAs = 'completed', api = 'graphql', durationMs = 1, hours = 0 } = request
  clock.time = start + hours * HOUR_MS
  await ledger.reserve({ holdId: id, accountId: 'acc', amount: 20n, purpose: 'chat', expiresAt: clock.now() + MINUTE_MS })
  const modelId = deploymentId?.split('@')[0] ?? 'none'
  const told = usage({ deploymentId, modelId, keyId, endedAs, api, durationMs, createdAt: clock.now() })
  await ledger.settle({ holdId: id, amount: cost, usage: told })
}

const ids = async (books: Books, filter: Partial<UsageFilter>, sort: Parameters<Books['usage']>[2] = 'oldest') => {
  const page = await books.usage('acc', { ...EVERYTHING, ...filter }, sort, { size: 10, isBackward: false, cursor: null })
  return page.edges.map(({ node }) => node.id).join('')
}

describe.each(dialects)('usage on %s', (dialect) => {
  test('is narrowed by model, key, outcome, API, least cost, provider and time, and all of them stack', async () => {
    const { books, kit, start } = await openBooks(dialect)
    await using _ = kit
    expect(await ids(books, { modelId: 'large' })).toBe('cd')
    expect(await ids(books, { keyId: 'key_b' })).toBe('b')
    expect(await ids(books, { outcome: 'failed' })).toBe('f')
    expect(await ids(books, { api: 'messages' })).toBe('c')
    expect(await ids(books, { minCost: 7n })).toBe('bc')
    expect(await ids(books, { from: start + HOUR_MS, to: start + 26 * HOUR_MS })).toBe('bc')
    expect(await ids(books, { modelId: 'small', keyId: 'key_a', providerId: 'hp-1' })).toBe('a')
  })

  test('finds a provider in every region, by its whole name and in its letter case, and GPU sessions as "session"', async () => {
    const { books, kit } = await openBooks(dialect)
    await using _ = kit
    expect(await ids(books, { providerId: 'hp-1' })).toBe('ab')
    expect(await ids(books, { providerId: 'hp-10' })).toBe('c')
    expect(await ids(books, { providerId: 'hp-_' })).toBe('')
    expect(await ids(books, { providerId: 'session' })).toBe('e')
    const [named, session, unanswered] = await books.usageByIds(['b', 'e', 'f'])
    expect([named, session, unanswered].map((record) => record!.providerId)).toEqual(['hp-1', 'session', null])
  })

  test('is sorted by time, cost or duration, page by page', async () => {
    const { books, kit } = await openBooks(dialect)
    await using _ = kit
    expect(await ids(books, {}, 'newest')).toMatch(/^f(de|ed)cba$/)
    expect(await ids(books, {}, 'costliest')).toBe('bcaedf')
    expect(await ids(books, {}, 'slowest')).toBe('fcdaeb')
    const first = await books.usage('acc', EVERYTHING, 'costliest', { size: 2, isBackward: false, cursor: null })
    const cursor = JSON.parse(Buffer.from(first.edges.at(-1)!.cursor, 'base64url').toString()) as string[]
    const next = await books.usage('acc', EVERYTHING, 'costliest', { size: 2, isBackward: false, cursor })
    expect(next.edges.map(({ node }) => node.id)).toEqual(['a', 'e'])
  })

  test('by cost or duration, looks 30 days back unless it is told to look further', async () => {
    const { books, kit, start } = await openBooks(dialect)
    await using _ = kit
    kit.clock.time = start + 31 * 24 * HOUR_MS
    expect(await ids(books, {}, 'costliest')).toBe('edf')
    expect(await ids(books, { from: start }, 'costliest')).toBe('bcaedf')
  })

  test('is added up by hour and by provider, and loses nothing on the way', async () => {
    const { books, kit, start } = await openBooks(dialect)
    await using _ = kit
    const sums = async (...args: Parameters<Books['usageSummary']>) =>
      (await books.usageSummary(...args)).map(({ group, requests, cost }) => [group, requests, Number(cost)])
    expect(await sums('acc', 'provider', EVERYTHING)).toEqual([
      [null, 1, 0],
      ['HP-1', 1, 1],
      ['hp-1', 2, 14],
      ['hp-10', 1, 7],
      ['session', 1, 2],
    ])
    const hour = (hours: number) => new Date(Math.floor(start / HOUR_MS + hours) * HOUR_MS).toISOString()
    expect(await sums('acc', 'hour', { ...EVERYTHING, modelId: 'small' })).toEqual([
      [hour(0), 1, 5],
      [hour(1), 1, 9],
    ])
    await expect(books.usageSummary('acc', 'hour', { ...EVERYTHING, from: 0 })).rejects.toMatchObject({ param: 'from' })
    await expect(books.usageSummary('acc', 'day', { ...EVERYTHING, from: 2, to: 1 })).rejects.toMatchObject({ param: 'from' })
  })
})
