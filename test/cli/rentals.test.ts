/** `sluice offers`, `rent` and `rentals` against a real server with the sandbox driver. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { commandLine, type CommandLine } from './command-line.js'

let app: TestApp
let sluice: CommandLine
beforeAll(async () => {
  app = await startTestApp({
    config: {
      models: [{ id: 'mine', deploy: { vram_gb: 8, input_price_per_million: '0.1', output_price_per_million: '0.1' } }],
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.3 }] },
    },
  })
  sluice = commandLine(app)
})
afterAll(async () => {
  sluice[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
})

interface Offer {
  readonly gpuModel: string
  readonly vramGb: number
  readonly pricePerGpuHour: string
}

it('lists offers, cheapest first, and every filter narrows them', async () => {
  const all = await sluice.json<Offer[]>('offers')
  const prices = all.map(({ pricePerGpuHour }) => Number(pricePerGpuHour))
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  const large = await sluice.json<Offer[]>('offers', '--min-vram', '80', '--max-price', '3')
  expect(large.length).toBeGreaterThan(0)
  expect(large.every(({ vramGb, pricePerGpuHour }) => vramGb >= 80 && Number(pricePerGpuHour) <= 3)).toBe(true)
  const { stdout } = await sluice.run(['offers', '--gpu', 'L4'])
  expect(stdout).toMatch(/GPU +GB +AT LEAST +PROVIDER +REGION +USD\/HOUR +KIND +INTERRUPTED/)
  expect(stdout).toMatch(/L4 +24 /)
  expect((await sluice.run(['offers', '--gpu', 'abacus'])).stdout).toBe('No offers.\n')
})

it('rents, shows and terminates; the endpoint appears while it runs and the hold is gone at the end', async () => {
  const rented = await sluice.json<{ id: string; status: string }>('rent', 'L4', '--model', 'mine')
  expect(rented.status).toBe('PROVISIONING')
  const show = () => sluice.json<{ status: string; endpoint: string | null; hold: string }>('rentals', 'show', rented.id)
  await expect.poll(async () => (await show()).status, { timeout: 15_000, interval: 300 }).toBe('RUNNING')
  const { stdout } = await sluice.run(['rentals', 'show', rented.id])
  expect(stdout).toContain(`${rented.id} is running: 1 x L4`)
  expect(stdout).toMatch(/Endpoint http:\/\/127\.0\.0\.1:\d+\/v1 with the key \S+/)
  expect((await sluice.run(['rentals', '--status', 'running'])).stdout).toMatch(new RegExp(`${rented.id} +running +1 x L4`))
  const ended = await sluice.run(['rentals', 'terminate', rented.id])
  expect(ended.stdout).toContain('is terminated')
  expect(ended.stdout).toContain('It ended because: user.')
  expect(await show()).toMatchObject({ status: 'TERMINATED', endpoint: null, hold: '0.00' })
  expect((await sluice.run(['rentals', '--status', 'running'])).stdout).toBe('No rentals.\n')
}, 30_000)

it('shows the label that a rental was given, in its list and at the rental', async () => {
  const { id } = await sluice.json<{ id: string }>('rent', 'L4', '--model', 'mine', '--label', 'Nächtlicher Lauf')
  expect((await sluice.run(['rentals', 'show', id])).stdout).toContain(`${id} (Nächtlicher Lauf) is `)
  expect((await sluice.run(['rentals'])).stdout).toMatch(new RegExp(`${id} .* Nächtlicher Lauf`))
  await sluice.run(['rentals', 'terminate', id])
  const refused = await sluice.run(['rent', 'L4', '--model', 'mine', '--label', ' '])
  expect(refused.stderr).toContain('label is 1 to 100 characters')
}, 30_000)

it('says no with 1 for what cannot be had or is not there, and refuses wrong commands with 2', async () => {
  const key = join(sluice.folder, 'id.pub')
  writeFileSync(key, 'not a key\n')
  const code = async (...args: string[]) => (await sluice.run(args)).code
  expect(await code('rent', 'abacus', '--image', 'a/b')).toBe(1)
  expect(await code('rent', 'L4', '--image', 'a/b', '--max-price', '0.0001')).toBe(1)
  expect(await code('rentals', 'show', 'rent_nothing')).toBe(1)
  expect(await code('rentals', 'terminate', 'rent_nothing')).toBe(1)
  expect(await code('rent', 'L4')).toBe(2)
  expect(await code('rent', 'L4', '--ssh-key-file', key)).toBe(2)
  expect(await code('rent', 'L4', '--ssh-key-file', `${key}.missing`)).toBe(2)
  expect(await code('offers', '--min-vram', 'much')).toBe(2)
  expect(await code('rentals', '--status', 'gone')).toBe(2)
})

it('follow a rental with --watch until it is terminated', async () => {
  const watched = sluice.run(['rent', 'L4', '--image', 'vllm/vllm-openai:v0.11.0', '--watch', '--json'])
  const running = async () => {
    const rentals = await sluice.json<{ id: string; dockerImage: string | null }[]>('rentals', '--status', 'running')
    return rentals.find((rental) => rental.dockerImage !== null)?.id
  }
  await expect.poll(running, { timeout: 20_000 }).toBeDefined()
  await sluice.run(['rentals', 'terminate', (await running())!])
  const { code: exitCode, stdout } = await watched
  expect(exitCode).toBe(0)
  const statuses = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { status: string }).status)
  expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual(['PROVISIONING', 'RUNNING', 'TERMINATED'])
}, 60_000)

it('tell what is left of a rental that is terminated, once', async () => {
  const watched = sluice.run(['rent', 'L4', '--image', 'busybox', '--watch'])
  const running = async () => {
    const rentals = await sluice.json<{ id: string; dockerImage: string | null }[]>('rentals', '--status', 'running')
    return rentals.find(({ dockerImage }) => dockerImage === 'busybox')?.id
  }
  await expect.poll(running, { timeout: 20_000 }).toBeDefined()
  await sluice.run(['rentals', 'terminate', (await running())!])
  const { stdout } = await watched
  expect(stdout).toMatch(/Its machine is gone\.\n$/)
  expect(stdout.match(/Its machine is gone/g)).toHaveLength(1)
}, 60_000)
