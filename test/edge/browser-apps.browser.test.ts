/** Applications in a browser whose page comes from another port: the OpenAI SDK, urql and graphql-sse reach this server. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { startTestApp } from '../kit/app.js'
import { hasChromium, sharedChromium } from '../kit/chromium.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import type { Task } from './browser-page.js'

let chat: ChatApp
let site: Server
let pageUrl: string
let browser: BrowserContext

async function bundle(): Promise<string> {
  const input = fileURLToPath(new URL('./browser-page.ts', import.meta.url))
  const { output } = await (
    await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  ).generate({ format: 'iife', name: 'page' })
  return output[0].code
}

beforeAll(async () => {
  if (!hasChromium) return
  const script = await bundle()
  site = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8')
    response.end(isScript ? script : '<!doctype html><title>An application</title><script src="/app.js"></script>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  pageUrl = `http://localhost:${(site.address() as AddressInfo).port}/`
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hel', 'lo'] }) })
  browser = await (await sharedChromium()).newContext()
})
afterAll(async () => {
  if (!hasChromium) return
  await browser.close()
  await chat.stop()
  site.closeAllConnections()
  site.close()
})

async function run(task: Task, url = chat.app.url): Promise<object> {
  const page = await browser.newPage()
  await page.goto(pageUrl)
  const answer = await page.evaluate(
    ([name, to, key]) =>
      (globalThis as unknown as { run(name: string, to: string, key: string): Promise<object> }).run(name, to, key),
    [task, url, chat.app.adminKey] as const,
  )
  await page.close()
  return answer
}

describe.skipIf(!hasChromium)(
  'a page of another port in Chromium (skipped where Chromium is not installed; CI installs it)',
  () => {
    const requestId = expect.stringMatching(/^req_/) as string

    it('chats with the OpenAI SDK, whole and streamed, and reads request ids', async () => {
      expect(await run('chat')).toEqual({ text: 'Hello', requestId })
      expect(await run('stream')).toEqual({ text: 'Hello' })
    })

    it('reads a refusal: status, type and request id', async () => {
      expect(await run('fault')).toEqual({ status: 401, type: 'authentication_error', requestId })
    })

    it('queries and subscribes with urql, and with graphql-sse', async () => {
      expect(await run('urql')).toEqual({
        id: expect.stringMatching(/^acc_/) as string,
        mistake: 'BAD_USER_INPUT',
        text: 'Hello',
      })
      expect(await run('sse')).toEqual({ text: 'Hello' })
    })

    it('is kept out by its browser when its origin is not one of server.cors_origins', async () => {
      await using other = await startTestApp({ config: { server: { cors_origins: ['https://app.example'] } } })
      expect(await run('fault', other.url)).toEqual({ isBlocked: true })
    })
  },
)
