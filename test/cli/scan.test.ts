/** `sluice scan` as a developer types it: files, formats, baselines, diffs, exit codes. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import { parseDiff } from '../../src/cli/scan/scan-diff.js'
import { parseIgnoreFile, pathMatcher, verdict } from '../../src/cli/scan/scan-ignore.js'
import { dangerous, flowing, harmless } from '../mcp/samples.js'
import { commandLine, type CommandLine } from './command-line.js'

let cli: CommandLine

beforeEach(() => {
  cli = commandLine()
})
afterEach(() => cli[Symbol.dispose]())

/** What one test has scanned, the next need not; those about the cache have one of their own. */
const caches = mkdtempSync(join(tmpdir(), 'sluice-scan-caches-'))
afterAll(() => rmSync(caches, { recursive: true, force: true }))

function write(name: string, text: string): void {
  const file = join(cli.folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const scanIn = (cache: string, ...args: string[]) => cli.run(['scan', ...args], { env: { XDG_CACHE_HOME: cache } })
const scan = (...args: string[]) => scanIn(caches, ...args)

async function scanned(...args: string[]): Promise<{ filename: string; rules: string[] }[]> {
  const { stdout } = await scan(...args, '--format', 'json')
  const { results } = JSON.parse(stdout) as { results: { filename: string; violations: { rule_id: string }[] }[] }
  return results.map(({ filename, violations }) => ({ filename, rules: violations.map(({ rule_id: id }) => id) }))
}

const names = async (...args: string[]): Promise<string[]> => (await scanned(...args)).map(({ filename }) => filename)

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=A', ...args], { cwd: cli.folder, stdio: 'pipe' })
}

describe('exit codes', () => {
  it('0 for code without violations', async () => {
    write('a.py', harmless)
    expect(await scan('.')).toEqual({
      code: 0,
      stdout: '1 file, 0 violations: 0 critical, 0 high, 0 medium, 0 low.\n',
      stderr: '',
    })
  })

  it('1 for violations, 0 for those below --fail-on', async () => {
    write('a.py', dangerous)
    const found = await scan('.')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(
      /^a\.py\n {2}a\.py:4:8: critical: py-command-injection: .*\n {4}\| os\.system\(.*\n {4}.*\n {4}Fix: .*\n {4}Breaks: OWASP Top 10 A05:2025, .*PCI DSS 4\.0\.1 6\.2\.4.*\n\n1 file, 1 violation: 1 critical/,
    )
    write('a.py', 'import hashlib\ndef f(data):\n    return hashlib.md5(data).hexdigest()\n')
    expect((await scan('.', '--fail-on', 'critical')).code).toBe(0)
  })

  it.each([
    [['nothing']],
    [['.', '--standard', 'none']],
    [['.', '--format', 'pdf']],
    [['.', '--baseline', 'missing.json']],
    [['.', '--write-baseline']],
    [['.', '--diff', 'HEAD']],
    [[]],
  ])('2 for the arguments %j', async (args) => {
    write('a.py', harmless)
    const { code, stdout, stderr } = await scan(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toContain('    at ')
  })
})

describe('which files', () => {
  it('follows .gitignore, leaves other people’s code, and reads interpreter lines', async () => {
    git('init', '-q')
    write('.gitignore', 'dist/\n*.gen.py\n!keep.gen.py\n/root.py\n')
    for (const name of [
      'src/a.py',
      'src/root.py',
      'root.py',
      'dist/b.py',
      'c.gen.py',
      'keep.gen.py',
      'node_modules/x/d.py',
      'e.txt',
    ])
      write(name, harmless)
    write('src/.gitignore', 'local.py\n')
    write('src/local.py', harmless)
    write('src/tool', '#!/usr/bin/env python3\nprint(1)\n')
    write('src/status.cgi', '#!/bin/sh -e\necho\n')
    write('src/data', 'no program\n')
    write('src/data.bin', '\0 no program\n')
    expect(await names('.')).toEqual(['keep.gen.py', 'src/a.py', 'src/root.py', 'src/status.cgi', 'src/tool'])
    expect(await names('src')).toEqual(['src/a.py', 'src/root.py', 'src/status.cgi', 'src/tool'])
    expect(await names('dist/b.py', 'src/tool')).toEqual(['dist/b.py', 'src/tool'])
  })

  it('takes include and exclude, rules and suppressions from the project', async () => {
    write('.compliance.yml', 'exclude: ["**/legacy/**"]\nrules: { CWE-328: "off" }\n')
    write('src/a.py', dangerous)
    write('src/legacy/b.py', dangerous)
    write(
      'src/c.py',
      dangerous.replace('    os', '    # compliance-ignore-next-line py-command-injection -- a tool for operators\n    os'),
    )
    expect(await scanned('.')).toEqual([
      { filename: 'src/a.py', rules: ['py-command-injection'] },
      { filename: 'src/c.py', rules: [] },
    ])
    write('.compliance.yml', 'exclude: 3\n')
    expect(await scan('.')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\.compliance\.yml is not valid at "exclude"/) as string,
    })
  })

  it('names the file of the project and the field where it asks for a standard that is not there', async () => {
    write('.compliance.yml', 'standards: [OWASP Top 10, nope]\n')
    write('a.py', harmless)
    expect(await scan('.')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /\.compliance\.yml is not valid at "standards\.1": Unknown standard "nope"\. Known standards: .*PCI DSS.*[^.]\.\n$/,
      ) as string,
    })
    expect((await scan('.', '--standard', 'PCI DSS')).stderr).toContain('.compliance.yml is not valid at "standards.1"')
  })

  it('leaves out what is too large or no text, and says what is too large', async () => {
    write('large.js', 'x()\n'.repeat(300_000))
    write('binary.js', '\0\0')
    const { code, stdout, stderr } = await scan('.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'large.js: larger than 1000000 bytes, left out.\n' })
    expect(stdout).toContain('0 files')
  })
})

