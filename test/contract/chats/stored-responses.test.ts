/** `store: true` of /v1/responses with the unmodified `openai` SDK: read, gone on from, referred to, deleted; never by others. */
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth, fakeUsage } from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chat-app.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hello ', 'you'], usageObject: fakeUsage(11, 3) }) })
})
afterAll(() => chat.stop())

const clientOf = (apiKey = chat.app.adminKey, app = chat.app) => new OpenAI({ baseURL: `${app.url}/v1`, apiKey, maxRetries: 0 })
const told = () => chat.provider.calls.at(-1)!.body['messages']
type Answered = OpenAI.Responses.Response & { readonly store?: boolean }
const ask = (fields: object, client = clientOf()) =>
  client.responses.create({ model: 'normal', input: 'Hello', store: true, ...fields }) as Promise<Answered>

describe('a stored response', () => {
  it('is read as it was answered, whole or streamed', async () => {
    const whole = await ask({ metadata: { a: 'b' } })
    expect(whole.store).toBe(true)
    const { output_text: _, ...answered } = whole
    expect(await clientOf().responses.retrieve(whole.id)).toMatchObject({ ...answered })
    const stream = clientOf().responses.stream({ model: 'normal', input: 'Hello', store: true })
    const last = await stream.finalResponse()
    expect(await clientOf().responses.retrieve(last.id)).toMatchObject({
      id: last.id,
      output_text: 'Hello you',
      status: 'completed',
    })
  })

  it('is gone on from, with all that was said before', async () => {
    const first = await ask({ input: 'One', instructions: 'Only here.' })
    const second = await ask({ input: [{ role: 'user', content: 'Two' }], previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
    await ask({ input: 'Three', previous_response_id: second.id, store: false })
    const said = { role: 'assistant', content: 'Hello you' }
    expect(told()).toEqual([
      { role: 'user', content: 'One' },
      said,
      { role: 'user', content: 'Two' },
      said,
      { role: 'user', content: 'Three' },
    ])
    const items = []
    for await (const item of clientOf().responses.inputItems.list(second.id, { order: 'asc', limit: 2 })) items.push(item)
    expect(items.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'assistant', 'user'])
    expect(new Set(items.map(({ id }) => id)).size).toBe(3)
    const newest = await clientOf().responses.inputItems.list(second.id, { limit: 1 })
    expect(newest).toMatchObject({ has_more: true, data: [{ content: [{ type: 'input_text', text: 'Two' }] }] })
  })

  it('is where items of later requests may refer to', async () => {
    const first = await ask({ input: 'One' })
    await ask({
      input: [
        { role: 'user', content: 'One' },
        { type: 'item_reference', id: first.output[0]!.id! },
        { role: 'user', content: 'Two' },
      ],
    })
    expect(told()).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Hello you' },
      { role: 'user', content: 'Two' },
    ])
    await expect(ask({ input: [{ type: 'item_reference', id: 'msg_none' }] })).rejects.toMatchObject({
      status: 400,
      param: 'input[0].id',
    })
  })

  it('is deleted', async () => {
    const { id } = await ask({})
    await clientOf().responses.delete(id)
    for (const asked of [
      () => clientOf().responses.retrieve(id),
      () => clientOf().responses.delete(id),
      () => clientOf().responses.inputItems.list(id),
    ]) {
      await expect(asked()).rejects.toMatchObject({ status: 404, param: 'response_id' })
    }
    await expect(ask({ previous_response_id: id })).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
  })

  it('does not exist for others', async () => {
    const { id, output } = await ask({})
    const { key } = await chat.app.account({ credits: '5' })
    const other = clientOf(key)
    await expect(other.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(other.responses.delete(id)).rejects.toMatchObject({ status: 404 })
    await expect(ask({ previous_response_id: id }, other)).rejects.toMatchObject({ status: 400 })
    await expect(ask({ input: [{ type: 'item_reference', id: output[0]!.id! }] }, other)).rejects.toMatchObject({ status: 400 })
    expect(await clientOf().responses.retrieve(id)).toMatchObject({ id })
  })
})

describe('a response', () => {
  it('is not stored unless its caller says so', async () => {
    const { id, store } = await ask({ store: undefined })
    expect(store).toBe(false)
    await expect(clientOf().responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('is stored by default where the operator wants OpenAI to be followed in that', async () => {
    const keeping = await startChatApp({ normal: answersBoth({ pieces: ['Hi'] }) }, { responses: { store_by_default: true } })
    const client = clientOf(keeping.app.adminKey, keeping.app)
    const { id, store } = await ask({ store: undefined }, client)
    expect([store, (await client.responses.retrieve(id)).id]).toEqual([true, id])
    const { store: denied } = await ask({ store: false }, client)
    expect(denied).toBe(false)
    await keeping.stop()
  })

  it('says so where it is too large to be stored, and is answered all the same', async () => {
    const small = await startChatApp({ normal: answersBoth({ pieces: ['Hi'] }) }, { responses: { conversation_characters: 100 } })
    const answer = await clientOf(small.app.adminKey, small.app).responses.create({
      model: 'normal',
      input: 'Hello',
      store: true,
    })
    expect(answer).toMatchObject({ output_text: 'Hi', store: false })
    await small.stop()
  })
})
