/** Keys that demand something of the code in answers: through every API, whatever their holder asks for. */
import Anthropic from '@anthropic-ai/sdk'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everywhere } from '../../kit/app-servers.js'
import { answers, answersBoth, deltaJson, fakeUsage, playsEvents, wholeJson, type Scene } from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from '../chats/chat-app.js'

const BAD = 'import os\nfrom flask import request\nos.system(request.args["dir"])\n'
const GOOD = 'print(1 + 1)\n'
const fenced = (code: string) => `\`\`\`python\n${code}\`\`\`\n`
const before = `First this:\n${fenced(GOOD)}then:\n${fenced(BAD)}`
const text = `${before}and at last:\n${fenced(GOOD)}Done.`
const usage = fakeUsage(11, 90)

/** Writes the code into a file by a call. */
const call = (index: number) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'write_file', arguments: JSON.stringify({ path: 'app.py', content: BAD }) },
})
const writes: Scene = (response, asked) =>
  asked.body['stream'] === true
    ? playsEvents([deltaJson({ role: 'assistant', tool_calls: [call(0)] }), deltaJson({}, 'tool_calls', { usage })])(
        response,
        asked,
      )
    : answers(
        wholeJson('', usage, {
          choices: [
            { index: 0, message: { role: 'assistant', content: null, tool_calls: [call(0)] }, finish_reason: 'tool_calls' },
          ],
        }),
      )(response, asked)

let chat: ChatApp
const keys = { report: '', block: '' }
beforeAll(async () => {
  chat = await startChatApp(
    {
      code: answersBoth({ pieces: text.match(/[\s\S]{1,9}/g)!, usageObject: usage }),
      last: answersBoth({ pieces: [before], usageObject: usage }),
      clean: answersBoth({ pieces: [fenced(GOOD)], usageObject: usage }),
      writes,
    },
    { limits: { answer_scan_seconds: 30 } },
  )
  keys.report = await keyWith({ mode: 'REPORT' })
  keys.block = await keyWith({ mode: 'BLOCK', minSeverity: 'HIGH' })
})
afterAll(() => chat.stop())

async function keyWith(answerScan: object, by = chat.app.adminKey): Promise<string> {
  const create = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }'
  const input = { scopes: ['CHAT'], answerScan }
  const { createApiKey } = await chat.app.graphql<{ createApiKey: { secret: string } }>(create, { input }, by)
  return createApiKey.secret
}

interface Scan {
  readonly status: string
  readonly blocked?: boolean
  readonly findings: readonly {
    readonly block: number
    readonly tool_call?: number
    readonly violation: { readonly cwe: string[] }
  }[]
}
type Scanned<T> = T & { readonly sluice?: { readonly scan: Scan } }

const messages = [{ role: 'user' as const, content: 'Write code.' }]
const openai = (key: string) => chat.app.openai(key)
const anthropic = (key: string) => new Anthropic({ baseURL: chat.app.url, apiKey: key, maxRetries: 0 })

/** What each API hands out of one stream: its text, how it ended, and the findings. */
const STREAMS = {
  async chat(model: string, key: string, more: object = {}) {
    const stream = await openai(key).chat.completions.create({ model, messages, stream: true, ...more })
    let said = ''
    let end: unknown = null
    let scan: Scan | undefined
    for await (const chunk of stream as AsyncIterable<
      Scanned<typeof stream extends AsyncIterable<infer Chunk> ? Chunk : never>
    >) {
      said += chunk.choices[0]?.delta.content ?? ''
      end = chunk.choices[0]?.finish_reason ?? end
      scan = chunk.sluice?.scan ?? scan
    }
    return { said, end, scan }
  },
  async responses(model: string, key: string) {
    const stream = openai(key).responses.stream({ model, input: 'Write code.' })
    const response = (await stream.finalResponse()) as Scanned<Awaited<ReturnType<typeof stream.finalResponse>>>
    const end = response.status === 'completed' ? 'stop' : response.incomplete_details?.reason
    return { said: response.output_text, end, scan: response.sluice?.scan }
  },
  async messages(model: string, key: string) {
    const stream = anthropic(key).messages.stream({ model, max_tokens: 500, messages })
    let scan: Scan | undefined
    stream.on('streamEvent', (event) => (scan = (event as Scanned<typeof event>).sluice?.scan ?? scan))
    const { content, stop_reason: reason } = await stream.finalMessage()
    const said = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    return { said, end: reason === 'refusal' ? 'content_filter' : reason === 'end_turn' ? 'stop' : reason, scan }
  },
}
const APIS = Object.entries(STREAMS)

