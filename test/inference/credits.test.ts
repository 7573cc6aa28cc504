/** Credits that do not cover a request: 402 with the live balance, whenever that is found. */
import { describe, expect, it } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { answers, echoes, fakeUsage, hangs, wholeJson } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, contextFor, failure, turns } from './chat-kit.js'

describe('402', () => {
  it('is answered with the live balance, and without calling a provider', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], balance: 100n })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 402, code: 'insufficient_credits' })
    expect(error.message).toContain('$0.0000001 ')
    expect(provider.calls).toHaveLength(0)
  })

  it('ends a provider call that was begun beside a hold that was then refused, and nothing is charged', async () => {
    await using provider = await startFakeProvider(hangs)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    kit.ledger.commit = async () => {
      await provider.until(() => provider.calls.length === 1)
      kit.ledger.balance = 1n
    }
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 402 })
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    expect(kit.ledger.captured).toEqual([])
  })

  it('is the answer when the hold is refused after the provider has answered', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    kit.ledger.commit = async () => {
      await provider.until(() => provider.calls.some(({ isFinished }) => isFinished))
      await turns()
      kit.ledger.balance = 1n
    }
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 402 })
    expect(kit.ledger.usage).toEqual([])
  })

  it('is not the answer when an exact count of the prompt fits, or when a shorter answer does', async () => {
    await using provider = await startFakeProvider(echoes)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], balance: 3_000n })
    const long = [{ role: 'user', content: 'The quick brown fox jumps over the lazy dog. '.repeat(100) }]
    await kit.chat.complete(body({ messages: long }), contextFor())
    await kit.chat.complete(body({ messages: long, max_tokens: undefined }), contextFor())
    const told = provider.calls.map((call) => call.body['max_tokens'])
    expect(told[0]).toBe(100)
    expect(told[1]).toBeGreaterThan(900)
    expect(told[1]).toBeLessThan(1_100)
  })

  it('meets every concurrent request that the balance does not cover, and the others are answered', async () => {
    const answer = answers(wholeJson('Hi', fakeUsage(0, 0)))
    await using provider = await startFakeProvider(answer)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    await kit.chat.complete(body(), contextFor())
    const { amount } = kit.ledger.holds.values().next().value!
    kit.ledger.balance = amount * 25n
    const waiting: (() => void)[] = []
    provider.scene = (response, call) => void waiting.push(() => void answer(response, call))
    const results = Promise.allSettled(Array.from({ length: 100 }, () => kit.chat.complete(body(), contextFor())))
    // Holds are a little smaller once the prompt is counted exactly, so one more may fit in what is left.
    await provider.until(() => waiting.length >= 25)
    expect(kit.ledger.held).toBeLessThanOrEqual(kit.ledger.balance)
    expect(kit.ledger.held + amount).toBeGreaterThan(kit.ledger.balance)
    for (const go of waiting) go()
    const statuses = (await results).map((result) =>
      result.status === 'fulfilled' ? 200 : (result.reason as AppError).httpStatus,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(waiting.length)
    expect(statuses.filter((status) => status === 402)).toHaveLength(100 - waiting.length)
    expect(kit.ledger.held).toBe(0n)
  })
})
