/**
 * The compliance standards: which clauses of which standard a rule belongs to.
 *
 * The mapping is data in `standards/*.yaml`, by CWE and by category, each file with its edition and a dated source. A standard that
 * publishes a list of CWEs is matched by it, and by category only where the list has none of a rule's CWEs.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { invalidRequest } from '#platform/errors.js'
import { readYaml } from '#platform/yaml-file.js'
import { checkedFile, dataFolder } from '../rulebook/load.js'
import type { Rule } from '../rulebook/schema.js'

const clauseSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  cwe: z.array(z.number()).default([]),
  categories: z.array(z.string()).default([]),
  /** Not about code: what is found is evidence for an auditor, and no proof of a breach. */
  evidence: z.boolean().default(false),
})

const standardSchema = z.strictObject({
  name: z.string(),
  edition: z.string(),
  /** The standard that took its place: this edition is checked only when it is named. */
  superseded_by: z.string().optional(),
  /** The standard publishes which CWEs belong to its clauses. */
  cwe_list: z.boolean().default(false),
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
  readonly evidence: boolean
}

/** All standards in their fixed order. */
export function loadStandards(folder = join(dataFolder, 'standards')): Standard[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const files = names.map((name) => join(folder, name))
  return files.map((file) => checkedFile(file, readYaml(file), standardSchema)).toSorted((a, b) => a.order - b.order)
}

/** The clauses that a rule maps to, in the order of the standards; of one standard, that of the rule's own weakness before those of its effects. */
export function clausesOf(rule: Pick<Rule, 'cwe' | 'category'>, standards: readonly Standard[]): Clause[] {
  return standards.flatMap((standard) => {
    const byCwe = standard.clauses
      .filter((clause) => clause.cwe.some((cwe) => rule.cwe.includes(cwe)))
      .toSorted((a, b) => firstOf(rule, a.cwe) - firstOf(rule, b.cwe))
    const isListed = standard.cwe_list && byCwe.length > 0
    const matching = isListed
      ? byCwe
      : standard.clauses.filter((clause) => byCwe.includes(clause) || clause.categories.includes(rule.category))
    const [fallback] = standard.clauses
    const chosen = matching.length === 0 && standard.everything && fallback !== undefined ? [fallback] : matching
    return chosen.map((clause) => ({
      standard: standard.name,
      clause: clause.id,
      title: clause.title,
      evidence: clause.evidence,
    }))
  })
}

/** The place in the rule's list of the first CWE that the clause has too. */
const firstOf = (rule: Pick<Rule, 'cwe'>, clause: readonly number[]): number => rule.cwe.findIndex((cwe) => clause.includes(cwe))

const namesOf = ({ name, edition, aliases }: Standard): string[] => [name, `${name} ${edition}`, ...aliases]

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The editions in force: an older one only where its successor is not there. */
export const currentStandards = (standards: readonly Standard[]): Standard[] =>
  standards.filter((one) => !standards.some(({ name }) => name === one.superseded_by))

/** By its name (any letter case), with or without the year, or a known alias. */
export function findStandard(name: string, standards: readonly Standard[]): Standard | undefined {
  const wanted = normalize(name)
  return standards.find((standard) => namesOf(standard).some((one) => normalize(one) === wanted))
}

export const unknownStandard = (name: string, standards: readonly Standard[]): string =>
  `Unknown standard "${name.slice(0, 80)}". Known standards: ${standards.map((standard) => standard.name).join(', ')}`

/** Names to standards; all in force when there are none. Throws a 400 that lists what exists. */
export function selectStandards(names: readonly string[] | undefined, standards: readonly Standard[]): Standard[] {
  if (names === undefined || names.length === 0) return currentStandards(standards)
  return names.map((name) => {
    const found = findStandard(name, standards)
    if (found !== undefined) return found
    throw invalidRequest(`${unknownStandard(name, standards)}.`, 'standards')
  })
}
