/**
 * The compliance standards: which clauses of which standard a rule belongs to.
 *
 * The mapping is data in `standards/*.yaml`, by CWE and by category, each file with a dated source.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { invalidRequest } from '#platform/errors.js'
import { dataFolder, parseFile } from '../rulebook/load.js'
import type { Rule } from '../rulebook/schema.js'

const clauseSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  cwe: z.array(z.number()).default([]),
  categories: z.array(z.string()).default([]),
})

const standardSchema = z.strictObject({
  name: z.string(),
  order: z.number(),
  aliases: z.array(z.string()).default([]),
  /** Every rule belongs to it. */
  everything: z.boolean().default(false),
  source: z.strictObject({ title: z.string(), url: z.string(), date: z.string() }),
  clauses: z.array(clauseSchema).min(1),
})
export type Standard = z.infer<typeof standardSchema>

export interface Clause {
  readonly standard: string
  readonly clause: string
  readonly title: string
}

/** All standards in their fixed order. */
export function loadStandards(folder = join(dataFolder, 'standards')): Standard[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.map((name) => parseFile(join(folder, name), standardSchema)).toSorted((a, b) => a.order - b.order)
}

/** The clauses that a rule maps to, in the order of the standards. */
export function clausesOf(rule: Pick<Rule, 'cwe' | 'category'>, standards: readonly Standard[]): Clause[] {
  return standards.flatMap((standard) => {
    const matching = standard.clauses.filter(
      (clause) => clause.cwe.some((cwe) => rule.cwe.includes(cwe)) || clause.categories.includes(rule.category),
    )
    const [fallback] = standard.clauses
    const chosen = matching.length === 0 && standard.everything && fallback !== undefined ? [fallback] : matching
    return chosen.map((clause) => ({ standard: standard.name, clause: clause.id, title: clause.title }))
  })
}

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Names (any letter case, known aliases) to standards. Throws a 400 that lists what exists. */
export function selectStandards(names: readonly string[] | undefined, standards: readonly Standard[]): Standard[] {
  if (names === undefined || names.length === 0) return [...standards]
  return names.map((name) => {
    const wanted = normalize(name)
    const found = standards.find((standard) => [standard.name, ...standard.aliases].some((one) => normalize(one) === wanted))
    if (found !== undefined) return found
    const known = standards.map((standard) => standard.name).join(', ')
    throw invalidRequest(`Unknown standard "${name.slice(0, 80)}". Known standards: ${known}.`, 'standards')
  })
}
