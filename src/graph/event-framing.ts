/**
 * How the events of an operation are written: as server-sent events, in the distinct connections mode of the graphql-sse protocol
 * (`next` with each result, `complete` behind the last), or as parts of multipart/mixed, as Apollo's clients ask for them by
 * default (`subscriptionSpec=1.0`).
 */
export interface EventFraming {
  readonly contentType: string
  /** Stands before everything. Some browsers take a stream for open only when they have a byte of it. */
  readonly opening: string
  readonly next: (result: unknown) => string
  readonly complete: string
  /** A sign of life while nothing comes. */
  readonly ping: string
  readonly pingMs: number
  /** Whether subgraphs in other processes send it too, so that their events are passed on as they are. */
  readonly isOfSubgraphs: boolean
}

/** JSON has no line breaks. */
const sse: EventFraming = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  next: (result) => `event: next\ndata: ${JSON.stringify(result)}\n\n`,
  complete: 'event: complete\ndata:\n\n',
  ping: ':\n\n',
  pingMs: 12_000,
  isOfSubgraphs: true,
}

/** A part is whole when its delimiter is there, so each brings the one behind it; whether that is the last shows later. */
const part = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`

const multipart: EventFraming = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  opening: '\r\n--graphql',
  next: (result) => part(`{"payload":${JSON.stringify(result)}}`),
  complete: '--\r\n',
  ping: part('{}'),
  // As often as the protocol says.
  pingMs: 5_000,
  isOfSubgraphs: false,
}

export const EVENT_FRAMINGS = { sse, multipart } as const
export type EventForm = keyof typeof EVENT_FRAMINGS
