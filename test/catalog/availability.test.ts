import { describe, expect, it } from 'vitest'
import { model, NO_SESSION, testCatalog } from './fixture.js'

const hosted = model({
  id: 'hosted',
  tier: 'light',
  deployments: [
    { provider: 'hp-2', model_id: 'b/hosted', input_price_per_million: '0.2', output_price_per_million: '0.2' },
    { provider: 'hp-1', model_id: 'a/hosted', input_price_per_million: '0.1', output_price_per_million: '0.1' },
  ],
})
const later = model({ id: 'later', tier: 'light', deployments: [{ provider: 'hp-1', model_id: 'a/later' }] })
const cold = model({
  id: 'big/cold',
  tier: 'high',
  deploy: {
    gpu_model: 'L4',
    vram_gb: 24,
    price_hint: '0.80',
    estimated_seconds: 240,
    input_price_per_million: '0.2',
    output_price_per_million: '0.6',
  },
})
const nowhere = model({ id: 'nowhere' })

describe('availability', () => {
  it('is instant with a priced deployment and names the hosts in order', () => {
    const test = testCatalog({ models: [hosted] })
    test.priceAll()
    expect(test.catalog.availabilityOf('hosted')).toMatchObject({ state: 'instant', providers: ['hp-1', 'hp-2'] })
  })

  it('is pricing_pending while no deployment has a price, and instant as soon as one is set', () => {
    const test = testCatalog({ models: [later] })
    expect(test.catalog.availabilityOf('later')).toMatchObject({ state: 'pricing_pending', providers: null })
    test.setPrice('later@hp-1', 1n, 1n)
    expect(test.catalog.availabilityOf('later')?.state).toBe('instant')
  })

  it('is cold with only a recipe, deploying while its session starts, instant while that runs', () => {
    const test = testCatalog({ models: [cold] })
    test.priceAll()
    expect(test.catalog.availabilityOf('big/cold')?.state).toBe('cold')
    test.sessions.set('big/cold', { state: 'deploying', estimatedDeploySeconds: 90, estimatedCostPerHour: 500_000_000n })
    expect(test.catalog.availabilityOf('big/cold')).toEqual({
      state: 'deploying',
      providers: null,
      estimatedDeploySeconds: 90,
      estimatedCostPerHour: 500_000_000n,
    })
    test.sessions.set('big/cold', { state: 'running', estimatedDeploySeconds: null, estimatedCostPerHour: null })
    test.catalog.addDynamicDeployment({
      id: 'gpu_1',
      modelId: 'big/cold',
      providerId: 'gp01',
      baseUrl: 'http://10.0.0.1/v1',
      apiKey: 's',
    })
    expect(test.catalog.availabilityOf('big/cold')).toMatchObject({ state: 'instant', providers: ['gp01'] })
    test.catalog.removeDynamicDeployment('gpu_1')
    test.sessions.set('big/cold', NO_SESSION)
    expect(test.catalog.availabilityOf('big/cold')?.state).toBe('cold')
  })

  it('does not exist for a model that nothing can serve', () => {
    const test = testCatalog({ models: [nowhere, cold], canDeploy: false })
    expect(test.catalog.availabilityOf('nowhere')).toBeNull()
    expect(test.catalog.availabilityOf('big/cold')).toBeNull()
    expect(test.catalog.list({})).toEqual([])
  })

  it('of unknown names, those of prototypes among them, is null', () => {
    const test = testCatalog({ models: [hosted] })
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      expect(test.catalog.availabilityOf(name)).toBeNull()
      expect(test.catalog.resolve(name, 'acc')).toEqual({ kind: 'unknown' })
    }
  })
})

describe('resolve', () => {
  it('lists the deployments of a model cheapest first with the provider to call', () => {
    const test = testCatalog({ models: [hosted] })
    test.priceAll()
    expect(test.catalog.resolve('hosted', 'acc')).toMatchObject({
      kind: 'candidates',
      models: [
        {
          modelId: 'hosted',
          deployments: [
            {
              deploymentId: 'hosted@hp-1',
              providerModelId: 'a/hosted',
              provider: { baseUrl: 'https://one.example/v1', apiKey: 'k1' },
            },
            { deploymentId: 'hosted@hp-2', provider: { baseUrl: 'https://two.example/v1' } },
          ],
        },
      ],
    })
  })

  it('answers the same object for the same state and a new one after a price changed', () => {
    const test = testCatalog({ models: [hosted, later] })
    test.priceAll()
    const before = test.catalog.resolve('light', 'acc')
    expect(test.catalog.resolve('light', 'other')).toBe(before)
    test.setPrice('later@hp-1', 1n, 1n)
    const after = test.catalog.resolve('light', 'acc')
    expect(after).toMatchObject({ kind: 'candidates', models: [{ modelId: 'later' }, { modelId: 'hosted' }] })
  })

  it('shows unpriced deployments after priced ones and never alone as candidates', () => {
    const test = testCatalog({ models: [hosted, later] })
    test.setPrice('hosted@hp-2', 5n, 5n)
    expect(test.catalog.resolve('hosted', 'acc')).toMatchObject({
      models: [{ deployments: [{ deploymentId: 'hosted@hp-2' }, { deploymentId: 'hosted@hp-1', price: null }] }],
    })
    expect(test.catalog.resolve('later', 'acc')).toEqual({ kind: 'pricing_pending', modelId: 'later' })
  })

  it('of a tier without a servable model is its cold model', () => {
    const test = testCatalog({ models: [hosted, cold] })
    expect(test.catalog.resolve('high', 'acc')).toEqual({ kind: 'cold', modelId: 'big/cold' })
    expect(test.catalog.resolve('medium', 'acc')).toEqual({ kind: 'unknown' })
  })

  it('hides a private deployment from every account but its own', () => {
    const test = testCatalog({ models: [cold] })
    test.priceAll()
    const add = (id: string, accountId: string | null) =>
      test.catalog.addDynamicDeployment({
        id,
        modelId: 'big/cold',
        providerId: 'gp01',
        baseUrl: 'http://10.0.0.1/v1',
        apiKey: null,
        accountId,
      })
    add('gpu_private', 'acc_a')
    expect(test.catalog.resolve('big/cold', 'acc_a')).toMatchObject({ kind: 'candidates' })
    expect(test.catalog.resolve('high', 'acc_a')).toMatchObject({ kind: 'candidates' })
    expect(test.catalog.resolve('big/cold', 'acc_b')).toMatchObject({ kind: 'cold' })
    expect(test.catalog.deployments('acc_b')).toEqual([])
    expect(test.catalog.availabilityOf('big/cold')?.state).toBe('cold')
  })
})

describe('recipes', () => {
  it('of a model win over shipped ones, and a session without an own price costs what the cheapest host does', () => {
    const shipped = { modelId: 'hosted', gpuModel: 'L4', gpuCount: 1, minVramGb: 24, estimatedDeploySeconds: 300, image: null }
    const test = testCatalog({
      models: [hosted, cold],
      recipes: new Map([
        ['hosted', shipped],
        ['big/cold', shipped],
      ]),
    })
    expect(test.catalog.recipeOf('hosted')).toMatchObject({ isOwn: false, listPrice: { input: 100_000_000n } })
    expect(test.catalog.recipeOf('big/cold')).toMatchObject({ isOwn: true, estimatedDeploySeconds: 240, priceHint: 800_000_000n })
    expect(test.catalog.pricePoints().map(({ priceId }) => priceId)).toContain('big/cold@session')
  })
})
