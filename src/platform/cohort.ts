/**
 * What arrives in one turn of the event loop, done together: cohort scheduling (Larus and Parkes, 2002).
 *
 * A request goes through hundreds of functions once each. Taken alone it finds none of them in the processor's caches, because the
 * reads and writes of the kernel and of other requests came in between. Steps of a cohort begin one after the other in one run of
 * microtasks, and so does whatever each of them awaits that is already there: every function is called for all of them in a row.
 *
 * Called so, a step begins a part of a turn later than it could.
 */
let cohort: PromiseWithResolvers<void> | null = null

/** Runs the step with all others that are given in this turn, in their order. What it throws is an unhandled rejection. */
export function inCohort(step: () => void): void {
  if (cohort === null) {
    cohort = Promise.withResolvers()
    setImmediate(begin)
  }
  void cohort.promise.then(step)
}

function begin(): void {
  const begun = cohort
  cohort = null
  begun?.resolve()
}
