/** README, done as a reader would do it: every block is run, and every file and command that it names exists. */
import { exec, execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const DEFAULT_URL = 'http://127.0.0.1:8787'
const MAIN = join(packageRoot, 'dist', 'src', 'main.js')
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
/** What README sends its reader to for the rest of an example. */
const coldModels = readFileSync(join(packageRoot, 'docs', 'cold-models.md'), 'utf8')
const scripts = (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts

interface Block {
  readonly language: string
  readonly text: string
}

const blocks: Block[] = [...`${readme}\n${coldModels}`.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({
    language,
    text: text.trimEnd(),
  }),
)
/** Each test takes its blocks from here; what is left in the end nobody has run. */
const untouched = new Set(blocks)
const take = (fits: (block: Block) => boolean): Block[] => {
  const taken = blocks.filter(fits)
  for (const block of taken) untouched.delete(block)
  return taken
}

const cold = (id: string) => ({
  id,
  tier: 'light',
  context_window: 8192,
  max_output_tokens: 64,
  deploy: {
    gpu_model: 'L4',
    gpu_count: 1,
    vram_gb: 24,
    estimated_seconds: 300,
    input_price_per_million: '0.001',
    output_price_per_million: '0.002',
  },
})

let folder: string
let server: ServerProcess
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-readme-'))
  // `import 'openai'` in a reader's own project, which has it installed.
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  // Every test of a cold start needs a model of its own; the shipped ones stay as they are.
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({ models: ['cold-1', 'cold-2', 'cold-3', 'cold-4'].map(cold) }),
  )
  // The serve part of `npm start`, without the build.
  server = await startSluice(['serve'], { cwd: folder })
  key = /slk_\S+/.exec(server.printed())![0]
})
afterAll(async () => {
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

const environment = () => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], SLUICE_API_KEY: key, SLUICE_URL: server.url })

/** What a reader types, at the port that this server has. How npx finds the program is seen where an assistant starts it. */
async function bash(command: string, cwd = folder): Promise<string> {
  const options = { cwd, env: environment(), shell: '/bin/bash' }
  const here = command.replaceAll(DEFAULT_URL, server.url).replaceAll('npx sluice', `"${process.execPath}" "${MAIN}"`)
  const { stdout } = await promisify(exec)(here, options)
  return stdout
}

describe('start', () => {
  it('"npm start" builds and then serves', () => {
    expect(take(({ text }) => text === 'npm ci && npm start')).toHaveLength(1)
    expect(scripts['start']).toBe('npm run --silent build && node dist/src/main.js serve')
  })

  it('prints what README says it prints', () => {
    expect(readme).toContain(
      'serves on 127.0.0.1:8787 and prints its URLs, your first key (`slk_...`, shown once) and a ready curl',
    )
    expect(server.printed()).toMatch(/^Sluice is ready at http:[^]*\/graphql[^]*shown once[^]*slk_[^]*curl /m)
  })

  it('the curl that the first start prints works exactly as it is printed', async () => {
    const printed = server.printed()
    const command = printed.slice(printed.indexOf('  curl '))
    expect(command).toContain(key)
    const { stdout } = await promisify(exec)(command, { cwd: folder, env: { PATH: process.env['PATH'] }, shell: '/bin/bash' })
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] })
  })

  it('"npm ci" and "npm test" are what CI runs on a clean checkout', () => {
    expect(take(({ text }) => text === 'npm ci && npm test')).toHaveLength(1)
    const commands = readFileSync(join(packageRoot, '.ci', 'run'), 'utf8').split('\n')
    for (const command of ['npm ci', 'npm run check', 'npm test']) expect(commands).toContain(command)
    expect(scripts['test']).toContain('vitest run')
  })
})

