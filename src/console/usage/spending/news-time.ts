/** When there was news last: told at most every so often, and the last news is never lost. */
import { useEffect, useRef, useState } from 'react'

export function useNewsTime(news: number, everyMs: number): number {
  const [time, setTime] = useState(() => Date.now())
  const toldAt = useRef({ time, news })
  useEffect(() => {
    if (toldAt.current.news === news) return
    const timer = setTimeout(
      () => {
        toldAt.current = { time: Date.now(), news }
        setTime(toldAt.current.time)
      },
      Math.max(0, toldAt.current.time + everyMs - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [news, everyMs])
  return time
}
