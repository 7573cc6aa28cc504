/** What the tests of chat completions share: an honest ledger in memory, a catalogue of fake providers, and a whole service. */
import type { AppError } from '#platform/errors.js'
import type { Principal, RequestContext } from '#platform/requests/context.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import { systemClock, type Clock } from '#platform/clock.js'
import {
  createInferenceSubgraph,
  type AnswerCode,
  ChatCodeFindings,
  ChatCompletion,
  type Candidate,
  type CandidateModel,
  type ChatLimits,
  type ChatStreamEvent,
  ChatStreamFault,
  type CreditLedger,
  type EnsureDeployment,
  ModelDeploying,
  type Resolution,
  type StoredResponses,
  type UsageEntry,
} from '../../subgraphs/inference/index.js'
import { openAiError } from '../../src/edge/responses.js'
import type { Scene } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'

/** Keeps holds and charges as strictly as the real one, and how often each verb was called. */
class MemoryLedger implements CreditLedger {
  balance: NanoUsd
  /** Whether `available` answers from memory. */
  isWarm = true
  readonly holds = new Map<string, { amount: NanoUsd; state: 'open' | 'captured' | 'released'; metered: NanoUsd }>()
  readonly usage: UsageEntry[] = []
  readonly captured: NanoUsd[] = []
  /** Awaited by every durable verb, so that tests can hold a commit back. */
  commit: () => Promise<void> = () => Promise.resolve()

  constructor(balance: NanoUsd) {
    this.balance = balance
  }

  get held(): NanoUsd {
    return this.holds.values().reduce((sum, { amount, state }) => (state === 'open' ? sum + amount : sum), 0n)
  }

  available(): NanoUsd | null {
    return this.isWarm ? this.balance - this.held : null
  }

  async reserve(hold: { holdId: string; amount: NanoUsd }) {
    await this.commit()
    if (hold.amount <= 0n) throw new Error('a hold must be positive')
    if (this.holds.has(hold.holdId)) throw new Error(`the hold ${hold.holdId} exists`)
    const available = this.balance - this.held
    if (available < hold.amount) {
      return { ok: false as const, available, balance: this.balance, reason: 'balance' as const }
    }
    this.holds.set(hold.holdId, { amount: hold.amount, state: 'open', metered: 0n })
    return { ok: true as const }
  }

  meter(holdId: string, cost: NanoUsd): void {
    const hold = this.#open(holdId)
    if (cost > hold.amount) throw new Error('metered beyond the hold')
    hold.metered = cost
  }

  async settle(charge: { holdId: string; amount: NanoUsd; usage: UsageEntry }) {
    await this.commit()
    const hold = this.#open(charge.holdId)
    if (charge.amount > hold.amount || charge.amount < 0n) throw new Error('captured beyond the hold')
    hold.state = 'captured'
    this.balance -= charge.amount
    this.captured.push(charge.amount)
    this.usage.push(structuredClone(charge.usage))
  }

  async release(holdId: string) {
    await this.commit()
    this.#open(holdId).state = 'released'
  }

  #open(holdId: string) {
    const hold = this.holds.get(holdId)
    if (hold?.state !== 'open') throw new Error(`the hold ${holdId} is not open`)
    return hold
  }
}

export const PRICE = { versionId: 'pv_1', tokenPrice: { input: 1_000_000n, output: 2_000_000n, cachedInput: 500_000n } }

/** A deployment of `my-model`; a token of input costs 1 nano-USD, of output 2. */
export function candidate(baseUrl: string, overrides: Partial<Candidate> & { deploymentId?: string } = {}): Candidate {
  const providerId = overrides.providerId ?? 'hp-1'
  return {
    deploymentId: 'dep-1',
    modelId: 'my-model',
    providerId,
    providerModelId: 'vendor/model',
    region: null,
    price: PRICE,
    costPrice: null,
    capabilities: { contextWindow: 100_000, maxOutputTokens: 4_096, supportsFunctionCalling: null, supportsJsonMode: null },
    provider: { id: providerId, baseUrl, apiKey: 'provider-key', streamUsage: 'include_usage' },
    ...overrides,
  }
}

export const model = (deployments: readonly Candidate[], overrides: Partial<CandidateModel> = {}): CandidateModel => ({
  modelId: deployments[0]?.modelId ?? 'my-model',
  tier: 'light',
  contextWindow: 100_000,
  maxOutputTokens: 4_096,
  tokenizer: 'o200k_base',
  deployments,
  ...overrides,
})

export interface ChatKitOptions {
  readonly deployments?: readonly Candidate[]
  readonly resolve?: (modelId: string) => Resolution
  readonly balance?: NanoUsd
  readonly limits?: Partial<ChatLimits>
  readonly clock?: Clock
  readonly ensureDeployment?: EnsureDeployment
  readonly answerCode?: AnswerCode
  readonly onProviderFault?: (fault: object) => void
  readonly onProviderFailure?: (trouble: object) => void
  /** Takes the place of the ledger in memory. */
  readonly realLedger?: CreditLedger
}

