/** Build step: packs the tables that come from npm. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { packTokens, tableFile } from './token-tables.js'

const NONE = new Uint8Array(0)

for (const [family, ranks] of [['cl100k_base', cl100k] as const, ['o200k_base', o200k] as const]) {
  // Ranks that nobody uses are holes.
  const tokens = Array.from(ranks, (token) => (token === undefined ? NONE : Buffer.from(token)))
  const tooLong = tokens.find(({ length }) => length > 255)
  if (tooLong) throw new Error(`A token of ${family} has ${tooLong.length} bytes.`)
  mkdirSync(dirname(tableFile(family)), { recursive: true })
  writeFileSync(tableFile(family), packTokens(tokens))
}
