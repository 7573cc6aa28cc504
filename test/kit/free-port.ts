/** A port of this machine that nobody listens on, for programs that must be told one. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections and to servers that ask for any (32768 and up on Linux, 49152 on others): between
 * the look and the program's start one of these would be taken by whatever else runs.
 */
const [FIRST, END] = [15_000, 32_000]
/** Other processes of the tests begin elsewhere; within one no port is given twice. */
let next = randomInt(FIRST, END)

export async function freePort(): Promise<number> {
  for (;;) {
    const port = next
    next = next + 1 < END ? next + 1 : FIRST
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.listen(port, '127.0.0.1')
  if (!(await listening)) return false
  probe.close()
  await once(probe, 'close')
  return true
}
