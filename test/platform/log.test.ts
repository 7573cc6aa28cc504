/** The log: what a running server writes at its most talkative holds no key, no prompt and no answer, whatever goes wrong. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import { createLog } from '#platform/log.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'

type Line = Record<string, unknown>

/** What one call of the log writes. */
const lineOf = (write: (log: ReturnType<typeof createLog>) => void): Line => linesOf('trace', write)[0]!

function linesOf(level: string, write: (log: ReturnType<typeof createLog>) => void): Line[] {
  let text = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  write(createLog({ level, destination }))
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
}

describe('a line', () => {
  const SECRET_FIELDS = [
    'authorization',
    'apiKey',
    'api_key',
    'key',
    'secret',
    'token',
    'password',
    'messages',
    'prompt',
    'content',
  ]

  it.each(SECRET_FIELDS)('shows no field called %s, at the top or two levels down', (field) => {
    for (const bindings of [
      { [field]: 'hush' },
      { request: { [field]: 'hush' } },
      { request: { headers: { [field]: 'hush' } } },
    ]) {
      const line = lineOf((log) => log.error(bindings, 'a sentence'))
      expect(JSON.stringify(line)).not.toContain('hush')
      expect(line['msg']).toBe('a sentence')
    }
  })

  it('shows errors with their causes, and no key in any of their texts', () => {
    const key = `slk_${'a'.repeat(16)}_${'b'.repeat(58)}`
    const error = new Error(`refused ${key}`, { cause: new Error('sent Bearer abc.def and sk-proj-0123456789abcdef') })
    const line = lineOf((log) => log.error({ err: error }, 'a sentence'))
    const text = JSON.stringify(line)
    expect(text).not.toMatch(/slk_a|abc\.def|sk-proj/)
    expect(line['err']).toMatchObject({ message: 'refused [redacted]', cause: { message: 'sent [redacted] and [redacted]' } })
  })

  it('tells of a database in trouble where the outage begins, and not again wherever something fails for it', () => {
    const outage = new AppError('service_unavailable', 'The service is briefly unavailable.')
    expect(linesOf('info', (log) => log.error({ err: outage }, 'a job failed'))).toEqual([])
    expect(linesOf('debug', (log) => log.error({ err: outage }, 'a job failed'))).toMatchObject([
      { level: 20, msg: 'a job failed' },
    ])
    expect(linesOf('info', (log) => log.error({ err: new AppError('server_error', 'x') }, 'a job failed'))).toHaveLength(1)
  })

  it('keeps the text of an error that holds no key as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ a-z0-9.,:/]*$/), (text) => {
        fc.pre(!/bearer/i.test(text))
        expect(lineOf((log) => log.error({ err: new Error(text) }, 'a sentence'))['err']).toMatchObject({ message: text })
      }),
      { numRuns: 30 },
    )
  })
})

const PROMPT = 'PROMPT-never-to-be-logged'
const ANSWER = 'ANSWER-never-to-be-logged'
const ADMIN_KEY = 'ADMINKEY-never-to-be-logged-0123456789'
const UNKNOWN_KEY = `slk_${'1'.repeat(16)}_${'2'.repeat(58)}`
const PROVIDER_KEY = 'PROVIDERKEY-never-to-be-logged'
const PROVIDER_TEXT = 'PROVIDERTEXT-never-to-be-logged'

/** A real server at level trace; everything that it writes to standard error. */
async function startTalkative(folder: string) {
  const child = spawn(process.execPath, [join(packageRoot, 'dist', 'src', 'main.js'), 'serve'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'trace', SLUICE_ADMIN_KEY: ADMIN_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => output, { timeout: 15_000 }).toMatch(/ at http\S+\n/)
  return {
    url: / at (http\S+)/.exec(output)![1]!,
    written: () => errors,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
      return errors
    },
  }
}

