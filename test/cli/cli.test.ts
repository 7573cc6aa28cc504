/** The command line as an operator uses it, against a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { runSluice, type Finished } from '../kit/process.js'

let app: TestApp
const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
beforeAll(async () => {
  app = await startTestApp({ config: { sandbox: true, catalog: { include_shipped: true } } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const sluice = (...args: string[]): Promise<Finished> =>
  runSluice(args, { cwd: folder, env: { SLUICE_URL: app.url, SLUICE_API_KEY: app.adminKey } })

const parsed = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await sluice(...args, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout) as T
}

describe('accounts, keys and credits', () => {
  it('are created, shown, rotated and revoked, with --json for programs', async () => {
    const { id } = await parsed<{ id: string }>('accounts', 'create', 'acme', '--credits', '100', '--monthly-cap', '50')
    expect(id).toMatch(/^acc_/)
    expect((await sluice('accounts', 'list')).stdout).toMatch(/acme +100\.00/)
    const created = await parsed<{ id: string; key: string }>(
      'keys',
      'create',
      '--account',
      id,
      '--name',
      'app',
      '--scopes',
      'chat',
    )
    expect(created.key).toMatch(/^slk_/)
    expect(await app.credits(created.key)).toMatchObject({ balance: '100.00', monthly_cap: '50.00' })
    await parsed('credits', 'add', '--account', id, '12.5', '--idempotency-key', 'invoice-1')
    await parsed('credits', 'add', '--account', id, '12.5', '--idempotency-key', 'invoice-1')
    expect(await parsed('credits', 'show', '--account', id)).toMatchObject({ balance: '112.50' })
    const capped = await parsed<{ id: string }>('keys', 'create', '--account', id, '--monthly-cap', '7.5', '--name', 'capped')
    expect((await sluice('keys', 'list', '--account', id)).stdout).toMatch(/capped.* 7\.50 /)
    const terms = ['--amount', '2', '--period', 'day', '--name', 'team'] as const
    const budget = await parsed<{ id: string }>('budgets', 'create', '--key', capped.id, ...terms, '--warn-at', '50')
    expect(budget).toMatchObject({ keyId: capped.id, period: 'DAY', amount: '2.00', warnAt: 50, action: 'STOP', models: null })
    expect((await sluice('budgets', 'list', '--account', id)).stdout).toMatch(/team .*day +2\.00 /)
    expect((await sluice('budgets', 'update', budget.id, '--amount', '3', '--action', 'warn')).stdout).toContain('$3.00 (day)')
    expect((await sluice('budgets', 'create', '--amount', '1', '--period', 'day', '--models', 'none')).stderr).toContain('"none"')
    expect((await sluice('budgets', 'delete', budget.id)).stdout).toContain(`Budget ${budget.id} is deleted.`)
    expect((await sluice('budgets', 'delete', budget.id)).code).not.toBe(0)
    const changed = await sluice('keys', 'update', capped.id, '--monthly-cap', '8', '--models', 'any')
    expect(changed.stdout).toContain(`Key ${capped.id} may spend 8.00 USD a month; 0.00 spent.`)
    expect(changed.stdout).toContain('may ask every model')
    expect(await parsed('keys', 'update', capped.id, '--monthly-cap', 'none')).toMatchObject({ monthlyCap: null })
    expect((await sluice('keys', 'update', capped.id, '--requests-per-minute', '60')).stdout).toContain(
      '60 requests and any number of tokens',
    )
    expect(
      await parsed('keys', 'update', capped.id, '--tokens-per-minute', '9000', '--requests-per-minute', 'none'),
    ).toMatchObject({
      requestsPerMinute: null,
      tokensPerMinute: 9000,
    })
    expect((await sluice('keys', 'update', capped.id)).code).toBe(2)
    const rotated = await parsed<{ id: string; key: string }>('keys', 'rotate', created.id, '--grace', '0')
    expect((await app.fetch('/v1/credits', { key: created.key })).status).toBe(401)
    expect((await app.fetch('/v1/credits', { key: rotated.key })).status).toBe(200)
    await parsed('keys', 'revoke', rotated.id)
    expect((await app.fetch('/v1/credits', { key: rotated.key })).status).toBe(401)
    const list = await sluice('keys', 'list', '--account', id)
    expect(list.stdout).toContain('app')
    expect(list.stdout).not.toContain(rotated.key)
  })

  it('take an expiry as a duration', async () => {
    const before = Date.now()
    const { id, key } = await parsed<{ id: string; key: string }>('keys', 'create', '--expires', '2h')
    const created = (await parsed<{ id: string; expiresAt: string }[]>('keys', 'list')).find((one) => one.id === id)
    const hours = (Date.parse(created!.expiresAt) - before) / 3_600_000
    expect(hours).toBeGreaterThanOrEqual(2)
    expect(Math.floor(hours)).toBe(2)
    expect((await app.fetch('/v1/credits', { key })).status).toBe(200)
  })
})

describe('exit codes', () => {
  it('are 1 when the answer is no', async () => {
    const { code, stderr } = await sluice('keys', 'revoke', 'key_nothing')
    expect(code).toBe(1)
    expect(stderr).toContain('no such API key')
  })

  it('are 2 for a wrong command, a wrong value and a server that is not there', async () => {
    expect((await sluice('accounts', 'make')).code).toBe(2)
    expect((await sluice('keys', 'create', '--scopes', 'everything')).code).toBe(2)
    expect((await sluice('accounts', 'create', 'x', '--credits', '-5')).code).toBe(2)
    const nobody = await runSluice(['credits', 'show'], {
      cwd: folder,
      env: { SLUICE_URL: 'http://127.0.0.1:9', SLUICE_API_KEY: 'x' },
    })
    expect(nobody.code).toBe(2)
    expect(nobody.stderr).toContain('http://127.0.0.1:9')
    const noKey = await runSluice(['credits', 'show'], { cwd: folder })
    expect(noKey.code).toBe(2)
    expect(noKey.stderr).toContain('SLUICE_API_KEY')
  })

  it('are 2 for a wrong configuration, which names the path and the reason', async () => {
    const path = join(folder, 'wrong.yaml')
    writeFileSync(path, 'server: { port: 99999 }\nlimit: {}\nmodels: [{ id: m, tier: huge }]\n')
    const { code, stderr } = await runSluice(['serve', '--config', path], { cwd: folder })
    expect(code).toBe(2)
    for (const part of ['server.port', 'limit', 'models.0.tier']) expect(stderr).toContain(part)
    writeFileSync(path, 'providers: [{ id: a, base_url: "https://x.invalid/v1", api_key: "${NOT_SET_ANYWHERE}" }]\n')
    const missing = await runSluice(['serve', '--config', path], { cwd: folder })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('NOT_SET_ANYWHERE')
    const short = await runSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: 'short' } })
    expect(short.code).toBe(2)
    expect(short.stderr).toContain('SLUICE_ADMIN_KEY')
  })
})
