/**
 * How the explanation of a route is stored with its usage record. It is most of a record's bytes, and says most things twice:
 * every text is written once, and the record's own texts and the usual words not at all.
 */
import type { RouteExplanation } from '../../../subgraphs/inference/index.js'

/** What the usage record says by itself. */
export interface RecordTexts {
  readonly modelId: string
  readonly deploymentId: string | null
  readonly priceVersionId: string | null
}

type Candidate = RouteExplanation['candidates'][number]
type Attempt = RouteExplanation['attempts'][number]
/** A text's place in the list of texts, the text itself where it is new, or null. */
type Word = number | string | null
type PackedCandidate = [Word, Word, Word, number, Word, Word, Word, Word]
type PackedAttempt = [Word, Word, Word, number | null, number]
type PackedRoute = [Word, PackedCandidate[], PackedAttempt[], Word]

/** Stored texts count on from the end of this list, so that it stays as it is: a newer word is stored as a text. */
const WORDS = [
  'cheapest',
  'fallback',
  'trial',
  'degraded',
  'slow',
  'rate_limited',
  'last_resort',
  'pricing_pending',
  'no_function_calling',
  'no_json_mode',
  'context_window',
  'max_output_tokens',
  'down',
  'trial_in_flight',
  'over_limit',
  'healthy',
  'answered',
]

/** JSON text for `Usage.route`. */
export function packRoute({ requested, candidates, attempts, servedBy }: RouteExplanation, record: RecordTexts): string {
  const texts = firstTexts(record)
  // Some two dozen texts: to look through them takes less than to make a table of them for each chat.
  const word = (text: string | null): Word => {
    if (text === null) return null
    const place = texts.indexOf(text)
    return place === -1 ? (texts.push(text), text) : place
  }
  // The order here is the order in which the reader learns texts.
  const packed: PackedRoute = [
    word(requested),
    candidates.map((candidate) => packCandidate(candidate, word)),
    attempts.map((attempt) => packAttempt(attempt, word)),
    word(servedBy),
  ]
  return JSON.stringify(packed)
}

/** The explanation that `packRoute` stored. Older records hold it as it is. */
export function readRoute(text: string, record: RecordTexts): RouteExplanation {
  const stored = JSON.parse(text) as PackedRoute | RouteExplanation
  if (!Array.isArray(stored)) return stored
  const texts = firstTexts(record)
  const known = new Set(texts)
  const word = (value: Word): string | null => {
    if (typeof value === 'number') return texts[value] ?? null
    if (value !== null && !known.has(value)) {
      known.add(value)
      texts.push(value)
    }
    return value
  }
  const [requested, candidates, attempts, servedBy] = stored
  return {
    requested: word(requested)!,
    candidates: candidates.map((candidate) => readCandidate(candidate, word)),
    attempts: attempts.map((attempt) => readAttempt(attempt, word)),
    servedBy: word(servedBy),
  }
}

/** Each once. */
function firstTexts({ modelId, deploymentId, priceVersionId }: RecordTexts): string[] {
  const own = [modelId, deploymentId, priceVersionId].filter((text) => text !== null)
  const texts = [...own, ...WORDS]
  return new Set(own).size < own.length || own.some((text) => WORDS.includes(text)) ? [...new Set(texts)] : texts
}

function packCandidate(candidate: Candidate, word: (text: string | null) => Word): PackedCandidate {
  const { deploymentId, modelId, providerId, kept, reason, effectivePrice, priceVersionId, health } = candidate
  return [
    word(deploymentId),
    word(modelId),
    word(providerId),
    kept ? 1 : 0,
    word(reason),
    word(effectivePrice),
    word(priceVersionId),
    word(health),
  ]
}

function readCandidate(packed: PackedCandidate, word: (value: Word) => string | null): Candidate {
  const [deploymentId, modelId, providerId, kept, reason, effectivePrice, priceVersionId, health] = packed
  return {
    deploymentId: word(deploymentId)!,
    modelId: word(modelId)!,
    providerId: word(providerId)!,
    kept: kept === 1,
    reason: word(reason) as Candidate['reason'],
    effectivePrice: word(effectivePrice),
    priceVersionId: word(priceVersionId),
    health: word(health) as Candidate['health'],
  }
}

function packAttempt(attempt: Attempt, word: (text: string | null) => Word): PackedAttempt {
  const { deploymentId, providerId, outcome, status, durationMs } = attempt
  return [word(deploymentId), word(providerId), word(outcome), status, Math.round(durationMs)]
}

function readAttempt(packed: PackedAttempt, word: (value: Word) => string | null): Attempt {
  const [deploymentId, providerId, outcome, status, stored] = packed
  // Older records have fractions.
  const durationMs = Math.round(stored)
  return { deploymentId: word(deploymentId)!, providerId: word(providerId)!, outcome: word(outcome)!, status, durationMs }
}
