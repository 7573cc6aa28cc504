/**
 * Why a request ends before its answer is complete. Whoever ends one aborts its signal with one of these faults as the reason,
 * the domain stops what it does for the request, and every edge tells the reason in its own form: one rule for a client that
 * left, a key that ended, a server that stops and a time that is over.
 */
import type { RequestContext } from './context.js'
import { AppError, toAppError } from '../errors.js'

export const clientLeft = (cause?: unknown): AppError =>
  new AppError('client_closed_request', 'The client closed the request.', { cause })

export const serverStops = (): AppError =>
  new AppError('shutting_down', 'The server is being stopped. Send the request again.', { retryAfterSeconds: 1 })

export const timeIsOver = (): AppError => new AppError('timeout', 'The request took longer than its time limit.')

/** The reason of a signal that has aborted. Whoever aborts without one of ours is a client that leaves. */
export const endReason = ({ reason }: AbortSignal): AppError => (reason instanceof AppError ? reason : clientLeft(reason))

/**
 * What a thrown value means for the request during which it was thrown. What breaks once a request was ended is a consequence
 * of that and no fault of its own.
 */
export function faultIn({ signal }: Pick<RequestContext, 'signal'>, thrown: unknown): AppError {
  const fault = toAppError(thrown)
  return fault.code === 'server_error' && signal.aborted ? endReason(signal) : fault
}
