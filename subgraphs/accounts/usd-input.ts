/** Amounts as callers write them. */
import { invalidRequest } from '#platform/errors.js'
import { parseUsd, type NanoUsd } from '#platform/money.js'

/** @throws AppError 400 for what is no amount, or not more than 0 */
export function positiveUsd(text: string, param: string): NanoUsd {
  const amount = parseUsd(text, param)
  if (amount <= 0n) throw invalidRequest('The amount must be more than 0.', param)
  return amount
}

/** As `positiveUsd`, but 0 is an amount too: no credits yet, nothing that may be spent. */
export function usdFromZero(text: string, param: string): NanoUsd {
  const amount = parseUsd(text, param)
  if (amount < 0n) throw invalidRequest('The amount must not be negative.', param)
  return amount
}

/** Null stays null: no limit. */
export const optionalUsd = (text: string | null, param: string): NanoUsd | null =>
  text === null ? null : positiveUsd(text, param)
