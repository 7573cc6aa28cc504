/**
 * A process with one hold, for faults.test.ts: it says how far it has come, and does nothing more after the last step that it is
 * asked for. Arguments: database url, account id, hold id, last step.
 */
import { writeSync } from 'node:fs'
import { openLedger } from '../../../../dist/subgraphs/accounts/ledger/open-ledger.js'
import { systemClock } from '../../../../dist/src/platform/clock.js'
import { NO_USAGE } from '../../../../dist/subgraphs/accounts/ledger/ledger-columns.js'

const [url, accountId, holdId, last] = process.argv.slice(2)
const ledger = await openLedger({ url, clock: systemClock })
const settle = () => ledger.settle({ holdId, amount: 70n, usage: { ...NO_USAGE, endedAs: 'completed' } })
const STEPS = {
  placed: () => ledger.reserve({ holdId, accountId, amount: 100n, purpose: 'chat', expiresAt: Date.now() + 600_000 }),
  metered: () => ledger.meter({ holdId, amount: 30n }),
  // Killed while the charge is anywhere between this thread and the disk.
  charging: () => void settle(),
  charged: settle,
}
for (const [name, step] of Object.entries(STEPS)) {
  await step()
  if (name !== last) continue
  writeSync(1, `${ledger.ownerId}\n`)
  break
}
setInterval(() => {}, 1_000)
