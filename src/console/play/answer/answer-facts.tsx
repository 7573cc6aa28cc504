/** Below an answer: how fast it came, what it cost, and why it was answered where it was. */
import { lazy, Suspense, useState } from 'react'
import { Money } from '../../format/money.js'
import { count, duration, perSecond } from '../../format/numbers.js'
import { Dialog } from '../../ui/layout/dialog.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import type { Answer, RequestRecord } from '../chat/conversation.js'

const Why = lazy(() => import('./why.js').then((module) => ({ default: module.Why })))

export function AnswerFacts({ answer }: { readonly answer: Answer }) {
  const [isOpen, setOpen] = useState(false)
  const { record, requestId, ending } = answer
  if (requestId === null) return null
  if (!record) return <Skeleton className="mt-2 h-4.5 w-64" />
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
      {ending === 'stopped' && <span className="font-medium text-warn">Stopped</span>}
      <span className="font-medium text-ink" title="What was charged">
        <Money amount={record.cost} />
      </span>
      <span className="tabular-nums" title="Tokens of the prompt, and of the answer">
        {count(record.inputTokens + record.cachedInputTokens)} → {count(record.outputTokens)} tokens
      </span>
      <Speed record={record} />
      <button type="button" className="font-medium text-accent hover:underline" onClick={() => setOpen(true)}>
        Why here?
      </button>
      <Dialog title="Why it was answered there" isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <Suspense fallback={<Skeleton className="m-4 h-24" />}>
          <Why record={record} />
        </Suspense>
      </Dialog>
    </div>
  )
}

function Speed({ record: { durationMs, firstTokenMs, outputTokens } }: { readonly record: RequestRecord }) {
  if (firstTokenMs === null) return <span className="tabular-nums">{duration(durationMs)}</span>
  const streamingMs = durationMs - firstTokenMs
  return (
    <>
      <span className="tabular-nums" title="Until the first token">
        {duration(firstTokenMs)} to first token
      </span>
      {streamingMs > 0 && outputTokens > 1 && (
        <span className="tabular-nums" title="While it streamed">
          {perSecond(((outputTokens - 1) * 1000) / streamingMs)}
        </span>
      )}
    </>
  )
}
