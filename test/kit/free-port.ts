/** A port of this machine that nobody listens on, for programs that must be told one. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections and to servers that ask for any (32768 and up on Linux, 49152 on others): between
 * the look and the program's start one of these would be taken by whatever else runs.
 */
const [FIRST, END] = [15_000, 32_000]
/** Within a process no port is given twice. */
const given = new Set<number>()

/** Any of them each time: processes that counted up would follow each other, and take between look and start what was found free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
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
