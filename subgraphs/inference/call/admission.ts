/**
 * Admission: how large the hold of a request is, and placing it. REST, GraphQL and MCP all come through here.
 *
 * The hold covers the prompt and the longest answer at the dearest of the providers that may be tried. A caller who sets no
 * limit gets the model's, clipped to what the account can pay, and the provider is told that clipped limit. No account is
 * trusted: nothing is answered without a hold that nothing else can spend.
 */
import { AppError } from '#platform/errors.js'
import type { Eventually } from '#platform/eventually.js'
import { budgetInWords, resetInWords } from '#platform/requests/refused-budget.js'
import { ProviderApi } from '#platform/vocabulary/words.js'
import { formatUsd, tokenCost, type NanoUsd, type TokenPrice } from '#platform/money.js'
import type { Cover } from './billing.js'
import type { ChatLimits } from '../limits.js'
import type { CreditLedger, ReserveResult } from '../ports.js'
import { countPrompt, type PromptSize } from '../tokens/prompt-size.js'
import type { ChatRequest } from '../chat/request.js'
import type { KeptCandidate } from '../routing/router.js'

export interface Hold {
  readonly amount: NanoUsd
  /** The prompt's tokens that the hold covers. */
  readonly promptTokens: number
  /** For each choice, when it is less than what the caller or the model sets; the provider is told. */
  readonly outputLimit: number | null
  /** While it is still on its way, and the provider may be called already; rejects with AppError 402. No byte may leave before. */
  readonly placing: Promise<void> | null
}

/** Stands for the limit of a model of which nobody has said how much it writes or reads; the provider is told. */
const OUTPUT_TOKENS_OF_UNKNOWN_MODEL = 16_384
/** An answer shorter than this is not worth starting: the account is told that its credits do not suffice. */
const OUTPUT_TOKENS_AT_LEAST = 16
/** Between asking what is available and taking it, others may take it. */
const TRIES = 3

export interface AdmissionRequest {
  readonly holdId: string
  readonly accountId: string
  readonly keyId: string
  /** What the key and its account are bound by. */
  readonly budgetIds: readonly string[] | undefined
  readonly expiresAt: number
  readonly request: ChatRequest
  readonly size: PromptSize
  readonly kept: readonly KeptCandidate[]
}

/** Answers at once when credits are plentiful. */
export function admit(admission: AdmissionRequest, ledger: CreditLedger, limits: ChatLimits): Hold | Promise<Hold> {
  // What is left of a key's own cap is not known from memory: such a hold is always waited for.
  const available = admission.budgetIds === undefined ? ledger.available(admission.accountId) : null
  const bound = wanted(admission, admission.size.atMost)
  if (available !== null && available >= bound.amount * limits.overlapHeadroom) {
    return { ...bound, placing: place(admission, ledger, bound) }
  }
  return admitCarefully(admission, ledger, bound, available)
}

async function admitCarefully(
  admission: AdmissionRequest,
  ledger: CreditLedger,
  bound: Plan,
  available: NanoUsd | null,
): Promise<Hold> {
  if (available !== null && available < bound.amount) return admitExactly(admission, ledger, available)
  const result = await reserve(admission, ledger, bound.amount)
  if (result.ok) return { ...bound, placing: null }
  return admitExactly(admission, ledger, result.available)
}

/** Counts the prompt, and clips the answer where the caller left that open. */
async function admitExactly(admission: AdmissionRequest, ledger: CreditLedger, known: NanoUsd): Promise<Hold> {
  const tokenizer = admission.kept[0]!.model.tokenizer
  const counted = await countPrompt(admission.request, tokenizer)
  // Families differ by a few percent; the bytes stay a bound.
  const promptTokens = Math.min(admission.size.atMost, Math.ceil(counted * 1.05) + 8)
  let available = known
  for (let tries = 1; ; tries++) {
    const plan = clipped(admission, promptTokens, available)
    const result = await reserve(admission, ledger, plan.amount)
    if (result.ok) return { ...plan, placing: null }
    available = result.available
    const isWorthRetrying = tries < TRIES && clipped(admission, promptTokens, available).amount <= available
    if (!isWorthRetrying) throw insufficientCredits(result, plan.needed)
  }
}

interface Plan {
  readonly amount: NanoUsd
  readonly promptTokens: number
  readonly outputLimit: number | null
}

/** The hold that covers everything, whatever the account has. */
function wanted(admission: AdmissionRequest, promptTokens: number): Plan {
  let amount = 1n
  let outputLimit: number | null = null
  for (const kept of admission.kept) {
    const { tokens, isOurs } = longestAnswer(admission.request, kept)
    if (isOurs) outputLimit = tokens
    const cost = holdCost(kept, promptTokens, tokens * admission.request.choices)
    if (cost > amount) amount = cost
  }
  return { amount, promptTokens, outputLimit }
}

/** The hold that the account can pay: everything, else the cheapest provider alone, else a shorter answer there. */
function clipped(admission: AdmissionRequest, promptTokens: number, available: NanoUsd): Plan & { needed: NanoUsd } {
  const all = wanted(admission, promptTokens)
  const { request } = admission
  const first = admission.kept[0]!
  const { tokens } = longestAnswer(request, first)
  const alone = holdCost(first, promptTokens, tokens * request.choices)
  const isOpen = request.maxOutputTokens === null
  const shortest = Math.min(tokens, OUTPUT_TOKENS_AT_LEAST)
  const least = isOpen ? holdCost(first, promptTokens, shortest * request.choices) : alone
  if (available >= all.amount) return { ...all, needed: least }
  if (available >= alone || !isOpen) return { amount: alone, promptTokens, outputLimit: all.outputLimit, needed: least }
  const affordable = affordableOutput(first.price.tokenPrice, coveredInput(first, promptTokens), available, request.choices)
  const outputLimit = Math.max(shortest, Math.min(tokens, affordable))
  return { amount: holdCost(first, promptTokens, outputLimit * request.choices), promptTokens, outputLimit, needed: least }
}

