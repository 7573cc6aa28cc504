/** The largest files that the scanner takes and files of many ways, each in an analyzer of its own: what they cost, in processor time and memory. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Language } from '../../subgraphs/compliance/engine/index.js'

/**
 * The bar is 3 seconds where the yardstick below takes 68 ms. Machines differ, and one machine differs from hour to hour, so the
 * bar is this ratio and not the seconds; on a processor that reads JSON fast the same code has measured 41, on others less than 37.
 * Counted is the thread that analyzes, for which a caller waits: V8 compiles and collects beside it with whatever the machine has
 * to spare, which for the same file is a half of that or a tenth.
 */
const YARDSTICKS_A_MEGABYTE = 44

interface Measured {
  readonly cost: number
  readonly peakBytes: number
  readonly isTruncated: boolean
}

/** The least of up to six: whoever else is at work on the machine takes caches and memory away, which only adds to the cost. */
async function measured(language: Language, code: string): Promise<Measured> {
  let least = await measuredOnce(language, code)
  for (let again = 0; again < 5 && least.cost >= YARDSTICKS_A_MEGABYTE; again++) {
    const next = await measuredOnce(language, code)
    if (next.cost < least.cost) least = next
  }
  return least
}

/** One file in an analyzer of its own: what it costs, in yardsticks of processor time. The rules are loaded before. */
async function measuredOnce(language: Language, code: string): Promise<Measured> {
  const script = `
    const { loadPacks, loadRules } = await import('./rulebook/load.js')
    const { compileRulebook } = await import('./rulebook/compile.js')
    const { scanFile } = await import('./analyzer/scan-file.js')
    const { buffer } = await import('node:stream/consumers')
    const { existsSync, readFileSync } = await import('node:fs')
    const code = (await buffer(process.stdin)).toString()
    const book = compileRulebook('${language}', loadRules().map(({ rule }) => rule), loadPacks())
    await scanFile(book, '', '${language}', 'main', { maxSteps: 300_000, timeoutMs: 60_000 })
    const cpuMs = () => {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1000
    }
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'name ' + id, tags: ['a' + (id % 7), 'b' + (id % 11)] }))
    const yardstick = () => {
      const from = cpuMs()
      for (let round = 0; round < 5; round++) {
        const json = JSON.stringify(rows)
        if ([...json.matchAll(/"name":"(\\w+ \\d+)"/g)].length !== JSON.parse(json).length) throw new Error('miscounted')
      }
      return cpuMs() - from
    }
    const yards = [yardstick(), yardstick()]
    // No stage is ended here: what the limits of a stage are in milliseconds, the bar is in yardsticks.
    const before = cpuMs()
    const { stopped } = await scanFile(book, code, '${language}', 'main', { maxSteps: 300_000, timeoutMs: 60_000, parsing: { parseMs: 60_000, parseMsPerKb: 0 } })
    const spent = cpuMs() - before
    // On Linux the usual figure of a process begins with the size of the one that has started it.
    const peakKb = existsSync('/proc/self/status')
      ? Number(/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
      : process.resourceUsage().maxRSS
    const peakBytes = peakKb * 1024
    yards.push(yardstick(), yardstick())
    const cost = spent / (yards.reduce((sum, yard) => sum + yard) / yards.length)
    console.log(JSON.stringify({ cost, peakBytes, isTruncated: stopped !== null }))`
  const folder = fileURLToPath(new URL('../../dist/subgraphs/compliance/engine', import.meta.url))
  const flags = [
    '--liftoff-only',
    '--min-semi-space-size=16',
    '--max-semi-space-size=32',
    '--max-old-space-size=384',
    '--stack-size=1800',
    '--input-type=module',
    '--eval',
    script,
  ]
  const child = spawn(process.execPath, flags, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(code)
  return JSON.parse(await text(child.stdout)) as Measured
}

it('analyzes a file of one megabyte within the bar of processor time and 600 MB', async () => {
  const line = 'export function handler(req, res) { const name = req.query.name; res.json({ name: `hello ${name}` }) }\n'
  const { cost, peakBytes, isTruncated } = await measured('javascript', line.repeat(Math.floor(990_000 / line.length)))
  expect(isTruncated).toBe(false)
  expect(cost).toBeLessThan(YARDSTICKS_A_MEGABYTE)
  expect(peakBytes).toBeLessThan(600_000_000)
}, 240_000)

it('follows helpers that call each other in loops: a sink is kept once, however many ways lead to it', async () => {
  const helper = (level: number): string => `static inline void copy${level}(struct stream *s, char *to) {
  for (int i = 0; i < s->count; i++) {
    if (s->left > i) COPY(to, s);
    ${level === 0 ? 'COPY(to + i, s)' : `copy${level - 1}(s, to); copy${level - 1}(s, to + s->skip)`};
  }
}
`
  const code = `#define COPY(to, s) memcpy((to) + (s)->at, (s)->data + (s)->skip, (s)->length)
${Array.from({ length: 12 }, (_, level) => helper(level)).join('')}`
  const { cost, peakBytes, isTruncated } = await measured('c', code)
  expect(isTruncated).toBe(false)
  expect(cost).toBeLessThan(YARDSTICKS_A_MEGABYTE)
  expect(peakBytes).toBeLessThan(300_000_000)
})

const hostile: [what: string, language: Language, piece: string][] = [
  ['keywords of secrets in one line', 'javascript', '// key password secret token api_key AKIA Q~ '],
  ['tokens of one shell line', 'bash', '( echo $x | grep -r password && '],
  ['tokens of one SQL statement', 'sql', 'SELECT ( a, password FROM t WHERE '],
  ['quotes that never end', 'bash', `"'\\ `],
  ['here-documents that never end', 'bash', 'cat <<EOF\n'],
]

it.each(hostile)('analyzes one megabyte of %s within the bar of processor time', async (_, language, piece) => {
  const { cost, isTruncated } = await measured(language, piece.repeat(Math.floor(990_000 / piece.length)))
  expect(isTruncated).toBe(false)
  expect(cost).toBeLessThan(YARDSTICKS_A_MEGABYTE)
})
