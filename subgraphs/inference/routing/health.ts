/**
 * Passive health: what real traffic tells about each deployment, and the circuit breaker that follows from it. Nothing is
 * probed, because a probe of a model is a paid request.
 *
 * Breaker: closed -> open after repeated failures -> half open when the pause is over: one real request is the trial, and its
 * end closes the breaker or opens it for twice as long. A 429 does not count as a failure; it lowers the deployment's place
 * until the time that the provider named.
 *
 * A degraded or slow deployment stands behind the good ones, where no traffic would ever tell that it has recovered. So it
 * gets trials too: one real request at a time, with a pause after each that fails. A few good ones in a row, and what went
 * wrong before is forgotten.
 */
import type { Clock } from '#platform/clock.js'
import type { HealthStatus } from '#platform/vocabulary/words.js'
import type { CandidateHealth } from './router.js'

/** What the catalogue and the price list show, and what is stored over a restart. */
export interface DeploymentHealth {
  readonly deploymentId: string
  readonly status: HealthStatus
  /** From the call to the start of the answer: the first token of a stream, the whole body otherwise. */
  readonly latencyP50Ms: number | null
  readonly latencyP95Ms: number | null
  readonly timeToFirstTokenMs: number | null
  readonly tokensPerSecond: number | null
  /** Failures among the last calls, 0 to 1. */
  readonly errorRate: number
  /** Calls in the window. */
  readonly samples: number
}

/** The caller of a provider reports exactly one of `answered`, `failed`, `rateLimited` and `abandoned`. */
export interface HealthTrial {
  /** The first token came, before any of the others: an open breaker closes now and not at the end of a long stream. */
  alive(): void
  answered(sample: {
    readonly latencyMs: number
    readonly firstTokenMs: number | null
    readonly outputTokens: number
    readonly durationMs: number
  }): void
  failed(): void
  rateLimited(retryAfterMs: number | null): void
  /** Nothing was learnt: the caller left, or the request itself was refused. */
  abandoned(): void
}

const WINDOW = 128
const WINDOW_MS = 15 * 60_000
const FAILURES_IN_A_ROW = 5
/** The pauses before a trial. None is longer than half a minute: who has recovered is back within a whole one. */
const PAUSE_MS = 5_000
const PAUSE_MS_AT_MOST = 30_000
/** A slow answer cannot be taken back by a failover, so the caller of each slow trial pays for it with time. */
const SLOW_PAUSE_MS = 30_000
/** Good trials in a row after which a deployment is as good as any other. */
const GOOD_TRIALS = 3
const RATE_LIMIT_MS = 1_000
const RATE_LIMIT_MS_AT_MOST = 60_000
/** Fewer samples than this say nothing. */
const MEANINGFUL = 5
const DEGRADED_ERROR_RATE = 0.1
const DOWN_ERROR_RATE = 0.5
/** Tokens a second under which a deployment comes after the others. */
const SPEED_FLOOR = 3
/** What arrives in one piece shows no speed: nobody writes faster than this, and thousandths of it fit into a column. */
const SPEED_CEILING = 1_000_000

interface Sample {
  /** Of the monotonic clock. */
  readonly at: number
  readonly ok: boolean
  readonly latencyMs: number | null
  readonly firstTokenMs: number | null
  readonly tokensPerSecond: number | null
}

interface Entry {
  samples: Sample[]
  failuresInARow: number
  openedTimes: number
  openUntil: number | null
  /** Names the request that is the trial now. */
  trialInFlight: symbol | null
  /** When a degraded or slow deployment may be tried again. */
  nextTrialAt: number
  failedTrials: number
  goodTrials: number
  rateLimitedUntil: number
  rateLimits: number
  /** What was stored before a restart, shown until there is traffic. */
  restored: DeploymentHealth | null
  cached: { at: number; health: DeploymentHealth } | null
}

export class HealthTracker {
  readonly #entries = new Map<string, Entry>()

  constructor(private readonly clock: Clock) {}

  /** For the router, now. */
  candidate(deploymentId: string): CandidateHealth {
    const entry = this.#entries.get(deploymentId)
    if (!entry) return UNKNOWN
    const now = this.clock.monotonic()
    const health = this.of(deploymentId)
    const isSlow = isTooSlow(health)
    const isRateLimited = entry.rateLimitedUntil > now
    const isAside = health.status === 'degraded' || isSlow
    const mayTry = entry.openUntil === null ? isAside && !isRateLimited && entry.nextTrialAt <= now : entry.openUntil <= now
    return {
      status: health.status,
      isDown: entry.openUntil !== null && entry.openUntil > now,
      wantsTrial: mayTry && entry.trialInFlight === null,
      hasTrialInFlight: entry.openUntil !== null && entry.trialInFlight !== null,
      isRateLimited,
      isSlow,
      latencyP50Ms: health.latencyP50Ms,
    }
  }

