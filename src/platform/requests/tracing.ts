/**
 * Spans of a request as the program writes them. What they become is a tracer's business (src/server/telemetry); without one
 * there is no span, and whoever would write to it looks at one field.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>

export interface PastWork {
  /** How many milliseconds ago it began, and ended. */
  readonly begunMs: number
  readonly endedMs: number
  /** As for `fail`. */
  readonly failedAs?: string
}

/** One piece of work with a beginning and an end. */
export interface TraceSpan {
  /** `client`: a call to another program. */
  child(name: string, attributes?: SpanAttributes, kind?: 'client'): TraceSpan
  /** A child that is over already. */
  past(name: string, work: PastWork, attributes: SpanAttributes): void
  set(attributes: SpanAttributes): void
  event(name: string, attributes?: SpanAttributes): void
  /** `type`: a word from a closed set, never the text of anybody. */
  fail(type: string): void
  end(): void
  /** False where the trace is not among those that are sampled. */
  readonly isRecorded: boolean
  /** The header of the W3C for what is called within it. */
  readonly traceparent: string
}

export interface Tracer {
  /** The span of a request from outside, within the trace that its caller names. */
  request(name: string, traceparent: string | undefined): TraceSpan
  /** Something that happened without a request. */
  moment(name: string, attributes: SpanAttributes): void
  /** Sends what waits. */
  stop(): Promise<void>
}
