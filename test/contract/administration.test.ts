/** What a console shows to administrators, and to nobody else: the program, its books and its ways to GPUs. */
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'

const PROVIDER_KEY = 'provider-key-that-nobody-may-see'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    config: {
      providers: [{ id: 'hp-1', base_url: 'https://name:word@provider.invalid/v1?token=hidden', api_key: PROVIDER_KEY }],
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.4 }] },
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

interface Setting {
  readonly name: string
  readonly value: unknown
  readonly isHidden: boolean
  readonly isDefault: boolean
}

describe('installation', () => {
  it('lists the settings in force, those that were changed as such, and no secret', async () => {
    const query = '{ installation { version configFile settings { name value isHidden isDefault } } }'
    const answer = await app.graphql<{ installation: { version: string; settings: Setting[] } }>(query)
    const { version, settings } = answer.installation
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    const found = (name: string) => settings.find((setting) => setting.name === name)
    expect(found('limits.keep_alive_seconds')).toMatchObject({ value: 75, isHidden: false, isDefault: true })
    expect(found('compute.drivers[0].boot_seconds')).toMatchObject({ value: 0.4, isDefault: false })
    expect(found('server.starting_credits')).toMatchObject({ value: '10.00' })
    expect(found('providers[0].api_key')).toMatchObject({ value: null, isHidden: true })
    expect(found('providers[0].base_url')).toMatchObject({ value: 'https://provider.invalid/v1', isHidden: false })
    const text = JSON.stringify(answer)
    for (const secret of [PROVIDER_KEY, app.adminKey, 'name:word', 'token=hidden']) expect(text).not.toContain(secret)
  })
})

describe('ledgerCheck', () => {
  it('counts what there is and finds nothing wrong', async () => {
    await app.account({ credits: '1' })
    const query = '{ ledgerCheck { checkedAt isBalanced accounts entries openHolds unsettled violations { promise } } }'
    const { ledgerCheck } = await app.graphql<{ ledgerCheck: Record<string, number> }>(query)
    expect(ledgerCheck).toMatchObject({ isBalanced: true, unsettled: 0, violations: [] })
    expect([ledgerCheck['accounts']! >= 2, ledgerCheck['entries']! >= 2]).toEqual([true, true])
  })
})

describe('gpuDrivers', () => {
  it('says of each whether it answers, what it offers, and that nothing is left behind', async () => {
    const query = '{ gpuDrivers { id health circuitOpenUntil offerCount orphans { instanceId label } } }'
    const { gpuDrivers } = await app.graphql<{ gpuDrivers: { offerCount: number }[] }>(query)
    expect(gpuDrivers).toMatchObject([{ id: 'sandbox', health: 'ANSWERING', circuitOpenUntil: null, orphans: [] }])
    expect(gpuDrivers[0]!.offerCount).toBeGreaterThan(0)
  })
})

it.each(['installation { version }', 'ledgerCheck { isBalanced }', 'gpuDrivers { id }'])(
  '%s is for administrators',
  async (field) => {
    const { key } = await app.account()
    await expect(app.graphql(`{ ${field} }`, {}, key)).rejects.toThrow('insufficient_scope')
  },
)

describe('gpuOffersChanged', () => {
  it('begins with what gpuOffers lists', async () => {
    const { key } = await app.account()
    const fields = 'gpuModel providerId region pricePerGpuHour spot'
    const { gpuOffers } = await app.graphql(`{ gpuOffers(gpuModel: "l4") { ${fields} } }`, {}, key)
    const client = createClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })
    const events = client.iterate({ query: `subscription { gpuOffersChanged(gpuModel: "l4") { ${fields} } }` })
    expect((await events.next()).value?.data).toEqual({ gpuOffersChanged: gpuOffers })
    client.dispose()
    expect(gpuOffers).not.toEqual([])
  })
})
