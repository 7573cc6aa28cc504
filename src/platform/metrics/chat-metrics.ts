/** Chat in figures: by model, provider and outcome. Bounds of histograms are those of the GenAI semantic conventions. */
import { Counter, Histogram, type Registry } from 'prom-client'
import type { TokenBuckets } from '../money.js'
import { groups, inBatches } from './batches.js'
import { boundedNames, OTHER } from './labels.js'

/** How one chat request went. */
export interface ChatFigures {
  /** Null for a model that the catalogue does not know, and for a tier that came to no model. */
  readonly model: string | null
  /** Null when no provider was asked. */
  readonly provider: string | null
  /** How the answer ended, or the code of the error in its place. */
  readonly outcome: string
  /** Null for a request that was refused before a provider was chosen. */
  readonly seconds: number | null
  /** Null when there was no first token, or the answer came as a whole. */
  readonly firstTokenSeconds: number | null
  readonly outputTokens: number
  /** Violations in the code of the answer. */
  readonly codeFindings: number
  readonly attempts: readonly { readonly providerId: string; readonly outcome: string }[]
}

/** What one chat request was billed. */
export interface ChargeFigures {
  readonly model: string
  readonly provider: string | null
  readonly tokens: TokenBuckets
  readonly usd: number
  /** What the provider takes for it, when the operator told. */
  readonly providerUsd: number | null
}

export interface ChatMetrics {
  chat(figures: ChatFigures): void
  charge(figures: ChargeFigures): void
}

const DURATION_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const FIRST_TOKEN_SECONDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const OUTPUT_TOKEN_SECONDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5]

/** More models than this are asked for by few: their figures are summed up. */
const MODELS = 300
const PROVIDERS = 100

export function createChatMetrics(registry: Registry): ChatMetrics {
  const modelOf = boundedNames(MODELS)
  const providerOf = boundedNames(PROVIDERS)
  const labelsOf = ({ model, provider }: { readonly model: string | null; readonly provider: string | null }) => ({
    model: model === null ? OTHER : modelOf(model),
    provider: provider === null ? 'none' : providerOf(provider),
  })
  const calls = callFamilies(registry, () => figures.flush())
  const money = moneyFamilies(registry, () => charges.flush())
  const figures = inBatches<ChatFigures>((items) => {
    const alike = groups(items, ({ model, provider, outcome }) => `${model ?? ''}\n${provider ?? ''}\n${outcome}`)
    for (const group of alike) {
      const labels = labelsOf(group[0])
      calls.requests.inc({ ...labels, outcome: group[0].outcome }, group.length)
      for (const { seconds, firstTokenSeconds: first, outputTokens, codeFindings } of group) {
        if (codeFindings > 0) calls.codeFindings.inc({ model: labels.model }, codeFindings)
        if (seconds !== null) calls.seconds.observe(labels, seconds)
        if (first !== null) calls.firstToken.observe(labels, first)
        if (seconds !== null && first !== null && outputTokens > 1) {
          calls.outputToken.observe(labels, Math.max(0, seconds - first) / (outputTokens - 1))
        }
      }
    }
    const attempts = items.flatMap(({ attempts: tried }) => tried)
    for (const group of groups(attempts, ({ providerId, outcome }) => `${providerId}\n${outcome}`)) {
      calls.attempts.inc({ provider: providerOf(group[0].providerId), outcome: group[0].outcome }, group.length)
    }
  })
  const charges = inBatches<ChargeFigures>((items) => {
    for (const group of groups(items, ({ model, provider }) => `${model}\n${provider ?? ''}`)) {
      const labels = labelsOf(group[0])
      const sum = (figure: (item: ChargeFigures) => number) => group.reduce((total, item) => total + figure(item), 0)
      const tokens = {
        input: sum((item) => item.tokens.input),
        cached_input: sum((item) => item.tokens.cachedInput),
        output: sum((item) => item.tokens.output),
      }
      for (const [kind, count] of Object.entries(tokens)) money.tokens.inc({ ...labels, kind }, count)
      const usd = sum((item) => item.usd)
      money.charged.inc(labels, usd)
      const providerUsd = sum((item) => item.providerUsd ?? 0)
      if (group.some((item) => item.providerUsd !== null)) money.cost.inc(labels, providerUsd)
    }
  })
  return { chat: figures.add, charge: charges.add }
}

function callFamilies(registry: Registry, collect: () => void) {
  const labelNames = ['model', 'provider'] as const
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'sluice_chat_requests_total',
      help: 'Chat requests by how their answer ended, or by the code of the error in its place.',
      labelNames: [...labelNames, 'outcome'],
      registers,
      collect,
    }),
    codeFindings: new Counter({
      name: 'sluice_chat_code_findings_total',
      help: 'Violations in the code of answers that was scanned.',
      labelNames: ['model'],
      registers,
      collect,
    }),
    attempts: new Counter({
      name: 'sluice_provider_attempts_total',
      help: 'Calls to providers: answered, or why the next one was tried.',
      labelNames: ['provider', 'outcome'],
      registers,
      collect,
    }),
    seconds: new Histogram({
      name: 'sluice_chat_seconds',
      help: 'Seconds from the arrival of a chat request to the end of its answer.',
      labelNames,
      buckets: DURATION_SECONDS,
      registers,
      collect,
    }),
    firstToken: new Histogram({
      name: 'sluice_chat_first_token_seconds',
      help: 'Seconds from the arrival of a streamed chat request to its first token.',
      labelNames,
      buckets: FIRST_TOKEN_SECONDS,
      registers,
      collect,
    }),
    outputToken: new Histogram({
      name: 'sluice_chat_output_token_seconds',
      help: 'Seconds for each output token of a stream after the first.',
      labelNames,
      buckets: OUTPUT_TOKEN_SECONDS,
      registers,
      collect,
    }),
  }
}

function moneyFamilies(registry: Registry, collect: () => void) {
  const labelNames = ['model', 'provider'] as const
  const registers = [registry]
  return {
    tokens: new Counter({
      name: 'sluice_chat_tokens_total',
      help: 'Tokens billed, by kind: input, cached_input, output.',
      labelNames: [...labelNames, 'kind'],
      registers,
      collect,
    }),
    charged: new Counter({
      name: 'sluice_charged_usd_total',
      help: 'US dollars charged for chat.',
      labelNames,
      registers,
      collect,
    }),
    cost: new Counter({
      name: 'sluice_provider_cost_usd_total',
      help: 'US dollars that providers take for the same chats, where their prices are configured.',
      labelNames,
      registers,
      collect,
    }),
  }
}
