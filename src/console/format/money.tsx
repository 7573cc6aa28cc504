/** An amount of US dollars. */
import { exactDecimal, flooredDecimal, roundedDecimal } from './decimal.js'

interface MoneyProps {
  /** As the API gives it, such as "0.000123". */
  readonly amount: string
  /** Rounded to so many decimals, with the exact amount on hover; exact when left out. */
  readonly digits?: number
  /** Somebody has it: rounded, it is never more than there is. */
  readonly isBalance?: boolean
  /** What the amount is, on hover. */
  readonly label?: string
}

export function Money({ amount, digits, isBalance = false, label }: MoneyProps) {
  const exact = `$${exactDecimal(amount, 2)}`
  return (
    <span className="tabular-nums" title={label === undefined ? exact : `${label}: ${exact}`}>
      {digits === undefined ? exact : rounded(amount, digits, isBalance)}
    </span>
  )
}

/** What is not nothing is never shown as nothing. */
function rounded(amount: string, digits: number, isBalance: boolean): string {
  const text = (isBalance ? flooredDecimal : roundedDecimal)(amount, digits)
  return isZero(text) && !isZero(amount) ? `<$${(10 ** -digits).toFixed(digits)}` : `$${text}`
}

const isZero = (decimal: string): boolean => /^-?[0.]*$/.test(decimal)
