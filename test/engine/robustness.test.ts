/** Whatever text comes in: an answer in time, right positions, and no file that harms another. */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { addSummaries, createScanner, type Language, languages } from '../../subgraphs/compliance/engine/index.js'
import { byEffort } from '../kit/effort.js'
import { ManualClock } from '../kit/manual-clock.js'

/** As long as a machine may take on which everything takes long; what a file may cost is measured elsewhere. */
const UNHURRIED = { fileTimeoutMs: 60_000, scanTimeoutMs: 60_000 }
const scanner = createScanner({ analyzers: 2, limits: { maxFiles: 5000, ...UNHURRIED } })
const impatient = createScanner({ analyzers: 1, limits: { fileTimeoutMs: 500 } })
afterAll(() => Promise.all([scanner.close(), impatient.close()]))

/** One line in each language that some shipped secret rule reports. */
const secretLine: Record<Language, string> = {
  javascript: 'const k = "SECRET"',
  typescript: 'const k: string = "SECRET"',
  python: 'k = "SECRET"',
  java: 'class A { String k = "SECRET"; }',
  go: 'var k = "SECRET"',
  csharp: 'class A { string k = "SECRET"; }',
  php: '<?php $k = "SECRET";',
  ruby: 'k = "SECRET"',
  swift: 'let k = "SECRET"',
  kotlin: 'val k = "SECRET"',
  rust: 'const K: &str = "SECRET";',
  c: 'char *k = "SECRET";',
  cpp: 'std::string k = "SECRET";',
  scala: 'val k = "SECRET"',
  bash: 'k="SECRET"',
  sql: "SELECT 'SECRET';",
}
const secret = ['ghp', 'x9Kq2mZr7Lw4Vb8Tn3Yc6Hd1Jf5Gs0Pa2Qe7'].join('_')

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '(',
        ')',
        '{',
        '}',
        '[',
        ']',
        '"',
        "'",
        '`',
        '<',
        '>',
        ';',
        '\n',
        '\r\n',
        '\t',
        '$',
        '@',
        '#',
        '\\',
        '/*',
        '*/',
        '//',
        '\u0000',
        '😀',
        'def ',
        'class ',
        'if ',
        'EOF',
        '<<',
        '=>',
        '${',
        '%',
        'x',
        '1.e',
        '\uFEFF',
        '\uD800',
      ),
      { maxLength: 200 },
    )
    .map((parts) => parts.join('')),
)

/** Noise that the parser of Scala does not come to an end with. */
function endless(): string {
  let seed = 1
  return Array.from({ length: 330_000 }, () => String.fromCharCode((seed = (seed * 48_271) % 2_147_483_647) % 55_000)).join('')
}

/** Each parser stands in for those of its kind. */
const nested = byEffort<readonly Language[]>({ brief: ['c', 'javascript', 'python'], short: languages, long: languages })

