/** What a webhook can reach: the address is judged when the connection is made, and an answer is a status and nothing else. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createUrlCheck } from '../../../subgraphs/accounts/webhooks/webhook-url.js'
import { createWebhookTransport, type WebhookTransport } from '../../../subgraphs/accounts/webhooks/delivery/webhook-transport.js'
import { ManualClock } from '../../kit/manual-clock.js'

let server: Server
let port: number
let connections = 0
let answer: RequestListener = (_request, response) => void response.writeHead(204).end()
const clock = new ManualClock()
const opened: WebhookTransport[] = []

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  server.on('connection', () => connections++)
  // On every address of this machine, of both families.
  server.listen(0)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  connections = 0
  for (const one of opened.splice(0)) await one.close()
})

function transport(allowNetworks: readonly string[] = []): WebhookTransport {
  const made = createWebhookTransport({ allowNetworks, attemptMs: 15_000, clock })
  opened.push(made)
  return made
}

const post = (host: string, allowNetworks?: readonly string[], path = '/') =>
  transport(allowNetworks).post({ url: `http://${host}:${port}${path}`, headers: {}, body: '{}' })

describe('an address that nobody allowed', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ])('%s is not called, and is not registered', async (host) => {
    const attempt = await post(host)
    expect(attempt).toMatchObject({ status: null, failure: expect.stringContaining('private or special address') as string })
    expect(connections).toBe(0)
    const check = createUrlCheck({ allowHttp: false, allowNetworks: [] })
    expect(() => check(`https://${host}/`)).toThrow(expect.objectContaining({ code: 'invalid_request_error', param: 'url' }))
  })

  it('is not called by a name that stands for it either', async () => {
    expect(await post('localhost')).toMatchObject({
      status: null,
      failure: expect.stringContaining('private or special address') as string,
    })
    expect(connections).toBe(0)
  })
})

describe('an address that the configuration allows', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.0/8']],
    ['[::ffff:127.0.0.1]', ['127.0.0.0/8']],
    ['[::1]', ['::1/128']],
    ['localhost', ['127.0.0.0/8', '::1/128']],
  ])('%s is called', async (host, networks) => {
    expect(await post(host, networks)).toEqual({ status: 204, failure: null })
  })

  it('is that one and no other', async () => {
    expect(await post('127.0.0.1', ['10.0.0.0/8', '::1/128'])).toMatchObject({ status: null })
    expect(connections).toBe(0)
  })
})

describe('an answer', () => {
  it('that points elsewhere is not followed', async () => {
    const asked: string[] = []
    answer = (request, response) => {
      asked.push(request.url!)
      response.writeHead(307, { location: '/elsewhere' }).end()
    }
    expect(await post('127.0.0.1', ['127.0.0.0/8'])).toEqual({ status: 307, failure: 'the receiver answered 307' })
    expect(asked).toEqual(['/'])
  })

  it('that has no end is cut off, and its status counts', async () => {
    let sent = 0
    answer = (_request, response) => {
      response.writeHead(200)
      const more = () => {
        for (let ok = true; ok && !response.destroyed;) {
          sent += 65_536
          ok = response.write(Buffer.alloc(65_536))
        }
      }
      response.on('drain', more)
      more()
    }
    expect(await post('127.0.0.1', ['127.0.0.0/8'])).toEqual({ status: 200, failure: null })
    // What the socket's buffers took, and no stream without an end.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('that does not come is waited for as long as is set', async () => {
    let arrived = () => {}
    const asked = new Promise<void>((resolve) => (arrived = resolve))
    answer = () => arrived()
    const attempt = post('127.0.0.1', ['127.0.0.0/8'])
    await asked
    await clock.advance(15_000)
    expect(await attempt).toEqual({ status: null, failure: 'no answer within 15 s' })
  })

  it('is missing where nobody listens, which is told without the address', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port: free } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const url = `http://127.0.0.1:${free}/`
    const { status, failure } = await transport(['127.0.0.0/8']).post({ url, headers: {}, body: '{}' })
    expect(status).toBeNull()
    expect(failure).toContain('ECONNREFUSED')
  })
})

describe('an address to register', () => {
  const strict = createUrlCheck({ allowHttp: false, allowNetworks: [] })
  it.each([
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['https://me:secret@example.com/', 'no user'],
    ['example.com', 'a URL'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'a URL'],
  ])('%s is refused with the reason', (url, why) => {
    expect(() => strict(url)).toThrow(expect.objectContaining({ param: 'url', message: expect.stringContaining(why) as string }))
  })

  it('is taken as it is called', () => {
    expect(strict('https://Example.com/a b?c=d#part')).toBe('https://example.com/a%20b?c=d')
  })
})