describe('a key that wants to be told', () => {
  it.each(APIS)('is told at the end of a stream of %s', async (_, read) => {
    const { said, end, scan } = await read('code', keys.report)
    expect([said, end, scan?.status]).toEqual([text, 'stop', 'complete'])
    expect(scan!.findings.map(({ block }) => block)).toContain(1)
    expect(scan!.blocked).toBeUndefined()
  })

  it('is told with whole answers of every API', async () => {
    const asked = { model: 'code', messages }
    const whole = [
      await openai(keys.report).chat.completions.create(asked),
      await openai(keys.report).responses.create({ model: 'code', input: 'Write code.' }),
      await anthropic(keys.report).messages.create({ ...asked, max_tokens: 500 }),
    ] as Scanned<object>[]
    for (const { sluice } of whole) {
      expect(sluice?.scan.findings.flatMap(({ violation }) => violation.cwe)).toContain('CWE-78')
    }
  })

  it('and others are told where they ask: the header goes to every API', async () => {
    const headers = { 'sluice-scan': 'PCI DSS' }
    const response = await openai(chat.app.adminKey).responses.create({ model: 'code', input: 'Write code.' }, { headers })
    const message = await anthropic(chat.app.adminKey).messages.create({ model: 'code', max_tokens: 500, messages }, { headers })
    for (const { sluice } of [response, message] as Scanned<object>[]) expect(sluice?.scan.status).toBe('complete')
    const wrong = { headers: { 'sluice-scan': 'Moon Law' } }
    await expect(openai(chat.app.adminKey).responses.create({ model: 'code', input: 'x' }, wrong)).rejects.toMatchObject({
      status: 400,
      param: 'Sluice-Scan',
    })
    await expect(
      anthropic(chat.app.adminKey).messages.create({ model: 'code', max_tokens: 5, messages }, wrong),
    ).rejects.toMatchObject({ status: 400 })
  })
})

describe('a key that withholds code', () => {
  it.each(APIS)('ends a stream of %s behind the block that breaks a rule', async (_, read) => {
    const { said, end, scan } = await read('code', keys.block)
    expect(said.startsWith(before.trimEnd())).toBe(true)
    expect(said).not.toContain('at last')
    expect([end, scan?.blocked]).toEqual(['content_filter', true])
    expect(scan!.findings.map(({ block }) => block)).toContain(1)
  })

  it.each(APIS)('tells of a block at the very end of %s, where the model had stopped', async (_, read) => {
    const { said, end, scan } = await read('last', keys.block)
    expect([said, end, scan?.blocked]).toEqual([before, 'content_filter', true])
  })

  it('does so also where usage comes in a chunk of its own', async () => {
    const { end, scan } = await STREAMS.chat('last', keys.block, { stream_options: { include_usage: true } })
    expect([end, scan?.blocked]).toEqual(['content_filter', true])
  })

  it('lets through what breaks no rule', async () => {
    for (const [, read] of APIS) {
      expect(await read('clean', keys.block)).toEqual({
        said: fenced(GOOD),
        end: 'stop',
        scan: { status: 'complete', findings: [] },
      })
    }
  })

  it('puts a notice in the place of the block in whole answers, and keeps the rest', async () => {
    const { choices, sluice } = (await openai(keys.block).chat.completions.create({ model: 'code', messages })) as Scanned<
      Awaited<ReturnType<ReturnType<typeof openai>['chat']['completions']['create']>> & {
        choices: { message: { content: string }; finish_reason: string }[]
      }
    >
    const { message, finish_reason: end } = choices[0]!
    expect(end).toBe('content_filter')
    expect(message.content).toBe(
      text.replace(BAD, '[This code was withheld: it breaks rules that this API key demands. See sluice.scan.]\n'),
    )
    expect(sluice?.scan.blocked).toBe(true)
  })

  it('does not hand out calls that write such code', async () => {
    const asked = { model: 'writes', messages }
    const whole = (await openai(keys.block).chat.completions.create(asked)) as Scanned<{ choices: { message: object }[] }>
    expect(whole.choices[0]!.message).not.toHaveProperty('tool_calls')
    expect(whole.sluice?.scan.findings[0]).toMatchObject({
      tool_call: 0,
      violation: { cwe: expect.arrayContaining(['CWE-78']) as string[] },
    })
    // A stream has handed the call out before it was complete, and ends so that nobody makes it.
    expect(await STREAMS.chat('writes', keys.block)).toMatchObject({ end: 'content_filter', scan: { blocked: true } })
    const message = await anthropic(keys.block)
      .messages.stream({ ...asked, max_tokens: 500 })
      .finalMessage()
    expect(message.stop_reason).toBe('refusal')
  })

  it('charges what was delivered, and counts what was found', async () => {
    await STREAMS.chat('code', keys.block)
    const read = '{ viewer { usage(first: 1) { nodes { outcome codeFindings outputTokens api } } } }'
    const { viewer } = await chat.app.graphql<{ viewer: { usage: { nodes: { codeFindings: number; outputTokens: number }[] } } }>(
      read,
    )
    const [record] = viewer.usage.nodes
    expect(record).toMatchObject({ outcome: 'BLOCKED', api: 'CHAT_COMPLETIONS' })
    expect(record!.codeFindings).toBeGreaterThan(0)
    // Less than the provider's 90 of the whole answer.
    expect(record!.outputTokens).toBeLessThan(90)
    expect(await chat.app.metrics()).toMatch(/sluice_chat_code_findings_total\{model="code"\} [1-9]/)
  })

  it('holds in the graph too', async () => {
    const input = { model: 'code', messages: [{ role: 'USER', content: 'Write code.' }] }
    const create =
      'mutation ($input: ChatCompletionInput!) { createChatCompletion(input: $input) { ... on ChatCompletion { texts raw } } }'
    const { createChatCompletion } = await chat.app.graphql<{ createChatCompletion: { texts: string[]; raw: Scanned<object> } }>(
      create,
      { input },
      keys.block,
    )
    expect(createChatCompletion.texts[0]).not.toContain('os.system')
    expect(createChatCompletion.raw.sluice?.scan.blocked).toBe(true)
  })
})