describe('hostile input', () => {
  it('answers arbitrary text in every language without an error', async () => {
    const texts = fc.sample(noise, { numRuns: 25, seed: 7 })
    const files = languages.flatMap((language) => texts.map((code) => ({ code, language })))
    const results = await scanner.scan(files)
    expect(results.filter((result) => result.error !== null).map((result) => result.language)).toEqual([])
    for (const [at, result] of results.entries()) {
      const lineCount = (files[at]?.code ?? '').split('\n').length
      for (const violation of result.violations) expect(violation.line).toBeLessThanOrEqual(lineCount)
    }
  })

  it(`answers 100,000 nested parentheses in ${nested.length} languages`, async () => {
    const code = `x = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`
    const results = await scanner.scan(nested.map((language) => ({ code, language })))
    expect(results.map((result) => result.error)).toEqual(nested.map(() => null))
  })

  it('answers long chains of operators, calls and branches', async () => {
    const chain = `x = ${Array.from({ length: 5000 }, (_, at) => `"a${at}"`).join(' + ')}`
    const calls = `x${'.f()'.repeat(5000)}`
    const branches = `if (a) {}${' else if (b) {}'.repeat(2000)}`
    const results = await scanner.scan([chain, calls, branches].map((code) => ({ code, language: 'javascript' as const })))
    expect(results.map((result) => result.error)).toEqual([null, null, null])
  })

  it('cancels a parser that does not come to an end: noise as Scala within its deadline', async () => {
    const code = endless()
    await impatient.scan([{ code: 'val x = 1', language: 'scala' }])
    const [result] = await impatient.scan([{ code, language: 'scala' }])
    expect(result?.isTruncated).toBe(true)
  })

  it('asks the rules on the text of a file whose analyzer did not get to answer in time', async () => {
    const clock = new ManualClock()
    const busy = createScanner({ analyzers: 1, clock, limits: { fileTimeoutMs: 1_000, scanTimeoutMs: 600_000 } })
    const scan = busy.scan([{ code: `const key = "${['AKIA', 'QYLPMN5HFIQR7XYZ'].join('')}"`, language: 'javascript' }])
    // Its start, its time and the grace.
    await clock.advance(11_400)
    const [result] = await scan
    expect(result).toMatchObject({
      isTruncated: true,
      error: null,
      warnings: [expect.stringContaining('Only the rules on its text')],
    })
    expect(result!.violations.map(({ line }) => line)).toEqual([1])
    await busy.close()
  })

  it('keeps analyzing Swift for as long as it is asked to', async () => {
    const code = Array.from(
      { length: 40 },
      (_, at) => `func f${at}(a: String) -> String { return "x \\(a)" + g(a.map { $0 }) }`,
    ).join('\n')
    const results = await scanner.scan(Array.from({ length: 60 }, () => ({ code, language: 'swift' as const })))
    expect(results.filter((result) => result.error !== null)).toEqual([])
  })

  it('refuses a file of ten megabytes before any analysis', async () => {
    await expect(scanner.scan([{ code: 'x'.repeat(10_000_000), language: 'python' }])).rejects.toMatchObject({
      code: 'invalid_request_error',
      param: 'files[0].code',
    })
  })

  it('stops waiting when the caller goes away', async () => {
    const controller = new AbortController()
    const scan = scanner.scan(
      Array.from({ length: 50 }, () => ({ code: 'let a = 1', language: 'swift' as const })),
      {},
      controller.signal,
    )
    controller.abort(new Error('gone'))
    await expect(scan).rejects.toThrow('gone')
  })

  it('frees the analyzers of a scan that ran out of time or was cancelled: the next one does not wait for its files', async () => {
    const fileTimeoutMs = 60_000
    const patient = createScanner({ analyzers: 1, limits: { fileTimeoutMs, scanTimeoutMs: 300 } })
    try {
      const small = [{ code: 'let a = 1', language: 'javascript' as const }]
      await patient.scan(small).catch(() => null)
      await patient.scan([{ code: 'val x = 1', language: 'scala' }]).catch(() => null)
      for (const controller of [null, new AbortController()]) {
        const scan = patient.scan([{ code: endless(), language: 'scala' }], {}, controller?.signal)
        if (controller !== null) setImmediate(() => controller.abort(new Error('gone')))
        await expect(scan).rejects.toThrow(controller === null ? 'The scan took too long.' : 'gone')
        const health = await patient.health()
        expect(health.status).not.toBe('down')
        expect(health.latencyMs).toBeLessThan(fileTimeoutMs)
      }
    } finally {
      await patient.close()
    }
  })
})

describe('positions', () => {
  it.each(languages)(
    '%s: right under LF, CRLF, CR, a byte order mark and characters outside of the basic plane',
    async (language) => {
      const line = secretLine[language].replace('SECRET', secret)
      const comment = { bash: '# 😀', python: '# 😀', ruby: '# 😀', sql: '-- 😀' }[language as string] ?? '// 😀'
      const first = language === 'php' ? '<?php // 😀 ?>' : comment
      const plain = `${first}\n${line}\n`
      const variants = ['\n', '\r\n', '\r'].flatMap((end) => {
        const ended = plain.replaceAll('\n', end)
        return [ended, `\uFEFF${ended}`]
      })
      variants.push(`${first}\r${line}\n`, `${first}\n${line}\r`)
      const results = await scanner.scan(variants.map((code) => ({ code, language })))
      const places = results.map((result) =>
        result.violations
          .filter((violation) => violation.ruleId === 'secret-github-token')
          .map(({ line: at, column, endLine, endColumn }) => [at, column, endLine, endColumn]),
      )
      const column = line.indexOf(secret) + 1
      expect(places).toEqual(variants.map(() => [[2, column, 2, column + secret.length]]))
    },
  )

  it('counts columns in UTF-16 code units and leaves the byte order mark out', async () => {
    const [result] = await scanner.scan([{ code: `\uFEFFlet a = "😀"; let k = "${secret}"`, language: 'javascript' }])
    expect(result?.violations.find((violation) => violation.ruleId === 'secret-github-token')).toMatchObject({
      line: 1,
      column: 24,
    })
  })
})

describe('batches', () => {
  const files = languages.map((language) => ({
    code: `${secretLine[language].replace('SECRET', secret)}\n`,
    language,
    filename: `a.${language}`,
  }))

  it('gives the same results as the scans one by one, in the order of the files', async () => {
    const together = await scanner.scan(files)
    const apart = []
    for (const file of files) apart.push(...(await scanner.scan([file])))
    expect(together).toEqual(apart)
  })

  it('adds up: summaries count the violations', async () => {
    const results = await scanner.scan(files)
    for (const { summary, violations } of results) {
      expect(summary.totalViolations).toBe(violations.length)
      expect(summary.critical + summary.high + summary.medium + summary.low).toBe(summary.totalViolations)
    }
    const total = addSummaries(results.map((result) => result.summary))
    expect(total.totalViolations).toBe(results.flatMap((result) => result.violations).length)
  })

  it('reports progress once per file, up to the total', async () => {
    const seen: number[] = []
    await scanner.scan(files, {}, undefined, (done, total) => {
      seen.push(done)
      expect(total).toBe(files.length)
    })
    expect(seen).toEqual(files.map((_, at) => at + 1))
  })
})
