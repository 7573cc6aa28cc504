/** The thread that writes large requests to subgraphs. */
import { answerQuestions } from '#platform/thread.js'

export interface RequestParameters {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
}

const encoder = new TextEncoder()

answerQuestions<{ question: RequestParameters; answer: Uint8Array<ArrayBuffer> }>((parameters) => {
  const answer = encoder.encode(JSON.stringify(parameters))
  return { answer, moved: [answer.buffer] }
})
