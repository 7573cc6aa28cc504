/** Price arithmetic: what callers pay for what a provider charges, compared and shown exactly. Pure. */
import { ceilDiv, NANO_PER_USD, type TokenPrice } from '#platform/money.js'
import type { PriceVersion } from './price-version.js'
import type { ListPrice, PricePoint } from '../ports.js'

/** The list price with the operator's markup, each rate rounded up to a whole nano-USD per million tokens. */
export function salePrice(list: ListPrice, markup: bigint): TokenPrice {
  const raise = (rate: bigint) => ceilDiv(rate * (NANO_PER_USD + markup), NANO_PER_USD)
  return {
    input: raise(list.input),
    output: raise(list.output),
    cachedInput: list.cachedInput === null ? null : raise(list.cachedInput),
  }
}

/** What the configuration says about a price point as one comparable text. */
export function declaredText({ listPrice, markup }: Pick<PricePoint, 'listPrice' | 'markup'>): string {
  const list = listPrice ? `${listPrice.input}/${listPrice.output}/${listPrice.cachedInput ?? '-'}` : 'none'
  return `${list}+${markup}`
}

export const listOf = (declared: string): string => declared.slice(0, declared.lastIndexOf('+'))

/** The rates of a version; null for a withdrawn one. */
export function ratesOf(version: Pick<PriceVersion, 'input' | 'output' | 'cachedInput'>): TokenPrice | null {
  const { input, output, cachedInput } = version
  return input === null || output === null ? null : { input, output, cachedInput }
}

/** What the provider bills for the version; null when not known. */
export function costOf(version: Pick<PriceVersion, 'costInput' | 'costOutput' | 'costCachedInput'>): TokenPrice | null {
  const { costInput, costOutput, costCachedInput } = version
  return costInput === null || costOutput === null ? null : { input: costInput, output: costOutput, cachedInput: costCachedInput }
}

export const samePrice = (a: TokenPrice | null, b: TokenPrice | null): boolean =>
  a === b || (a !== null && b !== null && a.input === b.input && a.output === b.output && a.cachedInput === b.cachedInput)