  /** Begins a call; while the breaker is open it is a trial when no other is. */
  begin(deploymentId: string): HealthTrial {
    const entry = this.#entry(deploymentId)
    return this.#begin(entry, entry.openUntil !== null && entry.trialInFlight === null)
  }

  /** Begins the trial that the route was made for; null when another request has been quicker. */
  beginTrial(deploymentId: string): HealthTrial | null {
    return this.candidate(deploymentId).wantsTrial ? this.#begin(this.#entry(deploymentId), true) : null
  }

  #begin(entry: Entry, isTrial: boolean): HealthTrial {
    const id = Symbol('trial')
    if (isTrial) entry.trialInFlight = id
    let isOpen = true
    let isAlive = false
    const release = () => {
      if (entry.trialInFlight === id) entry.trialInFlight = null
    }
    const once = (report: () => void) => {
      if (!isOpen) return
      isOpen = false
      release()
      report()
      forgetSummary(entry)
    }
    return {
      alive() {
        if (!isTrial || !isOpen) return
        release()
        isAlive = true
        entry.openUntil = null
        noteGoodTrial(entry)
        entry.cached = null
      },
      answered: (sample) => once(() => this.#answered(entry, sample, isTrial && !isAlive)),
      failed: () => once(() => this.#failed(entry, isTrial)),
      rateLimited: (retryAfterMs) => once(() => this.#rateLimited(entry, retryAfterMs)),
      abandoned: () => once(() => undefined),
    }
  }

  /** One deployment as the price list shows it; a deployment without traffic is healthy without figures. */
  of(deploymentId: string): DeploymentHealth {
    const entry = this.#entries.get(deploymentId)
    if (!entry) return { ...NO_FIGURES, deploymentId }
    const now = this.clock.monotonic()
    // Percentiles are sorted out at most once a second, not for every request.
    if (entry.cached && now - entry.cached.at < 1_000) return entry.cached.health
    const health = summarise(deploymentId, entry, now)
    entry.cached = { at: now, health }
    return health
  }

  /**
   * Until when a deployment that kept failing is asked nothing, in epoch milliseconds; when that has passed, the next request is
   * its trial. Null while its breaker is closed.
   */
  openUntil(deploymentId: string): number | null {
    const openUntil = this.#entries.get(deploymentId)?.openUntil ?? null
    return openUntil === null ? null : this.clock.now() + Math.round(openUntil - this.clock.monotonic())
  }

  /** Everything known, for storing. */
  snapshot(): DeploymentHealth[] {
    return [...this.#entries.keys()].map((deploymentId) => this.of(deploymentId))
  }

  /** What was stored before a restart. Figures only: a breaker starts closed, because the provider may have recovered. */
  load(stored: readonly DeploymentHealth[]): void {
    for (const health of stored) {
      const entry = this.#entry(health.deploymentId)
      entry.restored = { ...health, status: health.status === 'down' ? 'degraded' : health.status }
      entry.cached = null
    }
  }

  #entry(deploymentId: string): Entry {
    let entry = this.#entries.get(deploymentId)
    if (!entry) {
      entry = {
        samples: [],
        failuresInARow: 0,
        openedTimes: 0,
        openUntil: null,
        trialInFlight: null,
        nextTrialAt: 0,
        failedTrials: 0,
        goodTrials: 0,
        rateLimitedUntil: 0,
        rateLimits: 0,
        restored: null,
        cached: null,
      }
      this.#entries.set(deploymentId, entry)
    }
    return entry
  }

  /** `isNews`: a trial that nobody knew to be good until now. */
  #answered(entry: Entry, sample: Parameters<HealthTrial['answered']>[0], isNews: boolean): void {
    const now = this.clock.monotonic()
    const writingMs = sample.durationMs - (sample.firstTokenMs ?? 0)
    const measured = sample.outputTokens >= 8 && writingMs > 0 ? (sample.outputTokens * 1_000) / writingMs : null
    const speed = measured === null ? null : Math.min(measured, SPEED_CEILING)
    keep(entry, { at: now, ok: true, latencyMs: sample.latencyMs, firstTokenMs: sample.firstTokenMs, tokensPerSecond: speed })
    entry.failuresInARow = 0
    entry.openedTimes = 0
    entry.openUntil = null
    entry.rateLimits = 0
    entry.rateLimitedUntil = 0
    if (speed !== null && speed < SPEED_FLOOR) {
      entry.goodTrials = 0
      entry.nextTrialAt = now + SLOW_PAUSE_MS
    } else if (isNews) noteGoodTrial(entry)
  }

  #failed(entry: Entry, wasTrial: boolean): void {
    const now = this.clock.monotonic()
    keep(entry, { at: now, ok: false, latencyMs: null, firstTokenMs: null, tokensPerSecond: null })
    entry.failuresInARow++
    entry.goodTrials = 0
    if (wasTrial) entry.failedTrials++
    entry.nextTrialAt = now + Math.min(PAUSE_MS_AT_MOST, PAUSE_MS * 2 ** entry.failedTrials)
    const recent = entry.samples.slice(-20)
    const failures = recent.filter(({ ok }) => !ok).length
    const tooMany = recent.length >= 10 && failures / recent.length >= DOWN_ERROR_RATE
    if (entry.openUntil === null ? entry.failuresInARow < FAILURES_IN_A_ROW && !tooMany : !wasTrial) return
    entry.openUntil = now + Math.min(PAUSE_MS_AT_MOST, PAUSE_MS * 2 ** entry.openedTimes)
    entry.openedTimes++
  }

