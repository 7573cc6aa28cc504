/** The scenes that the fake provider can play. Each is a function of its knobs, and writes to a real response. */
import type { ServerResponse } from 'node:http'
import type { FakeCall } from './fake-provider.js'

export type Scene = (response: ServerResponse, call: FakeCall) => void | Promise<void>

type Json = Record<string, unknown>

export const fakeUsage = (prompt: number, completion: number, more: Json = {}): Json => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
})

const HEAD = { id: 'prov-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'vendor/model' }

/** One chunk of the provider as JSON text. */
const chunkJson = (fields: Json): string => JSON.stringify({ ...HEAD, ...fields })

export const deltaJson = (delta: Json, finishReason: string | null = null, more: Json = {}): string =>
  chunkJson({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], ...more })

export interface StreamScene {
  /** The pieces of the text. */
  readonly pieces: readonly string[]
  /** Where usage is: in the last chunk, in a chunk of its own, cumulative in every chunk, inside x_groq, in the choice, or nowhere. */
  readonly usage?: 'last' | 'separate' | 'every' | 'x_groq' | 'choice' | 'none'
  readonly usageObject?: Json
  readonly lineEnd?: '\n' | '\r\n' | '\r'
  readonly done?: boolean
  readonly finish?: boolean
  /** Sends the bytes in pieces of this size; otherwise as one. */
  readonly splitBytes?: number
  /** Waits between events. */
  readonly betweenMs?: number
  /** What is written before, between and after the events. */
  readonly comment?: string
  readonly afterDone?: string
  /** Fields of every chunk that nobody knows. */
  readonly extra?: Json
  /** How it ends when not properly. */
  readonly ending?: 'reset' | 'early' | 'hang' | 'error_event' | 'garbage'
  readonly noSpace?: boolean
  readonly roleInEvery?: boolean
}

/** The events of a streamed answer, as data. */
function streamEvents(scene: StreamScene): string[] {
  const { pieces, usage = 'separate', extra = {} } = scene
  const total = scene.usageObject ?? fakeUsage(11, pieces.length)
  const role = { role: 'assistant' }
  const every = (count: number) => (usage === 'every' ? { usage: fakeUsage(11, count) } : {})
  const events = [deltaJson({ ...role, content: '' }, null, { ...extra, ...every(0) })]
  pieces.forEach((content, index) =>
    events.push(deltaJson({ ...(scene.roleInEvery && role), content }, null, { ...extra, ...every(index + 1) })),
  )
  if (scene.ending) return events
  if (scene.finish !== false) {
    const last =
      usage === 'last' ? { usage: total } : usage === 'x_groq' ? { x_groq: { id: 'req_1', usage: total } } : every(pieces.length)
    if (usage === 'choice')
      events.push(chunkJson({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: total }], ...extra }))
    else events.push(deltaJson({}, 'stop', { ...extra, ...last }))
  }
  if (usage === 'separate') events.push(chunkJson({ choices: [], usage: total, ...extra }))
  return events
}

/** Plays a streamed answer. */
export const streams =
  (scene: StreamScene): Scene =>
  async (response) => {
    const end = scene.lineEnd ?? '\n'
    const data = scene.noSpace ? 'data:' : 'data: '
    const comment = scene.comment === undefined ? '' : `: ${scene.comment}${end}${end}`
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-provider-secret': 'do not relay' })
    const texts = streamEvents(scene).map((event) => `${comment}${data}${event}${end}${end}`)
    if (!scene.ending && scene.done !== false) texts.push(`${data}[DONE]${end}${end}${scene.afterDone ?? ''}`)
    if (scene.betweenMs === undefined) await writeBytes(response, Buffer.from(texts.join('')), scene.splitBytes)
    else {
      for (const text of texts) {
        if (response.destroyed) return
        await writeBytes(response, Buffer.from(text), scene.splitBytes)
        await new Promise((resolve) => setTimeout(resolve, scene.betweenMs))
      }
    }
    await endAs(response, scene.ending)
  }

async function endAs(response: ServerResponse, ending: StreamScene['ending']): Promise<void> {
  if (ending === 'hang') return
  if (ending === 'reset') {
    // What was written must arrive before the connection breaks.
    await new Promise((resolve) => setTimeout(resolve, 30))
    response.socket?.resetAndDestroy()
    return
  }
  if (ending === 'error_event') response.write('data: {"error":{"message":"secret detail of the provider","code":500}}\n\n')
  if (ending === 'garbage') response.write('data: {"choices":[{"delta"\n\n')
  response.end()
}

async function writeBytes(response: ServerResponse, bytes: Buffer, size: number | undefined): Promise<void> {
  if (size === undefined) return write(response, bytes)
  response.socket?.setNoDelay(true)
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    await write(response, bytes.subarray(start, start + size))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (response.destroyed || response.write(bytes)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** The provider's events exactly as given, each as data, with `[DONE]` when asked for. */
export const playsEvents =
  (events: readonly string[], done = true): Scene =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...events, ...(done ? ['[DONE]'] : [])].map((event) => `data: ${event}\n\n`).join(''))
  }

export const wholeJson = (content: string, usage: Json | null = fakeUsage(11, 3), more: Json = {}): Json => ({
  ...HEAD,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
  ...(usage && { usage }),
  ...more,
})

/** Plays a whole answer, also to requests for a stream. */
export const answers =
  (body: Json | string, status = 200, headers: Record<string, string> = {}): Scene =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** A refusal with text that must not reach any caller. */
export const fails = (status: number, headers: Record<string, string> = {}): Scene =>
  answers({ error: { message: 'secret detail of the provider', code: 'x' } }, status, headers)

/** Answers JSON or a stream, as asked. */
export const answersBoth =
  (scene: StreamScene): Scene =>
  (response, call) =>
    call.body['stream'] === true
      ? streams(scene)(response, call)
      : answers(
          wholeJson(
            scene.pieces.join(''),
            scene.usage === 'none' ? null : (scene.usageObject ?? fakeUsage(11, scene.pieces.length)),
          ),
        )(response, call)

/** Never answers. */
export const hangs: Scene = () => undefined

/** Breaks the connection before any answer. */
export const resets: Scene = (response) => void response.socket?.resetAndDestroy()

/** Answers with what it received. */
export const echoes: Scene = (response, call) =>
  answers(wholeJson('echo', fakeUsage(1, 1), { received: { headers: call.headers, body: call.body, path: call.path } }))(
    response,
    call,
  )
