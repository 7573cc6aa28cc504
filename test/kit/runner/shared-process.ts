/** Files of one run share a process (vitest.config.ts): one that leaves it changed fails here, not in the file that comes after it. */
import { afterAll, beforeAll, expect, vi } from 'vitest'

const state = () => ({
  folder: process.cwd(),
  // The ORM writes down there whether to use colours.
  environment: { ...process.env, MIKRO_ORM_COLORS: undefined },
  hasFakeTimers: vi.isFakeTimers(),
  signalListeners: ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal)),
})

let before: ReturnType<typeof state>

beforeAll(() => {
  before = state()
})
afterAll(() => expect(state()).toEqual(before))
