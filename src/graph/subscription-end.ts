/** How a subscription ends: after a `complete` a client takes what it got for all there is, so an early end is told first. */
import { GraphQLError, type ExecutionResult } from 'graphql'
import { endReason, faultIn } from '#platform/requests/end-reasons.js'
import type { AppError } from '#platform/errors.js'

/**
 * The results as they come. When the request is ended early, or the source breaks, the last one is an error that says why,
 * unless the source has said so itself; a caller that has left is told nothing.
 */
export async function* toldWhyEnded(
  results: AsyncIterable<ExecutionResult>,
  signal: AbortSignal,
): AsyncGenerator<ExecutionResult, void, void> {
  let hasFailed = false
  try {
    for await (const result of results) {
      hasFailed = result.errors !== undefined && (result.data ?? null) === null
      yield result
    }
  } catch (error) {
    yield faultResult(faultIn({ signal }, error))
    return
  }
  if (signal.aborted && !hasFailed) yield faultResult(endReason(signal))
}

/** A result that tells of a fault and of nothing else. */
export const faultResult = (fault: AppError): ExecutionResult => ({
  errors: [new GraphQLError(fault.message, { originalError: fault })],
})
