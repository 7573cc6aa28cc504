/** V8 passes over flags that it does not know, and the program then only costs more. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('every flag of V8 that the program sets is one of this Node', () => {
  const main = readFileSync(new URL('../../src/main.ts', import.meta.url), 'utf8')
  const set = [...main.matchAll(/setFlagsFromString\('--(?:no-)?([a-z0-9-]+)/g)].map((match) => match[1])
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(set.length).toBeGreaterThan(0)
  expect(set.filter((flag) => !known.includes(`--${flag} (`))).toEqual([])
})
