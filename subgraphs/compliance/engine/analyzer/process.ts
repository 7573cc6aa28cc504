/**
 * The analyzer process: answers scan jobs over IPC until its parent goes away.
 *
 * It runs with `--liftoff-only`, because the optimising WebAssembly tier needs minutes and gigabytes for some grammars.
 */
import { flushCompileCache } from 'node:module'
import type { Language } from '../languages.js'
import { compileRulebook, type Rulebook } from '../rulebook/compile.js'
import { type LanguageRules, readKeptOf, rulesOf } from '../rulebook/kept-rules.js'
import type { Pack } from '../rulebook/model-schema.js'
import type { AnalyzeReply, AnalyzerMessage, AnalyzeRequest } from './protocol.js'
import { scanFile } from './scan-file.js'

/** Says which rules and packs are in force. */
const [, , hash = ''] = process.argv
const ruleSets = new Map<Language, LanguageRules>()
const books = new Map<Language, Rulebook>()
const customBooks = new Map<string, Rulebook>()
const maxCustomBooks = 8

/** Where nothing could be kept, the files are read. */
async function rulesFor(language: Language): Promise<LanguageRules> {
  let rules = ruleSets.get(language) ?? readKeptOf(language, hash)
  if (rules === null) {
    const { loadAll } = await import('../rulebook/load.js')
    rules = rulesOf(language, loadAll())
  }
  ruleSets.set(language, rules)
  return rules
}

async function bookFor(language: Language, pack: Pack | undefined): Promise<Rulebook> {
  const rules = await rulesFor(language)
  if (pack !== undefined) return customBook(language, rules, pack)
  let book = books.get(language)
  if (book === undefined) books.set(language, (book = compileRulebook(language, rules.rules, rules.packs)))
  return book
}

function customBook(language: Language, { rules, packs }: LanguageRules, pack: Pack): Rulebook {
  const key = `${language} ${JSON.stringify(pack)}`
  let book = customBooks.get(key)
  if (book === undefined) {
    if (customBooks.size >= maxCustomBooks) customBooks.clear()
    customBooks.set(key, (book = compileRulebook(language, rules, [...packs, pack])))
  }
  return book
}

const tell = (message: AnalyzerMessage): unknown => process.send?.(message)

/** Whoever started this process ends it when a stage works on for longer. */
function guard(allowedMs: number): void {
  const { user, system } = process.cpuUsage()
  tell({ stage: { usedMs: (user + system) / 1000, allowedMs } })
}

async function answer(request: AnalyzeRequest): Promise<AnalyzeReply> {
  const { id, code, language, filename } = request
  try {
    const findings = await scanFile(await bookFor(language, request.pack), code, language, filename, { ...request, guard })
    return { id, ok: true, findings, rssBytes: process.memoryUsage.rss() }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { id, ok: false, message, rssBytes: process.memoryUsage.rss() }
  }
}

let isFirst = true

async function work(request: AnalyzeRequest): Promise<void> {
  tell(await answer(request))
  // Most analyzers are killed and not ended, and only an end would write it. The first file has used most of the program.
  if (isFirst) flushCompileCache()
  isFirst = false
}

process.on('message', (request: AnalyzeRequest) => void work(request))
process.on('disconnect', () => process.exit(0))
tell({ ready: true })
