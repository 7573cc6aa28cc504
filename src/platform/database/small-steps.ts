/** Deleting much, a little at a time: no statement runs into its time limit, and between two of them everything else has its turn. */
import { setImmediate as turn } from 'node:timers/promises'

/** Rows of one step. */
export const STEP_ROWS = 200

/**
 * Repeats `step`, which deletes up to `STEP_ROWS` rows, until one finds fewer.
 *
 * @returns how many rows all of them deleted.
 */
export async function inSmallSteps(step: () => Promise<{ readonly numDeletedRows: bigint }>): Promise<number> {
  for (let deleted = 0; ;) {
    const { numDeletedRows } = await step()
    deleted += Number(numDeletedRows)
    if (numDeletedRows < STEP_ROWS) return deleted
    await turn()
  }
}
