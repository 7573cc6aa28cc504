/** The package as npm would publish it: installed from its file into an empty folder, it serves, checks, scans and speaks MCP. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SLUICE_PORT: '0' }
/** How this machine reaches the registry; without it npm tries again for minutes, and says nothing. */
const REACHES = /^(?:NODE_EXTRA_CA_CERTS|(?:https?|no)_proxy|npm_config_registry)$/i
const npmEnv = { ...env, ...Object.fromEntries(Object.entries(process.env).filter(([name]) => REACHES.test(name))) }
/** Without the Node of this repository, as on a machine that has only what was installed. */
const program = join(folder, 'node_modules', '.bin', 'sluice')
const installed = { cwd: folder, env: { ...env, PATH: `${join(folder, 'node_modules', '.bin')}:${env.PATH}` } }
const sluice = (...args: string[]) => execFileSync(program, args, { ...installed, encoding: 'utf8' })

function bytesIn(path: string): number {
  // A link counts as itself: `.bin/node` leads to the Node that is left out.
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return facts.size
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
}

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: packageRoot,
    env,
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }]
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
    env: npmEnv,
    stdio: 'pipe',
    timeout: 600_000,
  })
}, 700_000)

describe('the installed package', () => {
  it('takes at most 150 MB beside the Node that it brings', () => {
    const modules = join(folder, 'node_modules')
    const node = readdirSync(modules).filter((name) => name.startsWith('node-'))
    const bytes = bytesIn(modules) - node.reduce((sum, name) => sum + bytesIn(join(modules, name)), 0)
    expect(bytes).toBeLessThan(150e6)
  })

  it('checks its machine', () => {
    expect(sluice('doctor')).toContain('An analyzer started and answered')
  })

  it('scans', () => {
    writeFileSync(join(folder, 'a.py'), 'import os, sys\nos.system("ls " + sys.argv[1])\n')
    const { status, stdout } = spawnSync(program, ['scan', '--no-cache', 'a.py'], { ...installed, encoding: 'utf8' })
    // What it found needs the dataflow, and so the grammar and its runtime.
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(/a\.py[^]*sys\.argv/) as string })
    expect(stdout).not.toContain('longer to parse')
  })

  it('serves and answers a chat', async () => {
    const server = spawn(program, ['serve'], { ...installed, stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    await expect.poll(() => printed).toMatch(/slk_\w+/)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0]
    const key = /slk_\w+/.exec(printed)![0]
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'light', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.status).toBe(200)
    expect((await fetch(`${url}/console/`)).status).toBeLessThan(500)
    const documentation = await fetch(`${url}/docs/start`)
    expect([documentation.status, await documentation.text()]).toEqual([200, expect.stringContaining('Run a server')])
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('close', resolve))
  })

  it('speaks MCP over standard input', async () => {
    const mcp = spawn(program, ['mcp'], { ...installed, stdio: ['pipe', 'pipe', 'inherit'] })
    let printed = ''
    mcp.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const send = (message: object) => mcp.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    send({ id: 1, method: 'initialize', params: client })
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/list' })
    await expect.poll(() => printed).toContain('"id":2')
    expect(printed).toContain('inputSchema')
    mcp.stdin.end()
    await new Promise((resolve) => mcp.once('close', resolve))
  })
})
