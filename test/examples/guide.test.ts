/** docs/*.md, done as a reader would do it: what can be run is run, what can only be read is read by what reads it. */
import { exec, execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSchema, parse as parseGraphql, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { loadConfig } from '../../src/config/config.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { parseConfig } from '../../subgraphs/compliance/engine/index.js'
import { packSchema } from '../../subgraphs/compliance/engine/rulebook/model-schema.js'
import { ruleFileSchema } from '../../subgraphs/compliance/engine/rulebook/schema.js'
import { startSluice, type ServerProcess } from '../kit/process.js'
import { blocksOf, commandsOf, type Block } from './blocks.js'

const DEFAULT_URL = 'http://127.0.0.1:8787'
const MAIN = join(packageRoot, 'dist', 'src', 'main.js')
const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'api.graphql'), 'utf8'))

/** These have tests of their own beside this one. */
const ELSEWHERE = ['docs/cold-models.md', 'docs/graphql-clients.md', 'docs/webhooks.md']
const blocks = globSync('docs/*.md', { cwd: packageRoot })
  .filter((file) => !ELSEWHERE.includes(file))
  .toSorted()
  .flatMap(blocksOf)
/** Each test takes its blocks from here; what is left in the end nobody has run or read. */
const untouched = new Set(blocks)
const take = (fits: (block: Block) => boolean): Block[] => {
  const taken = blocks.filter(fits)
  for (const block of taken) untouched.delete(block)
  return taken
}
const of = (file: string, language: string) => take((block) => block.file === `docs/${file}.md` && block.language === language)

let folder: string
/** A project with one finding that its main branch has already. */
let project: string
let server: ServerProcess
let key: string
let accountId: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-guide-'))
  // What a reader has installed in a project of their own.
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  project = mkdtempSync(join(folder, 'project-'))
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'src', 'old.py'), 'import hashlib\nhashlib.md5(password)\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: project })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'old')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  server = await startSluice(['serve'], { cwd: folder })
  key = /slk_\S+/.exec(server.printed())![0]
  const { stdout } = await bash('npx sluice accounts create reader --credits 1 --json')
  accountId = (JSON.parse(stdout) as { id: string }).id
})
afterAll(async () => {
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  SLUICE_API_KEY: key,
  SLUICE_URL: server.url,
  SLUICE_PORT: '0',
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a reader types, at the port that this server has. */
async function bash(command: string): Promise<Ended> {
  const here = command
    .replaceAll(DEFAULT_URL, server.url)
    .replaceAll('npx sluice', `"${process.execPath}" "${MAIN}"`)
    .replaceAll('<account id>', accountId)
  const ran = promisify(exec)(here, { cwd: project, env: environment(), shell: '/bin/bash' })
  return ran.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr })).catch((error: Ended) => error)
}

