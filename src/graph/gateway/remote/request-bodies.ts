/**
 * What a request to a subgraph is sent as. Megabytes of text take the event loop twenty times as long to write out and encode as
 * to hand to a thread, so there they are written.
 */
import { entryPoint } from '#platform/entry-point.js'
import { holdsRawNumber } from '#platform/json/exact-json.js'
import type { SharedBytes } from '#platform/shared-bytes.js'
import { createThread, MAX_COPIED_VALUES } from '#platform/thread.js'
import type { RequestParameters } from './request-body-thread.js'

export interface RequestBodies {
  /** JSON, as text or in UTF-8. */
  write(parameters: RequestParameters): string | Promise<SharedBytes>
  stop(): Promise<void>
}

/** Below this many characters the way to a thread and back takes longer. */
const FROM_CHARACTERS = 256_000

export function createRequestBodies(): RequestBodies {
  const thread = createThread<RequestParameters, SharedBytes>(entryPoint('./request-body-thread.js', import.meta.url))
  return {
    write: (parameters) => (isForThread(parameters.variables) ? thread.ask(parameters) : JSON.stringify(parameters)),
    stop: () => thread.stop(),
  }
}

/** Long texts in few values. */
function isForThread(variables: unknown): boolean {
  let characters = 0
  let values = 0
  const look = (value: unknown): void => {
    values++
    if (typeof value === 'string') characters += value.length
    else if (value !== null && typeof value === 'object' && values <= MAX_COPIED_VALUES) Object.values(value).forEach(look)
  }
  look(variables)
  return characters >= FROM_CHARACTERS && values <= MAX_COPIED_VALUES && !holdsRawNumber(variables)
}
