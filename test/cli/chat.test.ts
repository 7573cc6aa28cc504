/** `sluice chat` against a real server: what is printed, when, and with which exit code. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { answersBoth, fails, streams } from '../kit/fake-provider-scenes.js'
import { commandLine, type CommandLine } from './command-line.js'

let chat: ChatApp
let sluice: CommandLine
beforeAll(async () => {
  chat = await startChatApp({
    normal: answersBoth({ pieces: ['Hel', 'lo', ' world'] }),
    cut: streams({ pieces: ['Hel', 'lo'], ending: 'reset' }),
    broken: fails(500),
  })
  sluice = commandLine(chat.app)
})
afterAll(async () => {
  sluice[Symbol.dispose]()
  await chat.stop()
})

const lastBody = () => chat.provider.calls.at(-1)!.body

it('prints the answer and a line end', async () => {
  expect(await sluice.run(['chat', 'normal', 'Who are you?'])).toEqual({ code: 0, stdout: 'Hello world\n', stderr: '' })
  expect(lastBody()['messages']).toEqual([{ role: 'user', content: 'Who are you?' }])
})

it('reads the prompt from standard input when none is given', async () => {
  const answer = await sluice.run(['chat', 'normal', '--system', 'Be brief.', '--max-tokens', '7'], { input: 'From a pipe\n' })
  expect(answer).toMatchObject({ code: 0, stdout: 'Hello world\n' })
  expect(lastBody()).toMatchObject({
    max_tokens: 7,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'From a pipe\n' },
    ],
  })
})

it('answers programs with one object', async () => {
  expect(await sluice.json('chat', 'normal', 'Hi')).toEqual({
    id: expect.stringMatching(/^chatcmpl-/) as string,
    model: 'normal',
    content: 'Hello world',
    finishReason: 'stop',
    usage: { promptTokens: 11, completionTokens: 3, totalTokens: 14 },
  })
})

it('says no with exit code 1 when no answer can be had, or only a part', async () => {
  const missing = await sluice.run(['chat', 'nothing', 'Hi'])
  expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 1, stdout: '' })
  const calls = chat.provider.calls.length
  expect((await sluice.run(['chat', 'broken', 'Hi'])).code).toBe(1)
  expect(chat.provider.calls.length).toBe(calls + 1)
  expect((await sluice.run(['chat', 'unpriced', 'Hi'])).code).toBe(1)
  const cut = await sluice.run(['chat', 'cut', 'Hi'])
  expect(cut.code).toBe(1)
  expect(cut.stdout).toMatch(/^Hello/)
  const { key } = await chat.app.account()
  const poor = await sluice.run(['chat', 'normal', 'Hi'], { env: { SLUICE_API_KEY: key } })
  expect(poor.code).toBe(1)
  expect(poor.stderr).toContain('0.00')
})

it('is a usage error without a prompt, without a key, and without a server', async () => {
  const empty = await sluice.run(['chat', 'normal'], { input: ' \n' })
  expect(empty).toMatchObject({ code: 2, stdout: '' })
  expect((await sluice.run(['chat', 'normal', 'Hi'], { env: { SLUICE_API_KEY: '' } })).code).toBe(2)
  const nobody = await sluice.run(['chat', 'normal', 'Hi'], { env: { SLUICE_URL: 'http://127.0.0.1:9' } })
  expect(nobody.code).toBe(2)
  expect(nobody.stderr).toContain('http://127.0.0.1:9')
})

it('asks once: a connection that breaks is not opened again, because the answer would be charged twice', async () => {
  let asked = 0
  const flaky = createServer((_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n', () => response.socket?.destroy())
  }).listen(0, '127.0.0.1')
  await once(flaky, 'listening')
  const url = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`
  const { code } = await sluice.run(['chat', 'normal', 'Hi'], { env: { SLUICE_URL: url } })
  flaky.close()
  expect(code).not.toBe(0)
  expect(asked).toBe(1)
})
