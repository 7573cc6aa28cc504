/** Work of a request in a span of its own. */
import { toAppError } from '../errors.js'
import type { RequestContext } from './context.js'
import type { TraceSpan } from './tracing.js'

/** Does work in a span of its own, where the request has one. */
export function inSpan<Result>(
  context: RequestContext,
  name: string,
  work: (context: RequestContext) => Promise<Result> | Result,
): Promise<Result> | Result {
  const { span } = context
  return span ? spanned(span.child(name), context, work) : work(context)
}

async function spanned<Result>(
  span: TraceSpan,
  context: RequestContext,
  work: (context: RequestContext) => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work({ ...context, span })
  } catch (error) {
    span.fail(toAppError(error).code)
    throw error
  } finally {
    span.end()
  }
}
