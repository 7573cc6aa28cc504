/** What of the usage page is in its address. */
import type { ChatApi, UsageGrouping, UsageOutcome, UsageSort } from '../../generated/console-usage.js'
import { amountFault } from '../format/amount-input.js'

export const RANGES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const
export type Range = keyof typeof RANGES
export const USUAL_RANGE: Range = '30d'

/** What the chart's columns are split by. */
export const SPLITS = { model: 'MODEL', key: 'KEY', provider: 'PROVIDER' } as const satisfies Record<string, UsageGrouping>
export type Split = keyof typeof SPLITS
export const USUAL_SPLIT: Split = 'model'

export const OUTCOMES: Readonly<Record<UsageOutcome, string>> = {
  COMPLETED: 'Completed',
  CLIENT_CLOSED: 'Caller left',
  TIME_LIMIT: 'Took too long',
  KEY_ENDED: 'Key ended',
  SERVER_STOPPED: 'Server stopped',
  SERVER_LOST: 'Server died',
  PROVIDER_CUT: 'Provider broke off',
  BLOCKED: 'Code withheld',
  FAILED: 'Failed',
}

export const APIS: Readonly<Record<ChatApi, string>> = {
  CHAT_COMPLETIONS: 'Chat completions',
  RESPONSES: 'Responses',
  MESSAGES: 'Messages',
  GRAPHQL: 'GraphQL',
}

export const SORTS: Readonly<Record<UsageSort, string>> = {
  NEWEST: 'Newest first',
  OLDEST: 'Oldest first',
  COSTLIEST: 'Costliest first',
  SLOWEST: 'Slowest first',
}

/** As read from the address, where any may be missing. */
export type Optional<Search> = { readonly [Name in keyof Search]?: Search[Name] | undefined }

export interface UsageFilters {
  readonly model?: string
  readonly key?: string
  readonly provider?: string
  readonly outcome?: UsageOutcome
  readonly api?: ChatApi
  /** In USD. */
  readonly minCost?: string
}

export interface UsageSearch extends UsageFilters {
  readonly range?: Range
  /** An own span of time in the place of a range; ISO 8601. */
  readonly from?: string
  readonly to?: string
  readonly by?: Split
  readonly sort?: UsageSort
  /** The request that is open. */
  readonly request?: string
  /** The refused requests are open. */
  readonly refused?: boolean
}

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const text = (name: keyof UsageSearch) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  const oneOf = (name: keyof UsageSearch, choices: object) => {
    const value = search[name]
    return typeof value === 'string' && Object.hasOwn(choices, value) ? { [name]: value } : {}
  }
  const amount = (name: keyof UsageSearch) => {
    const value = search[name]
    // The router reads a number where it sees one.
    const typed = typeof value === 'number' ? String(value) : value
    return typeof typed === 'string' && typed !== '' && amountFault(typed) === null ? { [name]: typed } : {}
  }
  const moment = (name: keyof UsageSearch) => {
    const value = search[name]
    return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? { [name]: new Date(value).toISOString() } : {}
  }
  return {
    ...text('model'),
    ...text('key'),
    ...text('provider'),
    ...text('request'),
    ...(search['refused'] === true && { refused: true }),
    ...oneOf('outcome', OUTCOMES),
    ...oneOf('api', APIS),
    ...amount('minCost'),
    ...oneOf('range', RANGES),
    ...oneOf('by', SPLITS),
    ...oneOf('sort', SORTS),
    ...moment('from'),
    ...moment('to'),
  }
}

export type SetSearch = (change: Optional<UsageSearch>) => void

/** All that `filtersOf` reads, as it is when nothing is chosen. */
export const NO_FILTERS = {
  model: undefined,
  key: undefined,
  provider: undefined,
  outcome: undefined,
  api: undefined,
  minCost: undefined,
} as const satisfies Record<keyof UsageFilters, undefined>

export const filtersOf = ({ model, key, provider, outcome, api, minCost }: Optional<UsageFilters>): UsageFilters => ({
  ...(model !== undefined && { model }),
  ...(key !== undefined && { key }),
  ...(provider !== undefined && { provider }),
  ...(outcome !== undefined && { outcome }),
  ...(api !== undefined && { api }),
  ...(minCost !== undefined && { minCost }),
})
