/** One cause in many places: the first are told as they are, the further ones low. */
import { afterAll, expect, it } from 'vitest'
import { createScanner, type Language } from '../../subgraphs/compliance/engine/index.js'
import { ManualClock } from '../kit/manual-clock.js'

const scanner = createScanner({ analyzers: 1, clock: new ManualClock() })
afterAll(() => scanner.close())

const scan = async (code: string, language: Language) => (await scanner.scan([{ code, language }]))[0]!.violations
const severitiesOf = async (code: string, language: Language, rule: string) =>
  (await scan(code, language)).filter(({ ruleId }) => ruleId === rule).map(({ line, severity }) => `${line} ${severity}`)

const prompt = (uses: number) =>
  `#!/bin/bash\nread -r -p 'Name of the instance: ' name\n${'cat "/etc/app/$name.conf"\n'.repeat(uses)}`

it('tells the first five places with their severity', async () => {
  const found = await severitiesOf(prompt(8), 'bash', 'sh-path-traversal')
  expect(found.map((one) => one.split(' ')[0])).toEqual(['3', '4', '5', '6', '7', '8', '9', '10'])
  expect(found.slice(0, 5)).toEqual(await severitiesOf(prompt(5), 'bash', 'sh-path-traversal'))
  expect(found.slice(0, 5).some((one) => one.endsWith(' low'))).toBe(false)
  expect(found.slice(5)).toEqual(['8 low', '9 low', '10 low'])
  const last = (await scan(prompt(8), 'bash')).findLast(({ ruleId }) => ruleId === 'sh-path-traversal')
  expect(last?.message).toContain('Line 3 is the first of many that use it so.')
})

it('counts each source for itself', async () => {
  const two = `${prompt(4)}${prompt(4).replace('#!/bin/bash\n', '').replaceAll('name', 'other')}`
  expect((await severitiesOf(two, 'bash', 'sh-path-traversal')).filter((one) => one.endsWith(' low'))).toEqual([])
})

it('keeps what is critical', async () => {
  const code = `app.get('/x', (req, res) => {\n  const id = req.query.id\n${'  db.query(`SELECT * FROM t WHERE id = ${id}`)\n'.repeat(8)}})\n`
  const found = await severitiesOf(code, 'javascript', 'js-sql-injection')
  expect(found).toHaveLength(8)
  expect(new Set(found.map((one) => one.split(' ')[1]))).toEqual(new Set(['critical']))
})

it('tells a habit at its first five lines, where the rule says medium', async () => {
  const modes = `#!/bin/bash\n${'chmod 666 "/srv/shared/list"\n'.repeat(8)}`
  const found = await severitiesOf(modes, 'bash', 'sh-world-writable')
  expect(found).toEqual(['2', '3', '4', '5', '6'].map((line) => `${line} medium`).concat(['7 low', '8 low', '9 low']))
  expect((await scan(modes, 'bash')).at(-1)?.message).toContain('Line 2 is the first of many of the kind.')
})

it('keeps each place of a rule that says high', async () => {
  const code = `import requests\n${'requests.get(url, verify=False)\n'.repeat(8)}`
  expect(new Set((await severitiesOf(code, 'python', 'py-tls-verification-off')).map((one) => one.split(' ')[1]))).toEqual(
    new Set(['high']),
  )
})