describe('ask', () => {
  const curls = take(({ text }) => text.startsWith('curl '))

  it('every curl is answered', async () => {
    expect(curls.length).toBeGreaterThanOrEqual(4)
    const outputs = await Promise.all(curls.map(({ text }) => bash(text)))
    const kinds = outputs.map((output) => {
      if (output.includes('event: next')) return output.includes('event: complete') && 'subscription'
      const { object, summary } = JSON.parse(output) as { object?: string; summary?: { total_violations: number } }
      return object ?? `${summary?.total_violations} violation`
    })
    expect(kinds).toEqual(['chat.completion', 'subscription', 'credits', '1 violation', 'chat.completion'])
  })

  const [streamed, clients, helper, ...more] = take(({ language }) => language === 'js')
  const hello = (model: string) => `{ model: '${model}', messages: [{ role: 'user', content: 'Hello' }] }`

  async function javascript(name: string, code: string): Promise<string> {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, code.replaceAll(DEFAULT_URL, server.url))
    return (await promisify(execFile)(process.execPath, [file], { cwd: folder, env: environment() })).stdout
  }

  it('the official SDK streams an answer', async () => {
    expect(more).toEqual([])
    expect((await javascript('stream', streamed!.text)).length).toBeGreaterThan(10)
  })

  it('urql, Apollo Client and graphql-sse reach the graph', async () => {
    const asks = `const query = 'query { viewer { id } }'
      console.log((await urql.query(query, {}).toPromise()).data.viewer.id)
      const { gql } = await import('@apollo/client')
      console.log((await apollo.query({ query: gql(query) })).data.viewer.id)
      const { value } = await sse.iterate({ query: 'subscription { creditBalance { id } }' }).next()
      console.log(value.data.creditBalance.id)
      sse.dispose()`
    const ids = (await javascript('clients', `${clients!.text}\n${asks}`)).trim().split('\n')
    expect(ids).toEqual([expect.stringMatching(/^acc_/), ids[0], ids[0]])
  })

  it('with the helper the official SDK gets past the 202 of a cold model, whole and streamed', async () => {
    const client = streamed!.text.split('\n').slice(0, 3).join('\n')
    const first = `const { response } = await client.chat.completions.create(${hello('cold-1')}).withResponse()
      console.log(response.status)`
    const whole = `console.log((await createWhenDeployed(client, ${hello('cold-1')})).choices[0].message.content)`
    const pieces = `let text = ''
      for await (const { choices } of await createWhenDeployed(client, { ...${hello('cold-2')}, stream: true }))
        text += choices[0]?.delta.content ?? ''
      console.log(text)`
    const printed = await javascript('cold', [client, helper!.text, first, whole, pieces].join('\n'))
    const [status, ...answers] = printed.trimEnd().split('\n')
    expect(status).toBe('202')
    expect(answers.filter((answer) => answer.length > 10)).toHaveLength(2)
  }, 60_000)

  it('in the SDK a header makes a request wait for a cold model', async () => {
    const options = /`create\(request, (.+?)\)`/.exec(coldModels)![1]!
    const client = streamed!.text.split('\n').slice(0, 3).join('\n')
    const code = `${client}
      console.log((await client.chat.completions.create(${hello('cold-3')}, ${options})).choices[0].message.content)`
    expect((await javascript('wait', code)).length).toBeGreaterThan(10)
  }, 60_000)

  it('in retry mode the official SDK waits by itself', async () => {
    const command = /`(npx sluice accounts update .+?)`/.exec(coldModels)![1]!
    const construct = /`(new OpenAI\(.+?\))`/.exec(coldModels)![1]!
    const created = JSON.parse(await bash('npx sluice accounts create patient --credits 5 --json')) as { id: string }
    await bash(command.replace('<account id>', created.id))
    const made = await bash(`npx sluice keys create --account ${created.id} --name patient --scopes chat --json`)
    const { key: secret } = JSON.parse(made) as { key: string }
    const code = `import OpenAI from 'openai'
      const baseURL = '${DEFAULT_URL}/v1', apiKey = '${secret}'
      const client = ${construct}
      console.log((await client.chat.completions.create(${hello('cold-4')})).choices[0].message.content)`
    expect((await javascript('retry', code)).length).toBeGreaterThan(10)
  }, 60_000)
})

