/**
 * The verbs on holds that live in memory. `heldInMemory` is what becomes of such holds, wherever they were decided on;
 * lease-hold-verbs.ts stands on it too. `memoryHoldVerbs` are those of the one process that writes to its database: chat holds
 * live in its memory, and only their charge is written. This process is the only arbiter of an account. Whatever takes of it
 * passes `take`, which decides from memory, in one tick, against balance - held - what is held in memory, and against the caps in
 * the same way.
 *
 * - An amount held in memory ends in the tick in which the outcome of its charge is known: new balance in, hold out. A charge in
 *   doubt keeps its hold until the repetition is answered.
 * - A GPU session's hold must outlive the process: it is taken in memory first, written, and then counts in the row.
 * - A chat hold is written when something was metered on it, so that after a crash what was delivered is charged. A hold of which
 *   nothing was written ends with its process, and so does one that is released without a usage record.
 * - No hold is refused from memory alone, because a program at the same file may have added credits.
 */
import type { Clock } from '#platform/clock.js'
import type { Eventually } from '#platform/eventually.js'
import type { HoldBook, MemoryHold, Purse } from './hold-book.js'
import type { Leases } from './leases.js'
import { rowOf } from './hold-book.js'
import {
  type HoldVerbs,
  type HoldVerbsOptions,
  billResult,
  durableHoldVerbs,
  holdFacts,
  noSuchHold,
  reserveResult,
  toHoldSnapshot,
} from './hold-verbs.js'
import { idempotencyConflict, toBudgetSnapshot, toSnapshot } from './known-rows.js'
import { type AccountSnapshot, type BillResult, type ReserveResult, type SweepResult, type Usage } from '../ledger.js'
import { checkAmount, checkId, cleanUsage } from '../ledger-checks.js'
import { type HoldFacts, listedBudgets, UsageOutcome } from '../ledger-columns.js'
import type { HealthCheck } from '../operations/ledger-health.js'
import { refusal, replayed, setAside, sweptUsage, tightest } from '../ledger-rules.js'
import type { ChargeOperation, HoldRow, Operation, Outcome } from '../operations/operation.js'

export interface MemoryHoldVerbsOptions extends HoldVerbsOptions {
  readonly book: HoldBook
  readonly clock: Clock
  readonly health: Pick<HealthCheck, 'isTroubled' | 'recovered'>
  /** Nothing can be written any more. */
  readonly isClosed: () => boolean
  /** What holds are within, where several processes write. */
  readonly leases?: Leases
}

/** What operations on a hold say of it: its facts, and which lease it is held in. V8 copies an object fast that nothing precedes. */
const factsOf = ({ facts, leaseEpoch }: MemoryHold): HoldFacts & { readonly leaseEpoch?: number } =>
  leaseEpoch === null ? facts : { ...facts, leaseEpoch }

export interface MemoryHoldVerbs extends HoldVerbs {
  /** Closes what outlived `before`, in epoch milliseconds, and nobody closes, at its metered cost. */
  sweepMemory(before: number): Promise<SweepResult['closed']>
}

/** Rows may be forgotten again between two answers of the database. */
const TRIES = 5

export function memoryHoldVerbs(options: MemoryHoldVerbsOptions): MemoryHoldVerbs {
  const durable = durableHoldVerbs(options)
  const held = heldInMemory(options, durable)
  return { ...placing(options, durable, held.writeFirst), ...held }
}

/** The verbs on holds that are in the book, wherever they were decided on; those on others are the durable ones. */
export function heldInMemory(
  options: MemoryHoldVerbsOptions,
  durable: HoldVerbs,
): Omit<MemoryHoldVerbs, 'reserve' | 'extend'> & { writeFirst(holdId: string): Promise<void> } {
  const { book } = options
  const write = createWrite(options)
  /** What is charged more than once, or raised, is a row. */
  const writeFirst = async (holdId: string): Promise<void> => {
    const hold = book.of(holdId)
    if (hold && hold.writing !== 'done' && !hold.isClosing) await write(hold)
  }
  return {
    writeFirst,
    ...closing(options, durable),

    async meter({ holdId, amount }) {
      const hold = book.of(holdId)
      if (!hold || hold.writing === 'done') return durable.meter({ holdId, amount })
      if (hold.isClosing) return false
      hold.metered = checkAmount(amount) < hold.facts.amount ? amount : hold.facts.amount
      return write(hold)
    },

    async capture(request) {
      await writeFirst(request.holdId)
      return durable.capture(request)
    },

    async readHolds(holdIds) {
      const written = await durable.readHolds(holdIds)
      const unwritten = holdIds.flatMap((id) => book.of(id) ?? []).filter(({ writing }) => writing !== 'done')
      return new Map([...unwritten.map((hold) => [hold.facts.holdId, toHoldSnapshot(rowOf(hold))] as const), ...written])
    },
  }
}

