/** `sluice doctor`: finds what would keep a server from starting or answering, and says what to do. */
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../kit/app.js'
import { testLocation } from '../kit/database.js'
import { diagnose, type Check } from '../../src/cli/doctor.js'
import { commandLine } from './command-line.js'

const sluice = commandLine()
afterAll(() => sluice[Symbol.dispose]())

const checkOf = (checks: readonly Check[]) => (name: Check['name']) => checks.find((check) => check.name === name)

/** In this process: what the command prints and how it ends is seen where nothing is set up, and where the database is away. */
async function doctor(env: Record<string, string> = {}, path?: string) {
  const source = { workingDirectory: sluice.folder, env: { SLUICE_PORT: '0', ...env } }
  const { ok, checks } = await diagnose(path === undefined ? source : { ...source, path })
  return { ok, check: checkOf(checks) }
}

describe('where nothing is set up', () => {
  it('all is well, the sandbox answers, and every preset names the variable that makes it live', async () => {
    const { code, stdout } = await sluice.run(['doctor', '--json'], { env: { SLUICE_PORT: '0' } })
    const { ok, checks, providers } = JSON.parse(stdout) as Awaited<ReturnType<typeof diagnose>>
    const check = checkOf(checks)
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    expect(check('providers')).toMatchObject({ status: 'note', message: expect.stringContaining('sandbox') as string })
    expect(check('database')).toMatchObject({ status: 'ok' })
    expect(check('scanner')).toMatchObject({ status: 'ok', message: expect.stringContaining('analyzer') as string })
    expect(providers.length).toBeGreaterThan(10)
    expect(providers.every(({ isLive, missingVariables }) => !isLive && missingVariables.length > 0)).toBe(true)
    expect(providers.find(({ name }) => name === 'OpenAI')?.missingVariables).toEqual(['OPENAI_API_KEY'])
  })

  it('nothing is created by looking', async () => {
    await doctor()
    expect(existsSync(join(sluice.folder, 'data'))).toBe(false)
  })

  it('people read the same as text', async () => {
    const { code, stdout } = await sluice.run(['doctor'], { env: { SLUICE_PORT: '0', GROQ_API_KEY: 'x' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {7}Node 2\d\./)
    expect(stdout).toMatch(/Groq +live/)
    expect(stdout).toMatch(/OpenAI +set OPENAI_API_KEY/)
  })
})

describe('problems come with advice', () => {
  it('a wrong configuration, with each wrong path', async () => {
    const path = join(sluice.folder, 'wrong.yaml')
    writeFileSync(path, 'log: { level: loud }\nlimit: {}\n')
    const { ok, check } = await doctor({}, path)
    expect(ok).toBe(false)
    expect(check('configuration')).toMatchObject({ status: 'problem', advice: expect.any(String) as string })
    expect(check('configuration')!.message).toMatch(/log\.level[^]*limit/)
  })

  it('models that contradict the providers', async () => {
    const path = join(sluice.folder, 'contradiction.yaml')
    writeFileSync(path, 'models: [{ id: m, deployments: [{ provider: nobody, model_id: m }] }]\n')
    const { ok, check } = await doctor({}, path)
    expect(ok).toBe(false)
    expect(check('providers')).toMatchObject({ status: 'problem', message: expect.stringContaining('nobody') as string })
  })

  it('a standard that the scanner does not know', async () => {
    const path = join(sluice.folder, 'standard.yaml')
    writeFileSync(path, 'scanner: { standards: [HIPAA, none] }\n')
    const { ok, check } = await doctor({}, path)
    expect(ok).toBe(false)
    expect(check('scanner')).toMatchObject({ status: 'problem', message: expect.stringContaining('none') as string })
  })

  it('no provider while the sandbox is off', async () => {
    const { ok, check } = await doctor({ SLUICE_SANDBOX: 'false' })
    expect(ok).toBe(false)
    expect(check('providers')!.status).toBe('problem')
    expect((await doctor({ SLUICE_SANDBOX: 'false', MISTRAL_API_KEY: 'x' })).ok).toBe(true)
  })

  it('a database that does not answer, without its password', async () => {
    const url = 'postgres://someone:very-secret@127.0.0.1:9/none'
    const { stdout, code } = await sluice.run(['doctor'], { env: { SLUICE_PORT: '0', SLUICE_DATABASE_URL: url } })
    expect(code).toBe(1)
    expect(stdout).toMatch(/problem {2}.*Nothing listens at 127\.0\.0\.1:9/)
    expect(stdout).not.toContain('very-secret')
  })

  it('a PostgreSQL without its tables, which only a person migrates', async () => {
    await using location = await testLocation('postgres')
    const { ok, check } = await doctor({ SLUICE_DATABASE_URL: location.url })
    expect(ok).toBe(false)
    expect(check('database')).toMatchObject({ status: 'problem', advice: expect.stringContaining('sluice migrate') as string })
    await sluice.run(['migrate'], { env: { SLUICE_DATABASE_URL: location.url } })
    expect((await doctor({ SLUICE_DATABASE_URL: location.url })).check('database')!.status).toBe('ok')
  })

  it('a port that something else holds', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const { ok, check } = await doctor({ SLUICE_PORT: String(port) })
    holder.close()
    expect(ok).toBe(false)
    expect(check('port')).toMatchObject({ status: 'problem', advice: expect.stringContaining('SLUICE_PORT') as string })
  })

  it('a key that the running server does not know', async () => {
    await using app = await startTestApp()
    const env = { SLUICE_PORT: new URL(app.url).port }
    expect((await doctor({ ...env, SLUICE_API_KEY: 'slk_unknown' })).check('key')!.status).toBe('problem')
    const { ok, check } = await doctor({ ...env, SLUICE_API_KEY: app.adminKey })
    expect(ok).toBe(true)
    expect(check('port')!.message).toContain('Sluice server answers')
    expect(check('key')).toMatchObject({ status: 'ok', message: expect.stringContaining('administrator') as string })
  })
})
