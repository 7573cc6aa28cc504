/** What the shipped packs say about names, where one form looks like another. */
import { afterAll, expect, it } from 'vitest'
import { createScanner } from '../../../subgraphs/compliance/engine/index.js'

const scanner = createScanner({ analyzers: 1 })
afterAll(() => scanner.close())

async function rulesOf(language: 'javascript' | 'php', code: string): Promise<string[]> {
  const [result] = await scanner.scan([{ code, language }])
  return (result?.violations ?? []).map(({ ruleId }) => ruleId)
}

const query = (receiver: string): string => `const Joi = require('joi')
const mongoose = require('mongoose')
const users = mongoose.model('users')
app.get('/', (req, res) => { users.find(${receiver}.parse(req.query)) })
`

it('a schema makes what it parsed harmless for a document database, any other parser does not', async () => {
  expect(await rulesOf('javascript', query('Query'))).not.toContain('js-nosql-injection')
  expect(await rulesOf('javascript', query('querySchema'))).not.toContain('js-nosql-injection')
  expect(await rulesOf('javascript', query('decoder'))).toContain('js-nosql-injection')
})

it('a file name in PHP is one unless its variable says that it is an address', async () => {
  const open = (name: string): string => `<?php $${name} = $_GET['f']; fopen($${name}, 'r');`
  expect(await rulesOf('php', open('curl'))).toContain('php-path-traversal')
  expect(await rulesOf('php', open('feedUrl'))).not.toContain('php-path-traversal')
  expect(await rulesOf('php', open('feed_url'))).not.toContain('php-path-traversal')
})