function placing(
  options: MemoryHoldVerbsOptions,
  durable: HoldVerbs,
  writeFirst: (holdId: string) => Promise<void>,
): Pick<HoldVerbs, 'reserve' | 'extend'> {
  const { run, rows, book, clock, ownerId } = options
  const take = createTake(options)
  /** Counts in the row from its outcome on, and until then in the book. */
  const makeDurable = async (operation: Operation, giveBack: () => void): Promise<ReserveResult> => {
    try {
      return reserveResult(await run(operation, giveBack), rows)
    } catch (error) {
      // Whether it was done is unknown: the rows were forgotten with the failure, and are read before the next decision.
      giveBack()
      throw error
    }
  }
  const replay = createReplay(options)
  const reserveSession = async (facts: HoldFacts): Promise<ReserveResult> => {
    let giveBack = () => {}
    const taken = await take(facts, () => (giveBack = book.setAside(facts)))
    if (taken.ok) return makeDurable({ kind: 'reserve', ...facts }, giveBack)
    const { holds = [] } = await run({ kind: 'read_holds', holdIds: [facts.holdId] })
    return holds[0] ? replay.hold(holds[0], false, facts) : taken
  }
  return {
    reserve(request) {
      try {
        const facts = holdFacts(request, ownerId)
        if (facts.purpose === 'session') return reserveSession(facts)
        const hold = book.of(facts.holdId)
        return hold ? replay.remembered(hold, facts) : take(facts, () => book.keep(facts, clock.now()))
      } catch (error) {
        return Promise.reject(error)
      }
    },

    async extend({ holdId, toAmount, expiresAt }) {
      await writeFirst(holdId)
      const { holds = [] } = await run({ kind: 'read_holds', holdIds: [checkId(holdId)] })
      const hold = holds[0]
      if (!hold) throw noSuchHold()
      const more = { ...hold, amount: checkAmount(toAmount) - hold.amount }
      if (hold.state !== 'open' || more.amount <= 0n) return durable.extend({ holdId, toAmount, expiresAt })
      let giveBack = () => {}
      const taken = await take(more, () => (giveBack = book.setAside(more)))
      return taken.ok ? makeDurable({ kind: 'extend', holdId, toAmount, expiresAt }, giveBack) : taken
    },
  }
}

/** Answers for ids that are in use. */
export function createReplay({ run, rows }: Pick<MemoryHoldVerbsOptions, 'run' | 'rows'>) {
  const accountOf = async (accountId: string): Promise<AccountSnapshot> => {
    const known = rows.account(accountId)
    return known ? toSnapshot(known) : rows.accountOf(await run({ kind: 'read_account', accountId }))
  }
  const answer = async (hold: HoldRow, isClosing: boolean, facts: HoldFacts): Promise<ReserveResult> => {
    const code = replayed(hold, facts)
    if (code === 'conflict') throw idempotencyConflict()
    const account = await accountOf(hold.accountId)
    if (code === 'closed' || isClosing) return { ok: false, reason: 'closed', account, budget: null }
    return { ok: true, replayed: true, account }
  }
  return {
    hold: answer,
    async remembered(hold: MemoryHold, facts: HoldFacts): Promise<ReserveResult> {
      if (hold.writing !== 'done') return answer(rowOf(hold), hold.isClosing, facts)
      // Of a hold that was raised since, only the row knows the amount.
      const { holds = [] } = await run({ kind: 'read_holds', holdIds: [hold.facts.holdId] })
      return answer(holds[0] ?? rowOf(hold), hold.isClosing, facts)
    },
  }
}

