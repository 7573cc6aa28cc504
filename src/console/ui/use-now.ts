/** The time, looked at as often as what is shown of it changes. */
import { useEffect, useState } from 'react'

/** @returns epoch milliseconds */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
