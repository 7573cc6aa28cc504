/**
 * The analyzer process: answers scan jobs over IPC until its parent goes away.
 *
 * It runs with `--liftoff-only`, because the optimising WebAssembly tier needs minutes and gigabytes for some grammars.
 */
import { Worker } from 'node:worker_threads'
import { entryPoint } from '#platform/entry-point.js'
import type { Language } from '../languages.js'
import { compileRulebook, type Rulebook } from '../rulebook/compile.js'
import { loadPacks, loadRules } from '../rulebook/load.js'
import type { Pack } from '../rulebook/model-schema.js'
import type { AnalyzeReply, AnalyzeRequest } from './protocol.js'
import { scanFile } from './scan-file.js'

const rules = loadRules().map((source) => source.rule)
const packs = loadPacks()
const books = new Map<Language, Rulebook>()
const customBooks = new Map<string, Rulebook>()
const maxCustomBooks = 8

function bookFor(language: Language, pack: Pack | undefined): Rulebook {
  if (pack !== undefined) return customBook(language, pack)
  let book = books.get(language)
  if (book === undefined) books.set(language, (book = compileRulebook(language, rules, packs)))
  return book
}

function customBook(language: Language, pack: Pack): Rulebook {
  const key = `${language} ${JSON.stringify(pack)}`
  let book = customBooks.get(key)
  if (book === undefined) {
    if (customBooks.size >= maxCustomBooks) customBooks.clear()
    customBooks.set(key, (book = compileRulebook(language, rules, [...packs, pack])))
  }
  return book
}

/** The processor time at which the watchdog ends this process. */
const end = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity)
new Worker(entryPoint('./watchdog.js', import.meta.url), { workerData: end.buffer }).unref()

/** What a stage may take beyond its limit: it looks at its limit only now and then, and other threads of the process work too. */
const graceMs = 300

function guard(workMs: number): void {
  const { user, system } = process.cpuUsage()
  end[0] = (user + system) / 1000 + workMs + graceMs
}

async function answer(request: AnalyzeRequest): Promise<AnalyzeReply> {
  const { id, code, language, filename } = request
  try {
    const findings = await scanFile(bookFor(language, request.pack), code, language, filename, { ...request, guard })
    return { id, ok: true, findings, rssBytes: process.memoryUsage.rss() }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { id, ok: false, message, rssBytes: process.memoryUsage.rss() }
  } finally {
    end[0] = Infinity
  }
}

process.on('message', (request: AnalyzeRequest) => {
  void answer(request).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
