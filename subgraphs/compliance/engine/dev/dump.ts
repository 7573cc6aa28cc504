/**
 * Prints what the engine sees in a file: `node dist/subgraphs/compliance/engine/dev/dump.js <file> [--language x] [--tree]`.
 *
 * The representation comes first, then the trace of sources and findings with their lines, then the findings.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { scanFile } from '../analyzer/scan-file.js'
import { lowerFile } from '../analyzer/scan-file.js'
import { detectLanguage, parseLanguage } from '../languages.js'
import { compileRulebook } from '../rulebook/compile.js'
import { loadPacks, loadRules } from '../rulebook/load.js'
import type { Ir } from '../syntax/ir.js'
import { noLimit } from '../syntax/time-limit.js'
import { createSourceText, positionAt } from '../syntax/source-text.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string' }, 'no-ir': { type: 'boolean', default: false } },
})
const [file] = positionals
if (file === undefined) {
  process.stderr.write('usage: dump <file> [--language <name>] [--no-ir]\n')
  process.exit(2)
}
const code = readFileSync(file, 'utf8')
const language =
  values.language === undefined ? detectLanguage(file.replace(/\.txt$/, ''), code.split('\n')[0]) : parseLanguage(values.language)
if (language === undefined) {
  process.stderr.write(`The language of ${file} is not known; use --language.\n`)
  process.exit(2)
}
const source = createSourceText(code)
const print = (text: string): void => void process.stdout.write(`${text}\n`)
if (!values['no-ir']) print(format((await lowerFile(source.text, language, file, () => noLimit)).root, ''))
const book = compileRulebook(
  language,
  loadRules().map((one) => one.rule),
  loadPacks(),
)
const trace = (message: string, at: number): void => print(`trace ${positionAt(source, at).line}: ${message}`)
const result = await scanFile(book, code, language, file, { maxSteps: 300_000, timeoutMs: 30_000, trace })
for (const finding of result.findings) {
  const from = finding.source === null ? '' : ` from ${finding.source.label} on line ${finding.source.line}`
  print(`${finding.line}:${finding.column} ${finding.severity} ${finding.ruleId}${from} | ${finding.snippet}`)
}
print(`${result.findings.length} findings, ${result.steps} steps${result.stopped === null ? '' : `, stopped: ${result.stopped}`}`)

/** S-expressions, one node a line, without positions. */
function format(ir: Ir, indent: string): string {
  const lines: string[] = []
  const inner = `${indent}  `
  const attributes: string[] = []
  for (const [key, value] of Object.entries(ir)) {
    if (key === 'op' || key === 'start' || key === 'end' || key === 'at' || value === undefined || value === null) continue
    if (Array.isArray(value)) for (const [at, one] of value.entries()) lines.push(...part(`${key}[${at}]`, one, inner))
    else if (typeof value === 'object') lines.push(...part(key, value, inner))
    else attributes.push(`${key}=${JSON.stringify(value)}`)
  }
  return [`${ir.op}${attributes.length > 0 ? ` ${attributes.join(' ')}` : ''}`, ...lines].join('\n')
}

function part(key: string, value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}${key}: ${JSON.stringify(value)}`]
  if ('op' in value) return [`${indent}${key}: ${format(value as Ir, indent)}`]
  const fields = Object.entries(value).filter(
    ([name, one]) => name !== 'start' && name !== 'end' && one !== undefined && one !== null,
  )
  return [
    `${indent}${key}:`,
    ...fields.flatMap(([name, one]) =>
      Array.isArray(one)
        ? one.flatMap((each, at) => part(`${name}[${at}]`, each, `${indent}  `))
        : part(name, one, `${indent}  `),
    ),
  ]
}