const refuse = () => Promise.reject(new Error('Nothing is stored here.'))
const nothingStored: StoredResponses = {
  keep: refuse,
  find: refuse,
  findMany: refuse,
  conversation: refuse,
  remove: refuse,
  prune: refuse,
}

/** A service with everything around it; ends with `await using`. */
export function chatKit(options: ChatKitOptions = {}) {
  const ledger = new MemoryLedger(options.balance ?? 10_000_000_000n)
  const clock = options.clock ?? systemClock
  const faults: unknown[] = []
  const resolve =
    options.resolve ??
    ((id: string): Resolution =>
      id === 'my-model' || id === 'light'
        ? { kind: 'candidates', models: [model(options.deployments ?? [])] }
        : { kind: 'unknown' })
  const subgraph = createInferenceSubgraph({
    ledger: options.realLedger ?? ledger,
    answerCode: options.answerCode ?? {
      checkStandards: () => undefined,
      scan: () => Promise.reject(new Error('Nobody wants code scanned here.')),
    },
    storedResponses: nothingStored,
    rates: { take: () => Promise.reject(new Error('No key here has rates.')) },
    candidates: { resolve },
    ensureDeployment: options.ensureDeployment ?? (async () => ({ kind: 'not_deployable' })),
    routesOf: async (ids) => ids.map((id) => ledger.usage.find((entry) => entry.requestId === id)?.route ?? null),
    limits: options.limits,
    clock,
    onFault: (error) => faults.push(error),
    ...(options.onProviderFault && { onProviderFault: options.onProviderFault }),
    ...(options.onProviderFailure && { onProviderFailure: options.onProviderFailure }),
  })
  return {
    ledger,
    subgraph,
    chat: subgraph.chat,
    faults,
    [Symbol.asyncDispose]: async () => {
      await subgraph.stop?.()
    },
  }
}

const PRINCIPAL: Principal = { accountId: 'acc_1', keyId: 'key_1', scopes: new Set(['chat']) }

export function contextFor(overrides: Partial<RequestContext> = {}): RequestContext {
  return {
    requestId: newId('req'),
    principal: PRINCIPAL,
    signal: new AbortController().signal,
    startedAt: performance.now(),
    headers: new Map(),
    chats: { count: 0 },
    ...overrides,
  }
}

export const body = (overrides: Record<string, unknown> = {}) => ({
  model: 'my-model',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
  ...overrides,
})

/** A chunk as a client reads it. */
interface Chunk {
  id: string
  object: string
  created: number
  model: string
  choices: { index: number; delta: Record<string, unknown>; finish_reason: string | null }[]
  usage?: Record<string, unknown>
  error?: Record<string, unknown>
  [unknown: string]: unknown
}

export interface Collected {
  /** What the REST edge would write, without `[DONE]`. */
  readonly bytes: string
  readonly chunks: Chunk[]
  readonly text: string
}

/** Reads a stream to its end, as the REST edge does. */
export async function collect(stream: AsyncIterable<ChatStreamEvent> | ModelDeploying): Promise<Collected> {
  if (stream instanceof ModelDeploying) throw new Error('deploying')
  const frames: string[] = []
  for await (const event of stream) {
    if (event instanceof ChatCodeFindings) throw new Error('Nobody asked for events of code here.')
    const payload = event instanceof ChatStreamFault ? JSON.stringify(openAiError(event.error)) : event.payload
    frames.push(`data: ${payload}\n\n`)
  }
  const chunks = frames.map((frame) => JSON.parse(frame.slice('data: '.length)) as Chunk)
  const text = chunks.map((chunk) => (chunk.choices?.[0]?.delta['content'] as string | undefined) ?? '').join('')
  return { bytes: frames.join(''), chunks, text }
}

/** Everything that an iterable yields. */
export async function toArray<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of iterable) items.push(item)
  return items
}

/** Lets everything happen that needs no time: what has not happened afterwards waits for something else. */
export async function turns(count = 100): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** What a call that must fail fails with. */
export const failure = (result: Promise<unknown>): Promise<AppError> =>
  result.then(
    () => Promise.reject(new Error('was answered')),
    (error: AppError) => error,
  )

/** The whole answer of a model that runs. */
export async function completed(result: Promise<ChatCompletion | ModelDeploying>): Promise<ChatCompletion> {
  const answer = await result
  if (!(answer instanceof ChatCompletion)) throw new Error('deploying')
  return answer
}

/** Two deployments of one model at one server, the first cheaper, each with its own scene. */
export async function twoProviders(first: Scene, second: Scene) {
  const provider = await startFakeProvider(second)
  provider.scenes.set('first', first)
  const dearer = { versionId: 'pv_2', tokenPrice: { input: 2_000_000n, output: 4_000_000n, cachedInput: null } }
  const deployments = [
    candidate(provider.baseUrl, { providerModelId: 'first' }),
    candidate(provider.baseUrl, { deploymentId: 'dep-2', providerId: 'hp-2', providerModelId: 'second', price: dearer }),
  ]
  return { provider, deployments }
}
