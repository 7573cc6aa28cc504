/** A baseline: the violations that a project has accepted for now. Only what is new since then is reported. */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../../config/config-error.js'

const baselineSchema = z.object({
  version: z.literal(1),
  /** File name to fingerprints. */
  violations: z.record(z.string(), z.array(z.string())),
})

interface Fingerprinted {
  readonly filename: string
  readonly violations: readonly { readonly fingerprint: string }[]
}

/** Whether a violation is in the baseline. */
export type IsAccepted = (filename: string, fingerprint: string) => boolean

/** @throws ConfigError for a file that does not exist or is no baseline. */
export function readBaseline(file: string): IsAccepted {
  let data: unknown
  try {
    data = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new ConfigError(`There is no readable baseline ${file}. Write one with --write-baseline.`)
  }
  const parsed = baselineSchema.safeParse(data)
  if (!parsed.success) throw new ConfigError(`${file} is not a baseline. Write one with --write-baseline.`)
  const accepted = new Set(
    Object.entries(parsed.data.violations).flatMap(([name, prints]) => prints.map((print) => `${name}\0${print}`)),
  )
  return (filename, fingerprint) => accepted.has(`${filename}\0${fingerprint}`)
}

/** Sorted, so that a baseline in version control changes only where the code did. Answers how many violations it holds. */
export function writeBaseline(file: string, results: readonly Fingerprinted[]): number {
  const entries = results
    .filter(({ violations }) => violations.length > 0)
    .map(({ filename, violations }) => [filename, violations.map(({ fingerprint }) => fingerprint).toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify({ version: 1, violations: Object.fromEntries(entries) }, null, 2)}\n`)
  return entries.reduce((total, [, prints]) => total + prints.length, 0)
}
