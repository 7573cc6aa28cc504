/**
 * The verbs on holds where several processes write and each leases a part of an account (leases.ts). A chat's hold is placed in the
 * lease when there is room, and else is a row, as all holds of GPU sessions are and all that come out of budgets. Small accounts
 * have no leases.
 *
 * Nobody is refused for what others have leased and do not use: they are asked for it first, and have a moment to give it back.
 */
import { durableHoldVerbs, holdFacts } from './hold-verbs.js'
import type { Leases } from './leases.js'
import { createReplay, heldInMemory, type MemoryHoldVerbs, type MemoryHoldVerbsOptions } from './memory-hold-verbs.js'
import type { ReserveResult } from '../ledger.js'

export interface LeaseHoldVerbsOptions extends MemoryHoldVerbsOptions {
  readonly leases: Leases
  /** For others to give back what they lease, before a hold is refused. */
  readonly reclaimMs: number
}

/** What is leased is asked for, and a hold is tried again after each of these parts of the time. */
const PAUSES = [1 / 6, 1 / 3, 1 / 2]
/** What nobody gave back is in use: for so long nobody is asked again. */
const ASK_AGAIN_MS = 1_000

export function leaseHoldVerbs(options: LeaseHoldVerbsOptions): MemoryHoldVerbs {
  const { leases, book, clock, ownerId } = options
  const durable = durableHoldVerbs(options)
  const { writeFirst, ...held } = heldInMemory(options, durable)
  const replay = createReplay(options)
  const whenReturned = createReclaim(options)
  return {
    ...held,
    async reserve(request) {
      const facts = holdFacts(request, ownerId)
      const known = book.of(facts.holdId)
      if (known) return replay.remembered(known, facts)
      const account = leases.grant(facts, (epoch) => book.keep(facts, clock.now(), epoch))
      if (account) return { ok: true, replayed: false, account }
      return whenReturned(async () => durable.reserve(request))
    },
    async extend(request) {
      await writeFirst(request.holdId)
      return whenReturned(() => durable.extend(request))
    },
  }
}

/** Tries again while others may give back what they lease. */
function createReclaim({ leases, clock, reclaimMs }: LeaseHoldVerbsOptions) {
  const rounds = new Map<string, { readonly askedAt: number; readonly steps: readonly Promise<void>[]; isOver: boolean }>()
  const begin = (accountId: string) => {
    const steps: Promise<void>[] = []
    let last = leases.want(accountId)
    for (const part of PAUSES) steps.push((last = last.then(() => pause(part * reclaimMs))))
    const round = { askedAt: clock.monotonic(), steps, isOver: false }
    rounds.set(accountId, round)
    // Whoever waits for a step hears of the failure.
    last.catch(() => rounds.delete(accountId)).finally(() => (round.isOver = true))
    for (const [id, { askedAt, isOver }] of rounds) if (isOver && clock.monotonic() - askedAt >= ASK_AGAIN_MS) rounds.delete(id)
    return round
  }
  return async (attempt: () => Promise<ReserveResult>): Promise<ReserveResult> => {
    let result = await attempt()
    if (!isShort(result)) return result
    const { accountId } = result.account
    const known = rounds.get(accountId)
    const isRecent = known !== undefined && (!known.isOver || clock.monotonic() - known.askedAt < ASK_AGAIN_MS)
    const round = isRecent ? known : begin(accountId)
    if (round.isOver) return result
    for (const step of round.steps) {
      await step
      result = await attempt()
      if (!isShort(result)) return result
    }
    return result
  }
}

/** Refused although something is leased. */
const isShort = (result: ReserveResult): boolean =>
  !result.ok && (result.reason === 'balance' || result.reason === 'monthly_cap') && result.account.leased > 0n

/** Real time: other processes have theirs, whatever clock this one has. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
