/** Writing at the pace of whoever reads, and no longer than somebody does. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '#platform/clock.js'

export interface ReaderPace {
  readonly clock: Clock
  /** A reader that takes nothing for so long is cut off. */
  readonly stalledMs: number
}

/** Resolves when the reader has room again, or is gone, or was cut off. */
export function roomToWrite(response: ServerResponse, { clock, stalledMs }: ReaderPace): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const go = () => {
      cancel()
      response.off('drain', go).off('close', go)
      resolve()
    }
    const cancel = clock.setTimeout(() => response.destroy(), stalledMs)
    response.on('drain', go).on('close', go)
  })
}
