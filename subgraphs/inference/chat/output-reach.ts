/**
 * Requests of an API that demands a limit for the answer: agents write down the limit of the model that they were made for, and
 * mean "as long as you like". Where no model that may answer can write so much, the limit becomes what the best of them can.
 */
import type { CandidateModel } from '../ports.js'
import type { PromptSize } from '../tokens/prompt-size.js'
import type { JsonObject } from '../tokens/usage.js'
import type { ChatRequest } from './request.js'

/** The prompt is only estimated, and other tokenizers count a little more. */
const ROOM_FOR_PROMPT = 1.2

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const

export function withinReach(request: ChatRequest, { about }: PromptSize, models: readonly CandidateModel[]): ChatRequest {
  const { maxOutputTokens: asked, body } = request
  if (asked === null) return request
  const prompt = Math.ceil(about * ROOM_FOR_PROMPT)
  const longest = Math.max(
    ...models.flatMap((model) => model.deployments.map(({ capabilities }) => reach(model, capabilities, prompt))),
  )
  if (asked <= longest || longest < 1) return request
  const changed: JsonObject = { ...body }
  for (const field of LIMITS) if (changed[field] !== undefined) changed[field] = longest
  return { ...request, maxOutputTokens: longest, body: changed }
}

type Capabilities = CandidateModel['deployments'][number]['capabilities']

/** The most tokens that it may write, as far as anybody has said. */
function reach(model: CandidateModel, capabilities: Capabilities, prompt: number): number {
  const output = capabilities.maxOutputTokens ?? model.maxOutputTokens ?? Infinity
  const context = capabilities.contextWindow ?? model.contextWindow ?? Infinity
  return Math.min(output, context - prompt)
}
