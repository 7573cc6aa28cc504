/**
 * Large bodies: how many bytes of them one account, and all together, may have under way, and who waits for room.
 *
 * Small bodies never come here. A large one is admitted before it is read, so what waits stays in the sender's and the kernel's
 * buffers; its bytes count until its response is over, because the body is kept for as long.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '#platform/clock.js'
import { entryPoint } from '#platform/entry-point.js'
import { RETRY_SECONDS, AppError } from '#platform/errors.js'
import { parseExactJson } from '#platform/json/exact-json.js'
import { asBuffer, type SharedBytes } from '#platform/shared-bytes.js'
import { createThread } from '#platform/thread.js'
import { createBodyTurns, type BodyTurns } from './body-turns.js'
import type { BodyAnswer, BodyQuestion } from './large-body-thread.js'

export interface LargeBodyLimits {
  /** Bodies above this many bytes are large. */
  readonly fromBytes: number
  readonly accountBytes: number
  readonly totalBytes: number
  /** Requests of one account that may wait for room. */
  readonly accountWaiting: number
  readonly waitMs: number
  readonly maxValues: number
}

export interface LargeBodies {
  readonly limits: LargeBodyLimits
  /**
   * Resolves when there is room for `bytes`, which are given back when the response is over.
   *
   * @throws AppError 429 when the account itself is in its way for too long, 503 when others are
   */
  enter(owner: string, bytes: number, response: ServerResponse): Promise<void>
  /** In which they are read. */
  readonly turns: BodyTurns
  /** What the bytes say, read in a thread. @throws AppError 400 for bad JSON or over the limits */
  parse(bytes: SharedBytes, maxDepth: number): Promise<unknown>
  stop(): Promise<void>
}

interface Owner {
  bytes: number
  readonly waiting: Set<Waiting>
}

interface Waiting {
  readonly bytes: number
  readonly admit: () => void
}

export function createLargeBodies(limits: LargeBodyLimits, clock: Clock): LargeBodies {
  const room = createRoom(limits)
  const thread = createThread<BodyQuestion, BodyAnswer>(entryPoint('./large-body-thread.js', import.meta.url))
  return {
    limits,
    turns: createBodyTurns(),
    enter(name, bytes, response) {
      const owner = room.ownerOf(name)
      const take = () => {
        room.take(owner, bytes)
        response.once('close', () => room.giveBack(name, owner, bytes))
      }
      if (owner.waiting.size === 0 && room.fits(owner, bytes)) {
        take()
        return Promise.resolve()
      }
      if (owner.waiting.size >= limits.accountWaiting) return Promise.reject(tooMany())
      return new Promise((resolve, reject) => {
        const leave = (error: AppError) => {
          end()
          room.forget(name, owner)
          reject(error)
        }
        const gone = () => leave(new AppError('client_closed_request', 'The client left before its body was read.'))
        const cancelTimer = clock.setTimeout(() => leave(room.isFull() ? full() : tooMany()), limits.waitMs)
        const end = () => {
          owner.waiting.delete(waiting)
          cancelTimer()
          response.off('close', gone)
        }
        const waiting: Waiting = {
          bytes,
          admit() {
            end()
            take()
            resolve()
          },
        }
        owner.waiting.add(waiting)
        response.once('close', gone)
      })
    },
    async parse(bytes, maxDepth) {
      const { maxValues } = limits
      const answer = await thread.ask({ bytes, maxDepth, maxValues })
      return answer.kind === 'value' ? answer.value : parseExactJson(asBuffer(bytes))
    },
    stop: () => thread.stop(),
  }
}

function createRoom({ accountBytes, totalBytes }: LargeBodyLimits) {
  const owners = new Map<string, Owner>()
  let total = 0
  // One body always fits, whatever the limits are: else it would wait for ever.
  const fits = (owner: Owner, bytes: number) =>
    (owner.bytes === 0 || owner.bytes + bytes <= accountBytes) && (total === 0 || total + bytes <= totalBytes)
  const forget = (name: string, owner: Owner) => {
    if (owner.bytes === 0 && owner.waiting.size === 0) owners.delete(name)
  }
  return {
    fits,
    forget,
    isFull: () => total >= totalBytes / 2,
    ownerOf(name: string): Owner {
      let owner = owners.get(name)
      if (!owner) owners.set(name, (owner = { bytes: 0, waiting: new Set() }))
      return owner
    },
    take(owner: Owner, bytes: number): void {
      owner.bytes += bytes
      total += bytes
    },
    giveBack(name: string, owner: Owner, bytes: number): void {
      owner.bytes -= bytes
      total -= bytes
      admitNext(owners, fits)
      forget(name, owner)
    },
  }
}

/** One of each account in turn: who was served goes to the end of the row, and this loop meets it there again. */
function admitNext(owners: Map<string, Owner>, fits: (owner: Owner, bytes: number) => boolean): void {
  for (const [name, owner] of owners) {
    const [first] = owner.waiting
    if (!first || !fits(owner, first.bytes)) continue
    owners.delete(name)
    owners.set(name, owner)
    first.admit()
  }
}

const retry = { retryAfterSeconds: RETRY_SECONDS.busy }
const tooMany = () =>
  new AppError('rate_limit', 'This account sends too many large requests at once. Wait for their answers.', retry)
const full = () => new AppError('service_unavailable', 'There is no room for another large request. Repeat it shortly.', retry)
