/** Calls whose every answer is held against schema/openapi.yaml, and models for every shape that a chat completion takes. */
import { expect } from 'vitest'
import type { TestApp } from '../kit/app.js'
import { answers, answersBoth, fakeUsage, wholeJson, type Scene } from '../kit/fake-provider-scenes.js'
import { departures, operationFor, type Answer } from './openapi-document.js'

export const CHAT = '/v1/chat/completions'
export const question = (model: string, more: object = {}) => ({
  body: { model, messages: [{ role: 'user', content: 'Hi' }], ...more },
})

/** Providers that answer, each in its own shape, whole and streamed. */
export const answering: Record<string, Scene> = {
  normal: answersBoth({ pieces: ['Hel', 'lo'] }),
  'vendor/with/slashes': answersBoth({ pieces: ['Hi'] }),
  cached: answersBoth({ pieces: ['a'], usageObject: fakeUsage(11, 1, { prompt_tokens_details: { cached_tokens: 4 } }) }),
  tools: answers(
    wholeJson('', fakeUsage(5, 2), {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  ),
  bare: answers({ choices: [{ message: { content: 'only this' } }] }),
}

export interface Call {
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

export interface JudgedAnswer extends Answer {
  /** Null when the answer is not JSON. */
  readonly json: unknown
}

/** @param app is asked for it at each call, because a file's app starts after its tests are named. */
export function judged(app: () => TestApp) {
  /** Operation and status of each answer so far. */
  const seen = new Set<string>()

  async function judge(method: string, path: string, response: Response): Promise<JudgedAnswer> {
    const answer = { status: response.status, headers: response.headers, text: await response.text() }
    expect(departures(method, path, answer), `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`).toEqual([])
    const found = operationFor(method, path)
    if (found) seen.add(`${found.operation.operationId} ${answer.status}`)
    const isJson = /^[^;]*\bjson\b/.test(answer.headers.get('content-type') ?? '')
    return { ...answer, json: isJson ? JSON.parse(answer.text) : null }
  }

  async function call(method: string, path: string, { body, ...options }: Call = {}): Promise<JudgedAnswer> {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...options.headers }
    return judge(method, path, await app().fetch(path, { method, ...sent, ...options, headers }))
  }

  const status = async (...args: Parameters<typeof call>) => (await call(...args)).status
  return { call, judge, status, seen }
}
