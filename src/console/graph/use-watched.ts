/** What is asked for again and again, as nothing tells of its changes. */
import { useCallback, useEffect } from 'react'
import { useQuery, type AnyVariables, type TypedDocumentNode } from 'urql'
import { faultOf } from './faults.js'

const ASKED_EVERY_MS = 15_000

/** Asks every quarter of a minute while the page is seen. */
export function useWatched<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const [{ data, error }, ask] = useQuery({ query, variables, requestPolicy: 'cache-and-network' })
  const readAgain = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask])
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && readAgain(), ASKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [readAgain])
  return { data, fault: error ? faultOf(error) : null, readAgain }
}