describe('what a key demands', () => {
  it('is no part of what its account may ask of the scanner', async () => {
    const account = await chat.app.account({ credits: '5', scanTier: 'FREE' })
    const create = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }'
    const input = { accountId: account.id, scopes: ['CHAT'], answerScan: { mode: 'BLOCK' } }
    const { createApiKey } = await chat.app.graphql<{ createApiKey: { secret: string } }>(create, { input })
    for (let time = 0; time < 65; time++) {
      expect((await STREAMS.chat('clean', createApiKey.secret)).end).toBe('stop')
    }
  })

  it('is set by administrators, holds at once, and goes on to keys that it makes and that follow it', async () => {
    const account = await chat.app.account({ credits: '5' })
    const set = `mutation ($id: ID!, $answerScan: AnswerScanPolicyInput) {
      setApiKeyAnswerScan(input: { id: $id, answerScan: $answerScan }) { apiKey { answerScan { mode standards minSeverity } } } }`
    const answerScan = { mode: 'BLOCK', standards: ['pci dss'], minSeverity: 'HIGH' }
    await expect(chat.app.graphql(set, { id: account.keyId, answerScan }, account.key)).rejects.toThrow(/scope/)
    const { setApiKeyAnswerScan } = await chat.app.graphql<{
      setApiKeyAnswerScan: { apiKey: { answerScan: { standards: string[] } } }
    }>(set, {
      id: account.keyId,
      answerScan,
    })
    expect(setApiKeyAnswerScan.apiKey.answerScan).toMatchObject({ mode: 'BLOCK', standards: [expect.stringMatching(/^PCI DSS/)] })
    await everywhere(async () => expect((await STREAMS.chat('code', account.key)).end).toBe('content_filter'))
    const create =
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { answerScan { mode } } } }'
    const { createApiKey: made } = await chat.app.graphql<{ createApiKey: { apiKey: object } }>(
      create,
      { input: {} },
      account.key,
    )
    expect(made.apiKey).toEqual({ answerScan: { mode: 'BLOCK' } })
    await expect(chat.app.graphql(create, { input: { answerScan: { mode: 'REPORT' } } }, account.key)).rejects.toThrow(
      /administrators/,
    )
    const rotate = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret apiKey { answerScan { mode } } } }'
    const { rotateApiKey } = await chat.app.graphql<{ rotateApiKey: { secret: string; apiKey: object } }>(rotate, {
      id: account.keyId,
    })
    expect(rotateApiKey.apiKey).toEqual({ answerScan: { mode: 'BLOCK' } })
    await chat.app.graphql(set, { id: account.keyId, answerScan: null })
    await everywhere(async () => expect((await STREAMS.chat('code', rotateApiKey.secret)).end).toBe('stop'))
  })

  it('names standards that exist', async () => {
    await expect(keyWith({ mode: 'REPORT', standards: ['Moon Law'] })).rejects.toThrow(/Moon Law/)
  })
})

describe('chatCompletion in GraphQL', () => {
  it('tells of each block as soon as it was looked at, for who asks for it', async () => {
    const query = `subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input, scan: []) { __typename
      ... on ChatCompletionChunk { endsAnswer } ... on ChatCodeFindings { choice block line toolCall isBlocked message findings } } }`
    const input = { model: 'code', messages: [{ role: 'USER', content: 'Write code.' }] }
    const client = createClient({ url: `${chat.app.url}/graphql`, headers: { authorization: `Bearer ${chat.app.adminKey}` } })
    const events: Record<string, unknown>[] = []
    for await (const { data, errors } of client.iterate<{ chatCompletion: Record<string, unknown> }>({
      query,
      variables: { input },
    })) {
      expect(errors).toBeUndefined()
      events.push(data!.chatCompletion)
    }
    client.dispose()
    const told = events.filter(({ __typename }) => __typename === 'ChatCodeFindings')
    expect(new Set(told.map(({ block }) => block))).toEqual(new Set([0, 1, 2]))
    expect(told.find(({ block }) => block === 1)).toMatchObject({
      line: text.split('\n').indexOf('import os') + 1,
      toolCall: null,
    })
    expect(told.find(({ block }) => block === 1)!['findings']).not.toEqual([])
    expect(events.at(-1)).toMatchObject({ __typename: 'ChatCompletionChunk', endsAnswer: true })
  })
})