describe('narrowing', () => {
  it('a baseline accepts what was there, wherever it moved, and nothing new', async () => {
    write('a.py', dangerous)
    const written = await scan('.', '--baseline', 'baseline.json', '--write-baseline')
    expect(written).toMatchObject({ code: 0, stderr: '1 violation accepted in baseline.json.\n' })
    write('a.py', `# moved\n${dangerous}`)
    expect((await scan('.', '--baseline', 'baseline.json')).code).toBe(0)
    write('a.py', `${dangerous}    os.system('rm ' + request.args['path'])\n`)
    expect(await scan('.', '--baseline', 'baseline.json')).toMatchObject({ code: 1, stderr: '1 violation found.\n' })
    write('b.py', dangerous)
    expect(await scan('.', '--baseline', 'baseline.json')).toMatchObject({ code: 1, stderr: '2 violations found.\n' })
  })

  it('a diff of a file with carriage returns alone as line ends shows all of its violations', async () => {
    git('init', '-q')
    write('a.py', dangerous.replaceAll('\n', '\r'))
    git('add', '-A')
    git('commit', '-qm', 'first')
    expect(await names('.', '--diff', 'HEAD')).toEqual([])
    write('a.py', `${dangerous}# more\n`.replaceAll('\n', '\r'))
    expect((await scan('.', '--diff', 'HEAD')).stdout).toContain('py-command-injection')
  })

  it('a diff shows violations on changed lines and in new files', async () => {
    git('init', '-q')
    write('a.py', dangerous)
    write('same.py', dangerous)
    git('add', '-A')
    git('commit', '-qm', 'first')
    expect(await names('.', '--diff', 'HEAD')).toEqual([])
    write('a.py', `${dangerous}    os.system('rm ' + request.args['path'])\n`)
    write('söme dir/new.py', dangerous)
    const { stdout, code } = await scan('.', '--diff', 'HEAD')
    expect(code).toBe(1)
    expect(stdout).toContain('a.py:5:')
    expect(stdout).not.toContain(
      'a.py:4:8: critical: py-command-injection: Shell command built from untrusted data (CWE-78)\n  Untrusted data reaches a shell, so a caller can run any program.\n  Fix: Call subprocess.run with a list of arguments and without shell=True.\na.py',
    )
    expect(stdout).toContain('söme dir/new.py:4:')
    git('add', '-A')
    git('commit', '-qm', 'second')
    expect(await names('.', '--diff', 'HEAD~1')).toEqual(['a.py', 'söme dir/new.py'])
    expect((await scan('.', '--diff', '--output=x')).code).toBe(2)
  })

  it('--standard reports under that standard', async () => {
    write('a.py', dangerous)
    const { stdout } = await scan('.', '--standard', 'soc 2', '--format', 'json')
    expect(stdout).toContain('"standard": "SOC 2"')
  })
})

describe('the cache', () => {
  it('gives the same answer, and notices a change of code and of configuration', async () => {
    const cache = join(cli.folder, '.cache-home')
    const file = join(cache, 'sluice', 'scan-cache.json')
    write('a.py', dangerous)
    const first = await scanIn(cache, '.')
    expect(readFileSync(file, 'utf8')).toContain('py-command-injection')
    expect(await scanIn(cache, '.')).toEqual(first)
    write('.compliance.yml', 'rules: { py-command-injection: low }\n')
    expect((await scanIn(cache, '.')).stdout).toContain('a.py:4:8: low:')
    write('a.py', harmless)
    expect((await scanIn(cache, '.')).code).toBe(0)
    writeFileSync(file, 'broken')
    expect((await scanIn(cache, '.')).code).toBe(0)
  })
})

