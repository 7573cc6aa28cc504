/** How long parsing may take. Apart from the analysis, which only the processes that analyse load. */

/** Processor time for parsing one file, in milliseconds; the analysis may take a few times as much. */
export interface ParseLimits {
  readonly parseMs: number
  readonly parseMsPerKb: number
}

/** Well-kept code of all languages needs 0.6 to 1.5 ms for a kilobyte. */
export const defaultParseLimits: ParseLimits = { parseMs: 100, parseMsPerKb: 6 }
