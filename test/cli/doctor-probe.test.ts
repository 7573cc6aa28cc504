/** `sluice doctor --probe`: each live provider is asked whether it is there and takes our key. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { diagnose } from '../../src/cli/doctor.js'

/** A port at which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

it('says of each provider whether it takes the key, refuses it, or is not there', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { authorization, 'x-api-key': key, 'anthropic-version': version } = request.headers
    const told = authorization ?? `${String(key)} ${String(version)}`
    asked.push(`${request.method} ${request.url} ${told}`)
    const status = { 'Bearer good': 200, 'good 2023-06-01': 200, 'Bearer bad': 401 }[told] ?? 404
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const providers = [
    { id: 'fine', name: 'Fine', base_url: `${at}/v1/`, api_key: 'good' },
    { id: 'refused', name: 'Refused', base_url: `${at}/v1`, api_key: 'bad' },
    { id: 'messages', name: 'Messages', base_url: `${at}/v1`, api: 'messages', api_key: 'good' },
    { id: 'quiet', name: 'Quiet', base_url: `${at}/v1`, api_key: 'other' },
    { id: 'gone', name: 'Gone', base_url: `http://127.0.0.1:${await closedPort()}/v1`, api_key: 'good' },
  ]
  writeFileSync(join(folder, 'sluice.config.yaml'), stringify({ catalog: { include_shipped: false }, sandbox: false, providers }))
  const env = { SLUICE_DATABASE_URL: `sqlite:${join(folder, 'sluice.db')}`, SLUICE_PORT: '0' }
  try {
    const silent = await diagnose({ workingDirectory: folder, env })
    expect(silent.probes).toEqual([])
    expect(asked).toEqual([])
    const { checks, ok } = await diagnose({ workingDirectory: folder, env }, true)
    const probed = checks.filter(({ name }) => name === 'probe').map(({ status, message }) => `${status}: ${message}`)
    expect(probed).toEqual([
      'ok: fine answers and takes the key.',
      'problem: refused refuses the key (401).',
      'ok: messages answers and takes the key.',
      'note: quiet answers with 404; whether it takes the key is not known.',
      'problem: gone cannot be reached: ECONNREFUSED.',
    ])
    expect(ok).toBe(false)
    expect(asked.toSorted()).toEqual([
      'GET /v1/models Bearer bad',
      'GET /v1/models Bearer good',
      'GET /v1/models Bearer other',
      'GET /v1/models good 2023-06-01',
    ])
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
