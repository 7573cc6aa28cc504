/**
 * A process that charges until it is killed, for faults.test.ts: it prints `reserved <id>` and `settled <id>` as soon as each is
 * acknowledged. Arguments: database url, account id, name of this round.
 */
import { writeSync } from 'node:fs'
import { openLedger } from '../../../dist/subgraphs/accounts/ledger/open-ledger.js'
import { systemClock } from '../../../dist/src/platform/clock.js'

const [url, accountId, round] = process.argv.slice(2)
const ledger = await openLedger({ url, clock: systemClock })
writeSync(1, `owner ${ledger.ownerId}\n`)

async function charge(client) {
  for (let index = 0; ; index++) {
    const holdId = `${round}-${client}-${index}`
    await ledger.reserve({ holdId, accountId, amount: 100n, purpose: 'chat', expiresAt: Date.now() + 600_000 })
    writeSync(1, `reserved ${holdId}\n`)
    if (index % 5 === 4) await ledger.meter({ holdId, amount: 30n })
    await ledger.settle({ holdId, amount: 70n })
    writeSync(1, `settled ${holdId}\n`)
  }
}
await Promise.all(Array.from({ length: 32 }, (_, client) => charge(client)))
