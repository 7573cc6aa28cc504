/** The deployment that an answer waits for. */
import { Server } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSubscription } from 'urql'
import { PlayAvailabilityDocument } from '../../../generated/console.js'
import { Money } from '../../format/money.js'
import { duration } from '../../format/numbers.js'
import { SESSION_PHASES } from '../../format/session-phase.js'
import type { Deploying } from '../chat/chat-stream.js'

export function Deployment({ deploying }: { readonly deploying: Deploying }) {
  const [{ data }] = useSubscription({ query: PlayAvailabilityDocument, variables: { id: deploying.model } })
  const session = data?.modelAvailability?.session
  const seconds = useSecondsSince()
  const left = session?.estimatedReadySeconds ?? deploying.estimatedReadySeconds
  return (
    <div role="status" className="rounded-lg border border-line bg-surface p-4 shadow-low">
      <p className="flex items-center gap-2 font-medium">
        <Server className="size-4 text-accent" aria-hidden="true" />
        {deploying.model} is put on a GPU
      </p>
      <p className="mt-1 text-sm text-muted">
        {SESSION_PHASES[session?.phase ?? 'REQUESTED']}
        {session && (
          <>
            {' '}
            · {session.gpuModel}, <Money amount={session.pricePerHour} /> an hour
          </>
        )}
      </p>
      <div className="mt-3 h-1 overflow-hidden rounded-full bg-hover">
        <div className="h-full animate-pulse rounded-full bg-accent" style={{ width: `${progress(seconds, left)}%` }} />
      </div>
      <p className="mt-2 text-xs tabular-nums text-muted">
        {duration(seconds * 1000)} so far, about {duration(left * 1000)} to go. Your question is answered as soon as it serves.
      </p>
    </div>
  )
}

/** Never quite there before it is. */
const progress = (passed: number, left: number): number => Math.min(95, (100 * passed) / Math.max(1, passed + left))

function useSecondsSince(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
