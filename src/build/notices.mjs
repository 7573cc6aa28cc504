/** Writes dist/THIRD_PARTY_LICENSES.txt: what of others is in the package, and under which terms. Part of `npm pack`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partsOf } from './parts.mjs'

/** What a dependency may not be under. */
const REFUSED = /\b(?:AGPL|SSPL|BUSL|Elastic)/i

const root = fileURLToPath(new URL('../..', import.meta.url))
const parts = partsOf(root)
const refused = parts.filter(({ license }) => REFUSED.test(license) && !/ OR /.test(license))
if (refused.length > 0)
  throw new Error(`Not under these terms: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`)

const textOf = (/** @type {string} */ folder) => {
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(name))
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
}

const heading = ({ name, version, license }) => `${name} ${version} (${license})`
const text = parts
  .map((part) => [heading(part), textOf(part.folder)].filter(Boolean).join('\n\n'))
  .join(`\n\n${'-'.repeat(80)}\n\n`)
writeFileSync(
  join(root, 'dist', 'THIRD_PARTY_LICENSES.txt'),
  `${parts.map(heading).join('\n')}\n\n${'='.repeat(80)}\n\n${text}\n`,
)
