/**
 * Work that would hold the event loop, in a thread of its own: one question at a time, answered in order. The thread starts with
 * the first question, ends when nobody asks for a minute, and does not keep the process alive.
 *
 * Copying a large question out and a large answer in holds the event loop, so both take turns (loop-turns.ts): an answer lies in
 * a port that nobody listens to until it is fetched, and only a note says that it is there.
 */
import { MessageChannel, parentPort, receiveMessageOnPort, Worker, workerData, type MessagePort } from 'node:worker_threads'
import { AppError, type ErrorCode } from './errors.js'
import { createLoopTurns } from './loop-turns.js'
import { PassingMap } from './passing-map.js'
import { giveWay } from './priority.js'

/** What a thread sends back: the answer, or the fault that answering ended with. */
type Reply<Answer> = { readonly id: number } & ({ readonly answer: Answer } | { readonly fault: Fault })

interface Fault {
  /** Null for what is no fault that a caller may see. */
  readonly code: ErrorCode | null
  readonly message: string
  readonly param: string | null
}

interface ThreadData {
  readonly answers: MessagePort
}

interface Numbered<Question> {
  readonly id: number
  readonly question: Question
}

export interface Thread<Question, Answer> {
  /** @throws AppError what answering threw */
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

/** Of this event loop, for all its threads. */
const turns = createLoopTurns()

const MAX_HEAP_MB = 1_024

/** An idle thread holds megabytes, and another starts within tens of milliseconds. */
const IDLE_MS = 60_000

/** Long texts are copied in a tenth of the time that JSON takes; many small values take longer. */
export const MAX_COPIED_VALUES = 20_000

/** @param entry the compiled file, which calls `answerQuestions` */
export function createThread<Question, Answer>(entry: string): Thread<Question, Answer> {
  type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void }
  const waiting = new PassingMap<number, Waiting>()
  let worker: Worker | null = null
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  const endIdle = (): void => {
    const ended = worker
    // Before it ends: whoever asks meanwhile gets another.
    worker = null
    void ended?.terminate()
  }

  const start = (): Worker => {
    const { port1: answers, port2: theirs } = new MessageChannel()
    const started = new Worker(entry, {
      workerData: { answers: theirs } satisfies ThreadData,
      transferList: [theirs],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const lost = (cause: unknown) => {
      answers.close()
      if (worker !== started) return
      worker = null
      const lostOnes = waiting.values()
      waiting.clear()
      for (const { reject } of lostOnes) reject(new Error('A thread ended before it had answered.', { cause }))
    }
    started.on('error', lost)
    started.on('exit', lost)
    const fetch = () => {
      const received = receiveMessageOnPort(answers)
      // Undefined after the thread was lost, when everybody was told.
      if (!received) return
      const reply = received.message as Reply<Answer>
      const asked = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) {
        started.unref()
        idle = setTimeout(endIdle, IDLE_MS).unref()
      }
      if ('answer' in reply) asked?.resolve(reply.answer)
      else asked?.reject(errorOf(reply.fault))
    }
    started.on('message', () => void turns.take(fetch))
    return started
  }

  return {
    ask(question) {
      clearTimeout(idle)
      worker ??= start()
      const asked = worker
      return new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        asked.ref()
        const message: Numbered<Question> = { id, question }
        // Nothing is handed over: what is large is shared (shared-bytes.ts). Without the list, linters take this for a window's.
        turns
          .take(() => asked.postMessage(message, []))
          .catch((error: unknown) => {
            waiting.delete(id)
            reject(error)
          })
      })
    },
    async stop() {
      clearTimeout(idle)
      await worker?.terminate()
    },
  }
}

const errorOf = ({ code, message, param }: Fault): Error =>
  code === null ? new Error(message) : new AppError(code, message, param === null ? {} : { param })

function faultOf(error: unknown): Fault {
  if (error instanceof AppError) return { code: error.code, message: error.message, param: error.param }
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error), param: null }
}

/** The thread's side: call it once, at the end of its entry file. */
export function answerQuestions<Talk extends { readonly question: unknown; readonly answer: unknown }>(
  answer: (question: Talk['question']) => Talk['answer'] | Promise<Talk['answer']>,
): void {
  const port = parentPort
  if (!port) throw new Error('This file is the entry of a thread.')
  const { answers } = workerData as ThreadData
  const reply = (said: Reply<Talk['answer']>) => {
    answers.postMessage(said, [])
    port.postMessage(null, [])
  }
  giveWay()
  let earlier: Promise<void> = Promise.resolve()
  port.on('message', ({ id, question }: Numbered<Talk['question']>) => {
    earlier = earlier.then(async () => {
      try {
        reply({ id, answer: await answer(question) })
      } catch (error) {
        reply({ id, fault: faultOf(error) })
      }
    })
  })
}
