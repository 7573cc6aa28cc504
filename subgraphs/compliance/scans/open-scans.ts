/** Which scans may begin: the account's rate first, then how many are under way. */
import type { Clock } from '#platform/clock.js'
import { RETRY_SECONDS, AppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import { addSummaries, type ScanFile, selectStandards, type Standard } from '../engine/index.js'
import type { RateLimits } from '../limits/rate-limits.js'
import type { ScanAccountsPort } from '../ports.js'
import type { Scan } from './scan.js'

export interface OpenScansOptions {
  /** The enabled ones. */
  readonly standards: readonly Standard[]
  readonly rateLimits: RateLimits
  readonly accounts: ScanAccountsPort
  readonly clock: Clock
  /** Of all accounts, and of one: a batch in the background counts until it has ended. */
  readonly maxOpenScans: number
  readonly maxOpenScansOfAccount: number
}

interface Asked {
  readonly accountId: string
  readonly files: readonly ScanFile[]
  readonly standards: readonly string[]
}

export interface OpenScans {
  /** Counts the scan as open from its admission to the end of `work`. @throws AppError 429 `rate_limit` */
  admitted<T>(request: Asked, work: (scan: Scan) => Promise<T>): Promise<T>
}

export function createOpenScans(options: OpenScansOptions): OpenScans {
  const { clock } = options
  /** By account; those without open scans are not in it. */
  const open = new Map<string, number>()
  const openOf = (accountId: string): number => open.get(accountId) ?? 0

  function leave({ accountId }: Scan): void {
    const left = openOf(accountId) - 1
    if (left > 0) open.set(accountId, left)
    else open.delete(accountId)
  }

  function checkRoom(accountId: string): void {
    const all = [...open.values()].reduce((sum, count) => sum + count, 0)
    if (openOf(accountId) >= options.maxOpenScansOfAccount) {
      const message = `This account has ${openOf(accountId)} scans under way; ask again when one has ended.`
      throw new AppError('rate_limit', message, { retryAfterSeconds: RETRY_SECONDS.busy })
    }
    if (all >= options.maxOpenScans) {
      throw new AppError('rate_limit', 'The server is busy with other scans.', { retryAfterSeconds: RETRY_SECONDS.busy })
    }
  }

  /** The checks behind key, body and language; the rate is counted first, also for what is refused because too much is open. */
  async function admit({ accountId, files, standards }: Asked): Promise<Scan> {
    const selected = selectStandards(standards, options.standards).map(({ name }) => name)
    await options.rateLimits.consume(accountId, await options.accounts.scanTier(accountId))
    checkRoom(accountId)
    open.set(accountId, openOf(accountId) + 1)
    return {
      id: newId('scan', clock.now()),
      accountId,
      status: 'running',
      fileCount: files.length,
      filesDone: 0,
      summary: addSummaries([]),
      standards: [...new Set(selected)],
      files: null,
      error: null,
      createdAt: clock.now(),
      finishedAt: null,
    }
  }

  return {
    async admitted(request, work) {
      const scan = await admit(request)
      return work(scan).finally(() => leave(scan))
    },
  }
}
