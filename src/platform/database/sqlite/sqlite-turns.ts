/** Who may write to a SQLite file now, among those of this thread. */
import { DatabaseOutage } from '../outage.js'

export interface Turns {
  /** Resolves when it is the caller's turn, with the function that ends it. */
  take(deadline: number): Promise<() => void>
  isTaken(): boolean
  waiting(): number
}

/** One at a time, in the order in which they came. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  const turn = () => {
    let isOver = false
    return () => {
      if (!isOver) end()
      isOver = true
    }
  }
  return {
    async take(deadline) {
      if (!isTaken) {
        isTaken = true
        return turn()
      }
      return new Promise((resolve, reject) => {
        const granted = () => {
          clearTimeout(timer)
          resolve(turn())
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(granted), 1)
          reject(new DatabaseOutage('locked'))
        }, deadline - performance.now())
        waiting.push(granted)
      })
    },
    isTaken: () => isTaken,
    waiting: () => waiting.length,
  }
}