describe('formats', () => {
  it('prints the steps of the data, one a line, but not those that stand on the line shown', async () => {
    write('a.py', flowing)
    write('b.py', dangerous)
    const { stdout } = await scan('.')
    expect(stdout).toContain(`    | os.system(command)
      4:12: request data enters here
      4:5: passes into "name"
      5:5: passes into "command"
      6:8: reaches the command sink
`)
    expect(stdout.slice(stdout.indexOf('b.py'))).not.toContain('enters here')
  })

  it('prints codeFlows in SARIF, also from the cache', async () => {
    write('a.py', flowing)
    const codeFlows = async () => {
      const { stdout } = await scanIn(join(cli.folder, '.cache-home'), '.', '--format', 'sarif')
      const { runs } = JSON.parse(stdout) as {
        runs: { results: { codeFlows?: { threadFlows: { locations: object[] }[] }[] }[] }[]
      }
      return runs[0]!.results.map((result) => result.codeFlows?.[0]?.threadFlows[0]?.locations.length)
    }
    expect(await codeFlows()).toEqual([4, undefined])
    expect(await codeFlows()).toEqual([4, undefined])
  })

  it('prints SARIF, JUnit and GitLab code quality', async () => {
    write('a&b.py', dangerous)
    write('ok.py', harmless)
    const sarif = JSON.parse((await scan('.', '--format', 'sarif')).stdout) as { version: string; runs: { results: object[] }[] }
    expect([sarif.version, sarif.runs[0]?.results.length]).toEqual(['2.1.0', 1])
    const junit = (await scan('.', '--format', 'junit')).stdout
    expect(junit).toMatch(
      /^<\?xml .*\n<testsuites name="sluice scan" tests="2" failures="1">\n {2}<testsuite name="a&amp;b.py" tests="1" failures="1" errors="0">/,
    )
    const [entry] = JSON.parse((await scan('.', '--format', 'gitlab')).stdout) as object[]
    expect(entry).toMatchObject({
      check_name: 'py-command-injection',
      severity: 'blocker',
      fingerprint: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      location: { path: 'a&b.py', lines: { begin: 4 } },
    })
  })
})

describe('ignore patterns', () => {
  it.each([
    ['*.log', 'a/b.log', false, true],
    ['*.log', 'a/b.log.txt', false, undefined],
    ['/a', 'a', true, true],
    ['/a', 'b/a', true, undefined],
    ['a/b', 'a/b', false, true],
    ['a/b', 'x/a/b', false, undefined],
    ['build/', 'x/build', true, true],
    ['build/', 'x/build', false, undefined],
    ['**/temp', 'x/y/temp', true, true],
    ['a/**/z', 'a/z', false, true],
    ['a/**/z', 'a/b/c/z', false, true],
    ['a/**', 'a/b/c', false, true],
    ['a?c', 'abc', false, true],
    ['a?c', 'a/c', false, undefined],
    ['[a-c].py', 'b.py', false, true],
    ['[!a-c].py', 'b.py', false, undefined],
    [String.raw`\#x`, '#x', false, true],
    ['#x', '#x', false, undefined],
    ['a.b(c)+', 'a.b(c)+', false, true],
    ['a.b', 'aXb', false, undefined],
    ['*\n!keep', 'keep', false, false],
  ])('%j on %s (folder: %s) is %s', (text, path, isFolder, expected) => {
    expect(verdict(parseIgnoreFile(text), path, isFolder)).toBe(expected)
  })

  it.each([
    ['src', 'src/a/b.py', true],
    ['src/**', 'src/b.py', true],
    ['src/*.py', 'src/b.py', true],
    ['*.min.js', 'a/b.min.js', true],
    ['src', 'other/src.py', false],
    ['src', 'srcs/a.py', false],
  ])('the glob %s takes %s: %s', (glob, path, expected) => {
    expect(pathMatcher([glob])(path)).toBe(expected)
  })
})

const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script')

it.skipIf(!hasTerminals)('on a terminal a bar counts the files and is gone when they are done (needs util-linux script)', () => {
  for (const index of [1, 2, 3]) write(`${index}.py`, harmless)
  const command = `"${process.execPath}" "${join(packageRoot, 'dist', 'src', 'main.js')}" scan . --no-cache`
  const shown = execFileSync('script', ['-qec', command, '/dev/null'], { cwd: cli.folder, encoding: 'utf8' })
  const counts = [...shown.matchAll(/(\d) of 3 files/g)].map(([, count]) => Number(count))
  expect(counts.at(0)).toBe(0)
  expect(counts.at(-1)).toBe(3)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  const [bar, report] = shown.split('3 files, 0 violations')
  // The line of the bar is cleared before anything else is printed.
  expect(bar).toContain('3 of 3 files')
  expect(bar!.endsWith('\u001B[2K')).toBe(true)
  expect(report).toMatch(/^: 0 critical/)
})

it('a diff is read by its new lines, and lines that look like headers are not', () => {
  const diff = [
    'diff --git a/x.sql b/x.sql',
    '--- a/x.sql',
    '+++ b/x.sql',
    '@@ -1,2 +1 @@',
    '--- old comment',
    '+++ b/not a header',
    '@@ -9,0 +8,2 @@ context',
    '+one',
    '+two',
    String.raw`diff --git "a/s\303\266.py" "b/s\303\266.py"`,
    '--- /dev/null',
    String.raw`+++ "b/s\303\266.py"`,
    '@@ -0,0 +1 @@',
    '+x',
    'diff --git a/gone.py b/gone.py',
    '--- a/gone.py',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
  ].join('\n')
  expect(parseDiff(diff)).toEqual(
    new Map([
      ['x.sql', new Set([1, 8, 9])],
      ['sö.py', new Set([1])],
    ]),
  )
})