function longestAnswer(request: ChatRequest, { candidate, model }: KeptCandidate): { tokens: number; isOurs: boolean } {
  if (request.maxOutputTokens !== null) return { tokens: request.maxOutputTokens, isOurs: false }
  const known =
    candidate.capabilities.maxOutputTokens ?? model.maxOutputTokens ?? candidate.capabilities.contextWindow ?? model.contextWindow
  if (known !== null) return { tokens: known, isOurs: false }
  return { tokens: OUTPUT_TOKENS_OF_UNKNOWN_MODEL, isOurs: true }
}

/** At least one nano-USD, so that a free model's hold is one like any other. */
function holdCost(kept: KeptCandidate, promptTokens: number, output: number): NanoUsd {
  const input = coveredInput(kept, promptTokens)
  const cost = tokenCost({ input, cachedInput: 0, output }, kept.price.tokenPrice)
  return cost > 0n ? cost : 1n
}

/** No prompt is larger than the context window, however many bytes it has. */
function coveredInput({ candidate, model }: KeptCandidate, promptTokens: number): number {
  const contextWindow = candidate.capabilities.contextWindow ?? model.contextWindow
  return contextWindow === null ? promptTokens : Math.min(promptTokens, contextWindow)
}

function affordableOutput(price: TokenPrice, promptTokens: number, available: NanoUsd, choices: number): number {
  if (price.output === 0n) return Number.MAX_SAFE_INTEGER
  const rest = available * 1_000_000n - BigInt(promptTokens) * price.input
  return rest <= 0n ? 0 : Number(rest / (price.output * BigInt(choices)))
}

/** What the hold pays for at one of the providers that it covers. */
export function coverOf(hold: Hold, request: ChatRequest, kept: KeptCandidate): Cover {
  const longest = longestAnswer(request, kept).tokens
  return {
    promptTokens: coveredInput(kept, hold.promptTokens),
    answerTokens: hold.outputLimit === null ? longest : Math.min(longest, hold.outputLimit),
    choices: request.choices,
    amount: hold.amount,
    price: kept.price.tokenPrice,
  }
}

/** What the provider is told to write at most for each choice; null when the caller's limit or its own is enough. */
export function outputLimitFor(hold: Hold, request: ChatRequest, kept: KeptCandidate): number | null {
  if (kept.candidate.provider.api === ProviderApi.MESSAGES) return requiredLimit(hold, request, kept)
  if (hold.outputLimit === null || request.maxOutputTokens !== null) return null
  const longest = longestAnswer(request, kept)
  return longest.isOurs || longest.tokens > hold.outputLimit ? Math.min(longest.tokens, hold.outputLimit) : null
}

/** For a provider that refuses a request without a limit, and one with a limit that is more than the model can write. */
function requiredLimit(hold: Hold, request: ChatRequest, { candidate, model }: KeptCandidate): number {
  const known = candidate.capabilities.maxOutputTokens ?? model.maxOutputTokens
  const longest = request.maxOutputTokens ?? known ?? OUTPUT_TOKENS_OF_UNKNOWN_MODEL
  return hold.outputLimit === null ? longest : Math.min(longest, hold.outputLimit)
}

/** Whether the hold covers the same answer at this provider too. */
export function coversCandidate(hold: Hold, request: ChatRequest, kept: KeptCandidate): boolean {
  const { answerTokens, choices } = coverOf(hold, request, kept)
  return holdCost(kept, hold.promptTokens, answerTokens * choices) <= hold.amount
}

function reserve(admission: AdmissionRequest, ledger: CreditLedger, amount: NanoUsd): Eventually<ReserveResult> {
  const { holdId, accountId, keyId, budgetIds, expiresAt, kept } = admission
  return ledger.reserve({ holdId, accountId, keyId, budgetIds, modelId: kept[0]!.model.modelId, amount, expiresAt })
}

/** Null when it is placed. */
function place(admission: AdmissionRequest, ledger: CreditLedger, plan: Plan): Promise<void> | null {
  const result = reserve(admission, ledger, plan.amount)
  if (!(result instanceof Promise) && result.ok) return null
  return placed(result, plan)
}

async function placed(reserving: Eventually<ReserveResult>, { amount }: Plan): Promise<void> {
  const result = await reserving
  if (!result.ok) throw insufficientCredits(result, amount)
}

function insufficientCredits(refusal: Extract<ReserveResult, { ok: false }>, needed: NanoUsd): AppError {
  if (refusal.reason === 'budget') {
    const needs = `this request needs up to $${formatUsd(needed)}`
    return new AppError('insufficient_credits', `${budgetInWords(refusal.budget)}; ${needs}. ${resetInWords(refusal.budget)}`)
  }
  const balance = `The balance is $${formatUsd(refusal.balance)}, of which $${formatUsd(refusal.available)} is available`
  const why = refusal.reason === 'monthly_cap' ? 'The monthly cap is exhausted.' : 'Insufficient credits.'
  return new AppError('insufficient_credits', `${why} ${balance}; this request needs up to $${formatUsd(needed)}.`)
}
