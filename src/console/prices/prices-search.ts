/** What of the prices is in the address: the mix of tokens, the model whose comparison is shown, and the part of the page. */

const VIEWS = ['compare', 'pending', 'feeds'] as const
export type PricesView = (typeof VIEWS)[number]

export interface PricesSearch {
  /** Input tokens for each output token. */
  readonly mix?: number
  readonly model?: string
  readonly view?: PricesView
}

export const DEFAULT_MIX = 3
export const MOST_MIX = 20

export function readPricesSearch({ mix, model, view }: Record<string, unknown>): PricesSearch {
  const isMix = typeof mix === 'number' && Number.isInteger(mix) && mix >= 1 && mix <= MOST_MIX
  const isView = VIEWS.find((one) => one === view)
  return {
    ...(isMix && { mix }),
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(isView && { view: isView }),
  }
}