  #rateLimited(entry: Entry, retryAfterMs: number | null): void {
    const fallback = Math.min(RATE_LIMIT_MS_AT_MOST, RATE_LIMIT_MS * 2 ** Math.min(entry.rateLimits, 10))
    const wait = Math.min(RATE_LIMIT_MS_AT_MOST, retryAfterMs ?? fallback)
    entry.rateLimits++
    entry.rateLimitedUntil = this.clock.monotonic() + wait
  }
}

/** Enough good trials in a row outweigh what went wrong before, which would otherwise stay in the window for long. */
function noteGoodTrial(entry: Entry): void {
  entry.goodTrials++
  entry.failedTrials = 0
  entry.nextTrialAt = 0
  if (entry.goodTrials < GOOD_TRIALS) return
  entry.goodTrials = 0
  entry.restored = null
  entry.samples = entry.samples.filter(
    ({ ok, tokensPerSecond }) => ok && (tokensPerSecond === null || tokensPerSecond >= SPEED_FLOOR),
  )
}

const isTooSlow = ({ tokensPerSecond, samples }: DeploymentHealth): boolean =>
  tokensPerSecond !== null && samples >= MEANINGFUL && tokensPerSecond < SPEED_FLOOR

/**
 * One more good call hardly moves the figures of a healthy deployment, and sorting them for every request would cost more
 * than all of the routing: they may be a second old. Everything else is seen at once.
 */
function forgetSummary(entry: Entry): void {
  const shown = entry.cached?.health
  const isUneventful = shown?.status === 'healthy' && shown.samples >= 32 && entry.samples.at(-1)?.ok && entry.rateLimits === 0
  if (!isUneventful) entry.cached = null
}

const NO_FIGURES: Omit<DeploymentHealth, 'deploymentId'> = {
  status: 'healthy',
  latencyP50Ms: null,
  latencyP95Ms: null,
  timeToFirstTokenMs: null,
  tokensPerSecond: null,
  errorRate: 0,
  samples: 0,
}

const UNKNOWN: CandidateHealth = {
  status: 'healthy',
  isDown: false,
  wantsTrial: false,
  hasTrialInFlight: false,
  isRateLimited: false,
  isSlow: false,
  latencyP50Ms: null,
}

function keep(entry: Entry, sample: Sample): void {
  entry.samples.push(sample)
  if (entry.samples.length > WINDOW) entry.samples.shift()
}

function summarise(deploymentId: string, entry: Entry, now: number): DeploymentHealth {
  const samples = entry.samples.filter(({ at }) => now - at <= WINDOW_MS)
  if (samples.length === 0 && entry.restored) return entry.restored
  const answered = samples.filter(({ ok }) => ok)
  const errorRate = samples.length === 0 ? 0 : 1 - answered.length / samples.length
  const latencies = sorted(answered.map(({ latencyMs }) => latencyMs))
  const speed = percentile(sorted(answered.map(({ tokensPerSecond }) => tokensPerSecond)), 0.5)
  return {
    deploymentId,
    status: statusOf(entry, samples.length, errorRate, now),
    latencyP50Ms: rounded(percentile(latencies, 0.5)),
    latencyP95Ms: rounded(percentile(latencies, 0.95)),
    timeToFirstTokenMs: rounded(percentile(sorted(answered.map(({ firstTokenMs }) => firstTokenMs)), 0.5)),
    tokensPerSecond: speed === null ? null : Math.round(speed * 10) / 10,
    errorRate: Math.round(errorRate * 1_000) / 1_000,
    samples: samples.length,
  }
}

function statusOf(entry: Entry, samples: number, errorRate: number, now: number): HealthStatus {
  if (entry.openUntil !== null) return entry.openUntil > now ? 'down' : 'degraded'
  if (entry.rateLimitedUntil > now) return 'degraded'
  return samples >= MEANINGFUL && errorRate >= DEGRADED_ERROR_RATE ? 'degraded' : 'healthy'
}

const sorted = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null).toSorted((a, b) => a - b)

const percentile = (ascending: readonly number[], share: number): number | null =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? null

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value))
