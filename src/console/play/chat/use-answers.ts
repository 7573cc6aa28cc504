/** The answers that are on their way, one a column: asking, stopping, waiting for a cold model, and what each cost in the end. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient, type Client } from 'urql'
import { PlayAvailabilityDocument, PlayRequestDocument, type ChatCompletionInput } from '../../../generated/console.js'
import { uncached } from '../../graph/client.js'
import { EMPTY_DRAFT, streamAnswer, type Deploying, type Draft, type StreamEnd } from './chat-stream.js'
import type { Answer, RequestRecord } from './conversation.js'

/** An answer on its way. */
export interface Run {
  readonly draft: Draft
  /** While the model is put on a GPU. */
  readonly deploying: Deploying | null
}

export interface Ended {
  readonly content: string
  readonly answer: Answer
}

interface Request {
  readonly column: number
  readonly input: ChatCompletionInput
  readonly onEnd: (ended: Ended) => void
  /** Once it is known what the request cost. */
  readonly onRecord: (record: RequestRecord) => void
}

const ENDINGS = { complete: 'complete', failed: 'failed', stopped: 'stopped', deploying: 'stopped' } as const

export function useAnswers() {
  const client = useClient()
  const [runs, setRuns] = useState<Readonly<Record<number, Run>>>({})
  const stops = useRef(new Map<number, AbortController>())

  const show = useCallback((column: number, run: Run | null) => {
    setRuns((before) => {
      const { [column]: _, ...others } = before
      return run ? { ...others, [column]: run } : others
    })
  }, [])

  const ask = useCallback(
    async ({ column, input, onEnd, onRecord }: Request) => {
      const stop = new AbortController()
      stops.current.set(column, stop)
      const { draft, end } = await answered(client, input, stop.signal, (run) => show(column, run))
      stops.current.delete(column)
      show(column, null)
      onEnd({ content: draft.content, answer: answerOf(input.model, draft, end) })
      const record = draft.requestId === null ? null : await recordOf(draft.requestId)
      if (record) onRecord(record)
    },
    [client, show],
  )

  const stop = useCallback(() => {
    for (const controller of stops.current.values()) controller.abort()
  }, [])
  // Whoever leaves the page does not pay for what nobody reads.
  useEffect(() => stop, [stop])
  return { runs, ask, stop }
}

const answerOf = (asked: string, draft: Draft, end: StreamEnd): Answer => ({
  model: draft.model ?? asked,
  reasoning: draft.reasoning,
  toolCalls: draft.toolCalls,
  ending: ENDINGS[end.kind],
  finishReason: draft.finishReason,
  code: draft.code,
  fault: end.kind === 'failed' ? end.fault : null,
  requestId: draft.requestId,
  record: null,
})

/** Asks, and asks again when a model that was being deployed is there. */
async function answered(client: Client, input: ChatCompletionInput, signal: AbortSignal, onRun: (run: Run) => void) {
  for (;;) {
    let draft = EMPTY_DRAFT
    onRun({ draft, deploying: null })
    const paint = onceAFrame(() => onRun({ draft, deploying: null }))
    const end = await streamAnswer(input, signal, (next) => {
      draft = next
      paint.soon()
    })
    paint.cancel()
    if (end.kind !== 'deploying') return { draft, end }
    onRun({ draft, deploying: end.deploying })
    await becomesInstant(client, end.deploying, signal)
    if (signal.aborted) return { draft, end: { kind: 'stopped' } as const }
  }
}

/** Tokens come faster than screens are drawn. */
function onceAFrame(paint: () => void) {
  let frame: number | null = null
  return {
    soon() {
      frame ??= requestAnimationFrame(() => {
        frame = null
        paint()
      })
    },
    cancel() {
      if (frame !== null) cancelAnimationFrame(frame)
    },
  }
}

/** Resolves when the model serves or asking again is worth it for another reason: its deployment has ended. */
function becomesInstant(client: Client, { model }: Deploying, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      following.unsubscribe()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const following = client.subscription(PlayAvailabilityDocument, { id: model }).subscribe(({ data }) => {
      const availability = data?.modelAvailability?.availability
      if (availability === 'INSTANT' || availability === 'COLD') done()
    })
    signal.addEventListener('abort', done)
  })
}

const RECORD_TRIES = 20
const RECORD_WAIT_MS = 150

/** What a request cost is written when it ends, which for one that was stopped is a moment later. */
async function recordOf(id: string): Promise<RequestRecord | null> {
  for (let tries = 0; tries < RECORD_TRIES; tries++) {
    const { data } = await uncached.query(PlayRequestDocument, { id })
    if (data?.usageRecord) return data.usageRecord
    await new Promise((resolve) => setTimeout(resolve, RECORD_WAIT_MS))
  }
  return null
}
