/** Amounts of money as people type them. */

const AMOUNT = /^\d{1,9}(?:\.\d{1,9})?$/

/** What is wrong with it; null when it is an amount, or empty. */
export const amountFault = (typed: string): string | null =>
  typed.trim() === '' || AMOUNT.test(typed.trim()) ? null : 'An amount such as 10 or 2.50.'

export const amountOrNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim())
