/** `sluice mcp` through the official client: with an engine of its own, and in front of a server. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { runSluice } from '../kit/process.js'
import { dangerous, harmless } from './samples.js'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function connect(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const command = { command: process.execPath, args: [join(packageRoot, 'dist', 'src', 'main.js'), 'mcp', ...args] }
  await client.connect(new StdioClientTransport({ ...command, env: { PATH: process.env['PATH'] ?? '', ...env } }))
  await client.listTools()
  return client
}

const textOf = (result: unknown): string => {
  const [content] = (result as CallToolResult).content
  return content?.type === 'text' ? content.text : ''
}

const files = [
  { code: dangerous, language: 'py', filename: 'a.py' },
  { code: harmless, language: 'python' },
]

describe.each(['in-process', 'remote'] as const)('%s', (where) => {
  let client: Client
  beforeAll(async () => {
    client = where === 'in-process' ? await connect() : await connect(['--server', app.url], { SLUICE_API_KEY: app.adminKey })
  })
  afterAll(() => client.close())

  it('scans like the server', async () => {
    const expected = await app.fetch('/api/batch-scan', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ files }),
    })
    const result = await client.callTool({ name: 'batch_scan', arguments: { files } })
    expect(result.structuredContent).toEqual(await expected.json())
  })

  it('answers all five tools', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(['scan_code', 'batch_scan', 'get_config', 'get_rules', 'health_check'])
    const [scan, config, rules, health] = await Promise.all([
      client.callTool({ name: 'scan_code', arguments: { code: dangerous, language: 'python' } }),
      client.callTool({ name: 'get_config', arguments: {} }),
      client.callTool({ name: 'get_rules', arguments: { standard: 'GDPR' } }),
      client.callTool({ name: 'health_check', arguments: {} }),
    ])
    expect(scan.structuredContent).toMatchObject({ status: 'completed', summary: { critical: 1 } })
    const url = where === 'remote' ? app.url : 'stdio:'
    const served = (await (await app.fetch('/api/config')).json()) as object
    expect(config.structuredContent).toEqual({ ...served, server_url: url })
    expect(rules.structuredContent).toEqual(await (await app.fetch('/api/rules?standard=gdpr')).json())
    expect(health.structuredContent).toMatchObject({ status: 'healthy', server_url: url })
  })

  it('answers wrong arguments with the code of the contract', async () => {
    const result = await client.callTool({ name: 'scan_code', arguments: { code: '', language: 'cobol' } })
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toMatchObject({ code: 'UNSUPPORTED_LANGUAGE', details: 'field: language' })
  })
})

it('tells how far a batch is', async () => {
  const client = await connect()
  const ticks: number[] = []
  const many = Array.from({ length: 20 }, () => ({ code: dangerous.repeat(200), language: 'python' }))
  await client.callTool({ name: 'batch_scan', arguments: { files: many } }, undefined, {
    onprogress: ({ progress }) => ticks.push(progress),
  })
  // The client drops what comes in one piece with the result.
  expect(ticks.length).toBeGreaterThan(10)
  expect(ticks).toEqual(ticks.map((_, at) => at + 1))
  await client.close()
})

it('passes on what the server says about the key', async () => {
  const client = await connect(['--server', app.url], { SLUICE_API_KEY: 'wrong' })
  const result = await client.callTool({ name: 'scan_code', arguments: { code: '', language: 'go' } })
  expect(JSON.parse(textOf(result))).toMatchObject({ code: 'AUTH_ERROR' })
  await client.close()
})

it('says that a server does not answer', async () => {
  const client = await connect(['--server', 'http://127.0.0.1:9'], { SLUICE_API_KEY: 'x' })
  const result = await client.callTool({ name: 'get_config', arguments: {} })
  expect(JSON.parse(textOf(result))).toEqual({ code: 'SERVER_ERROR', error: 'http://127.0.0.1:9 does not answer.' })
  await client.close()
})

it('ends with its input, and refuses a server without a key', async () => {
  expect(await runSluice(['mcp'])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await runSluice(['mcp', '--server', app.url])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SLUICE_API_KEY') as string,
  })
})
