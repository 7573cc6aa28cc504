/** The drivers whose instances are real processes of this machine. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createCommandDriver, type CommandOptions } from '../../../subgraphs/compute/drivers/local/command.js'
import type { GpuDriver } from '../../../subgraphs/compute/drivers/driver.js'
import { isAlive } from '../../../subgraphs/compute/drivers/local/process-table.js'
import { createSandboxDriver } from '../../../subgraphs/compute/drivers/local/sandbox.js'
import { probeEndpoint } from '../../../subgraphs/compute/deployments/probe.js'
import { describeDriver, specFor, until } from './driver-contract.js'

const folders: string[] = []
function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  folders.push(folder)
  return folder
}

const signal = () => AbortSignal.timeout(10_000)
const drivers: GpuDriver[] = []

async function endAll(): Promise<void> {
  for (const driver of drivers.splice(0)) {
    for (const { instanceId } of await driver.list('slu-', signal())) await driver.destroy(instanceId, signal())
    await driver.close?.()
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
afterEach(endAll)

const sandbox = (fields: Partial<Parameters<typeof createSandboxDriver>[0]> = {}) => {
  const driver = createSandboxDriver({ stateFolder: tempFolder(), bootMs: 40, ...fields })
  drivers.push(driver)
  return driver
}

/** Any server that takes a port will do: ours takes its options as JSON, so a small script stands between. */
const servingScript = `
  const [port, key, model] = process.argv.slice(1)
  const server = require('node:http').createServer((request, response) => {
    const isKnown = request.url === '/health' || request.headers.authorization === 'Bearer ' + key
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ model }))
  })
  server.listen(Number(port), '127.0.0.1')`

const command = (fields: Partial<CommandOptions> = {}) => {
  const driver = createCommandDriver({
    providerId: 'own1',
    region: 'here',
    stateFolder: tempFolder(),
    slots: [
      { id: 'gpu0', gpuModel: 'L4', vramGb: 24, gpuCount: 1, pricePerGpuHour: 500_000_000n },
      { id: 'gpu1', gpuModel: 'L4', vramGb: 24, gpuCount: 1, pricePerGpuHour: 500_000_000n },
    ],
    command: [process.execPath, '-e', servingScript, '--', '{port}', '{key}', '{model}'],
    pollMs: 20,
    ...fields,
  })
  drivers.push(driver)
  return driver
}

for (const [name, open] of [
  ['sandbox', sandbox],
  ['command', command],
] as const) {
  describeDriver(name, async () => ({ driver: open(), bringUp: async () => {}, [Symbol.asyncDispose]: endAll }))
}

const l4 = async (driver: GpuDriver) => (await driver.listOffers({}, signal())).find(({ gpuModel }) => gpuModel === 'L4')!

async function runningSandbox(driver: GpuDriver) {
  const spec = specFor(await l4(driver))
  const { instanceId } = await driver.create(spec, signal())
  const seen = await until(
    () => driver.get(instanceId, signal()),
    (value) => value?.endpointUrl != null,
  )
  return { spec, instanceId, url: seen!.endpointUrl! }
}

