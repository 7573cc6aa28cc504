/**
 * Preloaded into a server: how late its event loop is, and the most CPU time that its thread spent between two looks of a timer
 * of one millisecond, which other programs on the machine do not change. Tells through a file at each SIGUSR2.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env['LOOP_DELAY_FILE']
if (isMainThread && file) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1e3
  }
  let before = cpuMs()
  let stretchMs = 0
  const look = () => {
    const now = cpuMs()
    stretchMs = Math.max(stretchMs, now - before)
    before = now
  }
  setInterval(look, 1).unref()
  process.on('SIGUSR2', () => {
    const ms = (nanoseconds) => Math.round(nanoseconds / 1e5) / 10
    look()
    writeFileSync(
      file,
      JSON.stringify({ maxMs: ms(delays.max), p99Ms: ms(delays.percentile(99)), stretchMs: Math.round(stretchMs) }),
    )
    delays.reset()
    stretchMs = 0
  })
}
