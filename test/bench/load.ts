/** The kinds of load: as fast as answers come, at a steady rate however slow they are, streams, and streams that stay open. */
import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf, Connection, type Request } from './connection.ts'
import { cpuSeconds, memoryMb } from './processes.ts'

/** A server under load. */
export interface Target {
  readonly pid: number
  readonly request: (model: string, options?: { stream: boolean }) => Request
}

export interface Closed {
  readonly requestsPerSecond: number
  readonly cpuUsPerRequest: number
  readonly failures: number
}

export interface Latencies {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
}

export interface Streams {
  readonly cpuUsPerEvent: number
  readonly firstTokenMs: number
  readonly failures: number
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function openAll(origin: string, count: number): Promise<Connection[]> {
  const connections = Array.from({ length: count }, () => new Connection(origin))
  await Promise.all(connections.map(({ opened }) => opened))
  return connections
}

/** Each connection sends the next request when its last one is answered. */
export async function closedLoop(pid: number, request: Request, connections: number, seconds: number): Promise<Closed> {
  const bytes = bytesOf(request)
  const open = await openAll(request.origin, connections)
  let requests = 0
  let failures = 0
  const cpuBefore = cpuSeconds(pid)
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < until) {
        const status = await connection.send(bytes)
        requests++
        if (status !== 200) failures++
        if (status === 0) return
      }
    }),
  )
  const elapsed = (performance.now() - began) / 1000
  const cpu = cpuSeconds(pid) - cpuBefore
  for (const connection of open) connection.close()
  return { requestsPerSecond: requests / elapsed, cpuUsPerRequest: (cpu / requests) * 1e6, failures }
}

/** Requests become due by a Poisson process of this rate and never wait for answers; a request's time begins when it is due. */
export async function openLoop(request: Request, perSecond: number, seconds: number): Promise<Latencies> {
  const bytes = bytesOf(request)
  const free = await openAll(request.origin, 64)
  const all = [...free]
  const times: number[] = []
  const open: Promise<void>[] = []
  let failures = 0
  const fire = async (due: number) => {
    const connection = free.pop() ?? new Connection(request.origin)
    if (!all.includes(connection)) all.push(connection)
    const status = await connection.send(bytes)
    if (status === 200) times.push(performance.now() - due)
    else failures++
    free.push(connection)
  }
  const random = pseudoRandom()
  const began = performance.now()
  let due = began
  while (due < began + seconds * 1000) {
    if (due > performance.now()) await pause(1)
    else {
      open.push(fire(performance.now()))
      due += (-Math.log(1 - random()) * 1000) / perSecond
    }
  }
  await Promise.all(open)
  for (const connection of all) connection.close()
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), failures }
}

/** The same arrivals in every round and for every system. */
function pseudoRandom(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return state / 0x7fff_ffff
  }
}

const EVENT = Buffer.from('data: ')

function countEvents(data: Buffer): number {
  let count = 0
  for (let at = data.indexOf(EVENT); at >= 0; at = data.indexOf(EVENT, at + EVENT.length)) count++
  return count
}

/** Streams one after the other on each connection: what an event costs, and the median time to the first one. */
export async function streamLoop(pid: number, request: Request, connections: number, seconds: number): Promise<Streams> {
  const bytes = bytesOf(request)
  const open = await openAll(request.origin, connections)
  const firsts: number[] = []
  let events = 0
  let failures = 0
  const cpuBefore = cpuSeconds(pid)
  const until = performance.now() + seconds * 1000
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < until) {
        const began = performance.now()
        let isFirst = true
        const status = await connection.send(bytes, (data) => {
          const found = countEvents(data)
          if (found > 0 && isFirst) {
            firsts.push(performance.now() - began)
            isFirst = false
          }
          events += found
        })
        if (status !== 200) failures++
        if (status === 0) return
      }
    }),
  )
  const cpu = cpuSeconds(pid) - cpuBefore
  for (const connection of open) connection.close()
  return { cpuUsPerEvent: (cpu / events) * 1e6, firstTokenMs: quantile(firsts, 0.5), failures }
}

/** Kilobytes that each of many slow streams takes while it is open. */
export async function heldStreams(pid: number, request: Request, count: number): Promise<number> {
  const bytes = bytesOf(request)
  const before = memoryMb(pid)
  const open = await openAll(request.origin, count)
  const starting = Promise.withResolvers<void>()
  let waiting = count
  for (const connection of open) {
    let isFirst = true
    void connection.send(bytes, (data) => {
      if (!isFirst || countEvents(data) === 0) return
      isFirst = false
      if (--waiting === 0) starting.resolve()
    })
  }
  await Promise.race([starting.promise, pause(30_000).then(() => Promise.reject(new Error(`${waiting} streams did not begin.`)))])
  await pause(1_500)
  const during = memoryMb(pid)
  for (const connection of open) connection.close()
  return ((during - before) * 1024) / count
}
