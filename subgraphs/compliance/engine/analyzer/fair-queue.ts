/**
 * Who is served next: jobs of many owners, for fewer workers than there are jobs.
 *
 * The owner with the fewest jobs at work comes first, and of those the one that was served longest ago; so while others wait, nobody
 * holds more than a share of the workers. The jobs of one owner keep their order, except that a small one may overtake large ones,
 * because some workers take nothing large: what is small never waits for all that is large.
 */

export interface FairQueue<T> {
  add(owner: string, job: T, isSmall: boolean): void
  /** The next job and its owner, who counts as served until `done`; `null` when there is nothing that the worker takes. */
  take(onlySmall: boolean): { readonly owner: string; readonly job: T } | null
  /** A job that was taken has ended. */
  done(owner: string): void
  /** Takes a waiting job back. */
  remove(job: T): void
  /** All waiting jobs; none waits afterwards. */
  drain(): T[]
  readonly waiting: number
}

interface Owner<T> {
  readonly name: string
  jobs: { readonly job: T; readonly isSmall: boolean }[]
  working: number
  /** The turn in which it was last served. */
  servedAt: number
}

export function createFairQueue<T>(): FairQueue<T> {
  const owners = new Map<string, Owner<T>>()
  let turn = 0

  const ownerOf = (name: string): Owner<T> => {
    let owner = owners.get(name)
    if (owner === undefined) owners.set(name, (owner = { name, jobs: [], working: 0, servedAt: 0 }))
    return owner
  }
  const forget = (owner: Owner<T>): void => {
    if (owner.jobs.length === 0 && owner.working === 0) owners.delete(owner.name)
  }

  return {
    add: (name, job, isSmall) => void ownerOf(name).jobs.push({ job, isSmall }),
    take(onlySmall) {
      const [next] = [...owners.values()]
        .filter(({ jobs }) => jobs.some(({ isSmall }) => isSmall || !onlySmall))
        .toSorted((a, b) => a.working - b.working || a.servedAt - b.servedAt)
      if (next === undefined) return null
      const at = onlySmall ? next.jobs.findIndex(({ isSmall }) => isSmall) : 0
      const [taken] = next.jobs.splice(at, 1)
      if (taken === undefined) return null
      next.working++
      next.servedAt = ++turn
      return { owner: next.name, job: taken.job }
    },
    done(name) {
      const owner = ownerOf(name)
      owner.working = Math.max(0, owner.working - 1)
      forget(owner)
    },
    remove(job) {
      for (const owner of owners.values()) {
        owner.jobs = owner.jobs.filter((one) => one.job !== job)
        forget(owner)
      }
    },
    drain() {
      const jobs = [...owners.values()].flatMap((owner) => owner.jobs.splice(0).map(({ job }) => job))
      for (const owner of owners.values()) forget(owner)
      return jobs
    },
    get waiting() {
      return [...owners.values()].reduce((sum, { jobs }) => sum + jobs.length, 0)
    },
  }
}
