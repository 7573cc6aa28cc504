/** A client of one socket that costs little, so that what is measured is the server: one request at a time, HTTP/1.1. */
import { connect, type Socket } from 'node:net'

export interface Request {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** The bytes of a POST, made once for all its repetitions. */
export function bytesOf({ origin, path, headers, body }: Request): Buffer {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
  )
}

export class Connection {
  readonly #socket: Socket
  readonly #opened: Promise<void>
  #head = ''
  #status = 0
  /** Bytes of the body still to come; null when it comes in chunks. */
  #left: number | null = 0
  #tail: Buffer = Buffer.alloc(0)
  #onData: (data: Buffer) => void = () => undefined
  #settle: ((status: number) => void) | null = null

  constructor(origin: string) {
    const { hostname, port } = new URL(origin)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#opened = new Promise((resolve, reject) => this.#socket.once('connect', resolve).once('error', reject))
    this.#socket.on('data', (data: Buffer) => this.#read(data))
    this.#socket.on('error', () => undefined)
    this.#socket.once('close', () => this.#finish(0))
  }

  get opened(): Promise<void> {
    return this.#opened
  }

  /** Resolves with the status when the whole answer is there, 0 when the connection ended before. */
  send(bytes: Buffer, onData: (data: Buffer) => void = () => undefined): Promise<number> {
    if (this.#socket.destroyed) return Promise.resolve(0)
    this.#head = ''
    this.#status = 0
    this.#onData = onData
    this.#socket.write(bytes)
    return new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #finish(status: number): void {
    const settle = this.#settle
    this.#settle = null
    settle?.(status)
  }

  #read(data: Buffer): void {
    const body = this.#status === 0 ? this.#readHead(data) : data
    if (!body) return
    if (body.length > 0) this.#onData(body)
    if (this.#left !== null) {
      this.#left -= body.length
      if (this.#left <= 0) this.#finish(this.#status)
      return
    }
    this.#tail =
      body.length >= LAST_CHUNK.length
        ? body.subarray(-LAST_CHUNK.length)
        : Buffer.concat([this.#tail, body]).subarray(-LAST_CHUNK.length)
    if (this.#tail.equals(LAST_CHUNK)) this.#finish(this.#status)
  }

  /** @returns what came of the body behind the head, or nothing when the head is not whole. */
  #readHead(data: Buffer): Buffer | undefined {
    this.#head += data.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return undefined
    const head = this.#head.slice(0, end)
    this.#status = Number(head.slice(9, 12))
    const length = /content-length: *(\d+)/i.exec(head)?.[1]
    this.#left = length === undefined ? null : Number(length)
    this.#tail = Buffer.alloc(0)
    return Buffer.from(this.#head.slice(end + HEAD_END.length), 'latin1')
  }
}
