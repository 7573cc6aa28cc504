/** What an account would have asked, written into the ledger without asking it. */
import { randomUUID } from 'node:crypto'
import { usage } from '../accounts/ledger/kit/ledger-kit.js'
import type { TestAccount, TestApp } from '../kit/app.js'

interface Habits {
  readonly everyMs?: number
  /** Asked in turn. */
  readonly models?: readonly string[]
  /** Of the request at this place, in nano-USD. */
  readonly costOf?: (at: number) => bigint
}

/** As many ended requests, the newest now; where nothing else is said each a nano-dollar dearer than the one after it. */
export async function recordRequests(
  { server }: TestApp,
  { id, keyId }: TestAccount,
  requests: number,
  { everyMs = 1_000, models = ['even-model', 'odd-model'], costOf = (at) => 1_000n + BigInt(at) }: Habits = {},
): Promise<void> {
  const { ledger } = server.app
  const one = async (at: number) => {
    const holdId = randomUUID()
    await ledger.reserve({ holdId, accountId: id, amount: 20_000n + costOf(at), purpose: 'chat', expiresAt: Date.now() + 60_000 })
    const modelId = models[at % models.length]!
    const deploymentId = `${modelId}@host-${at % 3}`
    const told = usage({ keyId, modelId, deploymentId, createdAt: Date.now() - at * everyMs, route: null })
    await ledger.settle({ holdId, amount: costOf(at), usage: told })
  }
  await Promise.all(Array.from({ length: requests }, (_, at) => one(at)))
}
