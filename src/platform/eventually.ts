/**
 * Answers that are usually there at once. What goes through hundreds of steps a millisecond pays for each that waits for nothing:
 * a promise, its reactions, and a turn of the queue in which the caches of the processor are filled by others.
 */
export type Eventually<T> = T | Promise<T>

/** What `read` makes of the value, at once where it is there. */
export const whenKnown = <T, Result>(value: Eventually<T>, read: (value: T) => Result): Eventually<Result> =>
  value instanceof Promise ? value.then(read) : read(value)
