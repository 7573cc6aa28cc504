/** What the processes of an installation agree on about leases; what one does by itself is said in holds/leases.ts. */

/** A lease ends for others so long after it was last renewed, by the clock of the database. */
export const LEASE_MS = 20_000
/** What was held in it until then may still be charged to it for so long. */
export const LEASE_GRACE_MS = 5_000
/** An account whose free credits cover less than so many holds is not shared out: every hold is a row. */
export const SMALL_HOLDS = 20
/** Divisors of what an account has free: a process leases a quarter at most, and takes no more than a twentieth at a time. */
export const LARGEST_PART = 4
export const USUAL_PART = 20
