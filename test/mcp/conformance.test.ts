/**
 * The protocol's official conformance suite. Against the server as it ships everything passes that needs no fixture of the
 * suite; behind the same endpoint with those fixtures everything passes.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { parse } from 'yaml'
import { expect, it } from 'vitest'
import type { Principal } from '#platform/requests/context.js'
import { createContextSource } from '#platform/requests/request-context.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { allowedOrigins } from '../../src/edge/cors.js'
import { createMcpRouter } from '../../src/mcp/http/mcp-router.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp } from '../kit/app.js'
import { onlySmallBodies } from '../kit/large-bodies.js'
import { ManualClock } from '../kit/manual-clock.js'
import { startKeyProxy } from './fixtures/key-proxy.js'
import { createSuiteServer } from './fixtures/suite-server.js'

const require = createRequire(import.meta.url)
const SUITE = require.resolve('@modelcontextprotocol/conformance/dist/index.js')
const EXPECTED_FAILURES = join(packageRoot, 'test', 'mcp', 'conformance-expected-failures.yaml')
const ACTIVE_SCENARIOS = 30

interface SuiteRun {
  readonly code: number
  readonly scenarios: number
  readonly output: string
}

/** Runs the active scenarios; the suite ends with 1 when one fails that may not, and when one passes that was given up. */
async function runSuite(url: string, ...options: string[]): Promise<SuiteRun> {
  const args = [SUITE, 'server', '--url', `${url}/mcp`, ...options]
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })
  return { code, scenarios: output.match(/=== Running scenario:/g)?.length ?? 0, output }
}

const expectRun = ({ code, scenarios, output }: SuiteRun) =>
  expect({ code, scenarios }, `The suite said:\n${output}`).toEqual({ code: 0, scenarios: ACTIVE_SCENARIOS })

it('the shipped server passes every scenario that needs no fixture of the suite', async () => {
  await using app = await startTestApp()
  await using proxy = await startKeyProxy(app.url, app.adminKey)
  expectRun(await runSuite(proxy.url, '--expected-failures', EXPECTED_FAILURES))
})

it('what it is expected to fail names a fixture that only the suite has', () => {
  const text = readFileSync(EXPECTED_FAILURES, 'utf8')
  const fixtures = readFileSync(join(packageRoot, 'test', 'mcp', 'fixtures', 'suite-server.ts'), 'utf8')
  const reasons = [...text.matchAll(/^ {2}- (\S+) # needs (\S+)$/gm)]
  expect(reasons.map(([, scenario]) => scenario)).toEqual((parse(text) as { server: string[] }).server)
  for (const [, , fixture] of reasons) expect(fixtures).toContain(fixture)
})

it('with the fixtures of the suite behind the same endpoint every active scenario passes', async () => {
  const principal: Principal = { keyId: 'key_suite', accountId: 'acc_suite', scopes: new Set(['scan']) }
  const clock = new ManualClock()
  const endpoint = createMcpRouter({
    edge: {
      contexts: createContextSource({ authenticate: (token) => (token === 'suite' ? principal : null), clock }),
      limits: { maxBodyBytes: 1_000_000, maxSmallBodyBytes: 64_000, maxJsonDepth: 64, storesResponses: false },
      large: onlySmallBodies.large,
      onUnexpected: (error) => expect.unreachable(error.detail),
    },
    limits: { sessions: 1_000, idleMs: 1_800_000 },
    clock,
    hosts: { host: '127.0.0.1', publicUrl: null, allowsOrigin: allowedOrigins({ origins: undefined, host: '127.0.0.1' }) },
    events: createInProcessEvents(),
    createServer: createSuiteServer,
  })
  const http = createServer(express().use('/mcp', endpoint.router)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  await using proxy = await startKeyProxy(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, 'suite')
  expectRun(await runSuite(proxy.url))
  await endpoint.stop()
  http.close()
  http.closeAllConnections()
})
