/** An answer that is on its way, or the deployment that it waits for. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/notices/skeleton.js'
import { AnswerBody, CodeNotice } from './message-view.js'
import type { Run } from '../chat/use-answers.js'

/** Only a cold model is waited for. */
const Deployment = lazy(() => import('./deployment.js').then((module) => ({ default: module.Deployment })))

export function RunView({ run: { draft, deploying } }: { readonly run: Run }) {
  if (deploying) {
    return (
      <Suspense fallback={<Skeleton className="h-28" />}>
        <Deployment deploying={deploying} />
      </Suspense>
    )
  }
  const isEmpty = draft.content === '' && draft.reasoning === '' && draft.toolCalls.length === 0
  return (
    <article aria-label="The answer" aria-busy="true">
      <p className="mb-1 font-mono text-2xs text-muted">{draft.model ?? 'asking…'}</p>
      {isEmpty ? (
        <span className="inline-block h-4 w-2 animate-pulse rounded-sm bg-edge" aria-hidden="true" />
      ) : (
        <AnswerBody content={draft.content} reasoning={draft.reasoning} toolCalls={draft.toolCalls}>
          {draft.code && <CodeNotice check={draft.code} />}
        </AnswerBody>
      )}
    </article>
  )
}
