/**
 * A process that charges until it is killed, for faults.test.ts: it prints `reserved <id>`, `metered <id>` and `settled <id>` as soon as each is
 * acknowledged. Arguments: database url, account id, name of this round.
 */
import { writeSync } from 'node:fs'
import { openLedger } from '../../../../dist/subgraphs/accounts/ledger/open-ledger.js'
import { systemClock } from '../../../../dist/src/platform/clock.js'

/** Written before anything else happens: a line that waits in a buffer would be lost with the process. A full pipe is waited for. */
function print(line) {
  for (;;) {
    try {
      return writeSync(1, `${line}\n`)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

const [url, accountId, round] = process.argv.slice(2)
const ledger = await openLedger({ url, clock: systemClock })
print(`owner ${ledger.ownerId}`)

async function charge(client) {
  for (let index = 0; ; index++) {
    const holdId = `${round}-${client}-${index}`
    await ledger.reserve({ holdId, accountId, amount: 100n, purpose: 'chat', expiresAt: Date.now() + 600_000 })
    print(`reserved ${holdId}`)
    if (index % 5 === 4) {
      await ledger.meter({ holdId, amount: 30n })
      print(`metered ${holdId}`)
    }
    await ledger.settle({ holdId, amount: 70n })
    print(`settled ${holdId}`)
  }
}
await Promise.all(Array.from({ length: 32 }, (_, client) => charge(client)))
