/** docs/webhooks.md, done as a reader would do it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NoticeType } from '../../src/platform/events/notices.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'
import { webhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.js'
import { blocksOf, commandsOf } from './blocks.js'

const blocks = blocksOf('docs/webhooks.md')
const [commands, message, program, ...more] = blocks
let folder: string
let server: ServerProcess
let receiver: WebhookReceiver
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-webhooks-'))
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'sluice.config.yaml'), 'webhooks: { allow_networks: [127.0.0.0/8], allow_http: true }')
  receiver = await webhookReceiver()
  server = await startSluice(['serve'], { cwd: folder })
  env = { SLUICE_API_KEY: /slk_\S+/.exec(server.printed())![0], SLUICE_URL: server.url }
})
afterAll(async () => {
  await server.end()
  await receiver[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

it('its commands do what is written beside them', async () => {
  let id = ''
  const ends: Record<string, number | null> = {}
  for (const command of commandsOf(commands!)) {
    const here = command.replace('https://hooks.example.com/sluice', receiver.url).replace('whk_...', id)
    const { code, stdout } = await runSluice(here.split(' ').slice(2), { env })
    ends[command] = code
    if (!command.includes(' add ')) continue
    id = /whk_\w+/.exec(stdout)![0]
    receiver.secret = /whsec_\S+/.exec(stdout)![0]
  }
  // There are no dead letters, which is how a command says no.
  expect(Object.entries(ends).filter(([, code]) => code !== 0)).toEqual([['npx sluice webhooks replay whk_...', 1]])
  expect(Object.keys(ends).length).toBeGreaterThan(6)
  expect(receiver.taken.map(({ type }) => type)).toEqual(['webhook.test'])
})

it('its program takes what was sent, and nothing else', async () => {
  const { body, headers } = receiver.last!
  const verify = async (rawBody: string) => {
    const given = `const rawBody = ${JSON.stringify(rawBody)}, request = { headers: ${JSON.stringify(headers)} }`
    writeFileSync(join(folder, 'receiver.mjs'), `${program!.text}\nconsole.log(message.type)`.replace('\n\n', `\n${given}\n`))
    return promisify(execFile)(process.execPath, ['receiver.mjs'], { cwd: folder, env: { WEBHOOK_SECRET: receiver.secret } })
  }
  expect((await verify(body)).stdout).toBe('webhook.test\n')
  await expect(verify(body.replace('webhook.test', 'balance.low'))).rejects.toThrow('No matching signature found')
})

it('its message is JSON, and it names every event', () => {
  expect(JSON.parse(message!.text)).toMatchObject({ type: 'rental.terminated', data: { status: 'terminated' } })
  expect(more).toEqual([])
  const text = readFileSync(join(packageRoot, 'docs', 'webhooks.md'), 'utf8')
  expect(Object.values(NoticeType).filter((type) => !text.includes(`\`${type}\``))).toEqual([])
})
