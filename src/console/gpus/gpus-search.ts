/** What of the GPUs is in the address: the part of the page, what offers are filtered and sorted by, and the rental that is open. */

export const VIEWS = { offers: 'Offers', rentals: 'Rentals', models: 'Models' } as const
export type View = keyof typeof VIEWS
export const USUAL_VIEW: View = 'offers'

/** Whether the provider may take the GPU away. */
export const KINDS = { demand: 'On demand', spot: 'Spot' } as const
export type Kind = keyof typeof KINDS

export interface OfferFilters {
  readonly gpu?: string
  readonly provider?: string
  readonly region?: string
  readonly kind?: Kind
  /** The least memory of one GPU, gigabytes. */
  readonly vram?: number
  /** The most that one GPU may cost, USD per hour, as it was typed. */
  readonly price?: string
}

export interface GpusSearch extends OfferFilters {
  readonly view?: View
  readonly sort?: string
  readonly desc?: true
  /** The rental that is open. */
  readonly rental?: string
}

export function readGpusSearch(search: Record<string, unknown>): GpusSearch {
  const text = (name: 'gpu' | 'provider' | 'region' | 'sort' | 'rental') => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  const oneOf = (name: 'view' | 'kind', choices: object) => {
    const value = search[name]
    return typeof value === 'string' && Object.hasOwn(choices, value) ? { [name]: value } : {}
  }
  const { vram, price, desc } = search
  return {
    ...oneOf('view', VIEWS),
    ...oneOf('kind', KINDS),
    ...text('gpu'),
    ...text('provider'),
    ...text('region'),
    ...text('sort'),
    ...text('rental'),
    ...(typeof vram === 'number' && vram > 0 && { vram }),
    // The router reads "2.5" of the address as a number.
    ...((typeof price === 'string' || typeof price === 'number') && String(price) !== '' && { price: String(price) }),
    ...(desc === true && { desc }),
  }
}
