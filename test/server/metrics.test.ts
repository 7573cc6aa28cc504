/** What a scraper reads at /metrics after chats, GraphQL operations and scans. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundedNames } from '#platform/metrics/labels.js'
import { answers, fails, streams, wholeJson } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    { whole: answers(wholeJson('Hello there')), streamed: streams({ pieces: ['a', 'b', 'c'] }), broken: fails(500) },
    { scanner: { analyzers: 1 } },
    [],
    { isOfOneServer: true },
  )
})
afterAll(() => chat.stop())

async function metric(series: string): Promise<number | null> {
  const text = await (await chat.app.fetch('/metrics')).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

const ask = (model: string, more: object = {}) =>
  chat.app.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  })

describe('the figures of chats', () => {
  it('tell model, provider and outcome, what was billed and how long it took', async () => {
    await (await ask('whole')).text()
    await (await ask('streamed', { stream: true })).text()
    const ok = (model: string) => `model="${model}",provider="p1"`
    expect(await metric(`sluice_chat_requests_total{${ok('whole')},outcome="completed"}`)).toBe(1)
    expect(await metric(`sluice_chat_requests_total{${ok('streamed')},outcome="completed"}`)).toBe(1)
    expect(await metric(`sluice_chat_seconds_count{${ok('whole')}}`)).toBe(1)
    expect(await metric(`sluice_chat_first_token_seconds_count{${ok('whole')}}`)).toBe(null)
    expect(await metric(`sluice_chat_first_token_seconds_count{${ok('streamed')}}`)).toBe(1)
    expect(await metric(`sluice_chat_output_token_seconds_count{${ok('streamed')}}`)).toBe(1)
    expect(await metric(`sluice_chat_tokens_total{${ok('streamed')},kind="output"}`)).toBe(3)
    expect(await metric(`sluice_charged_usd_total{${ok('streamed')}}`)).toBeGreaterThan(0)
    expect(await metric('sluice_deployment_health{deployment="whole@p1",status="healthy"}')).toBe(1)
    expect(await metric('sluice_circuit_open{deployment="whole@p1"}')).toBe(0)
    expect(await metric('sluice_holds_open')).toBe(0)
    expect(await metric('sluice_ledger_batch_operations_count')).toBeGreaterThan(0)
  })

  it('count a failed attempt at its provider and the error that the caller saw', async () => {
    expect((await ask('broken')).status).toBe(502)
    expect(await metric('sluice_chat_requests_total{model="broken",provider="p1",outcome="failed"}')).toBe(1)
    expect(await metric('sluice_provider_attempts_total{provider="p1",outcome="status"}')).toBe(1)
  })

  it('never repeat what a caller made up: an unknown model is "other"', async () => {
    expect((await ask('made-up-7531')).status).toBe(404)
    expect((await ask('unpriced')).status).toBe(400)
    const text = await (await chat.app.fetch('/metrics')).text()
    expect(text).not.toContain('made-up-7531')
    expect(await metric('sluice_chat_requests_total{model="other",provider="none",outcome="model_not_found"}')).toBe(1)
    expect(await metric('sluice_chat_requests_total{model="unpriced",provider="none",outcome="pricing_pending"}')).toBe(1)
  })
})

it('GraphQL operations are counted by name and cost', async () => {
  await chat.app.graphql('query Whoami { viewer { id } }')
  await chat.app.graphql('{ viewer { id } }')
  expect(await metric('sluice_graphql_operations_total{operation="Whoami",type="query"}')).toBe(1)
  expect(await metric('sluice_graphql_operations_total{operation="unnamed",type="query"}')).toBe(1)
  expect(await metric('sluice_graphql_operation_cost_sum{operation="Whoami"}')).toBe(2)
})

it('scanned files are counted by language', async () => {
  const body = JSON.stringify({ code: 'print(1)', language: 'python' })
  const headers = { 'content-type': 'application/json' }
  expect((await chat.app.fetch('/api/scan', { method: 'POST', headers, body })).status).toBe(200)
  expect(await metric('sluice_scan_files_total{language="python",outcome="done"}')).toBe(1)
  expect(await metric('sluice_scan_seconds_count{kind="file",outcome="done"}')).toBe(1)
  expect(await metric('sluice_scan_waiting_files')).toBe(0)
})

it('names beyond the bound share one series', () => {
  const nameOf = boundedNames(2)
  expect(['a', 'b', 'c', 'a', 'd'].map(nameOf)).toEqual(['a', 'b', 'other', 'a', 'other'])
})
