/** The HTTP drivers against simulators of their providers: the shared contract, what they send, and the failure table. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDstackDriver } from '../../../subgraphs/compute/drivers/clouds/dstack.js'
import { faultOf, type GpuDriver, type InstanceSpec } from '../../../subgraphs/compute/drivers/driver.js'
import { createRunpodDriver } from '../../../subgraphs/compute/drivers/clouds/runpod.js'
import { createVastDriver } from '../../../subgraphs/compute/drivers/clouds/vast.js'
import { dstackDialect } from '../../kit/clouds/fake-cloud-dstack.js'
import { runpodDialect } from '../../kit/clouds/fake-cloud-runpod.js'
import { API_KEY, FakeCloudServer, type Dialect, type Verb } from '../../kit/clouds/fake-cloud-server.js'
import { vastDialect } from '../../kit/clouds/fake-cloud-vast.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { describeDriver, specFor } from './driver-contract.js'

const serving = { image: 'vllm/vllm-openai:v0.11.0', diskGb: 60, models: { 'test-model': 'org/Test-Model' } }
const clock = new ManualClock()
let maxAnswerBytes = 1024 * 1024
afterEach(() => (maxAnswerBytes = 1024 * 1024))

const drivers: [string, Dialect, (baseUrl: string, apiKey?: string) => GpuDriver][] = [
  [
    'vast',
    vastDialect,
    (baseUrl, apiKey = API_KEY) => createVastDriver({ baseUrl, apiKey, maxAnswerBytes, providerId: 'gp02', serving, clock }),
  ],
  [
    'runpod',
    runpodDialect,
    (baseUrl, apiKey = API_KEY) => createRunpodDriver({ baseUrl, apiKey, maxAnswerBytes, providerId: 'gp09', serving, clock }),
  ],
  [
    'dstack',
    dstackDialect,
    (baseUrl, apiKey = API_KEY) => createDstackDriver({ baseUrl, apiKey, maxAnswerBytes, project: 'main', serving, clock }),
  ],
]

for (const [name, dialect, open] of drivers) {
  describeDriver(name, async () => {
    const cloud = await FakeCloudServer.start(dialect)
    return {
      driver: open(cloud.url),
      bringUp: async () => cloud.setAll('running'),
      [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose](),
    }
  })
}

const signal = () => AbortSignal.timeout(5_000)
const kindOf = async (work: Promise<unknown>) => {
  try {
    await work
    return 'done'
  } catch (error) {
    return faultOf(error).kind
  }
}

describe.each(drivers)('when the provider of %s fails', (_, dialect, open) => {
  let cloud: FakeCloudServer
  let driver: GpuDriver
  let spec: InstanceSpec

  beforeEach(async () => {
    cloud = await FakeCloudServer.start(dialect)
    driver = open(cloud.url)
    const offers = await driver.listOffers({}, signal())
    spec = specFor(offers.find(({ gpuModel }) => gpuModel === 'L4')!)
  })
  afterEach(() => cloud[Symbol.asyncDispose]())

  const verbs: [Verb, () => Promise<unknown>][] = [
    ['create', () => driver.create(spec, signal())],
    ['get', () => driver.get('1', signal())],
    ['list', () => driver.list('slu-', signal())],
    ['offers', () => driver.listOffers({}, signal())],
  ]

  it.each(verbs)('%s is in doubt after a server error, a cut connection or garbage', async (verb, call) => {
    for (const trouble of [{ kind: 'status', status: 500 }, { kind: 'status', status: 503 }, { kind: 'reset' }] as const) {
      cloud.trouble(verb, trouble)
      if (verb === 'offers') cloud.trouble(verb, trouble)
      expect(await kindOf(call())).toBe('in_doubt')
      cloud.calm()
    }
  })

  it.each(verbs)('%s tells refused credentials and rate limits apart', async (verb, call) => {
    for (const status of [401, 403]) {
      cloud.trouble(verb, { kind: 'status', status })
      if (verb === 'offers') cloud.trouble(verb, { kind: 'status', status })
      expect(await kindOf(call())).toBe('auth')
      cloud.calm()
    }
    const limit = { kind: 'status', status: 429, headers: { 'retry-after': '17' } } as const
    cloud.trouble(verb, limit)
    if (verb === 'offers') cloud.trouble(verb, limit)
    await expect(call()).rejects.toMatchObject({ fault: { kind: 'rate_limited', retryAfterMs: 17_000 } })
  })

  it('never takes an unreadable answer for an absent instance', async () => {
    for (const verb of ['get', 'list'] as const) {
      cloud.trouble(verb, { kind: 'garbage' })
      expect(await kindOf(verb === 'get' ? driver.get('1', signal()) : driver.list('slu-', signal()))).toBe('in_doubt')
      cloud.trouble(verb, { kind: 'status', status: 400, body: {} })
      expect(await kindOf(verb === 'get' ? driver.get('1', signal()) : driver.list('slu-', signal()))).toBe('in_doubt')
    }
  })

  it('takes an answer beyond its limit for none', async () => {
    maxAnswerBytes = 1
    expect(await kindOf(open(cloud.url).list('slu-', signal()))).toBe('in_doubt')
  })

  it('finds an instance by its label after a create whose answer was lost', async () => {
    cloud.trouble('create', { kind: 'reset', acts: true })
    expect(await kindOf(driver.create(spec, signal()))).toBe('in_doubt')
    expect(await driver.list(spec.label, signal())).toMatchObject([{ label: spec.label }])
    cloud.trouble('create', { kind: 'acts_then_fails', status: 502 })
    const other = { ...spec, label: `${spec.label}1` }
    expect(await kindOf(driver.create(other, signal()))).toBe('in_doubt')
    expect(await driver.list(other.label, signal())).toMatchObject([{ label: other.label }])
  })

  it('gives up waiting when told to', async () => {
    cloud.trouble('get', { kind: 'hang' })
    expect(await kindOf(driver.get('1', AbortSignal.timeout(30)))).toBe('in_doubt')
  })

  it('does not say gone when a destroy is refused', async () => {
    const { instanceId } = await driver.create(spec, signal())
    cloud.trouble('destroy', { kind: 'status', status: 409, body: {} })
    expect(await driver.destroy(instanceId, signal())).toBe('pending')
    cloud.trouble('destroy', { kind: 'status', status: 500 })
    expect(await kindOf(driver.destroy(instanceId, signal()))).toBe('in_doubt')
    expect(await driver.get(instanceId, signal())).toMatchObject({ instanceId })
  })

  it('shows an instance that was taken away as ended', async () => {
    const { instanceId } = await driver.create(spec, signal())
    cloud.setAll('ended')
    expect(await driver.get(instanceId, signal())).toMatchObject({ status: 'ended' })
  })

  it('is refused with a wrong key', async () => {
    expect(await kindOf(open(cloud.url, 'wrong').list('slu-', signal()))).toBe('auth')
  })
})

describe('what is sent to providers', () => {
  const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@host; rm -rf /'

  async function sent(
    dialect: Dialect,
    open: (url: string) => GpuDriver,
    fields: Partial<InstanceSpec>,
  ): Promise<Record<string, unknown>> {
    await using cloud = await FakeCloudServer.start(dialect)
    const driver = open(cloud.url)
    const offers = await driver.listOffers({}, signal())
    await driver.create(
      specFor(
        offers.find(({ gpuModel, spot }) => gpuModel === 'L4' && spot === driver.caps.spot)!,
        fields,
      ),
      signal(),
    )
    return [...cloud.machines.values()][0]!.request
  }

  it('vast gets the bid, the model and the key as environment, and is told not to queue', async () => {
    const body = await sent(vastDialect, drivers[0]![2], { sshKey, fineTuned: true })
    expect(body).toMatchObject({
      image: serving.image,
      price: 0.21,
      cancel_unavail: true,
      runtype: 'ssh_direct',
      env: { SLUICE_MODEL: 'org/Test-Model', VLLM_API_KEY: 'sks_contract', PUBLIC_KEY: sshKey, '-p 8000:8000': '1' },
    })
    expect(body['onstart']).not.toContain('rm -rf')
    expect(body['onstart']).not.toContain('sks_contract')
    expect(body['onstart']).toContain('--enable-lora')
  })

  it('runpod gets the GPU type, the place and the serving arguments', async () => {
    const body = await sent(runpodDialect, drivers[1]![2], { sshKey })
    expect(body).toMatchObject({
      gpu: { id: 'NVIDIA L4', count: 1 },
      dataCenterIds: ['EU-RO-1'],
      cloud: 'SECURE',
      startSsh: true,
      ports: ['8000/http', '22/tcp'],
      args: '--model org/Test-Model --served-model-name test-model --port 8000',
      env: { PUBLIC_KEY: sshKey },
    })
    const own = await sent(runpodDialect, drivers[1]![2], { dockerImage: 'me/own:1', modelId: null })
    expect(own).toMatchObject({ image: 'me/own:1', env: {} })
    expect(own).not.toHaveProperty('args')
  })

  it('dstack gets a service under our label, within the price and market that was agreed', async () => {
    const body = await sent(dstackDialect, drivers[2]![2], { sshKey })
    expect(body).toMatchObject({
      run_name: expect.stringMatching(/^[a-z][a-z0-9-]{1,40}$/),
      ssh_key_pub: sshKey,
      configuration: {
        type: 'service',
        port: 8000,
        auth: false,
        spot_policy: 'spot',
        max_price: 0.3675,
        backends: ['aws'],
        regions: ['us-east-1'],
      },
    })
    const plain = await sent(dstackDialect, drivers[2]![2], { modelId: null, sshKey })
    expect(plain).toMatchObject({ configuration: { type: 'task', commands: ['sleep infinity'] } })
  })
})

describe('refusals that only one provider has', () => {
  it('vast: an ask that is gone is missing capacity, a bid too low a moved price, an error with a contract is destroyed', async () => {
    await using cloud = await FakeCloudServer.start(vastDialect)
    const driver = drivers[0]![2](cloud.url)
    const [offer] = await driver.listOffers({}, signal())
    const create = (fields: object) => kindOf(driver.create(specFor({ ...offer!, ...fields }), signal()))
    expect(await create({ reference: '999' })).toBe('capacity')
    expect(await kindOf(driver.create({ ...specFor({ ...offer!, spot: true }), pricePerGpuHour: 100_000_000n }, signal()))).toBe(
      'price_moved',
    )
    cloud.trouble('create', { kind: 'status', status: 400, body: { success: false, error: 'boot_failed', new_contract: 77 } })
    await expect(driver.create(specFor(offer!), signal())).rejects.toMatchObject({ fault: { kind: 'failed', createdId: '77' } })
    cloud.trouble('create', { kind: 'status', status: 400, body: { success: false, error: 'invalid_args' } })
    expect(await create({})).toBe('invalid')
  })

  it('vast: a list of many pages is read to its end', async () => {
    await using cloud = await FakeCloudServer.start(vastDialect)
    const driver = drivers[0]![2](cloud.url)
    const [offer] = await driver.listOffers({}, signal())
    for (let i = 0; i < 5; i++) await driver.create(specFor(offer!), signal())
    expect(await driver.list('slu-test-', signal())).toHaveLength(5)
  })

  it('runpod: a 400 counts as missing capacity, because it tells nothing more', async () => {
    await using cloud = await FakeCloudServer.start(runpodDialect)
    const driver = drivers[1]![2](cloud.url)
    const [offer] = await driver.listOffers({}, signal())
    cloud.trouble('create', { kind: 'status', status: 400, body: { title: 'Bad Request', status: 400, detail: 'no instances' } })
    expect(await kindOf(driver.create(specFor(offer!), signal()))).toBe('capacity')
  })

  it('dstack: no offers is missing capacity, and callers see no brand', async () => {
    await using cloud = await FakeCloudServer.start(dstackDialect)
    const driver = drivers[2]![2](cloud.url)
    const offers = await driver.listOffers({}, signal())
    expect(offers.map(({ gpuModel, gpuCount, spot }) => [gpuModel, gpuCount, spot])).toEqual([
      ['L4', 1, true],
      ['L4', 1, false],
      ['A100-40GB', 2, false],
    ])
    expect(offers.every(({ providerId }) => /^gd[0-9a-f]{4}$/.test(providerId))).toBe(true)
    cloud.trouble('create', { kind: 'status', status: 400, body: { detail: [{ code: 'no_offers' }] } })
    expect(await kindOf(driver.create(specFor(offers[0]!), signal()))).toBe('capacity')
  })
})
