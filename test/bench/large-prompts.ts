/**
 * How late others are when one key sends twenty prompts of 9 MB at once: through REST, GraphQL and MCP, with credits and without,
 * on one server and on a gateway in front of a subgraph. Prints the delay of the server's event loop (perf_hooks) and what small
 * chats of another account took meanwhile, beside the same without large prompts. `node test/bench/large-prompts.ts`
 */
import { execFile as executeFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { startPostgres } from '../kit/postgres.ts'

const execFile = promisify(executeFile)

const AT_ONCE = 20
const PATHS = ['rest', 'graphql', 'mcp']
const ADMIN_KEY = 'the-key-of-the-large-prompts-bench'
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-large-prompts-'))
const main = here('../../dist/src/main.js')

interface Delays {
  readonly maxMs: number
  readonly p99Ms: number
  readonly stretchMs: number
}

interface Server {
  readonly url: string
  readonly pid: number
  /** Where it tells its delays. */
  readonly delayFile: string
}

const children: ChildProcess[] = []

/** Starts a program and answers its first address. */
async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  const delayFile = join(folder, `delays-${children.length}.json`)
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, LOOP_DELAY_FILE: delayFile },
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+(?:\/v1)?/.exec(line)?.[0]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, pid: child.pid!, delayFile }
  }
  throw new Error(`${args.join(' ')} ended before it served.`)
}

function configure(providers: readonly { readonly id: string; readonly url: string }[]): void {
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    // Each model has a provider of its own: reading megabytes must not delay the other's answers.
    providers: providers.map(({ id, url }) => ({ id, name: 'Mock', base_url: `${url}/v1`, api_key: 'k' })),
    models: providers.map(({ id }) => ({
      id,
      owned_by: 'bench',
      tier: 'light',
      context_window: 50_000_000,
      max_output_tokens: 1000,
      deployments: [{ provider: id, model_id: 'bench', input_price_per_million: '0.1', output_price_per_million: '0.1' }],
    })),
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
async function delaysOf({ pid, delayFile }: Server): Promise<Delays> {
  rmSync(delayFile, { force: true })
  process.kill(pid, 'SIGUSR2')
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

async function measure(name: string, server: Server, behind: Server | null = null): Promise<void> {
  const keys = {
    rich: await accountKey(server, ', credits: "1000"'),
    poor: await accountKey(server, ''),
    other: await accountKey(server, ', credits: "1000"'),
  }
  const forget = async () => {
    await delaysOf(server)
    if (behind) await delaysOf(behind)
  }
  const told = async () => {
    const { maxMs, p99Ms, stretchMs } = await delaysOf(server)
    const own = `loop late by ${maxMs} ms (p99 ${p99Ms}), busy for ${stretchMs} ms at most`
    if (!behind) return own
    const other = await delaysOf(behind)
    return `${own}; the subgraph's late by ${other.maxMs} ms, busy for ${other.stretchMs} ms at most`
  }
  await smallChatsDuring(server, keys.other, pause(1_000))
  // The first request by a path loads its modules and starts its threads, whatever its size.
  for (const path of PATHS) await execFile(process.execPath, [here('./large-sender.ts'), path, server.url, keys.rich, '1'])
  await forget()
  const quiet = worst(await smallChatsDuring(server, keys.other, pause(2_000)))
  console.log(`${name}: quiet: ${await told()}; small chat worst ${quiet} ms`)
  for (const path of PATHS) {
    for (const payer of ['rich', 'poor'] as const) {
      await forget()
      const work = execFile(process.execPath, [here('./large-sender.ts'), path, server.url, keys[payer], String(AT_ONCE)])
      const took = await smallChatsDuring(server, keys.other, work)
      const answered = [...new Set(JSON.parse((await work).stdout) as number[])].join(', ')
      console.log(
        `${name} ${path.padEnd(8)} ${payer}: ${await told()}; ${took.length} small chats, worst ${worst(took)} ms; answered ${answered}`,
      )
    }
  }
}

const env = {
  SLUICE_ADMIN_KEY: ADMIN_KEY,
  SLUICE_STARTING_CREDITS: '1000',
  SLUICE_PORT: '0',
  NODE_OPTIONS: `${process.env['PROF'] ?? ''} --import ${here('./loop-delay-probe.mjs')}`,
}
const postgres = await startPostgres()
try {
  const providers = { bench: await start([here('./provider.ts')]), large: await start([here('./provider.ts')]) }
  // It stands for another machine that reads megabytes; the one that answers small chats is not kept from doing so.
  setPriority(providers.large.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  configure(Object.entries(providers).map(([id, { url }]) => ({ id, url })))
  await measure('serve', await start([main, 'serve'], env))
  const shared = { ...env, SLUICE_DATABASE_URL: postgres.url }
  execFileSync(process.execPath, [main, 'migrate'], { cwd: folder, env: { ...process.env, ...shared }, stdio: 'inherit' })
  const inference = await start([main, 'subgraph', 'inference'], shared)
  const gateway = await start([main, 'gateway', '--allow-partial', '--subgraph', `inference=${inference.url}/graphql`], shared)
  await measure('gateway', gateway, inference)
} finally {
  await postgres[Symbol.asyncDispose]()
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
