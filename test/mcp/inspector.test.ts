/** The protocol's official inspector, as people use it from a command line: lists the five tools and calls each. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { dangerous, harmless } from './samples.js'

const require = createRequire(import.meta.url)
const INSPECTOR = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const MAIN = join(packageRoot, 'dist', 'src', 'main.js')

let app: TestApp
/** It keeps files in the home of its user. */
const home = mkdtempSync(join(tmpdir(), 'sluice-inspector-'))

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const server = {
  'over http': () => [`${app.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${app.adminKey}`],
  'over stdio': () => [process.execPath, MAIN, 'mcp'],
  // Its own option --server would take what is meant for ours, so this one comes from a file.
  'over stdio, in front of a server': () => ['--config', configuration(), '--server', 'sluice'],
}
type Where = keyof typeof server

/** As assistants are configured. */
function configuration(): string {
  const path = join(home, 'mcp.json')
  const env = { SLUICE_API_KEY: app.adminKey }
  const sluice = { command: process.execPath, args: [MAIN, 'mcp', '--server', app.url], env }
  writeFileSync(path, JSON.stringify({ mcpServers: { sluice } }))
  return path
}

async function inspect(where: Where, method: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const options = { env: { PATH: process.env['PATH'], HOME: home }, cwd: home }
  return promisify(execFile)(
    process.execPath,
    [INSPECTOR, '--cli', ...server[where](), '--method', method, '--format', 'json', ...args],
    options,
  )
}

async function call(where: Where, tool: string, args: object = {}): Promise<object> {
  const { stdout } = await inspect(where, 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args))
  return (JSON.parse(stdout) as { result: { structuredContent: object } }).result.structuredContent
}

describe.each(Object.keys(server) as Where[])('%s', (where) => {
  it('lists the five tools, and finds nothing in their schemas that some client could not take', async () => {
    const { stdout, stderr } = await inspect(where, 'tools/list', '--strict')
    const { result } = JSON.parse(stdout) as { result: { tools: { name: string }[] } }
    expect(result.tools.map(({ name }) => name)).toEqual(['scan_code', 'batch_scan', 'get_config', 'get_rules', 'health_check'])
    expect(stderr).not.toMatch(/Warning|Error/)
  })

  it('scans', async () => {
    // A null stands for what is left out, although the schemas do not say so.
    const result = await call(where, 'scan_code', { code: dangerous, language: 'python', filename: null })
    expect(result).toMatchObject({ summary: { critical: 1 } })
  })
})

/** An engine of its own for each of the calls would take long; mcp-stdio.test.ts calls all tools over stdio. */
it('calls the other four over http', async () => {
  const files = [
    { code: dangerous, language: 'python' },
    { code: harmless, language: 'py', filename: 'b.py' },
  ]
  const [batch, config, rules, health] = await Promise.all([
    call('over http', 'batch_scan', { files }),
    call('over http', 'get_config'),
    call('over http', 'get_rules', { standard: 'HIPAA' }),
    call('over http', 'health_check'),
  ])
  expect(batch).toMatchObject({ overall_summary: { total_violations: 1 } })
  expect(config).toMatchObject({ standards: expect.arrayContaining(['OWASP Top 10']) as string[], server_url: app.url })
  expect(rules).toMatchObject({ total_rules: expect.any(Number) as number })
  expect(health).toMatchObject({ status: 'healthy', server_url: app.url })
})
