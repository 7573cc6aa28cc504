/** What the request that is filled in would get and cost, asked for when the typing rests. */
import { useEffect, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { GpusQuoteDocument, type GpusQuoteQuery } from '../../../generated/console-gpus.js'
import { faultOf, type Fault } from '../../graph/faults.js'
import { isAskable, rentInput, type RentForm } from './rent-form.js'

const RESTS_AFTER_MS = 250

export interface Quoted {
  readonly quote: GpusQuoteQuery['gpuQuote']
  readonly fault: Fault | null
  /** What is shown is of the form as it is now. */
  readonly isCurrent: boolean
}

export function useQuote(form: RentForm): Quoted {
  const [rested, setRested] = useState(form)
  useEffect(() => {
    const timer = setTimeout(() => setRested(form), RESTS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [form])
  const variables = useMemo(() => ({ input: rentInput(rested) }), [rested])
  const pause = !isAskable(rested)
  const [{ data, error, fetching }] = useQuery({ query: GpusQuoteDocument, variables, pause, requestPolicy: 'network-only' })
  const isCurrent = rested === form && !fetching
  return { quote: pause ? null : (data?.gpuQuote ?? null), fault: pause || !error ? null : faultOf(error), isCurrent }
}