describe('scan', () => {
  it('the step for CI writes SARIF', async () => {
    const [block] = take(({ language, text }) => language === 'yaml' && text.startsWith('- run:'))
    const project = mkdtempSync(join(folder, 'project-'))
    writeFileSync(join(project, 'clean.py'), 'print(1)\n')
    const command = /^- run: (npx sluice .+)$/m.exec(block!.text)![1]!
    await bash(command, project)
    const file = /sarif_file: (\S+)/.exec(block!.text)![1]!
    expect(JSON.parse(readFileSync(join(project, file), 'utf8'))).toMatchObject({ version: '2.1.0' })
  })

  it('an assistant that is configured so has the five tools', async () => {
    const [block, ...more] = take(({ language }) => language === 'json')
    expect(more).toEqual([])
    const { mcpServers } = JSON.parse(block!.text) as { mcpServers: { sluice: { command: string; args: string[] } } }
    const client = new Client({ name: 'reader', version: '1.0.0' })
    const env = { PATH: process.env['PATH'] ?? '', npm_config_offline: 'true' }
    await client.connect(new StdioClientTransport({ ...mcpServers.sluice, cwd: packageRoot, env }))
    expect((await client.listTools()).tools).toHaveLength(5)
    await client.close()
  })
})

describe('configure', () => {
  it('the configuration is accepted as it stands', () => {
    const [block] = take(({ language, text }) => language === 'yaml' && text.startsWith('database:'))
    const path = join(folder, 'example.config.yaml')
    writeFileSync(path, block!.text)
    const config = loadConfig({ path, env: { EXAMPLE_API_KEY: 'x' }, workingDirectory: folder })
    expect(config.models[0]).toMatchObject({ id: 'my-model', deployments: [{ input_price_per_million: '0.10' }] })
  })

  it('the variables that it names are read', () => {
    for (const [name] of readme.matchAll(/SLUICE_[A-Z_]+/g)) {
      const sources = ['src/config/config.ts', 'src/config/environment.ts', 'src/cli/client-settings.ts'].map((file) =>
        readFileSync(join(packageRoot, file), 'utf8'),
      )
      expect({ name, isRead: sources.some((source) => source.includes(name)) }).toEqual({ name, isRead: true })
    }
  })
})

describe('operate', () => {
  it('every "npx sluice" command succeeds', async () => {
    const commands = take(({ text }) => text.startsWith('npx sluice')).flatMap(({ text }) => text.split('\n'))
    expect(commands.length).toBeGreaterThanOrEqual(4)
    const project = mkdtempSync(join(folder, 'project-'))
    mkdirSync(join(project, 'src'))
    writeFileSync(join(project, 'src', 'clean.py'), 'print(1)\n')
    await Promise.all(
      commands.map(async (command) => {
        expect(command).toMatch(/^npx sluice /)
        expect(await bash(`SLUICE_PORT=0 ${command}`, project)).not.toBe('')
      }),
    )
  }, 60_000)

  it('every command that the text names exists', async () => {
    const { stdout } = await runSluice(['--help'])
    const known = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!)
    const named = [...readme.matchAll(/`(?:[a-z ]*)sluice ([a-z]+)/g)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(2)
    expect(known).toEqual(expect.arrayContaining(named))
  })
})

describe('the document', () => {
  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: packageRoot })])(
    '%s links to nothing that is not there',
    (file) => {
      const text = readFileSync(join(packageRoot, file), 'utf8')
      const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link!)
      for (const link of links.filter((target) => !/^https?:/.test(target))) {
        expect({ link, exists: existsSync(join(packageRoot, dirname(file), link)) }).toEqual({ link, exists: true })
      }
    },
  )

  it('comes with licence, contribution, security and change notes', () => {
    for (const file of ['LICENSE', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']) {
      expect(readFileSync(join(packageRoot, file), 'utf8').length).toBeGreaterThan(200)
    }
    expect(readFileSync(join(packageRoot, 'LICENSE'), 'utf8')).toContain('MIT License')
  })

  it('has no block that these tests leave out, but the picture', () => {
    expect([...untouched].map(({ text }) => text.split('\n')[0]!.trim())).toEqual([
      'OpenAI SDK ──► /v1 ──────┐                            ┌─► hosted providers',
    ])
  })
})
