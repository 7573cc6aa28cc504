/** What was spent, column by column, split among those that cost most and the rest. */
import { useEffect, useState } from 'react'
import { useClient, type Client } from 'urql'
import { UsageTotalsDocument, type UsageTotalsQuery, type UsageTotalsQueryVariables } from '../../../generated/console-usage.js'
import { compareDecimals, differenceOf, sumOfDecimals } from '../../format/decimal.js'
import { thrownFault, type Fault } from '../../graph/faults.js'
import { columnsOf, type Span } from './span.js'
import { SPLITS, type Split, type UsageFilters } from '../usage-search.js'

export interface Series {
  /** Null for all that is not shown apart. */
  readonly id: string | null
  readonly cost: string
  readonly requests: number
  /** What each column cost. */
  readonly costs: readonly string[]
}

export interface Spending {
  readonly span: Span
  /** The beginning of each column. */
  readonly columns: readonly number[]
  /** What each cost in all. */
  readonly costs: readonly string[]
  readonly cost: string
  readonly requests: number
  /** The costliest first, the rest last. */
  readonly series: readonly Series[]
}

/** As many as can be told apart by their colours. */
const MOST_SERIES = 5

type Totals = NonNullable<UsageTotalsQuery['viewer']>['usageBy']

interface Asked {
  readonly span: Span
  readonly split: Split
  readonly filters: UsageFilters
}

async function totals(client: Client, variables: UsageTotalsQueryVariables): Promise<Totals> {
  const { data, error } = await client.query(UsageTotalsDocument, variables, { requestPolicy: 'network-only' }).toPromise()
  if (error) throw error
  return data?.viewer?.usageBy ?? []
}

async function readSpending(client: Client, { span, split, filters }: Asked, now: number): Promise<Spending> {
  const common = { ...filters, from: span.from, to: span.to }
  const columns = columnsOf(span, now)
  const [all, parts] = await Promise.all([
    totals(client, { ...common, group: span.group }),
    totals(client, { ...common, group: SPLITS[split] }),
  ])
  const shown = parts
    .flatMap(({ group, ...rest }) => (group === null ? [] : [{ id: group, ...rest }]))
    .toSorted((a, b) => compareDecimals(b.cost, a.cost) || b.requests - a.requests)
    .slice(0, MOST_SERIES)
  const series = await Promise.all(
    shown.map(async ({ id, cost, requests }) => {
      const costs = inColumns(await totals(client, { ...common, [split]: id, group: span.group }), columns)
      return { id, cost, requests, costs }
    }),
  )
  const costs = inColumns(all, columns)
  const cost = sumOfDecimals(all.map((one) => one.cost))
  const requests = sum(all.map((one) => one.requests))
  const rest = {
    id: null,
    cost: differenceOf(cost, sumOfDecimals(shown.map((one) => one.cost))),
    requests: requests - sum(shown.map((one) => one.requests)),
    costs: costs.map((one, at) => differenceOf(one, sumOfDecimals(series.map((part) => part.costs[at] ?? '0')))),
  }
  return { span, columns, costs, cost, requests, series: rest.requests > 0 ? [...series, rest] : series }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

function inColumns(groups: Totals, columns: readonly number[]): string[] {
  const costs = new Map(groups.map(({ group, cost }) => [Date.parse(group ?? ''), cost]))
  return columns.map((start) => costs.get(start) ?? '0')
}

export interface SpendingState {
  /** That of before stays until the new one is there. */
  readonly spending: Spending | null
  readonly fault: Fault | null
}

/** @param now changes when there is something new to be counted */
export function useSpending({ span, split, filters }: Asked, now: number): SpendingState {
  const client = useClient()
  const [state, setState] = useState<SpendingState>({ spending: null, fault: null })
  useEffect(() => {
    let isWanted = true
    readSpending(client, { span, split, filters }, now).then(
      (spending) => isWanted && setState({ spending, fault: null }),
      (error: unknown) => isWanted && setState(({ spending }) => ({ spending, fault: thrownFault(error) })),
    )
    return () => {
      isWanted = false
    }
  }, [client, span, split, filters, now])
  return state
}
