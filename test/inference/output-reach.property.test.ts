/** A limit for the answer that is out of reach: lowered as little as possible, and everything else stays as it was. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withinReach } from '../../subgraphs/inference/chat/output-reach.js'
import { parseChatRequest } from '../../subgraphs/inference/chat/request.js'
import { defaultChatLimits } from '../../subgraphs/inference/limits.js'
import { body as asking, candidate, model } from './chat-kit.js'

const some = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null })
const deployment = fc.record({ maxOutputTokens: some, contextWindow: some })

it('is what the best of the models can write beside the prompt', () => {
  fc.assert(
    fc.property(
      fc.array(deployment, { minLength: 1, maxLength: 3 }),
      some,
      fc.nat({ max: 2_000 }),
      (deployments, asked, about) => {
        const request = parseChatRequest(asking({ max_tokens: asked }), defaultChatLimits)
        const capabilities = { supportsFunctionCalling: null, supportsJsonMode: null }
        const models = deployments.map((each) =>
          model([candidate('http://x', { capabilities: { ...capabilities, ...each } })], {
            maxOutputTokens: null,
            contextWindow: null,
          }),
        )
        const reaches = deployments.map(({ maxOutputTokens, contextWindow }) =>
          Math.min(maxOutputTokens ?? Infinity, (contextWindow ?? Infinity) - Math.ceil(about * 1.2)),
        )
        const best = Math.max(...reaches)
        const lowered = withinReach(request, { about, atLeast: 0, atMost: 0 }, models)
        const isInReach = asked === null || asked <= best || best < 1
        const body = { ...request.body, max_tokens: best }
        expect(lowered).toEqual(isInReach ? request : { ...request, maxOutputTokens: best, body })
      },
    ),
  )
})
