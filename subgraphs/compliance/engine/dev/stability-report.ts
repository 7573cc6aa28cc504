/** Prints the stability of all rules: `node dist/subgraphs/compliance/engine/dev/stability-report.js [--language x] [--verbose]`. */
import { parseArgs } from 'node:util'
import { languages, parseLanguage } from '../languages.js'
import { measureStability } from './stability.js'

const { values } = parseArgs({ options: { language: { type: 'string' }, verbose: { type: 'boolean', default: false } } })
const only = values.language === undefined ? undefined : parseLanguage(values.language)
const print = (text: string): void => void process.stdout.write(`${text}\n`)

for (const language of languages.filter((one) => only === undefined || one === only)) {
  const { pairs, unstable } = await measureStability(language)
  const share = pairs === 0 ? 1 : 1 - unstable.length / pairs
  print(`${language.padEnd(12)}${(100 * share).toFixed(1).padStart(6)} %  of ${pairs} edited examples`)
  const byEdit = Map.groupBy(unstable, (one) => one.edit)
  for (const [edit, list] of byEdit) print(`    ${String(list.length).padStart(4)} ${edit}`)
  if (values.verbose)
    for (const { ruleId, edit, change, code } of unstable) print(`\n${change} ${ruleId} under "${edit}":\n${code}`)
}
