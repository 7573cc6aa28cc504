/** When money is worth a notice, as pure rules: from what is there and what was last told to what is told now. */
import type { NanoUsd } from '#platform/money.js'
import type { AccountRow } from '../ledger/ledger-columns.js'

/** What is told, and the mark that says so; null when there is nothing new. */
export interface Change<Told> {
  readonly to: string
  /** Null for a mark that moves in silence. */
  readonly told: Told | null
}

const LOW = 'low'
const FINE = 'fine'

/**
 * Low is told once, until the balance was at or above the threshold again. An account that was never charged is not low: it
 * has just been opened.
 *
 * @param account with the present month's spending.
 */
export function balanceChange(
  { balance, spent }: Pick<AccountRow, 'balance' | 'spent'>,
  threshold: NanoUsd,
  mark: string | undefined,
): Change<typeof LOW> | null {
  const isLow = balance < threshold
  if (isLow && mark !== LOW && (mark === FINE || spent > 0n)) return { to: LOW, told: LOW }
  return !isLow && mark === LOW ? { to: FINE, told: null } : null
}

export interface Cap {
  readonly cap: NanoUsd | null
  readonly spent: NanoUsd
  /** Which hour, day, week or month `spent` counts. */
  readonly period: string
  /** Percent of the cap at which it is told first. */
  readonly warnAt: number
}

/**
 * Each level is told once a period and cap: a cap that is changed, and a new period, begin anew. A cap is reached when all of it
 * is spent, or when something was refused because it has no room: that is nearly always before the last cent.
 */
export function capChange(
  { cap, spent, period, warnAt }: Cap,
  isRefused: boolean,
  mark: string | undefined,
): Change<number> | null {
  if (cap === null) return null
  const level = levelOf(cap, spent, warnAt, isRefused)
  if (level === 0) return null
  const basis = `${period} ${cap} `
  const before = mark?.startsWith(basis) ? Number(mark.slice(basis.length)) : 0
  return level > before ? { to: `${basis}${level}`, told: level } : null
}

function levelOf(cap: NanoUsd, spent: NanoUsd, warnAt: number, isRefused: boolean): number {
  if (isRefused || (cap > 0n && spent >= cap)) return 100
  return cap > 0n && spent * 100n >= cap * BigInt(warnAt) ? warnAt : 0
}
