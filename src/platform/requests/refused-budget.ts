/** A budget that had no room for something, as those tell it who refuse a request for it. */
import { formatUsd, type NanoUsd } from '../money.js'
import { BudgetPeriod } from '../vocabulary/words.js'

export interface RefusedBudget {
  /** Empty for one without a name. */
  readonly name: string
  readonly owner: 'key' | 'account'
  readonly every: BudgetPeriod
  /** The ids of the only models that it is about. */
  readonly models: readonly string[] | null
  readonly cap: NanoUsd
  readonly spent: NanoUsd
  readonly held: NanoUsd
  /** When it begins anew, in epoch milliseconds; null for never. */
  readonly resetsAt: number | null
}

const ADJECTIVE = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly', total: 'total' } as const
const MODELS_NAMED = 3

/** A clause, for the beginning of a sentence. */
export function budgetInWords({ name, owner, every, models, cap, spent, held }: RefusedBudget): string {
  const whose = owner === 'key' ? "This API key's" : "This account's"
  const isCap = owner === 'key' && every === BudgetPeriod.MONTH && name === '' && models === null
  const what = isCap ? 'cap' : `budget${name === '' ? '' : ` "${name}"`}${models ? ` for ${modelsInWords(models)}` : ''}`
  const amounts = `$${formatUsd(cap)}, of which $${formatUsd(spent)} is spent and $${formatUsd(held)} is set aside`
  return `${whose} ${ADJECTIVE[every]} ${what} is ${amounts}`
}

/** A sentence. */
export const resetInWords = ({ resetsAt }: RefusedBudget): string =>
  resetsAt === null ? 'It does not begin anew.' : `It begins anew at ${new Date(resetsAt).toISOString().replace('.000Z', 'Z')}.`

function modelsInWords(models: readonly string[]): string {
  const rest = models.length - MODELS_NAMED
  return `${models.slice(0, MODELS_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
