/** YAML that is parsed once and kept as JSON. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readYaml } from '../../src/platform/yaml-file.js'

let folder: string
const file = () => join(folder, 'one.yaml')
const kept = () => join(folder, 'kept')
const read = () => readYaml(file(), kept())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yaml-'))
  writeFileSync(file(), 'day: 2025-03-13\nprice: "0.10"\nrates: [1, 2]\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const CONTENT = { day: '2025-03-13', price: '0.10', rates: [1, 2] }

it('reads the same content the first time and from what is kept, and days are text', () => {
  expect(read()).toEqual(CONTENT)
  expect(read()).toEqual(CONTENT)
})

it('reads what is kept and does not parse again', () => {
  read()
  const [name] = readdirSync(kept())
  writeFileSync(join(kept(), name!), readFileSync(join(kept(), name!), 'utf8').replace('0.10', '0.20'))
  expect(read()).toEqual({ ...CONTENT, price: '0.20' })
})

it('reads a changed file anew, and one whose kept form is damaged', () => {
  read()
  writeFileSync(file(), 'day: 2025-03-14\n')
  expect(read()).toEqual({ day: '2025-03-14' })
  for (const name of readdirSync(kept())) writeFileSync(join(kept(), name), '{ half')
  expect(read()).toEqual({ day: '2025-03-14' })
})

it('reads where nothing can be kept', () => {
  expect(readYaml(file(), join(file(), 'no-folder'))).toEqual(CONTENT)
})
