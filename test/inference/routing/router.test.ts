/** The router: which deployments may answer, in which order, and why. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUsd } from '#platform/money.js'
import type { Candidate, CandidateModel } from '../../../subgraphs/inference/ports.js'
import { rankCandidates, type CandidateHealth, type RoutingRequest } from '../../../subgraphs/inference/routing/router.js'
import { candidate, model } from '../chat-kit.js'

const HEALTHY: CandidateHealth = {
  status: 'healthy',
  isDown: false,
  wantsTrial: false,
  hasTrialInFlight: false,
  isRateLimited: false,
  isSlow: false,
  latencyP50Ms: null,
}

const REQUEST: RoutingRequest = {
  needsFunctionCalling: false,
  needsJsonMode: false,
  inputTokens: 100,
  inputTokensAtLeast: 50,
  maxOutputTokens: 100,
  choices: 1,
  chatOnlyField: null,
}

const priced = (id: string, input: bigint, output: bigint, overrides: Partial<Candidate> = {}) =>
  candidate('http://unused', {
    deploymentId: id,
    price: { versionId: `pv-${id}`, tokenPrice: { input, output, cachedInput: null } },
    ...overrides,
  })

const order = (models: readonly CandidateModel[], request = REQUEST, health: Record<string, Partial<CandidateHealth>> = {}) =>
  rankCandidates(request, models, (id) => ({ ...HEALTHY, ...health[id] })).kept.map((kept) => kept.candidate.deploymentId)

describe('for a model id', () => {
  it('the cheapest for this request comes first, by input and output together', () => {
    const models = [model([priced('long-prompts', 1_000_000n, 9_000_000n), priced('long-answers', 3_000_000n, 1_000_000n)])]
    expect(order(models, { ...REQUEST, inputTokens: 10_000 })).toEqual(['long-prompts', 'long-answers'])
    expect(order(models, { ...REQUEST, inputTokens: 10 })).toEqual(['long-answers', 'long-prompts'])
  })

  it('an unpriced deployment is skipped as pricing_pending, however cheap free would be', () => {
    const models = [model([priced('dear', 9_000_000n, 9_000_000n), priced('unpriced', 0n, 0n, { price: null })])]
    const route = rankCandidates(REQUEST, models, () => HEALTHY)
    expect(route.kept.map((kept) => kept.candidate.deploymentId)).toEqual(['dear'])
    expect(route.explanation.find(({ deploymentId }) => deploymentId === 'unpriced')).toMatchObject({
      kept: false,
      reason: 'pricing_pending',
      effectivePrice: null,
    })
  })

  it('capabilities come before price', () => {
    const cheap = (capabilities: Partial<Candidate['capabilities']>) => [
      model([
        priced('cheap', 1n, 1n, {
          capabilities: {
            contextWindow: null,
            maxOutputTokens: null,
            supportsFunctionCalling: null,
            supportsJsonMode: null,
            ...capabilities,
          },
        }),
        priced('dear', 9_000_000n, 9_000_000n),
      ]),
    ]
    expect(order(cheap({ supportsFunctionCalling: false }), { ...REQUEST, needsFunctionCalling: true })).toEqual(['dear'])
    expect(order(cheap({ supportsJsonMode: false }), { ...REQUEST, needsJsonMode: true })).toEqual(['dear'])
    expect(order(cheap({ maxOutputTokens: 99 }))).toEqual(['dear'])
    expect(order(cheap({ contextWindow: 140 }))).toEqual(['dear'])
    expect(order(cheap({}), { ...REQUEST, needsFunctionCalling: true, needsJsonMode: true })).toEqual(['cheap', 'dear'])
  })

  it('slow and degraded ones come after good ones, limited ones after those, broken ones not at all', () => {
    const ids = ['down', 'limited', 'slow', 'degraded', 'good']
    const models = [model(ids.map((id, index) => priced(id, BigInt(index + 1) * 1_000_000n, 0n)))]
    const health = {
      down: { isDown: true },
      limited: { isRateLimited: true },
      slow: { isSlow: true },
      degraded: { status: 'degraded' as const },
    }
    expect(order(models, REQUEST, health)).toEqual(['good', 'slow', 'degraded', 'limited'])
  })

  it('a half-open one is tried in its price order, by one request only', () => {
    const models = [model([priced('a', 1_000_000n, 0n), priced('b', 2_000_000n, 0n)])]
    expect(order(models, REQUEST, { a: { status: 'degraded', wantsTrial: true } })).toEqual(['a', 'b'])
    expect(order(models, REQUEST, { a: { status: 'degraded', hasTrialInFlight: true } })).toEqual(['b'])
  })

  it('the last deployment is called even when it is down', () => {
    const route = rankCandidates(REQUEST, [model([priced('only', 1n, 1n)])], () => ({ ...HEALTHY, isDown: true, status: 'down' }))
    expect(route.explanation).toMatchObject([{ deploymentId: 'only', kept: true, reason: 'last_resort', health: 'down' }])
  })
})

describe('for a tier', () => {
  const first = model([priced('a1', 5_000_000n, 0n, { modelId: 'a' }), priced('a2', 1_000_000n, 0n, { modelId: 'a' })], {
    modelId: 'a',
  })
  const second = model([priced('b1', 2_000_000n, 0n, { modelId: 'b' })], { modelId: 'b' })

  it('the cheapest model comes first with all its deployments, then the next model', () => {
    expect(order([second, first])).toEqual(['a2', 'a1', 'b1'])
  })

  it('the next model answers when the cheapest is down', () => {
    expect(order([second, first], REQUEST, { a1: { isDown: true }, a2: { isDown: true } })).toEqual(['b1'])
  })
})

describe('always', () => {
  const rarely = fc.nat(4).map((n) => n === 0)
  const health = fc.record({
    status: fc.constantFrom('healthy' as const, 'healthy' as const, 'healthy' as const, 'degraded' as const),
    isDown: rarely,
    wantsTrial: fc.constant(false),
    hasTrialInFlight: fc.constant(false),
    isRateLimited: rarely,
    isSlow: rarely,
    latencyP50Ms: fc.option(fc.nat(1_000)),
  })
  const setup = fc.array(
    fc.record({
      modelIndex: fc.constantFrom(0, 0, 0, 1, 2),
      price: fc.option(fc.tuple(fc.bigInt(0n, 5_000_000n), fc.bigInt(0n, 5_000_000n)), { freq: 5 }),
      tools: fc.constantFrom(true, false, null),
      contextWindow: fc.constantFrom(null, 100, 100_000, 200_000),
      health,
    }),
    { minLength: 1, maxLength: 10 },
  )

  it('nothing unpriced or incapable is kept, every candidate is explained once, and the order is by group and price', () => {
    let compared = 0
    fc.assert(
      fc.property(setup, fc.boolean(), (items, needsFunctionCalling) => {
        const candidates = items.map((item, index) =>
          priced(`d${index}`, item.price?.[0] ?? 0n, item.price?.[1] ?? 0n, {
            modelId: `m${item.modelIndex}`,
            capabilities: {
              contextWindow: item.contextWindow,
              maxOutputTokens: null,
              supportsFunctionCalling: item.tools,
              supportsJsonMode: null,
            },
            ...(item.price === null && { price: null }),
          }),
        )
        const models = [0, 1, 2].map((index) =>
          model(
            candidates.filter(({ modelId }) => modelId === `m${index}`),
            { modelId: `m${index}` },
          ),
        )
        const healthOf = (id: string) => items[Number(id.slice(1))]!.health
        const request = { ...REQUEST, needsFunctionCalling }
        const route = rankCandidates(request, models, healthOf)
        expect(rankCandidates(request, models.toReversed(), healthOf).kept).toEqual(route.kept)
        expect(route.explanation.map(({ deploymentId }) => deploymentId).sort()).toEqual(
          candidates.map(({ deploymentId }) => deploymentId).sort(),
        )
        const fit = candidates.filter(
          ({ price, capabilities }) =>
            price !== null &&
            !(needsFunctionCalling && capabilities.supportsFunctionCalling === false) &&
            (capabilities.contextWindow ?? 1_000) >= 150,
        )
        expect(route.kept.length > 0).toBe(fit.length > 0)
        for (const kept of route.kept) expect(fit).toContain(kept.candidate)
        const works = (id: string) =>
          !healthOf(id).isDown && !healthOf(id).isRateLimited && !healthOf(id).isSlow && healthOf(id).status === 'healthy'
        for (const modelId of ['m0', 'm1', 'm2']) {
          const prices = route.kept
            .filter((kept) => kept.model.modelId === modelId && works(kept.candidate.deploymentId))
            .map((kept) => kept.effectivePrice)
          if (prices.length > 1) compared++
          expect(prices).toEqual(prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
        }
        const prices = route.explanation.flatMap(({ effectivePrice }) => effectivePrice ?? [])
        expect(prices.every((price) => parseUsd(price) >= 0n)).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(50)
  })
})
