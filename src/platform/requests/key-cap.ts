/** What an API key may spend in a calendar month, as those tell it who refuse a request for it. */
import { formatUsd, type NanoUsd } from '../money.js'

export interface KeyCap {
  readonly cap: NanoUsd
  readonly spent: NanoUsd
  readonly held: NanoUsd
}

/** A clause, for the beginning of a sentence. */
export const keyCapInWords = ({ cap, spent, held }: KeyCap): string =>
  `This API key's monthly cap is $${formatUsd(cap)}, of which $${formatUsd(spent)} is spent and $${formatUsd(held)} is set aside`
