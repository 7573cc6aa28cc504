/** What a GPU may be rented for, through HTTP: models with and without a recipe, images, keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'

let app: TestApp
const hosted = { id: 'without-recipe', owned_by: 'test', context_window: 8192, max_output_tokens: 100 }
const deploy = { gpu_model: 'L4', vram_gb: 24, input_price_per_million: '0.001', output_price_per_million: '0.002' }

beforeAll(async () => {
  const models = [hosted, { ...hosted, id: 'with-recipe', deploy }]
  app = await startTestApp({ config: { models, compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.6 }] } } })
})
afterAll(() => app[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown) {
  const response = await app.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('POST /v1/gpu/rent', () => {
  it.each([
    ['a model of the catalogue that has no recipe', { gpu_model: 'L4', model_id: 'without-recipe' }],
    [
      'a model and an image, which may hold it in any size',
      { gpu_model: 'RTX-3060', model_id: 'with-recipe', docker_image: 'me/int4:1' },
    ],
    ['a key whose end only its machine can judge', { gpu_model: 'L4', ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAITest me' }],
  ])('takes %s', async (_, asked) => {
    const { status, body } = await call('POST', '/v1/gpu/rent', asked)
    expect([status, body['status']]).toEqual([201, 'provisioning'])
    await call('DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`)
  })

  it('answers 404 for a model that nobody has', async () => {
    const { status, body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id: 'unheard-of' })
    expect([status, body['error']]).toMatchObject([404, { type: 'model_not_found', param: 'model_id' }])
  })

  it('answers 400 for a GPU that is too small for the recipe', async () => {
    const { status, body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'RTX-3060', model_id: 'with-recipe' })
    expect([status, body['error']]).toMatchObject([400, { type: 'invalid_request_error', param: 'gpu_model' }])
  })
})
