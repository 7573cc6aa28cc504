/**
 * Whether findings outlive edits that keep the meaning: every rule's own examples, each under every edit of `edits/`.
 *
 * A bad example must keep its finding and a good one must stay silent. What an edit cannot be applied to, or what the grammar cannot
 * read afterwards, does not count.
 */
import { scanFile } from '../analyzer/scan-file.js'
import type { Language } from '../languages.js'
import { compileRulebook, type Rulebook } from '../rulebook/compile.js'
import { loadPacks, loadRules } from '../rulebook/load.js'
import { type GrammarName } from '../syntax/grammars.js'
import { lowerTree } from '../syntax/lowering/lower.js'
import { parseText } from '../syntax/parse.js'
import { lowerSql } from '../syntax/sql/sql-lower.js'
import { languageTables } from '../syntax/tables/index.js'
import { noLimit } from '../syntax/time-limit.js'
import { edits } from './edits/index.js'
import { type Program, typeOf } from './edits/edit.js'

export interface Unstable {
  readonly ruleId: string
  readonly edit: string
  /** The finding was lost, or one appeared. */
  readonly change: 'lost' | 'new'
  readonly code: string
}

export interface Stability {
  readonly language: Language
  /** Pairs of an example and an edit. */
  readonly pairs: number
  readonly unstable: readonly Unstable[]
}

interface Example {
  readonly ruleId: string
  readonly code: string
}

const grammarOf = (language: Language): GrammarName | null => (language === 'sql' ? null : language)

async function programOf(language: Language, text: string): Promise<Program> {
  const grammar = grammarOf(language)
  if (grammar === null) return { language, text, tree: null, root: lowerSql(text).root }
  const { tree } = await parseText(text, grammar, () => noLimit)
  return { language, text, tree, root: lowerTree(tree, text, languageTables[grammar], noLimit) }
}

const mistakesIn = ({ tree }: Program): number => {
  let count = 0
  for (let node = 0; tree !== null && node < tree.length; node++) if (typeOf(tree, node) === 'ERROR') count++
  return count
}

/** The examples of all rules that are written in this language. */
function examplesOf(language: Language): Example[] {
  return loadRules().flatMap(({ rule }) =>
    [...rule.examples.bad, ...rule.examples.good].flatMap((one): Example[] => {
      const example = typeof one === 'string' ? { language: rule.languages[0], code: one } : one
      return example.language === language ? [{ ruleId: rule.id, code: example.code }] : []
    }),
  )
}

async function finds(book: Rulebook, { ruleId }: Example, code: string): Promise<boolean> {
  const { findings } = await scanFile(book, code, book.language, 'main', { maxSteps: 300_000, timeoutMs: 60_000 })
  return findings.some((finding) => finding.ruleId === ruleId)
}

export async function measureStability(language: Language): Promise<Stability> {
  const book = compileRulebook(
    language,
    loadRules().map(({ rule }) => rule),
    loadPacks(),
  )
  const unstable: Unstable[] = []
  let pairs = 0
  for (const example of examplesOf(language)) {
    const program = await programOf(language, example.code)
    const before = await finds(book, example, example.code)
    for (const edit of edits) {
      if (edit.languages?.includes(language) === false) continue
      const code = edit.apply(program)
      if (code === null || code === example.code) continue
      if (mistakesIn(await programOf(language, code)) > mistakesIn(program)) continue
      pairs++
      const after = await finds(book, example, code)
      if (after !== before) unstable.push({ ruleId: example.ruleId, edit: edit.name, change: before ? 'lost' : 'new', code })
    }
  }
  return { language, pairs, unstable }
}
