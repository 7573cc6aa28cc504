/**
 * Pictures of every page, for docs/console: `SLUICE_PICTURES=1 npx vitest run test/console/pictures.test.ts`, or of some with
 * their names, as in `SLUICE_PICTURES=gpus,rent`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { packageRoot } from '#platform/package-root.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { hasChromium, NARROW, startBrowser, WIDE } from './console-browser.js'
import { webhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.js'
import { recordRequests } from './recorded-requests.js'

const WANTED = process.env['SLUICE_PICTURES'] ?? ''
const isWanted = (name: string): boolean => WANTED === '1' || WANTED.split(',').includes(name)

const FOLDER = join(packageRoot, 'docs', 'console')

/** Of each page: its name, its address, and what is done on it before the picture is taken. */
const SCENES: readonly { readonly name: string; readonly path: string; readonly prepare: (page: Page) => Promise<void> }[] = [
  {
    name: 'play',
    path: '/play?model=llama-3.2-3b-instruct&beside=qwen3-8b',
    async prepare(page) {
      await page.getByLabel('Message', { exact: true }).fill('What is a sluice, and what is it good for?')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByText('to first token').count()).toBe(2)
    },
  },
  { name: 'models', path: '/models', prepare: whole },
  { name: 'model', path: '/models/llama-3.3-70b-instruct', prepare: whole },
  { name: 'prices', path: '/prices', prepare: whole },
  {
    name: 'gpus',
    path: '/gpus',
    async prepare(page) {
      await page.getByRole('region', { name: 'Offers' }).waitFor()
    },
  },
  {
    name: 'rent',
    path: '/gpus?gpu=%22H100%22',
    async prepare(page) {
      await page
        .getByRole('button', { name: /^Rent H100/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Model to serve').fill('qwen3-8b')
      await dialog.getByText('Set aside first').waitFor()
      await dialog.getByLabel('GPU', { exact: true }).focus()
    },
  },
  {
    name: 'rental',
    path: '/gpus',
    async prepare(page) {
      await page
        .getByRole('button', { name: /^Rent L4/ })
        .first()
        .click()
      await page.getByLabel('Model to serve').fill('qwen3-8b')
      await page.getByLabel('Label').fill('of the staging servers')
      await page.getByRole('button', { name: 'Rent it' }).click()
      await page.getByLabel('the request', { exact: true }).waitFor()
    },
  },
  { name: 'usage', path: '/usage', prepare: whole },
  { name: 'keys', path: '/keys', prepare: whole },
  {
    name: 'webhooks',
    path: '/webhooks',
    async prepare(page) {
      await whole(page)
      await page.getByRole('region', { name: 'Webhooks', exact: true }).getByText('Pager').click()
      await page.getByRole('region', { name: 'Messages', exact: true }).waitFor()
    },
  },
  {
    name: 'budgets',
    path: '/admin',
    async prepare(page) {
      await page.getByRole('button', { name: 'Budgets of administrator' }).click()
      await page.getByRole('dialog').getByRole('listitem').nth(2).waitFor()
    },
  },
  { name: 'admin', path: '/admin', prepare: whole },
  {
    name: 'scan',
    path: '/scan',
    async prepare(page) {
      await page
        .getByLabel('Files to scan')
        .setInputFiles({ name: 'sales.py', mimeType: 'text/x-python', buffer: Buffer.from(CODE) })
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      const findings = page.getByRole('region', { name: 'Findings' })
      await findings.getByRole('button').first().click()
      await page.locator('.cm-findings .cm-gutterElement span').first().waitFor()
      await whole(page)
    },
  },
]

/** Nothing is on its way any more. */
async function whole(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('.animate-pulse').count()).toBe(0)
}

const CODE = `import os
import sqlite3


def report(request):
    name = request.args["name"]
    rows = sqlite3.connect("sales.db").execute("select * from sales where name = '" + name + "'")
    os.system("convert " + name + ".png out.pdf")
    return list(rows)
`

const CONFIG = {
  sandbox: true,
  catalog: { include_shipped: true },
  webhooks: { allow_networks: ['127.0.0.0/8'], allow_http: true },
}

