/** Metrics of programs that begin and end in one process. */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/platform/metrics.js'

function startAndEnd(): WeakRef<object> {
  const { registry, watchOpenStreams } = createMetrics()
  watchOpenStreams(() => 0)
  return new WeakRef(registry)
}

describe('metrics', () => {
  it('are the process’s and the program’s own, each once', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.unexpectedErrors.inc(7)
    for (const { text } of [one, other]) {
      expect((await text()).match(/^sluice_process_cpu_seconds_total /gm)).toHaveLength(1)
    }
    expect(await one.text()).toMatch(/^sluice_unexpected_errors_total 7$/m)
    expect(await other.text()).toMatch(/^sluice_unexpected_errors_total 0$/m)
  })

  it('are gone with their program', async () => {
    const ended = startAndEnd()
    await wait(0)
    setFlagsFromString('--expose-gc')
    ;(runInNewContext('gc') as () => void)()
    expect(ended.deref()).toBeUndefined()
  })
})
