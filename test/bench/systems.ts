/** What the benchmark compares: the bare pass-through, the reference gateway and Sluice, all before the same provider. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, Connection, type Request } from './connection.ts'
import type { Target } from './load.ts'
import { cores, start, type Service } from './processes.ts'

export interface System {
  readonly name: string
  /** A fresh process with a fresh database. */
  boot(): Promise<Running>
}

export interface Running extends Target {
  readonly name: string
  readonly url: string
  readonly key: string
  /** Milliseconds from the start of the process to its first answered chat. */
  readonly startMs: number
  stop(): Promise<void>
}

export const models = { json: 'json', stream: 'stream-100-0', short: 'stream-10-0', slow: 'stream-600-1000' }
/** Deployments in the price listing. */
const LISTED = 300

const here = (file: string) => join(import.meta.dirname, file)
const main = join(import.meta.dirname, '../../dist/src/main.js')
const messages = [
  { role: 'system', content: 'You are a helpful assistant.' },
  { role: 'user', content: 'Hello there, how are you today? '.repeat(8) },
]

export function createSystems(provider: string, folder: string): System[] {
  const system = (name: string, startService: (key: string, place: string) => Promise<Service>): System => ({
    name,
    async boot() {
      const key = randomBytes(24).toString('hex')
      const began = performance.now()
      const service = await startService(key, mkdtempSync(join(folder, `${name}-`)))
      const request = (model: string, { stream } = { stream: false }): Request => ({
        origin: service.url,
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, messages, temperature: 0.7, max_tokens: 256, ...(stream ? { stream } : {}) }),
      })
      await firstAnswer(request(models.json))
      return {
        name,
        key,
        url: service.url,
        pid: service.pid,
        startMs: performance.now() - began,
        request,
        stop: () => service.stop(),
      }
    },
  })
  return [
    system('bare', () => start(cores.measured, [here('bare-proxy.ts'), provider])),
    system('reference', (key, place) => start(cores.measured, [here('reference-gateway.ts'), provider, place, key])),
    system('sluice', (key, place) => startSluice(place, key, { provider })),
  ]
}

async function firstAnswer(request: Request): Promise<void> {
  const connection = new Connection(request.origin)
  const status = await connection.send(bytesOf(request))
  connection.close()
  if (status !== 200) throw new Error(`The first chat was answered with ${status}.`)
}

const price = { input_price_per_million: '0.000001', output_price_per_million: '0.000001' }
const model = (id: string, tier: string) => ({
  id,
  owned_by: 'bench',
  tier,
  context_window: 131_072,
  max_output_tokens: 8192,
  deployments: [{ provider: 'bench', model_id: id, ...price }],
})

interface SluiceOptions {
  readonly provider?: string
  readonly args?: readonly string[]
  readonly core?: number
  readonly settings?: object
}

/** Without a provider it shows the catalogue that it is shipped with. */
export function startSluice(
  folder: string,
  key: string,
  { provider, args = ['serve'], core = cores.measured, settings }: SluiceOptions,
) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'sluice.config.yaml')
  const listed = Array.from({ length: LISTED }, (_, index) => model(`listed-${index}`, 'medium'))
  const catalog = provider && {
    catalog: { include_shipped: false },
    sandbox: false,
    providers: [{ id: 'bench', name: 'Bench', base_url: `${provider}/v1`, api_key: 'none', stream_usage: 'include_usage' }],
    models: [...Object.values(models).map((id) => model(id, 'light')), ...listed],
  }
  const config = {
    server: { port: 0, starting_credits: '1000000' },
    database: { url: `sqlite:${join(folder, 'bench.db')}` },
    log: { level: 'warn' },
    sandbox: true,
    ...catalog,
    ...settings,
  }
  writeFileSync(file, JSON.stringify(config))
  return start(core, [main, ...args, '--config', file], { SLUICE_ADMIN_KEY: key })
}
