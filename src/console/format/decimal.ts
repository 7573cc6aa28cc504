/** Exact decimals, as the API writes them: texts. They are shown, compared and rounded as texts, never as floats. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

interface Parts {
  readonly sign: string
  readonly whole: string
  readonly fraction: string
}

function partsOf(decimal: string): Parts {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? []
  return { sign, whole, fraction }
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

/** With at least so many decimals, and all that are not zero. */
export function exactDecimal(decimal: string, leastDigits: number): string {
  const { sign, whole, fraction } = partsOf(decimal)
  const kept = fraction.replace(/0+$/, '').padEnd(leastDigits, '0')
  return `${sign}${grouped(whole)}${kept === '' ? '' : `.${kept}`}`
}

/** Rounded half away from zero, with exactly so many decimals. */
export function roundedDecimal(decimal: string, digits: number): string {
  const { next } = cutAt(decimal, digits)
  return withUnits(decimal, digits, next >= '5' ? 1n : 0n)
}

/** With exactly so many decimals, and never more than it is: what one has is not promised in round numbers. */
export function flooredDecimal(decimal: string, digits: number): string {
  const { rest } = cutAt(decimal, digits)
  return withUnits(decimal, digits, decimal.startsWith('-') && /[1-9]/.test(rest) ? 1n : 0n)
}

/** What does not fit into so many decimals, and the first digit of it. */
function cutAt(decimal: string, digits: number): { readonly rest: string; readonly next: string } {
  const rest = partsOf(decimal).fraction.slice(digits)
  return { rest, next: rest.charAt(0) }
}

/** Cut to so many decimals, and so many units of the last of them further from zero. */
function withUnits(decimal: string, digits: number, units: bigint): string {
  const { sign, whole, fraction } = partsOf(decimal)
  const kept = fraction.slice(0, digits).padEnd(digits, '0')
  const scaled = (BigInt(whole + kept) + units).toString().padStart(digits + 1, '0')
  const cut = scaled.length - digits
  return `${/[1-9]/.test(scaled) ? sign : ''}${grouped(scaled.slice(0, cut))}${digits === 0 ? '' : `.${scaled.slice(cut)}`}`
}

/** For `toSorted`: by value, however many digits each has. */
export function compareDecimals(a: string, b: string): number {
  const difference = scaledTo18(a) - scaledTo18(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function sumOfDecimals(decimals: readonly string[]): string {
  return unscaled(decimals.reduce((sum, decimal) => sum + scaledTo18(decimal), 0n))
}

export const differenceOf = (a: string, b: string): string => unscaled(scaledTo18(a) - scaledTo18(b))

/** So many parts of a whole, such as seconds of an hour, cut to billionths as amounts are. */
export const fractionOf = (decimal: string, parts: number, whole: number): string =>
  unscaled(((scaledTo18(decimal) * BigInt(parts)) / BigInt(whole) / 1_000_000_000n) * 1_000_000_000n)

/** For drawing: how much of the whole a part is, 0 of nothing. */
export function shareOf(part: string, whole: string): number {
  const all = scaledTo18(whole)
  return all === 0n ? 0 : Number((scaledTo18(part) * 1_000_000n) / all) / 1_000_000
}

function unscaled(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -18)}${fraction === '' ? '' : `.${fraction}`}`
}

function scaledTo18(decimal: string): bigint {
  const { sign, whole, fraction } = partsOf(decimal)
  return BigInt(`${sign}${whole}${fraction.padEnd(18, '0').slice(0, 18)}`)
}
