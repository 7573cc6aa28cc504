/** V8 passes over flags that it does not know, and the program then only costs more. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('every flag of V8 that the program sets is one of this Node', () => {
  const files = ['main.ts', 'server/early-compilation.ts', 'server/idle-collection.ts']
  const text = files.map((file) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')).join('')
  const set = [...text.matchAll(/setFlagsFromString\('--(?:no-)?([a-z0-9-]+)/g)].map((match) => match[1])
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(set.length).toBeGreaterThan(files.length)
  expect(set.filter((flag) => !known.includes(`--${flag} (`))).toEqual([])
})
