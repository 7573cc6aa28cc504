/** For edges that a test builds by hand: every body is small. */
import { systemClock } from '#platform/clock.js'
import { createLargeBodies } from '../../src/edge/large-bodies.js'

const NEVER = Number.MAX_SAFE_INTEGER

export const onlySmallBodies = {
  large: createLargeBodies(
    { fromBytes: NEVER, accountBytes: NEVER, totalBytes: NEVER, accountWaiting: 0, waitMs: 0, maxValues: NEVER },
    systemClock,
  ),
  largeChats: { admit: () => Promise.resolve(), read: null },
}
