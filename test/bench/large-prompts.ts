/**
 * How late others are when one key sends twenty prompts of 9 MB at once: through REST, GraphQL and MCP, with credits and without,
 * on one server and on a gateway in front of a subgraph. Prints the delay of the server's event loop (perf_hooks) and what small
 * chats of another account took meanwhile, beside the same without large prompts. `node test/bench/large-prompts.ts`
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

const AT_ONCE = 20
const ADMIN_KEY = 'the-key-of-the-large-prompts-bench'
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-large-prompts-'))
const delayFile = join(folder, 'delays.json')
const prompt = 'Some words of a long prompt. '.repeat(Math.ceil(9_000_000 / 29))

interface Delays {
  readonly maxMs: number
  readonly p99Ms: number
  readonly stretchMs: number
}

interface Server {
  readonly url: string
  readonly pid: number
}

const children: ChildProcess[] = []

/** Starts a program and answers its first address. */
async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+(?:\/v1)?/.exec(line)?.[0]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, pid: child.pid! }
  }
  throw new Error(`${args.join(' ')} ended before it served.`)
}

function configure(providerUrl: string): void {
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    providers: [{ id: 'p1', name: 'Mock', base_url: providerUrl, api_key: 'k' }],
    models: [
      {
        id: 'bench',
        owned_by: 'bench',
        tier: 'light',
        context_window: 50_000_000,
        max_output_tokens: 1000,
        deployments: [{ provider: 'p1', model_id: 'bench', input_price_per_million: '0.1', output_price_per_million: '0.1' }],
      },
    ],
    limits: { large_body_account_bytes: 400_000_000, large_body_total_bytes: 400_000_000, large_body_account_waiting: AT_ONCE },
  }
  writeFileSync(join(folder, 'sluice.config.yaml'), stringify(config))
}

const post = (url: string, key: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body,
  })

async function graphql(server: Server, query: string): Promise<Record<string, { account?: { id: string }; secret?: string }>> {
  const answer = (await (await post(`${server.url}/graphql`, ADMIN_KEY, JSON.stringify({ query }))).json()) as {
    data: Record<string, { account?: { id: string }; secret?: string }>
  }
  return answer.data
}

async function accountKey(server: Server, credits: string): Promise<string> {
  const { createAccount } = await graphql(server, `mutation { createAccount(input: { name: "x"${credits} }) { account { id } } }`)
  const { createApiKey } = await graphql(
    server,
    `mutation { createApiKey(input: { accountId: "${createAccount!.account!.id}" }) { secret } }`,
  )
  return createApiKey!.secret!
}

const chatBody = (content: string) => JSON.stringify({ model: 'bench', messages: [{ role: 'user', content }] })
const CHAT = `mutation ($input: ChatCompletionInput!) { createChatCompletion(input: $input) { __typename } }`
const SCAN = (code: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'scan_code', arguments: { code, language: 'python' } },
  })

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})

const large: Record<string, (url: string, key: string) => Promise<Response>> = {
  rest: (url, key) => post(`${url}/v1/chat/completions`, key, chatBody(prompt)),
  graphql: (url, key) =>
    post(
      `${url}/graphql`,
      key,
      JSON.stringify({ query: CHAT, variables: { input: { model: 'bench', messages: [{ role: 'USER', content: prompt }] } } }),
    ),
  mcp: async (url, key) => {
    const headers = { accept: 'application/json, text/event-stream' }
    const begun = await post(`${url}/mcp`, key, INITIALIZE, headers)
    await begun.text()
    return post(`${url}/mcp`, key, SCAN(prompt), { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id')! })
  },
}

async function delaysOf(server: Server): Promise<Delays> {
  rmSync(delayFile, { force: true })
  process.kill(server.pid, 'SIGUSR2')
  while (!existsSync(delayFile) || readFileSync(delayFile).length === 0) await pause(5)
  return JSON.parse(readFileSync(delayFile, 'utf8')) as Delays
}

/** Small chats of another account, one after the other, until the work is done. */
async function smallChatsDuring(server: Server, key: string, work: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  let isDone = false
  void work.finally(() => (isDone = true))
  do {
    const began = performance.now()
    await (await post(`${server.url}/v1/chat/completions`, key, chatBody('Hello'))).text()
    took.push(performance.now() - began)
  } while (!isDone)
  return took
}

const worst = (took: readonly number[]) => Math.round(Math.max(...took))

async function measure(name: string, server: Server, keys: Record<'rich' | 'poor' | 'other', string>): Promise<void> {
  const quiet = await (async () => {
    await smallChatsDuring(server, keys.other, pause(1_000))
    await delaysOf(server)
    const took = await smallChatsDuring(server, keys.other, pause(2_000))
    return { took: worst(took), delays: await delaysOf(server) }
  })()
  console.log(
    `${name}: quiet: loop late by ${quiet.delays.maxMs} ms, busy for ${quiet.delays.stretchMs} ms at most; small chat worst ${quiet.took} ms`,
  )
  for (const [path, send] of Object.entries(large)) {
    for (const payer of ['rich', 'poor'] as const) {
      await delaysOf(server)
      const statuses: number[] = []
      const work = Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const answer = await send(server.url, keys[payer])
          statuses.push(answer.status)
          await answer.text()
        }),
      )
      const took = await smallChatsDuring(server, keys.other, work)
      const { maxMs, p99Ms, stretchMs } = await delaysOf(server)
      const answered = [...new Set(statuses)].join(', ')
      console.log(
        `${name} ${path.padEnd(8)} ${payer}: loop late by ${maxMs} ms (p99 ${p99Ms}), busy for ${stretchMs} ms at most; ${took.length} small chats, worst ${worst(took)} ms; answered ${answered}`,
      )
    }
  }
}

const env = {
  SLUICE_ADMIN_KEY: ADMIN_KEY,
  SLUICE_STARTING_CREDITS: '1000',
  SLUICE_PORT: '0',
  LOOP_DELAY_FILE: delayFile,
  NODE_OPTIONS: `${process.env['PROF'] ?? ''} --import ${here('./loop-delay-probe.mjs')}`,
}
try {
  const provider = await start([here('./mock-provider.ts'), '20'])
  configure(provider.url)
  const server = await start([here('../../dist/src/main.js'), 'serve'], env)
  const keys = {
    rich: await accountKey(server, ', credits: "1000"'),
    poor: await accountKey(server, ''),
    other: await accountKey(server, ', credits: "1000"'),
  }
  await measure('serve', server, keys)
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
