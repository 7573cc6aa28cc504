/** docs/graphql-clients.md: every program in it runs, and every word for an error is there. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'

const DEFAULT_URL = 'http://127.0.0.1:8787'
const text = readFileSync(join(packageRoot, 'docs', 'graphql-clients.md'), 'utf8')
/** Program by the heading that it stands under. */
const programs = new Map(
  [...text.matchAll(/^## ([^\n]+)\n(?:(?!^## )[^])*?```js\n([^]*?)^```$/gm)].map(([, name, code]) => [name!, code!]),
)

let chat: ChatApp
let folder: string
beforeAll(async () => {
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hel', 'lo'] }) })
  folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'))
  // What a reader has installed in a project of their own.
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await chat.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(name: string, more = ''): Promise<string> {
  const file = join(folder, `${name.replaceAll(' ', '-')}.mjs`)
  writeFileSync(file, `${programs.get(name)!.replaceAll(DEFAULT_URL, chat.app.url)}\n${more}`)
  const env = { PATH: process.env['PATH'], SLUICE_API_KEY: chat.app.adminKey }
  return (await promisify(execFile)(process.execPath, [file], { cwd: folder, env })).stdout
}

describe('the programs', () => {
  it('are those that are tested here', () => {
    expect([...programs.keys()]).toEqual(['graphql-sse', 'urql', 'Apollo Client', 'Relay'])
    expect(text.match(/^```\w+$/gm)).toHaveLength(programs.size)
  })

  it('graphql-sse prints the answer', async () => {
    expect(await run('graphql-sse')).toBe('Hello')
  })

  it.each(['urql', 'Apollo Client'])('%s prints the balance and the answer', async (name) => {
    expect(await run(name)).toMatch(/^The balance is \d+\.\d+ USD\.\nHello$/)
  })

  it('Relay has a network layer that asks and follows', async () => {
    const asks = `const layer = environment.getNetwork()
      const params = (text, operationKind) => ({ name: 'Test', cacheID: text, id: null, metadata: {}, operationKind, text })
      const { data } = await layer.execute(params('{ viewer { id } }', 'query'), {}, {}).toPromise()
      console.log(data.viewer.id)
      const events = layer.execute(params('subscription { creditBalance { id } }', 'subscription'), {}, {})
      const subscription = events.subscribe({ next: ({ data }) => { console.log(data.creditBalance.id); subscription.unsubscribe() } })`
    const [asked, followed] = (await run('Relay', asks)).trim().split('\n')
    expect(asked).toMatch(/^acc_/)
    expect(followed).toBe(asked)
  })
})
