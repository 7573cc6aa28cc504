/** When money is worth a notice, as pure rules: from what is there and what was last told to what is told now. */
import type { NanoUsd } from '#platform/money.js'
import type { AccountRow, BudgetRow } from '../ledger/ledger-columns.js'

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

type Percent = 80 | 100

/**
 * Each level is told once a month and cap: a cap that is changed, and a new month, begin anew. A cap is reached when all of it
 * is spent, or when something was refused because it has no room: that is nearly always before the last cent.
 */
export function capChange(
  { monthlyCap, spent, period }: Pick<BudgetRow, 'monthlyCap' | 'spent' | 'period'>,
  isRefused: boolean,
  mark: string | undefined,
): Change<Percent> | null {
  if (monthlyCap === null) return null
  const level = levelOf(monthlyCap, spent, isRefused)
  if (level === 0) return null
  const basis = `${period} ${monthlyCap} `
  const before = mark?.startsWith(basis) ? Number(mark.slice(basis.length)) : 0
  return level > before ? { to: `${basis}${level}`, told: level } : null
}

function levelOf(cap: NanoUsd, spent: NanoUsd, isRefused: boolean): Percent | 0 {
  if (isRefused || (cap > 0n && spent >= cap)) return 100
  return cap > 0n && spent >= (cap / 5n) * 4n ? 80 : 0
}
