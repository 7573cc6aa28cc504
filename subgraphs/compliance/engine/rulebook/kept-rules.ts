/**
 * The checked rules and packs as they are kept in `dist`: all of them, and of each language what its analyzers compile. Here is
 * what an analyzer needs of that. It starts often, so it reads neither YAML nor its schemas, and no language but its own.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryPoint } from '#platform/entry-point.js'
import { type Language, languages } from '../languages.js'
import type { Pack } from './model-schema.js'
import type { Rule } from './schema.js'

export interface RuleSource {
  readonly rule: Rule
  /** Relative to the folder of the engine. */
  readonly file: string
}

export interface RuleData {
  /** Of all files that it was made from. */
  readonly hash: string
  readonly rules: readonly RuleSource[]
  readonly packs: readonly Pack[]
}

/** What is compiled into the rulebook of a language. */
export interface LanguageRules {
  readonly rules: readonly Rule[]
  readonly packs: readonly Pack[]
}

const keptRules = entryPoint('./kept-rules.js', import.meta.url).replace(/\.js$/, '')

/** What was kept of the files with this hash; null when that is not there. */
export const readKept = (hash: string, folder = keptRules): RuleData | null =>
  read(join(folder, 'all.json'), hash) as RuleData | null

export const readKeptOf = (language: Language, hash: string, folder = keptRules): LanguageRules | null =>
  read(join(folder, `${language}.json`), hash) as LanguageRules | null

export const rulesOf = (language: Language, { rules, packs }: RuleData): LanguageRules => ({
  rules: rules.flatMap(({ rule }) => (rule.languages.includes(language) ? [rule] : [])),
  packs: packs.filter((pack) => pack.languages.includes(language)),
})

/** A folder that cannot be written stays as it is: readers see by the hash that it is of other files. */
export function keepRules(data: RuleData, folder = keptRules): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const language of languages) {
      const { rules, packs } = rulesOf(language, data)
      const unexplained = rules.map((rule) => ({ ...rule, examples: { bad: [], good: [] } }))
      write(join(folder, `${language}.json`), { hash: data.hash, rules: unexplained, packs })
    }
    write(join(folder, 'all.json'), data)
  } catch {
    // A read-only installation works without it.
  }
}

function read(file: string, hash: string): unknown {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly hash: string }
    return kept.hash === hash ? kept : null
  } catch {
    // Missing or half written.
    return null
  }
}

function write(file: string, content: object): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(content))
  renameSync(temporary, file)
}
