/**
 * Money: integers inside, decimal strings at the edge, never a float.
 *
 * `NanoUsd` is 1e-9 USD as a bigint (an int64 column holds 9.2 billion USD). Token prices are kept as nano-USD per million
 * tokens, so a price of "0.15" per million is 150_000_000n.
 */
import { invalidRequest } from './errors.js'

export type NanoUsd = bigint

/** Nano-USD per one million tokens. */
export type PricePerMillion = bigint

export const NANO_PER_USD = 1_000_000_000n
const MAX_NANO = 2n ** 63n - 1n
const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d+))?$/

/**
 * Reads a decimal string of US dollars, such as "0.15", exactly.
 *
 * @throws AppError 400 naming `param` for anything but a plain decimal with at most 9 decimals within int64.
 */
export function parseUsd(text: string, param?: string): NanoUsd {
  const match = DECIMAL.exec(text)
  if (!match) throw invalidRequest(`"${text.slice(0, 40)}" is not a decimal amount such as "0.15".`, param)
  const [, sign, whole = '0', fraction = ''] = match
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > 9) throw invalidRequest(`"${text.slice(0, 40)}" has more than 9 decimals.`, param)
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(digits.padEnd(9, '0'))
  if (nano > MAX_NANO) throw invalidRequest(`"${text.slice(0, 40)}" is too large.`, param)
  return sign === '-' ? -nano : nano
}

/** The shortest exact decimal string with at least two decimals: 150_000_000n is "0.15", 0n is "0.00". */
export function formatUsd(nano: NanoUsd): string {
  const sign = nano < 0n ? '-' : ''
  const absolute = nano < 0n ? -nano : nano
  const fraction = (absolute % NANO_PER_USD).toString().padStart(9, '0')
  let end = fraction.length
  while (end > 2 && fraction[end - 1] === '0') end--
  return `${sign}${absolute / NANO_PER_USD}.${fraction.slice(0, end)}`
}

/** Tokens of one request in disjoint buckets: `input` excludes `cachedInput`. */
export interface TokenBuckets {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
}

/** One price version; `cachedInput` null means cached tokens cost as much as input. */
export interface TokenPrice {
  readonly input: PricePerMillion
  readonly output: PricePerMillion
  readonly cachedInput: PricePerMillion | null
}

/** The cost of one request, rounded up to a whole nano-USD once. */
export function tokenCost(tokens: TokenBuckets, price: TokenPrice): NanoUsd {
  const total =
    BigInt(tokens.input) * price.input +
    BigInt(tokens.cachedInput) * (price.cachedInput ?? price.input) +
    BigInt(tokens.output) * price.output
  return ceilDiv(total, 1_000_000n)
}

/** Division of non-negative bigints, rounded up. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
