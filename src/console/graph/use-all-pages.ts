/** A list that is read to its end, page by page, so that a filter and an order are of all of it and not of the first few. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, type TypedDocumentNode } from 'urql'
import { faultOf, type Fault } from './faults.js'

interface Page<Node> {
  readonly totalCount: number
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

interface Variables {
  after?: string | null
}

interface AllPages<Node> {
  /** Null until the first page is there. */
  readonly nodes: readonly Node[] | null
  readonly totalCount: number
  readonly fault: Fault | null
  /** Where a list grows. */
  readonly readAgain: (which: 'first' | 'last') => void
}

/** A page that is read. */
interface Followed {
  /** The cursor that it begins behind. */
  readonly after: string | null
  readonly stop: () => void
}

/** @param pageOf a constant */
export function useAllPages<Data, Node>(
  document: TypedDocumentNode<Data, Variables>,
  pageOf: (data: Data) => Page<Node> | null | undefined,
): AllPages<Node> {
  const client = useClient()
  const [pages, setPages] = useState<readonly Page<Node>[]>([])
  const [fault, setFault] = useState<Fault | null>(null)
  const reading = useRef<readonly Followed[]>([])
  useEffect(() => {
    const followed: Followed[] = []
    reading.current = followed
    const forget = (from: number) => followed.splice(from).forEach(({ stop }) => stop())
    /** A page stays a query of the cache: what is heard of one of its nodes is seen, and it is read again with the others. */
    const follow = (at: number, after: string | null) => {
      const ended = new AbortController()
      followed[at] = { after, stop: () => ended.abort() }
      const { unsubscribe } = client
        .query(document, { after }, { requestPolicy: 'cache-and-network' })
        .subscribe(({ data, error }) => {
          if (ended.signal.aborted) return
          setFault(error ? faultOf(error) : null)
          const page = data && pageOf(data)
          if (!page) return
          const next = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
          setPages((before) => [...before.slice(0, at), page, ...(next === null ? [] : before.slice(at + 1))])
          // A page that now ends elsewhere has another one behind it.
          if (next === (followed[at + 1]?.after ?? null)) return
          forget(at + 1)
          if (next !== null) follow(at + 1, next)
        })
      ended.signal.addEventListener('abort', unsubscribe)
    }
    follow(0, null)
    return () => forget(0)
  }, [client, document, pageOf])
  const readAgain = useCallback(
    (which: 'first' | 'last') => {
      const after = (which === 'first' ? null : reading.current.at(-1)?.after) ?? null
      void client.query(document, { after }, { requestPolicy: 'network-only' }).toPromise()
    },
    [client, document],
  )
  const nodes = useMemo(() => (pages.length === 0 ? null : pages.flatMap((page) => page.nodes)), [pages])
  return { nodes, totalCount: pages.at(-1)?.totalCount ?? 0, fault, readAgain }
}
