/** What a newcomer meets first: help, completion, the page at /, usage, and sentences instead of riddles when something is wrong. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { postgresUrl } from '../kit/database.js'
import { runSluice } from '../kit/process.js'
import { commandLine, type CommandLine } from './command-line.js'

let app: TestApp
let sluice: CommandLine
const folder = mkdtempSync(join(tmpdir(), 'sluice-first-'))
beforeAll(async () => {
  app = await startTestApp({
    config: {
      sandbox: true,
      models: [
        { id: 'mine', sandbox: true, deploy: { vram_gb: 8, input_price_per_million: '0.1', output_price_per_million: '0.1' } },
      ],
      catalog: { include_shipped: true },
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.1 }], cold_start_mode: 'retry' },
    },
  })
  sluice = commandLine(app)
})
afterAll(async () => {
  sluice[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

describe('help', () => {
  it('every command, argument aside, and every option says what it is for', () => {
    const silent = withSubcommands(createProgram()).flatMap((command) => [
      ...(command.description() === '' ? [command.name()] : []),
      ...command.options.filter(({ description }) => description === '').map(({ flags }) => `${command.name()} ${flags}`),
    ])
    expect(silent).toEqual([])
  })
})

describe('sluice completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks the program back', async (shell) => {
    const { code, stdout } = await sluice.run(['completion', shell])
    expect(code).toBe(0)
    expect(stdout).toContain('sluice complete')
  })

  it('the script of bash is one, and completes commands', async () => {
    const { stdout } = await sluice.run(['completion', 'bash'])
    execFileSync('bash', ['-n'], { input: stdout })
    expect((await sluice.run(['complete', '--', 'pri'])).stdout).toMatch(/^prices\t/)
    expect((await sluice.run(['complete', '--', 'keys', ''])).stdout).toMatch(/^create\t[\s\S]*^revoke\t/m)
  })
})

interface UsageLine {
  readonly modelId: string
  readonly outputTokens: number
  readonly cost: string
  readonly firstTokenMs: number | null
  readonly attempts: number
}

describe('sluice usage', () => {
  it('lists requests with tokens and cost, and adds them up', async () => {
    const { id, key } = await app.account({ credits: '5' })
    const client = app.openai(key)
    for (let i = 0; i < 2; i++) {
      await client.chat.completions.create({ model: 'light', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 })
    }
    const rows = await sluice.json<UsageLine[]>('usage', '--account', id)
    expect(rows).toHaveLength(2)
    expect(rows.every(({ outputTokens, cost }) => outputTokens > 0 && Number(cost) > 0)).toBe(true)
    expect(rows.map(({ firstTokenMs, attempts }) => [firstTokenMs, attempts])).toEqual([
      [null, 1],
      [null, 1],
    ])
    expect(await sluice.json('usage', '--account', id, '--limit', '1')).toHaveLength(1)
    expect(await sluice.json('usage', '--account', id, '--since', '1h')).toHaveLength(2)
    const [sum] = await sluice.json<{ requests: number }[]>('usage', '--account', id, '--by', 'model')
    expect(sum).toMatchObject({ requests: 2, group: rows[0]!.modelId })
    expect(await sluice.json('usage', '--account', id, '--api', 'chat_completions')).toHaveLength(2)
    expect(await sluice.json('usage', '--account', id, '--api', 'messages')).toEqual([])
    expect(await sluice.json('usage', '--account', id, '--min-cost', rows[0]!.cost)).toHaveLength(2)
    expect(await sluice.json('usage', '--account', id, '--min-cost', '1')).toEqual([])
    expect(await sluice.json('usage', '--account', id, '--by', 'model', '--min-cost', '1')).toEqual([])
    expect((await sluice.run(['usage', '--api', 'telepathy'])).code).toBe(2)
    expect((await sluice.run(['usage', '--since', 'yesterday'])).code).toBe(2)
    expect((await sluice.run(['usage', '--account', 'acc_nobody'])).stderr).toBe('There is no such account.\n')
  })
})

describe('sluice usage with filters', () => {
  const usage = (...options: string[]) => sluice.json<UsageLine[]>('usage', '--since', '1h', ...options)

  it('finds the requests of a model, a provider, a key, and those that failed', async () => {
    const { id, key, keyId } = await app.account({ credits: '5' })
    const ask = (model: string) =>
      app.openai(key).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 })
    const [{ model: light }, { model: high }] = [await ask('light'), await ask('high')]
    expect(light).not.toBe(high)
    const models = async (...options: string[]) => (await usage('--account', id, ...options)).map(({ modelId }) => modelId)
    expect(await models()).toEqual([high, light])
    expect(await models('--model', light)).toEqual([light])
    expect(await models('--key', keyId)).toHaveLength(2)
    expect(await models('--key', 'key_of_nobody')).toEqual([])
    expect(await models('--provider', 'sandbox', '--outcome', 'completed')).toHaveLength(2)
    expect(await models('--failed')).toEqual([])
    const sums = (...options: string[]) => usage('--account', id, '--by', 'model', ...options)
    expect(await sums('--model', light)).toEqual([expect.objectContaining({ group: light, requests: 1 })])
    expect(await sums('--failed')).toEqual([])
  })

  it('is a table for spreadsheets with --csv', async () => {
    const { id, key } = await app.account({ credits: '5' })
    await app
      .openai(key)
      .chat.completions.create({ model: 'light', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 })
    const [row] = await usage('--account', id)
    const { stdout } = await sluice.run(['usage', '--account', id, '--csv'])
    const [head, line, ...rest] = stdout.split('\n')
    expect(head).toMatch(/^when,model,input,cached,output,usd,ended_as,first_token_ms,/)
    expect(line!.split(',').slice(1, 2)).toEqual([row!.modelId])
    expect(line).toContain(`,${row!.cost},completed,,`)
    expect(rest).toEqual([''])
  })
})

describe('cold start mode', () => {
  it('of a new account is what the command says, else what the server is configured for', async () => {
    const modeOf = async (...options: string[]) => {
      const { id } = await sluice.json<{ id: string }>('accounts', 'create', 'acme', ...options)
      const { account } = await app.graphql<{ account: { coldStartMode: string } }>(
        'query ($id: ID!) { account(id: $id) { coldStartMode } }',
        { id },
      )
      return account.coldStartMode
    }
    expect(await modeOf('--cold-start-mode', 'wait')).toBe('WAIT')
    expect(await modeOf()).toBe('RETRY')
  })
})

describe('sluice rent --watch', () => {
  it('that is ended with Ctrl-C says that the rental runs on and how to end it', async () => {
    const main = join(packageRoot, 'dist', 'src', 'main.js')
    const child = spawn(process.execPath, [main, 'rent', 'L4', '--model', 'mine', '--watch'], {
      env: { PATH: process.env['PATH'], SLUICE_URL: app.url, SLUICE_API_KEY: app.adminKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const [shown] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const id = /^(\S+) is /.exec(shown)![1]
    child.kill('SIGINT')
    await once(child, 'close')
    expect(errors).toContain(`The rental runs on and is billed. "sluice rentals terminate ${id}" ends it.`)
    await sluice.run(['rentals', 'terminate', id!])
  })
})

describe('sluice serve', () => {
  const failure = async (env: Record<string, string>, cwd = folder) => {
    const { code, stderr } = await runSluice(['serve'], { cwd, env: { SLUICE_PORT: '0', ...env } })
    expect(code).toBe(2)
    return stderr
  }
  const postgres = new URL(postgresUrl)
  const at = (change: Partial<Pick<URL, 'username' | 'port' | 'pathname' | 'password'>>) =>
    Object.assign(new URL(postgresUrl), change)

  it('names a role that is missing, and not its password', async () => {
    const url = at({ username: 'nobody_at_all', password: 'hush' })
    const stderr = await failure({ SLUICE_DATABASE_URL: url.toString() })
    expect(stderr).toContain('the role "nobody_at_all"')
    expect(stderr).not.toContain('hush')
  })

  it('says that nothing listens', async () => {
    expect(await failure({ SLUICE_DATABASE_URL: at({ port: '9' }).toString() })).toBe(
      `Nothing listens at ${postgres.hostname}:9: PostgreSQL is not running there.\n`,
    )
  })

  it('names a folder that it may not write', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await failure({ SLUICE_DATABASE_URL: `sqlite:${join(folder, 'file', 'x.db')}` })).toContain('file is no folder')
    expect(await failure({ SLUICE_DATABASE_URL: `sqlite:${folder}` })).toBe(
      `${folder} is no file, so it cannot be the SQLite database.\n`,
    )
  })

  it.skipIf(process.getuid?.() === 0)('names a folder that this user may not write (not as root, who may)', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o555)
    expect(await failure({}, closed)).toContain(`${closed} is not writable by this user`)
  })
})

describe('npm run build', () => {
  it('does nothing when dist/ is what the sources say', () => {
    expect(existsSync(join(packageRoot, 'dist', '.built'))).toBe(true)
    const build = join(packageRoot, 'src', 'build', 'build.mjs')
    expect(execFileSync(process.execPath, [build], { encoding: 'utf8', stdio: 'pipe' })).toBe('')
  })
})
