/** Chat completions over the real ledger and its adapter: whatever happens to a call, the books balance. */
import { describe, expect, it } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { createMetrics } from '#platform/metrics.js'
import { chatLedger } from '../../src/app/ports/chat-ledger.js'
import type { ChatStreamEvent } from '../../subgraphs/inference/index.js'
import { testLedger } from '../accounts/ledger/kit/ledger-kit.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, collect, contextFor } from './chat-kit.js'

const ACCOUNT = 'acc_1'
const PIECES = ['Hel', 'lo', ' there']

async function setup(balance: bigint) {
  const books = await testLedger('sqlite')
  // The stepping clock of the ledger stands still; expiries are measured against it.
  books.clock.time = Date.now()
  await books.ledger.openAccount(ACCOUNT, { monthlyCap: null })
  await books.ledger.topUp({ accountId: ACCOUNT, amount: balance, idempotencyKey: 'start', kind: 'top_up' })
  const provider = await startFakeProvider(answersBoth({ pieces: PIECES }))
  provider.scenes.set('breaks', streams({ pieces: PIECES, ending: 'reset' }))
  provider.scenes.set('hangs', streams({ pieces: PIECES, ending: 'hang' }))
  const realLedger = chatLedger(books.ledger, createMetrics())
  const kit = chatKit({
    realLedger,
    resolve: (modelId) => {
      const deployment = candidate(provider.baseUrl, { deploymentId: `dep-${modelId}`, modelId, providerModelId: modelId })
      const common = { modelId, tier: null, contextWindow: 100_000, maxOutputTokens: 4_096, tokenizer: 'o200k_base' as const }
      return { kind: 'candidates', models: [{ ...common, deployments: [deployment] }] }
    },
  })
  const end = async () => {
    await kit[Symbol.asyncDispose]()
    await provider.stop()
    await books[Symbol.asyncDispose]()
  }
  return { books, provider, kit, [Symbol.asyncDispose]: end }
}

describe('the books', () => {
  it('balance after whole answers, streams, broken streams and readers who leave, all at once', async () => {
    await using all = await setup(1_000_000_000n)
    const { kit, books } = all
    const whole = () => kit.chat.complete(body({ model: 'works' }), contextFor())
    const streamed = async (model: string) => collect(await kit.chat.stream(body({ model, stream: true }), contextFor()))
    const leaves = async (after: number) => {
      const stream = (await kit.chat.stream(body({ model: 'hangs' }), contextFor())) as AsyncIterableIterator<ChatStreamEvent>
      for (let i = 0; i < after; i++) await stream.next()
      await stream.return!()
    }
    // The breaker would end the broken deployment's calls before the provider can break them.
    const rounds = Array.from({ length: 25 }, (_, index) => [whole(), streamed('works'), leaves(index % 4)])
    await Promise.all([...rounds.flat(), streamed('breaks'), streamed('breaks')])
    const { balance, held, spent } = await books.ledger.read(ACCOUNT)
    expect(held).toBe(0n)
    expect(balance + spent).toBe(1_000_000_000n)
    // 50 answers at the reported 11 and 3 tokens; the others at what was counted.
    expect(spent).toBeGreaterThan(50n * 17n)
    expect(await books.ledger.checkInvariants()).toMatchObject({ ok: true, openHolds: 0, violations: [] })
    expect(kit.faults).toEqual([])
  })

  it('keep to the cap of a key, whatever is asked at once beside keys without one, and a new month frees it', async () => {
    await using all = await setup(1_000_000_000n)
    const { kit, books } = all
    const { ledger } = books
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: ACCOUNT, cap: 2_000n })
    const { principal } = contextFor()
    const capped = () =>
      kit.chat.complete(body({ model: 'works' }), contextFor({ principal: { ...principal!, budgetIds: ['bdg_1'] } }))
    const burst = async () => {
      const asked = Array.from({ length: 60 }, capped)
      const others = Array.from({ length: 20 }, () => kit.chat.complete(body({ model: 'works' }), contextFor()))
      const results = await Promise.allSettled(asked)
      await Promise.all(others)
      return results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as AppError)
    }
    const refused = await burst()
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ code: 'insufficient_credits', httpStatus: 402 })
    expect(refused[0]!.message).toMatch(
      /^This API key's monthly cap is \$0\.000002, of which \$[\d.]+ is spent and \$[\d.]+ is set aside; this request needs up to \$[\d.]+\. It begins anew at \d{4}-\d\d-01T00:00:00Z\.$/,
    )
    const budget = async () => (await ledger.readBudgets(['bdg_1'])).get('bdg_1')
    expect(await budget()).toMatchObject({ held: 0n, spent: BigInt(60 - refused.length) * 17n })
    expect(await ledger.read(ACCOUNT)).toMatchObject({ held: 0n, spent: BigInt(80 - refused.length) * 17n })
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: ACCOUNT, cap: 1n })
    await expect(capped()).rejects.toMatchObject({ httpStatus: 402 })
    books.clock.nextMonth()
    await ledger.setBudget({ budgetId: 'bdg_1', accountId: ACCOUNT, cap: 2_000n })
    await capped()
    expect(await budget()).toMatchObject({ held: 0n, spent: 17n })
    expect(await ledger.checkInvariants()).toMatchObject({ ok: true, openHolds: 0, violations: [] })
  })

  it('never go below zero when more is asked than there is', async () => {
    await using all = await setup(2_000n)
    const { kit, books } = all
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => kit.chat.complete(body({ model: 'works' }), contextFor())),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ reason }) => (reason as { httpStatus: number }).httpStatus === 402)).toBe(true)
    const answered = BigInt(results.length - refused.length)
    expect(await books.ledger.read(ACCOUNT)).toMatchObject({ held: 0n, spent: answered * 17n, balance: 2_000n - answered * 17n })
    expect(await books.ledger.checkInvariants()).toMatchObject({ ok: true, openHolds: 0 })
  })
})