it('a server at level trace writes no key, no prompt, no answer and no text of a provider, whatever fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
  const provider = await FakeProvider.start(answersBoth({ pieces: [ANSWER, ' more'] }))
  provider.scenes.set('cut', streams({ pieces: [ANSWER], ending: 'reset' }))
  provider.scenes.set('fault', streams({ pieces: [ANSWER], ending: 'error_event' }))
  provider.scenes.set('garbage', streams({ pieces: [ANSWER], ending: 'garbage' }))
  provider.scenes.set('refused', (response) => void response.writeHead(500).end(`{"error":"${PROVIDER_TEXT}"}`))
  const models = ['normal', 'cut', 'fault', 'garbage', 'refused']
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: PROVIDER_KEY }],
      models: models.map((id) => ({
        id,
        context_window: 8192,
        deployments: [{ provider: 'p1', model_id: id, input_price_per_million: '1', output_price_per_million: '1' }],
      })),
      pricing: { feeds: [{ name: 'nowhere', type: 'models.dev', url: 'http://127.0.0.1:9/list' }] },
    }),
  )
  const server = await startTalkative(folder)
  const ask = async (path: string, body: unknown, key: string | null = ADMIN_KEY) => {
    const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: text })
    await response.text().catch(() => '')
    return response.status
  }
  const messages = [{ role: 'user', content: PROMPT }]
  const asked: [string, unknown, (string | null)?][] = [
    ...models.flatMap((model): [string, unknown][] => [
      ['/v1/chat/completions', { model, messages }],
      ['/v1/chat/completions', { model, messages, stream: true }],
    ]),
    ['/v1/chat/completions', { model: PROMPT, messages }],
    ['/v1/chat/completions', { model: 'normal', messages: PROMPT }],
    ['/v1/chat/completions', `{"model": "normal", "messages": "${PROMPT}`],
    ['/v1/chat/completions', { model: 'normal', messages }, UNKNOWN_KEY],
    ['/v1/chat/completions', { model: 'normal', messages }, null],
    [
      '/graphql',
      {
        query: `mutation { createChatCompletion(input: {model: "normal", messages: [{role: USER, content: "${PROMPT}"}]}) { __typename } }`,
      },
    ],
    ['/graphql', { query: `{ ${PROMPT.replaceAll('-', '_')} }`, variables: { secret: PROMPT } }],
    ['/graphql', `{"query": "${PROMPT}`],
    ['/graphql', { query: 'mutation { createApiKey(input: {name: "x"}) { secret } }' }],
  ]

  try {
    for (const [path, body, key] of asked) await ask(path, body, key)
    expect(await ask('/v1/chat/completions', { model: 'normal', messages })).toBe(200)
    // Malformed on the wire, before any of our code.
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.end(`POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nBroken ${PROMPT}\r\n\r\n`)
    await once(socket.resume(), 'close')

    // The database breaks under the running server: faults whose errors hold SQL and its values.
    const database = new DatabaseSync(join(folder, 'data', 'sluice.db'))
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
    database.exec('pragma foreign_keys = off')
    for (const { name } of tables.filter(({ name: table }) => /account|api_key|hold|entry|usage/.test(table))) {
      database.exec(`drop table "${name}"`)
    }
    database.close()
    const after = await Promise.all(asked.map(([path, body]) => ask(path, body, `slk_${'3'.repeat(16)}_${'4'.repeat(58)}`)))
    for (const [path, body] of asked) after.push(await ask(path, body))
    expect(after).toContain(500)
    await expect.poll(() => server.written(), { timeout: 5_000 }).toContain('a request failed')
  } finally {
    await server.stop()
    await provider.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  const lines = server.written().trim().split('\n')
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) as number, time: expect.any(String) as string })
    expect(line).not.toMatch(/never.to.be.logged/)
    expect(line).not.toMatch(/slk_[0-9a-z]{16}_|Bearer \S/)
  }
}, 60_000)
