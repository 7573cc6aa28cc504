/** Reads and validates the shipped rule and pack files. They lie beside the sources and are never compiled. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { z } from 'zod'
import { type Pack, packSchema, type Rule, ruleFileSchema } from './schema.js'

/** The compliance folder of the package, from source and from the compiled copy alike. */
const moduleFolder = dirname(dirname(fileURLToPath(import.meta.url)))
export const dataFolder = moduleFolder.replace(/([/\\])dist(?=[/\\]subgraphs[/\\]compliance$)/, '')

export interface RuleSource {
  readonly rule: Rule
  /** Relative to the compliance folder. */
  readonly file: string
}

/** All rules under `rules/`, in a stable order. Throws with the file's path on the first invalid file. */
export function loadRules(folder = join(dataFolder, 'rules')): RuleSource[] {
  const rules = yamlFiles(folder).flatMap((file) => {
    const { rules } = parseFile(file, ruleFileSchema)
    return rules.map((rule) => ({ rule, file: relative(dirname(folder), file) }))
  })
  const seen = new Map<string, string>()
  for (const { rule, file } of rules) {
    const other = seen.get(rule.id)
    if (other !== undefined) throw new Error(`The rule ${rule.id} stands in ${other} and in ${file}.`)
    seen.set(rule.id, file)
  }
  return rules
}

/** All framework packs under `frameworks/`. */
export const loadPacks = (folder = join(dataFolder, 'frameworks')): Pack[] =>
  yamlFiles(folder).map((file) => parseFile(file, packSchema))

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** One YAML file against a schema; the error names the file and the place in it. */
export function parseFile<T extends z.ZodType>(file: string, schema: T): z.infer<T> {
  const result = schema.safeParse(parse(readFileSync(file, 'utf8')))
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${file} is not valid: ${issues.join('; ')}`)
}
