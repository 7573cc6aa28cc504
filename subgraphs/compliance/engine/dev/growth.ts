/**
 * Looks for texts whose cost grows faster than they do: `node dist/subgraphs/compliance/engine/dev/growth.js [--language x] [--kb 64]`.
 *
 * Every language's nestings, repetitions and unfinished pieces (growth-texts.ts) are scanned at two sizes, of which the second is
 * four times the first. What counts is processor time of the thread, above what the parser may take for a file of that size; a
 * text that reaches a limit is named too, and so is one that ends its parser. Exit code 1 when a text grows faster than `n ** 1.5` in
 * what is our own: a parser that passes its limit is ended with its process.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { scanFile, type Stopped } from '../analyzer/scan-file.js'
import { type Language, languages, parseLanguage } from '../languages.js'
import { compileRulebook, type Rulebook } from '../rulebook/compile.js'
import { loadPacks, loadRules } from '../rulebook/load.js'
import { workedMs } from '../syntax/time-limit.js'
import { growthTexts } from './growth-texts.js'

const { values } = parseArgs({
  options: { language: { type: 'string' }, kb: { type: 'string', default: '64' }, from: { type: 'string', default: '0' } },
})
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const size = Number(values.kb) * 1000

/** What this machine does at this moment is told by a text of plain calls. */
const plain = 'f(a, b)\n'

/** Less than this is noise. */
const smallestMs = 100

interface Cost {
  readonly ms: number
  readonly stopped: Stopped | null
}

async function costOf(book: Rulebook, language: Language, code: string): Promise<Cost> {
  const before = workedMs()
  const { stopped } = await scanFile(book, code, language, 'main', { maxSteps: 300_000, timeoutMs: 60_000 })
  return { ms: workedMs() - before, stopped }
}

/** Whether some text grows too fast. A parser that aborts has broken its memory, so a new process does the rest. */
async function isGrowing(language: Language, from: number): Promise<boolean> {
  const book = compileRulebook(
    language,
    loadRules().map(({ rule }) => rule),
    loadPacks(),
  )
  await costOf(book, language, plain.repeat(100))
  const yardstick = Math.max(smallestMs, (await costOf(book, language, plain.repeat(size / plain.length))).ms)
  let found = false
  for (const [at, { name, textOf }] of growthTexts(language).entries()) {
    if (at < from) continue
    try {
      const small = await costOf(book, language, textOf(size / 4))
      const large = await costOf(book, language, textOf(size))
      const exponent = Math.log(large.ms / small.ms) / Math.log(4)
      const isTooMuch = large.ms > 2 * yardstick && exponent > 1.5
      found ||= isTooMuch && large.stopped !== 'parse'
      if (!isTooMuch && large.stopped === null && large.ms < 4 * yardstick) continue
      const marks = `${isTooMuch ? 'GROWS ' : ''}${large.stopped === null ? '' : `stopped: ${large.stopped}`}`
      const [before, after] = [small, large].map(({ ms }) => ms.toFixed(0).padStart(6))
      print(`${language.padEnd(11)} ${name.padEnd(34)} ${before} -> ${after} ms, n^${exponent.toFixed(1)} ${marks}`)
    } catch (error) {
      print(`${language.padEnd(11)} ${name.padEnd(34)} ended its parser: ${(error as Error).message}`)
      return found || runApart(language, at + 1)
    }
  }
  print(`${language.padEnd(11)} yardstick ${yardstick.toFixed(0)} ms`)
  return found
}

function runApart(language: Language, from: number): boolean {
  const flags = ['--liftoff-only', '--stack-size=1800', '--max-old-space-size=384']
  const args = [process.argv[1] ?? '', '--language', language, '--kb', values.kb, '--from', String(from)]
  return spawnSync(process.execPath, [...flags, ...args], { stdio: 'inherit' }).status !== 0
}

const asked = values.language === undefined ? undefined : parseLanguage(values.language)
const failed =
  asked === undefined ? languages.filter((one) => runApart(one, 0)).length > 0 : await isGrowing(asked, Number(values.from))
process.exitCode = failed ? 1 : 0
