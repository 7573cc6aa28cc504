/** The rentals of the account: those that live, and those that ended while the page was open; heard of as they change. */
import { useCallback, useMemo, useState } from 'react'
import { useQuery, useSubscription } from 'urql'
import { GpusLiveDocument, GpusRentalsChangedDocument } from '../../../generated/console-gpus.js'
import { faultOf, type Fault } from '../../graph/faults.js'
import { isLive, type Rental } from './rental-words.js'

export interface Rentals {
  /** Newest first; null until they are read. */
  readonly live: readonly Rental[] | null
  /** Newest first. */
  readonly justEnded: readonly Rental[]
  readonly fault: Fault | null
  readonly readAgain: () => void
}

export function useRentals(): Rentals {
  const [{ data, error }, read] = useQuery({ query: GpusLiveDocument, requestPolicy: 'cache-and-network' })
  const [justEnded, setJustEnded] = useState<readonly Rental[]>([])
  const readAgain = useCallback(() => read({ requestPolicy: 'network-only' }), [read])
  const live = useMemo(
    () => (data?.provisioning && data.running ? liveOf(data.provisioning.nodes, data.running.nodes) : null),
    [data],
  )
  // What it tells of goes to the cache, and so to the lists; only what is new or ended changes what is in them.
  useSubscription({ query: GpusRentalsChangedDocument }, (_, next) => {
    const rental = next.rentalsChanged
    if (!isLive(rental)) setJustEnded((before) => [rental, ...before.filter(({ id }) => id !== rental.id)])
    else if (!live?.some(({ id }) => id === rental.id)) readAgain()
    return next
  })
  return { live, justEnded, fault: error && !data ? faultOf(error) : null, readAgain }
}

/** Both lists keep what they were read with, while the state of each rental goes on. */
function liveOf(...lists: readonly (readonly Rental[])[]): readonly Rental[] {
  const byId = new Map(lists.flat().map((rental) => [rental.id, rental]))
  return [...byId.values()].filter(isLive).toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
}