async function program(name: string, code: string, env: Record<string, string> = {}): Promise<string> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`)
  writeFileSync(file, code.replaceAll(DEFAULT_URL, server.url))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env: { ...environment(), ...env } })
  return stdout
}

async function graphql(query: string): Promise<{ data?: unknown; errors?: unknown }> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as { data?: unknown; errors?: unknown }
}

describe('commands', () => {
  it('of the start are those that npm has, and the key is what the start prints', () => {
    const typed = of('start', 'sh').flatMap(commandsOf)
    expect(typed).toContain('npm ci && npm start')
    expect(scripts['start']).toBeDefined()
    expect(typed).toContain('export SLUICE_API_KEY=slk_...')
  })

  it.each(['start', 'billing', 'answer-scan'])(
    'of docs/%s.md succeed, one after the other',
    async (file) => {
      const typed = of(file, 'sh')
        .flatMap(commandsOf)
        .filter((command) => /^(?:npx sluice|curl) /.test(command))
      expect(typed.length).toBeGreaterThan(0)
      for (const command of typed) {
        const { code, stdout, stderr } = await bash(command)
        expect({ command, code, stderr, isRefused: stdout.startsWith('{"error"') }).toMatchObject({ code: 0, isRefused: false })
      }
    },
    120_000,
  )

  it('of docs/scanning-in-ci.md end with the code that it says', async () => {
    const ends: Record<string, number> = {}
    for (const command of of('scanning-in-ci', 'sh').flatMap(commandsOf)) ends[command] = (await bash(command)).code
    expect(ends).toMatchObject({
      'npx sluice scan .': 1,
      'npx sluice scan src --standard "OWASP Top 10" --fail-on high': 0,
      'npx sluice scan . --format junit > sluice.xml': 1,
      'npx sluice scan . --diff origin/main': 0,
      'npx sluice scan . --write-baseline --baseline sluice-baseline.json': 0,
      'npx sluice scan . --baseline sluice-baseline.json': 0,
    })
    expect(Object.values(ends).filter((code) => code > 1)).toEqual([])
    expect((await bash('npx sluice scan nothing')).code).toBe(2)
    expect(readFileSync(join(project, 'sluice.xml'), 'utf8')).toContain('<testsuites')
    expect(JSON.parse(readFileSync(join(project, 'sluice.json'), 'utf8'))).toMatchObject({ status: 'completed' })
  }, 120_000)

  it('that are for machines, disks and databases that a reader has name what is there', () => {
    // command-names.test.ts reads those of the program itself.
    const typed = take((block) => block.language === 'sh' && untouched.has(block)).flatMap(commandsOf)
    expect(typed.length).toBeGreaterThan(8)
    for (const command of typed.filter((one) => !/^(?:npx )?sluice /.test(one))) {
      const [name, first = '', second = '', third = ''] = command.split(' ')
      const isThere =
        (name === 'npm' && (first === 'run' ? second in scripts : first === 'ci')) ||
        (name === 'npx' && first === 'vitest' && second === 'run' && existsSync(join(packageRoot, third))) ||
        (name === 'node' && existsSync(join(packageRoot, first))) ||
        command === 'kill -HUP <pid>'
      expect({ command, isThere }).toEqual({ command, isThere: true })
    }
  })
})

describe('programs', () => {
  it.each(of('sdks', 'js').map((block) => [block.heading, block.text] as const))('"%s" runs', async (heading, code) => {
    const printed = await program(heading, code)
    const expected: Record<string, RegExp> = {
      'OpenAI: an answer': /\w{2}[^]*\n\d+ tokens, billed under req_\w+\n$/,
      'OpenAI: a stream': /\w{2}[^]*\n\d+ tokens\n$/,
      'OpenAI: the Responses API': /\w{2}/,
      Anthropic: /\w{2}/,
      'Errors and retries': /^404 model_not_found 404 .+\n$/,
    }
    expect(printed).toMatch(expected[heading]!)
  })

  it('of the SDKs find address and key in the variables that are named', async () => {
    const code = `import OpenAI from 'openai'
      import Anthropic from '@anthropic-ai/sdk'
      const messages = [{ role: 'user', content: 'Hello' }]
      console.log((await new OpenAI().chat.completions.create({ model: 'light', messages })).object)
      console.log((await new Anthropic().messages.create({ model: 'light', max_tokens: 99, messages })).type)`
    const printed = await program('variables', code, {
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: key,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: key,
    })
    expect(printed).toBe('chat.completion\nmessage\n')
  })

  it('in Python are scanned as the text beside them says', async () => {
    const [block, ...more] = of('scanning-in-ci', 'python')
    expect(more).toEqual([])
    const scan = async (name: string, code: string) => {
      writeFileSync(join(folder, name), `import hashlib\n${code}\n`)
      return (await bash(`npx sluice scan ${join(folder, name)}`)).code
    }
    expect(await scan('accepted.py', block!.text)).toBe(0)
    expect(await scan('found.py', block!.text.replace(/^#.*\n/, ''))).toBe(1)
  })
})

describe('configuration', () => {
  it.each(['start', 'billing'])('of docs/%s.md is accepted as it stands', (file) => {
    for (const [at, { text }] of of(file, 'yaml').entries()) {
      const path = join(folder, `${file}-${at}.yaml`)
      writeFileSync(path, text)
      expect(loadConfig({ path, env: {}, workingDirectory: folder }).providers).not.toEqual([])
    }
  })

  it('of a project that is scanned is accepted as it stands', () => {
    const [block] = take(({ heading, language }) => heading === 'Settings of a project' && language === 'yaml')
    expect(parseConfig(block!.text)).toMatchObject({ threshold: 'medium', rules: { 'CWE-117': 'off' } })
  })

  it('of CI is YAML, and its steps run', async () => {
    const steps = of('scanning-in-ci', 'yaml').filter(({ heading }) => heading !== 'Settings of a project')
    expect(steps.map(({ heading }) => heading)).toEqual(['GitHub Actions', 'GitLab'])
    for (const { text } of steps) {
      expect(() => parseYaml(text) as unknown).not.toThrow()
      const command = /(npx sluice scan .+)$/m.exec(text)![1]!
      expect((await bash(command)).code).toBeLessThan(2)
      const file = /> (\S+)$/.exec(command)![1]!
      expect(text.split(file)).toHaveLength(3)
      expect(JSON.parse(readFileSync(join(project, file), 'utf8'))).toBeDefined()
    }
  })

  it('of rules is YAML, and whole files of it are what the scanner reads', () => {
    const yaml = of('scanner-rules', 'yaml')
    for (const { text } of yaml) expect(() => parseYaml(text, { uniqueKeys: false }) as unknown).not.toThrow()
    const whole = (begin: string) => parseYaml(yaml.find(({ text }) => text.startsWith(begin))!.text) as unknown
    expect(ruleFileSchema.safeParse(whole('rules:')).error).toBeUndefined()
    expect(packSchema.safeParse(whole('pack:')).error).toBeUndefined()
  })
})

describe('documents', () => {
  it('of GraphQL fit the schema, and queries are answered', async () => {
    const documents = take(({ language }) => language === 'graphql')
    const inline = globSync('docs/*.md', { cwd: packageRoot }).flatMap((file) =>
      [...readFileSync(join(packageRoot, file), 'utf8').matchAll(/`((?:query|mutation|subscription) \{[^`]+\})`/g)].map(
        ([, text]) => text!,
      ),
    )
    expect([documents.length >= 3, inline.length >= 1]).toEqual([true, true])
    for (const text of [...documents.map((block) => block.text), ...inline]) {
      expect([text, validate(schema, parseGraphql(text))]).toEqual([text, []])
      if (text.startsWith('query')) expect(await graphql(text)).not.toHaveProperty('errors')
    }
  })

  it('of JSON can be parsed', () => {
    for (const { text } of take(({ language }) => language === 'json')) expect(() => JSON.parse(text) as unknown).not.toThrow()
  })
})

it('no block of the guide is left out, but pictures', () => {
  expect([...untouched].map(({ file, language }) => `${file} ${language}`)).toEqual(['docs/architecture.md '])
})
