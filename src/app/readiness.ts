/**
 * What `/readyz` answers: whether requests can be served and their charges written down. It answers in less than a second
 * whatever state the database is in, because whoever asks decides by it where the next request goes.
 */
import type { Database } from '#platform/database/database.js'
import { DatabaseOutage } from '#platform/database/outage.js'
import type { Accounts, Keys, Ledger } from '../../subgraphs/accounts/index.js'

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface ReadinessOptions {
  readonly database: Pick<Database, 'probe'>
  readonly accounts: Pick<Accounts, 'administrator'>
  readonly keys: Pick<Keys, 'find'>
  readonly ledger: Pick<Ledger, 'health'>
}

const ANSWER_MS = 900

const READY: Readiness = { ok: true }

export function createReadiness({ database, accounts, keys, ledger }: ReadinessOptions): () => Promise<Readiness> {
  const look = async (): Promise<Readiness> => {
    try {
      await database.probe()
      if ((await accounts.administrator()) === null) return { ok: false, reason: 'There is no administrator account.' }
      // Every request needs its key. Which one is asked for here does not matter: their table answers, or it does not.
      await keys.find('readiness', null)
      return await ledger.health()
    } catch (error) {
      return { ok: false, reason: error instanceof DatabaseOutage ? error.sentence : 'The database failed; the log says why.' }
    }
  }
  let looking: Promise<Readiness> | undefined
  return async () => {
    // However many ask, a database in trouble is asked once at a time.
    looking ??= look().finally(() => (looking = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Readiness>((resolve) => {
      timer = setTimeout(() => resolve({ ok: false, reason: 'The database does not answer in time.' }), ANSWER_MS)
    })
    const readiness = await Promise.race([looking, late])
    clearTimeout(timer)
    return readiness.ok ? READY : readiness
  }
}
