/** One policy for parameters, rows, fetched content, arguments and the environment, the same in every language. */
import { describe, expect, it } from 'vitest'
import { type Language, languages } from '../../subgraphs/compliance/engine/languages.js'
import { compileRulebook } from '../../subgraphs/compliance/engine/rulebook/compile.js'
import { loadPacks, loadRules } from '../../subgraphs/compliance/engine/rulebook/load.js'
import { scanFile } from '../../subgraphs/compliance/engine/analyzer/scan-file.js'

const rules = loadRules().map(({ rule }) => rule)
const packs = loadPacks()
const injections = ['sql', 'nosql', 'command', 'code', 'template', 'ldap', 'xpath', 'jndi', 'predicate']
const managed = languages.filter((language) => language !== 'bash' && language !== 'sql')
const milder = { critical: 'high', high: 'medium', medium: 'medium', low: 'low' } as const

const found = async (language: Language, code: string): Promise<string[]> => {
  const book = compileRulebook(language, rules, packs)
  const { findings } = await scanFile(book, code, language, 'main', { maxSteps: 300_000, timeoutMs: 60_000 })
  return findings.map(({ severity, ruleId }) => `${severity} ${ruleId}`)
}

describe.each(managed)('every injection rule of %s', (language) => {
  const { taintRules } = compileRulebook(language, rules, packs)
  const all = injections.flatMap((kind) => taintRules.get(kind) ?? []).filter((rule) => rule.taint?.from['remote'] !== undefined)

  it('answers to a parameter one step below a request, when it was joined with text', () => {
    for (const { id, taint } of all) {
      const remote = taint?.from['remote'] ?? 'low'
      expect([id, taint?.from['param'], taint?.built.includes('param')]).toEqual([id, milder[remote], true])
    }
  })

  it('answers to stored rows and fetched content', () => {
    for (const { id, taint } of all) expect([id, taint?.from['stored'], taint?.from['fetched']]).not.toContain(undefined)
  })

  it('answers to arguments of the program where it runs commands', () => {
    for (const rule of taintRules.get('command') ?? []) expect(rule.taint?.from['local']).toBeDefined()
  })
})

describe('a parameter', () => {
  it.each([
    ['javascript', "export function run(name) { require('child_process').exec('ls ' + name) }"],
    ['python', "import os\ndef run(name):\n    os.system('ls ' + name)"],
    ['go', 'package a\nimport "os/exec"\nfunc List(name string) { exec.Command("sh", "-c", "ls "+name).Run() }'],
    ['ruby', 'def run(name)\n  system("ls #{name}")\nend'],
    ['rust', 'pub fn run(name: &str) { std::process::Command::new("sh").arg("-c").arg(format!("ls {name}")).status(); }'],
    ['swift', 'public func run(name: String) { system("ls \\(name)") }'],
    ['php', "<?php\nfunction run($name) { exec('ls ' . $name); }"],
    ['java', 'class A { public void run(String name) throws Exception { Runtime.getRuntime().exec("sh -c " + name); } }'],
  ] as const)('that %s joins into a command is reported as high', async (language, code) => {
    expect((await found(language, code)).some((one) => /^high .*command/.test(one))).toBe(true)
  })

  it.each([
    ['javascript', "export function run(command) { require('child_process').exec(command) }"],
    ['python', 'import os\ndef run(command):\n    os.system(command)'],
    ['ruby', 'def run(command)\n  system(command)\nend'],
    ['php', '<?php\nfunction run($command) { exec($command); }'],
  ] as const)('that %s merely passes on is silent', async (language, code) => {
    expect((await found(language, code)).filter((one) => /command/.test(one))).toEqual([])
  })
})

describe('a stored command', () => {
  it('is reported although nothing was joined with it', async () => {
    const code =
      "import sqlite3, subprocess\ndb = sqlite3.connect('q')\nfor (cmd,) in db.execute('select cmd from jobs'):\n    subprocess.run(cmd, shell=True)"
    expect(await found('python', code)).toContain('high py-command-injection')
  })
})
