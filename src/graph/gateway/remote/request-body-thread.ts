/** The thread that writes large requests to subgraphs. */
import { sharedText, type SharedBytes } from '#platform/shared-bytes.js'
import { answerQuestions } from '#platform/thread.js'

export interface RequestParameters {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
}

answerQuestions<{ question: RequestParameters; answer: SharedBytes }>((parameters) => sharedText(JSON.stringify(parameters)))