describe('a sandbox instance', () => {
  it('serves its own key only, and only once it has booted', async () => {
    const driver = sandbox({ bootMs: 400 })
    const { spec, url } = await runningSandbox(driver)
    const target = { url, key: spec.endpointKey, modelId: 'test-model' }
    const first = await probeEndpoint(target, signal()).catch(() => false)
    expect(first).toBe(false)
    await until(() => probeEndpoint(target, signal()).catch(() => false), Boolean)
    expect(await probeEndpoint({ ...target, key: 'another' }, signal())).toBe(false)
  })

  it('is found by a new gateway after the old one was killed, and can be ended by it', async () => {
    const stateFolder = tempFolder()
    const { instanceId } = await runningSandbox(sandbox({ stateFolder }))
    const next = sandbox({ stateFolder })
    expect(await next.list('slu-', signal())).toMatchObject([{ instanceId }])
    const { pid } = JSON.parse(readFileSync(join(stateFolder, 'sandbox', `${instanceId}.json`), 'utf8')) as { pid: number }
    expect(isAlive(pid)).toBe(true)
    expect(await next.destroy(instanceId, signal())).toBe('gone')
    expect(isAlive(pid)).toBe(false)
  })

  it('is seen as gone when its process dies, whoever has its process id by then', async () => {
    const stateFolder = tempFolder()
    const driver = sandbox({ stateFolder })
    const { instanceId } = await runningSandbox(driver)
    const file = join(stateFolder, 'sandbox', `${instanceId}.json`)
    const record = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
    process.kill(-record.pid, 'SIGKILL')
    await until(
      () => driver.get(instanceId, signal()),
      (value) => value === null,
    )
    writeFileSync(file, JSON.stringify({ ...record, pid: process.pid }))
    expect(await driver.get(instanceId, signal())).toBeNull()
    expect(await driver.destroy(instanceId, signal())).toBe('gone')
    expect(isAlive(process.pid)).toBe(true)
  })

  it('ends by itself when no gateway looks after it any more', async () => {
    const stateFolder = tempFolder()
    const driver = sandbox({ stateFolder, orphanTimeoutMs: 1_000 })
    const { instanceId } = await runningSandbox(driver)
    const file = join(stateFolder, 'sandbox', `${instanceId}.json`)
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
    utimesSync(file, 0, 0)
    await until(
      async () => isAlive(pid),
      (alive) => !alive,
    )
    expect(readdirSync(join(stateFolder, 'sandbox'))).toEqual([])
  })

  it('ends with an orderly stop of its gateway', async () => {
    const stateFolder = tempFolder()
    const driver = sandbox({ stateFolder })
    await runningSandbox(driver)
    await driver.close?.()
    expect(readdirSync(join(stateFolder, 'sandbox'))).toEqual([])
  })

  it('is interrupted or refused when the sandbox is told to', async () => {
    const driver = sandbox({ interruptAfterMs: 100 })
    const offer = (await driver.listOffers({}, signal())).find(({ spot }) => spot)!
    const { instanceId } = await driver.create(specFor(offer), signal())
    await until(
      () => driver.get(instanceId, signal()),
      (value) => value?.status === 'ended',
    )
    await expect(sandbox({ noCapacityShare: 1 }).create(specFor(offer), signal())).rejects.toMatchObject({
      fault: { kind: 'capacity' },
    })
  })

  it('runs the model server that it is given', async () => {
    const driver = sandbox({ serverPath: join(process.cwd(), 'dist/subgraphs/inference/sandbox/server.js') })
    const { url, spec } = await runningSandbox(driver)
    await until(() => probeEndpoint({ url, key: spec.endpointKey, modelId: 'm' }, signal()).catch(() => false), Boolean)
    const headers = { authorization: `Bearer ${spec.endpointKey}` }
    expect(await (await fetch(`${url}/models`, { headers })).json()).toMatchObject({ data: [{ id: 'test-model' }] })
  })
})

describe('the command driver', () => {
  it('fills placeholders into single arguments and never through a shell', async () => {
    const driver = command({ models: { 'test-model': 'weights; touch /tmp/sluice-never' } })
    const { url, spec } = await runningSandbox(driver)
    const response = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${spec.endpointKey}` } })
    expect(await response.json()).toEqual({ model: 'weights; touch /tmp/sluice-never' })
    expect(spawnSync('ls', ['/tmp/sluice-never']).status).not.toBe(0)
  })

  it('offers each slot once and has no capacity when all are taken', async () => {
    const driver = command()
    const offer = await l4(driver)
    await driver.create(specFor(offer), signal())
    expect(await driver.listOffers({}, signal())).toHaveLength(1)
    await driver.create(specFor(offer), signal())
    expect(await driver.listOffers({}, signal())).toEqual([])
    await expect(driver.create(specFor(offer), signal())).rejects.toMatchObject({ fault: { kind: 'capacity' } })
  })

  it('serves models only', async () => {
    const driver = command()
    const spec = specFor(await l4(driver), { modelId: null })
    await expect(driver.create(spec, signal())).rejects.toMatchObject({ fault: { kind: 'invalid' } })
  })

  it('is gone when its program cannot be started', async () => {
    const driver = command({ command: ['/no/such/program', '{port}'] })
    const { instanceId } = await driver.create(specFor(await l4(driver)), signal())
    await until(
      () => driver.get(instanceId, signal()),
      (value) => value === null,
    )
    expect(await driver.destroy(instanceId, signal())).toBe('gone')
  })
})
