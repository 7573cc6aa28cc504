/** `sluice models` and `sluice prices` against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { commandLine, type CommandLine } from './command-line.js'

let app: TestApp
let sluice: CommandLine

const price = (input: string, output: string) => ({ input_price_per_million: input, output_price_per_million: output })

beforeAll(async () => {
  app = await startTestApp({
    config: {
      providers: ['p1', 'p2'].map((id) => ({ id, base_url: 'http://127.0.0.1:9/v1', api_key: 'x' })),
      models: [
        { id: 'b', tier: 'light', context_window: 8192, deployments: [{ provider: 'p1', model_id: 'b', ...price('9', '1') }] },
        {
          id: 'a',
          tier: 'high',
          deployments: [
            { provider: 'p1', model_id: 'a', ...price('10', '30') },
            { provider: 'p2', model_id: 'a', ...price('2', '0.000000001') },
          ],
        },
        { id: 'later', deployments: [{ provider: 'p1', model_id: 'later' }] },
        { id: 'c', deployments: [{ provider: 'p2', model_id: 'c', ...price('0.5', '40') }] },
      ],
    },
  })
  sluice = commandLine(app)
})
afterAll(async () => {
  sluice[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
})

const lines = async (...args: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await sluice.run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

describe('sluice models', () => {
  it('prints one line a model with its state, hosts and cheapest price', async () => {
    const [head, ...rows] = await lines('models')
    expect(head).toMatch(/MODEL +TIER +STATE +HOSTS +CONTEXT +INPUT +OUTPUT/)
    expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).toEqual(['a', 'b', 'c', 'later'])
    expect(rows[0]).toMatch(/a +high +instant +p1 p2 +- +2\.00 +0\.000000001/)
    expect(rows[3]).toMatch(/later +medium +pricing_pending +- +- +- +-/)
  })

  it('filters by tier and by availability, and answers programs with JSON', async () => {
    const ids = async (...filter: string[]) => (await sluice.json<{ id: string }[]>('models', ...filter)).map(({ id }) => id)
    expect(await ids('--tier', 'high')).toEqual(['a'])
    expect(await ids('--availability', 'pricing_pending')).toEqual(['later'])
    expect(await ids('--tier', 'light', '--availability', 'pricing_pending')).toEqual([])
    expect((await sluice.run(['models', '--tier', 'light', '--availability', 'cold'])).stdout).toBe('No models.\n')
  })
})

describe('sluice prices', () => {
  const order = async (...args: string[]) =>
    (await sluice.json<{ deploymentId: string }[]>('prices', ...args)).map(({ deploymentId }) => deploymentId)

  it('lists what is routable, sorted by model, input or output as exact numbers', async () => {
    expect(await order()).toEqual(['a@p2', 'a@p1', 'b@p1', 'c@p2'])
    expect(await order('--sort', 'input')).toEqual(['c@p2', 'a@p2', 'b@p1', 'a@p1'])
    expect(await order('list', '--sort', 'output')).toEqual(['a@p2', 'b@p1', 'a@p1', 'c@p2'])
    expect((await lines('prices', '--model', 'b'))[1]).toMatch(/b@p1 +b +p1 +9\.00 +1\.00 +- +config/)
  })

  it('filters by model and by provider, and both stack', async () => {
    expect(await order('--model', 'a')).toEqual(['a@p2', 'a@p1'])
    expect(await order('--provider', 'p1')).toEqual(['a@p1', 'b@p1'])
    expect(await order('--model', 'a', '--provider', 'p1')).toEqual(['a@p1'])
  })

  it('a deployment that waits for its price is listed, becomes routable by setting one, and history tells who did it', async () => {
    const pending = await sluice.json<object[]>('prices', 'pending')
    expect(pending).toMatchObject([{ deploymentId: 'later@p1', current: null, proposal: null }])
    expect((await lines('prices', 'pending'))[1]).toMatch(/later@p1 +later +p1 +unpriced/)
    const set = await lines('prices', 'set', 'later@p1', '--input', '0.1', '--output', '0.4', '--cached', '0.05')
    expect(set).toEqual(['later@p1 costs 0.10 for input and 0.40 for output from now on.'])
    expect(await sluice.json('prices', '--model', 'later')).toMatchObject([
      { origin: 'ADMINISTRATOR', pricing: { inputPerMillion: '0.10', outputPerMillion: '0.40', cachedInputPerMillion: '0.05' } },
    ])
    expect((await lines('prices', 'pending'))[0]).toBe('Nothing waits.')
    await sluice.json('prices', 'set', 'later@p1', '--input', '1', '--output', '2')
    const [, newest, oldest] = await lines('prices', 'history', 'later')
    expect(newest).toMatch(/later@p1 +1\.00 +2\.00 +- +administrator +in force/)
    expect(oldest).toMatch(/later@p1 +0\.10 +0\.40 +0\.05 +administrator/)
  })

  it("takes an administrator's price back, and says no when there is none", async () => {
    await lines('prices', 'set', 'c@p2', '--input', '3', '--output', '3')
    expect(await lines('prices', 'clear', 'c@p2')).toEqual(['c@p2 costs 0.50 for input and 40.00 for output from now on.'])
    const again = await sluice.run(['prices', 'clear', 'c@p2'])
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'No administrator has set a price of c@p2.\n' })
  })
})

describe('exit codes', () => {
  it.each([
    [['prices', 'set', 'nothing@p1', '--input', '1', '--output', '1'], 'nothing@p1'],
    [['prices', 'history', 'nothing'], 'nothing'],
    [['prices', 'accept', 'a@p1'], 'a@p1'],
    [['prices', 'reject', 'a@p1'], 'a@p1'],
  ])('are 1 for %j, whose answer is no', async (args, text) => {
    const { code, stdout, stderr } = await sluice.run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(text)
  })

  it.each([
    [['prices', 'set', 'a@p1', '--input', '1']],
    [['prices', 'set', 'a@p1', '--input', 'cheap', '--output', '1']],
    [['prices', 'set', 'a@p1', '--input', '0.0000000001', '--output', '1']],
    [['prices', '--sort', 'colour']],
    [['prices', 'nothing']],
    [['models', '--tier', 'huge']],
    [['models', '--availability', 'gone']],
    [['keys', 'rotate', 'key_x', '--grace', 'abc']],
    [['keys', 'rotate', 'key_x', '--grace', '-1']],
    [['keys', 'create', '--expires', '5']],
    [['credits', 'add', 'lots', '--account', 'acc_x']],
  ])('are 2 for %j, before anything is asked', async (args) => {
    const { code, stdout } = await sluice.run(args, { env: { SLUICE_URL: 'http://127.0.0.1:9' } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('are 2 for a key that may not', async () => {
    const { key } = await app.account()
    const refused = await sluice.run(['prices', 'set', 'a@p1', '--input', '1', '--output', '1'], { env: { SLUICE_API_KEY: key } })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('admin')
    const unknown = await sluice.run(['models'], { env: { SLUICE_API_KEY: 'slk_nothing' } })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('API key')
  })

  it('are 2 when something else answers at the address', async () => {
    const elsewhere = await sluice.run(['models'], { env: { SLUICE_URL: `${app.url}/healthz?` } })
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.stderr).toContain('SLUICE_URL')
  })
})
