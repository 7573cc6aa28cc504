/** Well-kept code that everybody uses: the scanner has next to nothing to say, and each thing that it says is written down here. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner } from '../../../subgraphs/compliance/engine/index.js'

/** What is asked is what is found: a machine on which everything takes long finds the same. */
const scanner = createScanner({ analyzers: 2, limits: { parseMs: 10_000, fileTimeoutMs: 60_000, scanTimeoutMs: 60_000 } })
afterAll(() => scanner.close())

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

function sourcesOf(name: string) {
  return readdirSync(join(modules, name), { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.js') && !relative(modules, entry.parentPath).includes('node_modules'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ filename: relative(modules, path), code: readFileSync(path, 'utf8'), language: 'javascript' as const }))
}

/** How often a rule may report a file, and why it is right to. */
const accepted: Record<string, Record<string, { readonly atMost: number; readonly because: string }>> = {
  express: {},
  commander: {
    'commander/lib/command.js js-command-injection': {
      atMost: 1,
      because: 'A subcommand may be a program of its own, whose name comes from the command line.',
    },
  },
  pg: {
    'pg/lib/connection-parameters.js js-tls-verification-off': {
      atMost: 2,
      because: 'PGSSLMODE=no-verify and ssl=no-verify ask for exactly this: TLS without a check of the certificate.',
    },
    'pg/lib/crypto/utils.js js-weak-hash': {
      atMost: 3,
      because: "PostgreSQL's md5 authentication, and the two calls of the function that makes it.",
    },
  },
}

describe('findings of medium or more in popular packages', () => {
  it.each(Object.keys(accepted))('%s: only what is explained here', async (name) => {
    const results = await scanner.scan(sourcesOf(name))
    expect(results.length).toBeGreaterThan(5)
    expect(results.filter((result) => result.error !== null || result.isTruncated)).toEqual([])
    const counts = new Map<string, number>()
    for (const { filename, violations } of results)
      for (const { ruleId, severity } of violations) {
        if (severity === 'low') continue
        const key = `${filename} ${ruleId}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    const unexplained = [...counts].filter(([key, count]) => count > (accepted[name]?.[key]?.atMost ?? 0))
    expect(unexplained).toEqual([])
  })
})
