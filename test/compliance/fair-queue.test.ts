/** Who waits for whom, simulated with a manual clock: accounts, jobs of any length, workers. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFairQueue } from '../../subgraphs/compliance/engine/analyzer/fair-queue.js'
import { ManualClock } from '../kit/manual-clock.js'

interface Job {
  readonly id: number
  readonly owner: string
  readonly isSmall: boolean
  readonly arrivesAt: number
  readonly ms: number
}
interface Start {
  readonly job: Job
  readonly at: number
  readonly end: number
  readonly worker: number
}

/** What small files may take at most; larger ones take up to twenty times as much. */
const SMALL_MS = 500

/** Runs all jobs to their end; the first of several workers takes only small ones. */
async function simulate(jobs: readonly Job[], size: number): Promise<Start[]> {
  const clock = new ManualClock(0)
  const queue = createFairQueue<Job>()
  const busy = new Set<number>()
  const starts: Start[] = []
  const pump = (): void => {
    for (let worker = 0; worker < size; worker++) {
      if (busy.has(worker)) continue
      const next = queue.take(worker === 0 && size > 1)
      if (next === null) continue
      busy.add(worker)
      starts.push({ job: next.job, at: clock.now(), end: clock.now() + next.job.ms, worker })
      clock.setTimeout(() => {
        busy.delete(worker)
        queue.done(next.owner)
        pump()
      }, next.job.ms)
    }
  }
  for (const job of jobs) {
    clock.setTimeout(() => {
      queue.add(job.owner, job, job.isSmall)
      pump()
    }, job.arrivesAt)
  }
  await clock.advance(10_000_000)
  return starts
}

const jobs = fc
  .array(
    fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd'),
      isSmall: fc.boolean(),
      arrivesAt: fc.integer({ min: 0, max: 3000 }),
      work: fc.integer({ min: 1, max: SMALL_MS }),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    list
      .toSorted((a, b) => a.arrivesAt - b.arrivesAt)
      .map(({ work, ...job }, id): Job => ({ ...job, id, ms: job.isSmall ? work : 20 * work })),
  )
const sizes = fc.integer({ min: 1, max: 4 })

it('every job is served once, and those of one owner and size in their order', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, sizes, async (list, size) => {
      const starts = await simulate(list, size)
      expect(starts.map(({ job }) => job.id).toSorted((a, b) => a - b)).toEqual(list.map(({ id }) => id))
      for (const { owner, isSmall } of list) {
        const own = starts.filter(({ job }) => job.owner === owner && job.isSmall === isSmall).map(({ job }) => job.id)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
    }),
    { numRuns: 60 },
  )
})

it('no worker is idle while it could take a job that waits', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, sizes, async (list, size) => {
      const starts = await simulate(list, size)
      for (const { job, at } of starts) {
        for (let worker = 0; worker < size; worker++) {
          if (worker === 0 && size > 1 && !job.isSmall) continue
          const worked = starts
            .filter((one) => one.worker === worker && one.at < at && one.end > job.arrivesAt)
            .reduce((sum, one) => sum + Math.min(one.end, at) - Math.max(one.at, job.arrivesAt), 0)
          expect(worked).toBe(at - job.arrivesAt)
        }
      }
    }),
    { numRuns: 60 },
  )
})

it('while another owner waits, nobody is served who holds more workers', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, sizes, async (list, size) => {
      const starts = await simulate(list, size)
      for (const [at, start] of starts.entries()) {
        const earlier = starts.slice(0, at)
        const held = (owner: string): number => earlier.filter(({ job, end }) => job.owner === owner && end > start.at).length
        const waiting = starts
          .slice(at + 1)
          .filter(({ job }) => job.arrivesAt < start.at && (job.isSmall || start.worker > 0 || size === 1))
        for (const { job } of waiting) expect(held(start.job.owner)).toBeLessThanOrEqual(held(job.owner))
      }
    }),
    { numRuns: 60 },
  )
})

it('a small job waits for one small job of each other owner at most, whatever one account asks for', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 2, max: 4 }), fc.integer({ min: 0, max: 3000 }), async (list, size, arrivesAt) => {
      const flood = Array.from({ length: 60 }, (_, at): Job => ({
        id: 1000 + at,
        owner: 'flood',
        isSmall: at % 2 === 0,
        arrivesAt: 0,
        ms: at % 2 === 0 ? SMALL_MS : 20 * SMALL_MS,
      }))
      const victim: Job = { id: 5000, owner: 'victim', isSmall: true, arrivesAt, ms: 1 }
      const others = list.filter(({ owner }) => owner === 'a')
      const starts = await simulate([...flood, ...others, victim], size)
      const start = starts.find(({ job }) => job.id === victim.id)
      expect((start?.at ?? Infinity) - arrivesAt).toBeLessThanOrEqual(2 * SMALL_MS)
    }),
    { numRuns: 60 },
  )
})

it('a job that is taken back is never served', () => {
  const queue = createFairQueue<string>()
  queue.add('a', 'first', true)
  queue.add('a', 'second', true)
  queue.remove('first')
  expect(queue.take(true)).toEqual({ owner: 'a', job: 'second' })
  expect(queue.take(true)).toBeNull()
  expect(queue.waiting).toBe(0)
})