function closing(
  { unsettled, rows, book, clock, leases }: MemoryHoldVerbsOptions,
  durable: HoldVerbs,
): Pick<MemoryHoldVerbs, 'settle' | 'release' | 'sweepMemory'> {
  const forget = ({ facts: { holdId, accountId } }: MemoryHold): BillResult => {
    book.end(holdId)
    leases?.noteEnd(accountId)
    const account = rows.account(accountId)
    return { outcome: 'settled', charged: 0n, clipped: false, account: account && toSnapshot(account) }
  }
  const close = async (hold: MemoryHold, total: bigint, usage: Usage | null, isUndelivered: boolean): Promise<BillResult> => {
    const { facts } = hold
    if (total === 0n && usage === null && hold.writing === 'not_begun' && !hold.isClosing) return forget(hold)
    const charge = (amount: bigint, described: Usage | null): ChargeOperation => ({
      ...factsOf(hold),
      kind: 'charge',
      total: checkAmount(amount),
      usage: described && cleanUsage(described),
    })
    const operation = charge(total, usage)
    hold.isClosing = true
    try {
      const undelivered = () => charge(0n, usage && { ...usage, endedAs: UsageOutcome.FAILED })
      return billResult(total, await unsettled.close(operation, isUndelivered ? undelivered : undefined), rows)
    } finally {
      hold.isClosing = unsettled.has(facts.holdId)
    }
  }
  return {
    settle(request) {
      const hold = book.of(request.holdId)
      return hold ? close(hold, request.amount, request.usage ?? null, request.isUndelivered ?? false) : durable.settle(request)
    },

    async release(request) {
      const hold = book.of(request.holdId)
      return hold ? { ...(await close(hold, 0n, request.usage ?? null, false)), clipped: false } : durable.release(request)
    },

    async sweepMemory(before) {
      const due = book.unwritten().filter(({ facts, isClosing }) => !isClosing && facts.expiresAt < before)
      const closed = due.map(async (hold) => {
        const { facts, metered } = hold
        const usage = hold.writing === 'not_begun' ? null : sweptUsage(rowOf(hold), clock.now())
        const { charged } = await close(hold, metered, usage, false)
        return { holdId: facts.holdId, accountId: facts.accountId, charged }
      })
      return Promise.all(closed)
    },
  }
}

/** Writes a hold down, from whose outcome on it counts in the row; false when there is a closed one under its id. */
function createWrite({ run, book, leases }: MemoryHoldVerbsOptions): (hold: MemoryHold) => Promise<boolean> {
  return async (hold) => {
    hold.writing = 'under_way'
    const operation = { ...factsOf(hold), kind: 'write_hold', metered: hold.metered } as const
    const outcome = await run(operation, (outcome) => {
      leases?.note(operation, outcome)
      if (isWritten(outcome)) book.noteWritten(hold.facts.holdId)
      else hold.writing = 'not_begun'
    })
    return isWritten(outcome)
  }
}

const isWritten = ({ code }: Outcome): boolean => code === 'done' || code === 'replayed'

/** `grant` is called in the tick of the decision that there is enough: at once where the rows are known. */
type Take = (purse: Purse, grant: () => void) => Eventually<ReserveResult>

function createTake({ run, rows, health, ownerId, isClosed }: MemoryHoldVerbsOptions): Take {
  /** Null when the rows are not known. */
  const decide = ({ accountId, budgetIds, amount }: Purse): ReserveResult | null => {
    const account = rows.account(accountId)
    const budgets = budgetIds === null ? [] : rows.budgets(listedBudgets(budgetIds))
    if (!account || !budgets || budgets.some((budget) => budget.accountId !== accountId)) return null
    const reason = refusal(account, budgets, amount)
    if (reason === null) return { ok: true, replayed: false, account: toSnapshot(setAside(account, amount)) }
    const budget = tightest(budgets)
    return { ok: false, reason, account: toSnapshot(account), budget: budget && toBudgetSnapshot(budget) }
  }
  /** @throws AppError `not_found` */
  const load = async ({ accountId, budgetIds: listed }: Purse): Promise<void> => {
    const reading = run({ kind: 'read_account', accountId })
    if (listed === null) return void rows.accountOf(await reading)
    const budgetIds = listedBudgets(listed)
    const [account, { budgets = [] }] = await Promise.all([reading, run({ kind: 'read_budgets', budgetIds })])
    rows.accountOf(account)
    const own = budgets.filter((budget) => budget.accountId === accountId)
    if (own.length < budgetIds.length) throw new Error('The ledger answered unknown_budget to a reservation.')
  }
  const askAndDecide = async (purse: Purse, grant: () => void): Promise<ReserveResult> => {
    for (let tries = 1; tries <= TRIES; tries++) {
      // Nothing is asked of a provider that could not be charged for.
      await health.recovered(() => run({ kind: 'probe', ownerId }))
      await load(purse)
      const decided = decide(purse)
      if (decided?.ok) grant()
      if (decided) return decided
    }
    throw new Error('The rows of an account were forgotten as soon as they were read.')
  }
  return (purse, grant) => {
    const known = isClosed() || health.isTroubled() ? null : decide(purse)
    if (!known?.ok) return askAndDecide(purse, grant)
    grant()
    return known
  }
}
