/**
 * Life stories by the hundred on a virtual clock, with faults, crashes and pauses inside steps. `SEED` and `STORIES` repeat or
 * extend.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byEffort } from '../kit/effort.js'
import { mutants } from './kit/mutants.js'
import { commandArbitrary, tellStory, type StoryOptions } from './kit/stories.js'

/** Fewer than what it takes to reach everything that is named below; CI tells enough. */
const stories = Number(process.env['STORIES'] ?? byEffort({ brief: 250, short: 2_500, long: 20_000 }))
/** Reach all of it, with the seed below. */
const ENOUGH = 550
/** Twice as many as the mutant needs that hides longest. */
const STORIES_OF_A_MUTANT = 800
const seed = Number(process.env['SEED'] ?? 20261121)

/** From not enough for one hold to plenty. */
const balance = fc.constantFrom(100_000_000n, 150_000_000n, 300_000_000n, 2_000_000_000n)

type Options = Omit<StoryOptions, 'balance'>

function promises(options: Options, reached: Map<string, number>) {
  return fc.asyncProperty(fc.array(commandArbitrary, { minLength: 4, maxLength: 40 }), balance, async (commands, balance) => {
    const { counts } = await tellStory(commands, { ...options, balance })
    for (const [what, times] of counts) reached.set(what, (reached.get(what) ?? 0) + times)
  })
}

/** What a run must have reached to mean anything. */
const REACHED = [
  'adopted',
  'died after driver.create',
  'restarted',
  'restarted after interruption',
  'started',
  'joined',
  'refused insufficient_credits',
  'did ledger.extend extended',
  'did ledger.extend insufficient',
  'DELETE while requested',
  'DELETE while creating',
  'DELETE while booting',
  'DELETE while loading',
  'DELETE while running',
  'DELETE while terminated',
  ...['user', 'interrupted', 'credits_exhausted', 'failed', 'timeout', 'offer_unavailable'].map(
    (why) => `rental terminated ${why}`,
  ),
  ...['idle', 'interrupted', 'credits_exhausted', 'failed', 'timeout', 'unhealthy'].map((why) => `model terminated ${why}`),
  ...['died', 'paused'].flatMap((how) => [
    `${how} after store.insert`,
    `${how} after ledger.reserve`,
    `${how} after store.save`,
    `${how} before store.save`,
    `${how} before driver.get`,
  ]),
]

describe('life stories of sessions', { timeout: Math.max(90_000, stories * 60) }, () => {
  it.each([
    ['with the sweeper', true],
    ['without the sweeper', false],
  ])('keep every promise and leave no instance and no credit behind, %s', async (_, sweeper) => {
    const reached = new Map<string, number>()
    const startedAt = performance.now()
    await fc.assert(promises({ sweeper }, reached), { numRuns: stories, seed })
    if (process.env['SHOW']) {
      console.log(`${stories} stories, seed ${seed}, in ${Math.round(performance.now() - startedAt)} ms`)
      console.log(
        [...reached]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([what, times]) => `${String(times).padStart(7)} ${what}`)
          .join('\n'),
      )
    }
    if (stories >= ENOUGH) {
      expect(REACHED.filter((what) => !reached.has(what))).toEqual([])
      expect((reached.get('orphan swept') ?? 0) > 10).toBe(sweeper)
    }
    const unexpected = [...reached.keys()].filter(
      (what) => what.startsWith('error') && !/socket hang up|slow down|bad gateway|gateway timeout/.test(what),
    )
    expect(unexpected.filter((what) => !what.includes('AppError: A GPU session needs'))).toEqual([])
  })

  it.each(mutants)('find out a reconciler that $name', async ({ mutate, sweeper }) => {
    const found = await fc.check(promises({ sweeper: sweeper ?? false, mutate }, new Map()), {
      numRuns: Math.max(stories, STORIES_OF_A_MUTANT),
      seed,
      endOnFailure: true,
    })
    expect(found.failed).toBe(true)
  })
})
