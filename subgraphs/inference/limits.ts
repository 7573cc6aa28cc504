/** Every limit of chat completions by name. The composition root fills it from the configuration; these are the defaults. */

export interface ChatLimits {
  /** From the arrival of the request to its last byte. */
  readonly requestTimeMs: number
  /** Kept free at the end of the request time for the settlement and the last frame. */
  readonly settleMarginMs: number
  readonly connectTimeMs: number
  /** From sending the request to the first byte of the answer's head; not for a whole answer of the last provider. */
  readonly firstByteTimeMs: number
  /** Between two reads of a provider's answer. */
  readonly idleTimeMs: number
  /** How long a stream may still send its usage after it has finished every choice. */
  readonly afterFinishTimeMs: number
  /** How long a stream that has said all it was asked for may go on saying more before its connection is cut. */
  readonly overrunTimeMs: number
  /** How long a reader may leave waiting chunks untouched before the stream is cut and settled. */
  readonly stalledReaderTimeMs: number
  readonly meterIntervalMs: number
  /** How long the end of a stream waits for what is said about its code. */
  readonly answerScanMs: number
  /** At a stop, for calls whose callers have left to be settled. */
  readonly stopTimeMs: number
  /** Chunks waiting for one reader, beyond which the provider is paused. */
  readonly queuedBytes: number
  /** One server-sent event of a provider. */
  readonly eventBytes: number
  /** One whole answer of a provider. */
  readonly responseBytes: number
  /** How much of a provider's error body is read. */
  readonly errorBodyBytes: number
  readonly connectionsPerProvider: number
  /** Provider calls for one request. */
  readonly attempts: number
  readonly messages: number
  readonly jsonDepth: number
  /** A request with more characters of text is read in a thread. */
  readonly inlineChars: number
  /** Values of a request that is read in a thread. */
  readonly jsonValues: number
  /** The durable hold is awaited first unless this many times its amount is available. */
  readonly overlapHeadroom: bigint
}

export const defaultChatLimits: ChatLimits = {
  requestTimeMs: 120_000,
  settleMarginMs: 1_000,
  connectTimeMs: 5_000,
  firstByteTimeMs: 60_000,
  idleTimeMs: 30_000,
  afterFinishTimeMs: 5_000,
  overrunTimeMs: 250,
  stalledReaderTimeMs: 60_000,
  meterIntervalMs: 1_000,
  answerScanMs: 300,
  stopTimeMs: 5_000,
  queuedBytes: 64 * 1024,
  eventBytes: 8 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  errorBodyBytes: 16 * 1024,
  connectionsPerProvider: 1_024,
  attempts: 8,
  messages: 4_096,
  jsonDepth: 64,
  inlineChars: 256 * 1024,
  jsonValues: 250_000,
  overlapHeadroom: 20n,
}
