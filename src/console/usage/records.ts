/** The requests of the account: read page by page as the table is scrolled, and heard of as they end. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, type Client } from 'urql'
import {
  UsageRecordedDocument,
  UsageRowsDocument,
  type UsageFieldsFragment,
  type UsageRowsQueryVariables,
} from '../../generated/console-usage.js'
import { compareDecimals } from '../format/decimal.js'
import { connection } from '../graph/connection.js'
import { thrownFault, type Fault } from '../graph/faults.js'
import type { UsageFilters } from './usage-search.js'

export type UsageRow = UsageFieldsFragment

/** Of one answer. */
const PAGE_ROWS = 250
/** How often what was heard is drawn: a busy account ends hundreds of requests a second. */
const DRAWN_EVERY_MS = 250

export type Asked = Omit<UsageRowsQueryVariables, 'first' | 'after'>

interface Pages {
  readonly rows: readonly UsageRow[]
  readonly cursor: string | null
  readonly hasMore: boolean
  readonly isRead: boolean
  readonly fault: Fault | null
}

const NOTHING: Pages = { rows: [], cursor: null, hasMore: true, isRead: false, fault: null }

export async function readPage(client: Client, asked: Asked, after: string | null, first = PAGE_ROWS) {
  const variables = { ...asked, first, after }
  const { data, error } = await client.query(UsageRowsDocument, variables, { requestPolicy: 'network-only' }).toPromise()
  if (error) throw error
  const usage = data?.viewer?.usage
  return {
    rows: usage?.nodes ?? [],
    cursor: usage?.pageInfo.endCursor ?? null,
    hasMore: usage?.pageInfo.hasNextPage ?? false,
  }
}

/** Whoever asks for something else mounts it anew. What may be out of date is read from the beginning, and shown until that is there. */
export function usePages(asked: Asked) {
  const client = useClient()
  const [pages, setPages] = useState(NOTHING)
  /** What is read now: another reading from the beginning takes its place. */
  const reading = useRef<object | null>(null)
  const read = useCallback(
    (after: string | null) => {
      if (reading.current && after !== null) return
      const own = (reading.current = {})
      const show = (change: (before: Pages) => Pages) => {
        if (reading.current !== own) return
        reading.current = null
        setPages(change)
      }
      readPage(client, asked, after).then(
        (page) =>
          show(({ rows }) => ({
            ...page,
            rows: after === null ? page.rows : [...rows, ...page.rows],
            isRead: true,
            fault: null,
          })),
        (error: unknown) => show((before) => ({ ...before, isRead: true, fault: thrownFault(error) })),
      )
    },
    [client, asked],
  )
  useEffect(() => {
    read(null)
    return connection.onOpening(() => read(null))
  }, [read])
  const readMore = () => {
    if (pages.isRead && pages.hasMore) read(pages.cursor)
  }
  return { ...pages, readMore }
}

/** What has ended since the page was opened, the newest first. */
export function useLiveRecords(): readonly UsageRow[] {
  const client = useClient()
  const [records, setRecords] = useState<readonly UsageRow[]>([])
  useEffect(() => {
    let heard: UsageRow[] = []
    const { unsubscribe } = client.subscription(UsageRecordedDocument, {}).subscribe(({ data }) => {
      if (data) heard.unshift(data.usageRecorded)
    })
    const timer = setInterval(() => {
      if (heard.length === 0) return
      const news = heard
      heard = []
      setRecords((before) => [...news, ...before])
    }, DRAWN_EVERY_MS)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [client])
  return records
}

/** Both as one list, without what is in both. */
export function useMerged(live: readonly UsageRow[], read: readonly UsageRow[]): readonly UsageRow[] {
  return useMemo(() => {
    const known = new Set(read.map(({ id }) => id))
    const news = live.filter(({ id }) => !known.has(id))
    return news.length === 0 ? read : [...news, ...read]
  }, [live, read])
}

export const fits = (row: UsageRow, { model, key, provider, outcome, api, minCost }: UsageFilters): boolean =>
  (model === undefined || row.modelId === model) &&
  (key === undefined || row.keyId === key) &&
  (provider === undefined || row.providerId === provider) &&
  (outcome === undefined || row.outcome === outcome) &&
  (api === undefined || row.api === api) &&
  (minCost === undefined || compareDecimals(row.cost, minCost) >= 0)

/** How often a subscription was opened: what was read before may be out of date. */
export function useOpenings(): number {
  const [openings, setOpenings] = useState(0)
  useEffect(() => connection.onOpening(() => setOpenings((before) => before + 1)), [])
  return openings
}
