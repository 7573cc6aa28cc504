import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { entryPoint } from '../../src/platform/entry-point.js'
import { createThread, type Thread } from '../../src/platform/thread.js'

describe('a thread for questions', () => {
  let folder: string
  let thread: Thread<'who' | 'slow' | 'wrong' | 'priority', number>

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-thread-'))
    const kit = pathToFileURL(entryPoint('./thread.js', new URL('../../src/platform/thread.ts', import.meta.url).href)).href
    writeFileSync(
      join(folder, 'entry.mjs'),
      `import { getPriority } from 'node:os'
       import { threadId } from 'node:worker_threads'
       import { answerQuestions } from '${kit}'
       answerQuestions((question) => {
         if (question === 'wrong') throw new Error('no such question')
         if (question === 'priority') return getPriority()
         return question === 'slow' ? new Promise(() => {}) : threadId
       })`,
    )
  })
  afterEach(async () => {
    vi.useRealTimers()
    await thread.stop()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('ends when nobody has asked for a minute, and the next question starts another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    thread = createThread(join(folder, 'entry.mjs'))
    const first = await thread.ask('who')
    vi.advanceTimersByTime(59_000)
    expect(await thread.ask('who')).toBe(first)
    vi.advanceTimersByTime(59_000)
    expect(await thread.ask('who')).toBe(first)
    vi.advanceTimersByTime(61_000)
    expect(await thread.ask('who')).not.toBe(first)
  })

  it('does not end while a question waits for its answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    thread = createThread(join(folder, 'entry.mjs'))
    await thread.ask('who')
    const answered = vi.fn()
    const waiting = thread.ask('slow').finally(answered)
    waiting.catch(() => {})
    vi.advanceTimersByTime(600_000)
    vi.useRealTimers()
    await new Promise((resolve) => setImmediate(resolve))
    expect(answered).not.toHaveBeenCalled()
    await thread.stop()
    await expect(waiting).rejects.toThrow('ended before it had answered')
  })

  it.runIf(process.platform === 'linux')('gives way, and keeps a tenth of what a busy neighbour gets (on Linux)', async () => {
    thread = createThread(join(folder, 'entry.mjs'))
    expect(await thread.ask('priority')).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
  })

  it('refuses a question that cannot be copied, and goes on', async () => {
    thread = createThread(join(folder, 'entry.mjs'))
    await expect(thread.ask((() => 'who') as unknown as 'who')).rejects.toThrow('could not be cloned')
    await expect(thread.ask('who')).resolves.toBeGreaterThan(0)
  })

  it('goes on after a question that it could not answer', async () => {
    thread = createThread(join(folder, 'entry.mjs'))
    await expect(thread.ask('wrong')).rejects.toThrow('no such question')
    await expect(thread.ask('who')).resolves.toBeGreaterThan(0)
  })
})
