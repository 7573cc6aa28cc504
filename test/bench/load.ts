/** The load: a fixed number of chat requests over a fixed number of connections, each sent when the one before it ended. */
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

export interface Target {
  /** Ends in /v1. */
  readonly url: string
  readonly key: string
  /** Of the server process, for its CPU time. */
  readonly pid: number
}

export interface LoadResult {
  readonly requestsPerSecond: number
  /** Microseconds of the server's CPU (user and system). */
  readonly cpuPerRequestUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
}

const CLOCK_TICKS_PER_SECOND = 100

/** CPU seconds of a process and its threads so far, from the kernel's accounting. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND
}

export async function runLoad(target: Target, body: object, requests: number, connections: number): Promise<LoadResult> {
  const { origin, pathname } = new URL(target.url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const payload = JSON.stringify(body)
  const latencies: number[] = []
  let left = requests
  let failures = 0

  const once = () =>
    new Promise<void>((resolve) => {
      const started = performance.now()
      let status = 0
      const done = () => {
        latencies.push(performance.now() - started)
        if (status !== 200) failures++
        resolve()
      }
      pool.dispatch(
        {
          method: 'POST',
          path: `${pathname}/chat/completions`,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${target.key}` },
          body: payload,
        },
        {
          onRequestStart() {},
          onResponseStart(_controller, code) {
            status = code
          },
          onResponseData() {},
          onResponseEnd: done,
          onResponseError: done,
        },
      )
    })
  const worker = async () => {
    while (left-- > 0) await once()
  }

  const cpuBefore = cpuSeconds(target.pid)
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - started) / 1000
  const cpu = cpuSeconds(target.pid) - cpuBefore
  await pool.close()
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    requestsPerSecond: requests / seconds,
    cpuPerRequestUs: (cpu / requests) * 1e6,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  }
}
