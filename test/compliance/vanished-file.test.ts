/** A long scan goes over a folder that others work in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { noCache } from '../../src/cli/scan/scan-cache.js'
import { runScan } from '../../src/cli/scan/scan-run.js'

it('a file that is gone when it is to be read is left out, and the others are scanned', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vanished-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'here.py'), 'def f(text):\n    return eval(input(text))\n')
  const notes: string[] = []
  const body = await runScan({
    workingDirectory: folder,
    files: ['gone.py', 'here.py'].map((name) => ({ name, language: 'python' as const })),
    standards: [],
    config: undefined,
    cache: noCache,
    timeLimitMs: 60_000,
    isAccepted: null,
    changed: null,
    onProgress: () => undefined,
    onSkipped: (note) => notes.push(note),
  })
  expect(body.results.map(({ filename }) => filename)).toEqual(['here.py'])
  expect(body.results[0]?.violations).not.toEqual([])
  expect(notes).toEqual(['gone.py: not there any more or not readable, left out.'])
})
