/**
 * What every feed adapter makes of a price list: exact prices, or a reason why a row was refused. Pure.
 *
 * Price lists come as JSON, so many of their numbers are floats with noise (0.15000000000000002). Rates are quantised to a
 * millionth of a dollar per million tokens, which is finer than any real price and coarser than any noise.
 */
import type { Capabilities, ListPrice } from '../ports.js'

/** A price list is not what it should be as a whole: nothing of it is used. */
export class BrokenFeed extends Error {
  override readonly name = 'BrokenFeed'
}

export interface ListedPrice {
  /** The provider's name in the list; null when the whole list is of one provider. */
  readonly feedProvider: string | null
  readonly providerModelId: string
  readonly price: ListPrice
  readonly capabilities: Partial<Capabilities>
}

export interface ParsedFeed {
  readonly rows: readonly ListedPrice[]
  /** One sentence per row that was refused. */
  readonly refused: readonly string[]
}

export type PriceUnit = 'per_token' | 'per_thousand' | 'per_million'

const UNIT_EXPONENT = { per_token: 6, per_thousand: 3, per_million: 0 } as const satisfies Record<PriceUnit, number>
/** Nano-USD in one quantum: a millionth of a dollar. */
const QUANTUM = 1000n
/** More than this per million tokens (1,000,000 dollars) is a mistake of units. */
const MOST = 1_000_000n * 1_000_000_000n
const NUMBER = /^(\d{1,20})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/

/** A number or decimal text in nano-USD per million tokens, quantised; null for anything else, negative or absurd. */
export function readRate(value: unknown, unit: PriceUnit): bigint | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const match = NUMBER.exec(text)
  if (!match) return null
  const [, whole = '0', fraction = '', exponent = '0'] = match
  // The value is digits x 10^shift dollars per million; a quantum is 10^-6 dollars.
  const shift = Number(exponent) - fraction.length + UNIT_EXPONENT[unit] + 6
  const digits = BigInt(whole + fraction)
  const quanta = shift >= 0 ? digits * 10n ** BigInt(shift) : halfUp(digits, 10n ** BigInt(-shift))
  const rate = quanta * QUANTUM
  return rate > MOST ? null : rate
}

const halfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator)

/**
 * Both rates above zero, or a sentence that says what is wrong. A cached rate that is missing, zero or above the input rate is
 * dropped, so that cached tokens cost as much as input.
 */
export function readPrice(
  raw: { readonly input: unknown; readonly output: unknown; readonly cachedInput?: unknown },
  unit: PriceUnit,
): ListPrice | string {
  const input = readRate(raw.input, unit)
  const output = readRate(raw.output, unit)
  if (input === null || output === null) return 'input or output is not a price'
  if (input === 0n || output === 0n) return 'a feed cannot make a model free'
  const cached = raw.cachedInput == null ? null : readRate(raw.cachedInput, unit)
  return { input, output, cachedInput: cached !== null && cached > 0n && cached <= input ? cached : null }
}

/** A whole number of tokens within reason, or undefined. */
export const readTokens = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 1_000_000_000 ? value : undefined

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that the document itself has, never one of the prototype. */
export const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Follows a dotted path; undefined where it ends. */
export const follow = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => member(inner, name), value)

/** Only what is stated. */
export function statedCapabilities(capabilities: Partial<Capabilities>): Partial<Capabilities> {
  return Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== undefined))
}