/** Two receivers are told: one of everything, one that takes nothing. */
async function toldOf(app: TestApp, receiver: WebhookReceiver): Promise<void> {
  const add = async (name: string, types: readonly string[] | null, url: string) => {
    const { createWebhook } = await app.graphql<{ createWebhook: { secret: string } }>(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }',
      { input: { name, types, url } },
    )
    return createWebhook.secret
  }
  await add('Accounting', ['BALANCE_LOW', 'CAP_REACHED'], 'https://hooks.example.com/sluice')
  await add('Keys, in another data centre', ['KEY_CREATED', 'KEY_REVOKED'], 'http://127.0.0.1:9/hooks')
  receiver.secret = await add('Pager', null, receiver.url)
}

/** A server that some people have used for a month. */
async function inUse(app: TestApp): Promise<void> {
  const { viewer } = await app.graphql<{ viewer: { id: string; keys: { nodes: [{ id: string }] } } }>(
    '{ viewer { id keys(first: 1) { nodes { id } } } }',
  )
  const administrator = { id: viewer.id, keyId: viewer.keys.nodes[0].id, key: app.adminKey }
  await recordRequests(app, administrator, 240, {
    everyMs: 3 * 60 * 60_000,
    models: ['llama-3.3-70b-instruct', 'qwen3-8b', 'gpt-oss-20b', 'qwen3-8b', 'llama-3.3-70b-instruct', 'qwen3-32b'],
    // Weeks and days that differ, and the same on every run.
    costOf: (at) => 2_000_000n + BigInt(((at * 7_919) % 23) ** 2 * 12_000 + ((at / 8) % 7 < 2 ? 0 : 3_000_000)),
  })
  for (const budget of BUDGETS) {
    const input = { ...budget, accountId: viewer.id }
    await app.graphql('mutation ($input: CreateBudgetInput!) { createBudget(input: $input) { budget { id } } }', { input })
  }
  for (let times = 0; times < 3; times++) {
    await app.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'Hi' }] }),
    })
  }
  for (const [name, credits, monthlyCap] of ACCOUNTS) await app.server.app.accounts.create({ name, credits, monthlyCap })
  for (const [name, scopes, monthlyCap] of KEYS) {
    await app.graphql('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }', {
      input: { name, scopes, monthlyCap },
    })
  }
}

const BUDGETS = [
  { period: 'DAY', amount: '0.25', name: 'Whole team', warnAt: 60 },
  { period: 'WEEK', amount: '1', models: ['qwen3-8b', 'qwen3-32b'], action: 'WARN' },
  { period: 'TOTAL', amount: '25', name: 'Pilot project' },
] as const

const ACCOUNTS = [
  ['Research', 250_000_000_000n, 100_000_000_000n],
  ['Customer support', 80_000_000_000n, 40_000_000_000n],
  ['Batch translations', 12_500_000_000n, null],
  ['Interns', 5_000_000_000n, 5_000_000_000n],
] as const

const KEYS = [
  ['Staging servers', ['CHAT'], '20'],
  ['Nightly evaluation', ['CHAT', 'GPU'], '50'],
  ['Pull requests', ['SCAN'], null],
] as const

it.skipIf(!hasChromium || WANTED === '')(
  'every page has its picture, light and dark, wide and narrow (skipped unless SLUICE_PICTURES asks for them)',
  async () => {
    await using receiver = await webhookReceiver()
    await using app = await startTestApp({ config: CONFIG })
    await toldOf(app, receiver)
    await using browser = await startBrowser(app.url)
    await inUse(app)
    mkdirSync(FOLDER, { recursive: true })
    for (const { name, path, prepare } of SCENES.filter((scene) => isWanted(scene.name))) {
      for (const [width, size] of Object.entries({ wide: WIDE, narrow: NARROW })) {
        const page = await browser.openWith(app.adminKey, path, size)
        await prepare(page)
        await page.mouse.move(0, 0)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const bytes = await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
          expect(bytes.length).toBeLessThan(300_000)
        }
      }
    }
  },
  240_000,
)
