import { expect, it } from 'vitest'
import type { LedgerTransport, Operation } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { createOperationQueue, type OperationQueue } from '../../../subgraphs/accounts/ledger/operations/operation-queue.js'
import { ManualClock } from '../../kit/manual-clock.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const beat = (ownerId: string): Operation => ({ kind: 'heartbeat', ownerId })

/** A database that notes how many operations each commit had. */
function queueOf(commits: number[]) {
  const transport: Pick<LedgerTransport, 'execute' | 'appliesInOrder'> = {
    appliesInOrder: true,
    async execute(operations) {
      commits.push(operations.length)
      return { outcomes: operations.map(() => ({ code: 'done' })), othersWrote: false }
    },
  }
  const ignore = () => {}
  return createOperationQueue({
    transport: transport as LedgerTransport,
    clock: new ManualClock(),
    limits: { retryMs: 0, waiting: 1_000 },
    onOutcome: ignore,
    onCommit: ignore,
    onFailure: ignore,
  })
}

/** Brings one operation in each turn of the event loop, before the queue looks, as a socket does. */
async function bringEachTurn(queue: OperationQueue, turns: number): Promise<void> {
  const added: Promise<unknown>[] = []
  await new Promise<void>((resolve) => {
    const bring = () => {
      if (added.length === turns) return resolve()
      setImmediate(bring)
      added.push(queue.add(beat(`p${added.length}`)))
    }
    bring()
  })
  await Promise.all(added)
}

it('what each turn of the event loop brings goes into one commit', async () => {
  const commits: number[] = []
  await bringEachTurn(queueOf(commits), 3)
  expect(commits).toEqual([3])
})

it('an operation alone waits for one turn', async () => {
  const commits: number[] = []
  const alone = queueOf(commits).add(beat('a'))
  await turn()
  await turn()
  expect(commits).toEqual([1])
  await alone
})

it('a stream of operations that does not end holds nobody up for more than a few turns', async () => {
  const commits: number[] = []
  await bringEachTurn(queueOf(commits), 40)
  expect(Math.max(...commits)).toBeLessThan(8)
})
