/** A server as one of several workers: it obeys the process that started it, and not the signals that a terminal sends to all. */
import { AggregatorRegistry, Registry } from 'prom-client'
import { isToWorker, type FromWorker } from './worker-messages.js'

export interface WorkerRole {
  /** What is told as the metrics, here and of the others: one of them is asked, whichever took the connection. */
  metricsOfAll(own: readonly Registry[]): () => Promise<string>
  serves(welcome: string): void
  onStop(stop: () => void): void
  onReload(reload: () => void): void
  /** When the server has stopped: the process ends. */
  leave(): void
}

export function createWorkerRole(): WorkerRole {
  const tell = (message: FromWorker) => process.send!(message)
  const asked = new Map<number, (text: string | null) => void>()
  let lastId = 0
  const ask = () =>
    new Promise<string | null>((resolve) => {
      asked.set(++lastId, resolve)
      tell({ kind: 'metrics', id: lastId })
    })
  // Until it serves nobody waits for it.
  let stop = (): void => process.exit(0)
  let reload = (): void => undefined
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if (message.kind === 'stop') stop()
    else if (message.kind === 'reload') reload()
    else {
      asked.get(message.id)?.(message.text)
      asked.delete(message.id)
    }
  })
  // Both reach the whole group of a terminal; the first process passes on what is meant.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  // Without it there is nobody to obey, and nobody who holds the port.
  process.on('disconnect', () => stop())
  return {
    metricsOfAll(own) {
      AggregatorRegistry.setRegistries([...own])
      // Its listener answers for this process.
      void new AggregatorRegistry()
      return async () => (await ask()) ?? Registry.merge([...own]).metrics()
    },
    serves: (welcome) => void tell({ kind: 'serves', welcome }),
    onStop: (call) => void (stop = call),
    onReload: (call) => void (reload = call),
    leave() {
      stop = () => undefined
      process.disconnect()
    },
  }
}
