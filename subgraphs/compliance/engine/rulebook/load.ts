/**
 * Reads and validates the shipped rule and pack files. They lie beside the sources and are never compiled.
 *
 * To parse and check some hundred YAML files takes a second, in the server and in each analyzer. So the checked form is kept as
 * JSON in `dist`, together with a hash of all it was made from: the build writes it, and so does the first process that finds it out
 * of date, so that a changed rule needs no build. Where `dist` cannot be written, the files are parsed each time.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryPoint } from '#platform/entry-point.js'
import { parse } from 'yaml'
import { z } from 'zod'
import { keepRules, readKept, type RuleData, type RuleSource } from './kept-rules.js'
import { type Pack, packSchema } from './model-schema.js'
import { ruleFileSchema } from './schema.js'

/** The folder of the engine in the package, from source and from the compiled copy alike. */
const moduleFolder = dirname(dirname(fileURLToPath(import.meta.url)))
export const dataFolder = moduleFolder.replace(/([/\\])dist(?=[/\\]subgraphs[/\\]compliance[/\\]engine$)/, '')

let loaded: RuleData | undefined

/** All rules under `rules/`, in a stable order. Throws with the file's path on the first invalid file. */
export const loadRules = (): readonly RuleSource[] => loadAll().rules

/** All framework packs under `frameworks/`. */
export const loadPacks = (): readonly Pack[] => loadAll().packs

/** Once per process: rules only change with a new start. */
export const loadAll = (): RuleData => (loaded ??= readRuleData(dataFolder))

/** The rules and packs below `folder`, as they were kept when they were made from the same files. */
export function readRuleData(folder: string, keptIn?: string): RuleData {
  const hash = hashOf(folder, [...yamlFiles(join(folder, 'rules')), ...yamlFiles(join(folder, 'frameworks'))])
  const kept = readKept(hash, keptIn)
  if (kept) return kept
  const data = { hash, ...parseAll(folder) }
  keepRules(data, keptIn)
  return data
}

/** Changes with the content of any file, and with the code that checks them. */
function hashOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  const code = [
    './load.js',
    './schema.js',
    './matcher-schema.js',
    './pattern-schema.js',
    './model-schema.js',
    './safe-regex.js',
    './words.js',
    './subjects.js',
    './vocabulary-schema.js',
    './access-words.js',
    './function-model.js',
    './fact-kinds.js',
  ] as const
  for (const file of [...code.map((name) => entryPoint(name, import.meta.url)), ...files]) {
    const content = contentOf(file)
    hash.update(`${relative(folder, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Nothing has been compiled when the build itself asks. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

function parseAll(folder: string): Omit<RuleData, 'hash'> {
  const files = yamlFiles(join(folder, 'rules')).map((file) => ({ file, content: parseFile(file, ruleFileOutline) }))
  const excuses = new Map(files.flatMap(({ content }) => Object.entries(content.excuses ?? {})))
  const rules = files.flatMap(({ file, content }) => {
    const { rules } = checkedFile(
      file,
      { ...content, rules: content.rules?.map((rule) => excused(rule, excuses)) },
      ruleFileSchema,
    )
    return rules.map((rule) => ({ rule, file: relative(folder, file) }))
  })
  const seen = new Map<string, string>()
  for (const { rule, file } of rules) {
    const other = seen.get(rule.id)
    if (other !== undefined) throw new Error(`The rule ${rule.id} stands in ${other} and in ${file}.`)
    seen.set(rule.id, file)
  }
  return { rules, packs: yamlFiles(join(folder, 'frameworks')).map((file) => parseFile(file, packSchema)) }
}

/** What is looked at before excuses are in their places, and all the rest is checked. */
const ruleFileOutline = z.looseObject({
  rules: z.array(z.looseObject({ unless: z.unknown().optional() })).optional(),
  excuses: z.record(z.string(), z.array(z.unknown())).optional(),
})

/** With the matchers of the excuses that it names. A name that nothing has stays, and the schema refuses it. */
function excused<Rule extends { readonly unless?: unknown }>(rule: Rule, excuses: ReadonlyMap<string, readonly unknown[]>): Rule {
  if (rule.unless === undefined) return rule
  const unless = [rule.unless].flat().flatMap((one) => (typeof one === 'string' ? (excuses.get(one) ?? [one]) : [one]))
  return { ...rule, unless }
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

const parseFile = <T extends z.ZodType>(file: string, schema: T): z.infer<T> =>
  checkedFile(file, parse(readFileSync(file, 'utf8')), schema)

/** The content of one file against a schema; the error names the file and the place in it. */
export function checkedFile<T extends z.ZodType>(file: string, content: unknown, schema: T): z.infer<T> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${file} is not valid: ${issues.join('; ')}`)
}
