/** What callers were told and charged, recomputed from the tables of a real server after all sorts of answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { startTestApp } from '../kit/app.js'
import { answersBoth, fakeUsage, streams } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { PRICE } from './chats/chat-app.js'

const WORDS = Array.from({ length: 50 }, (_, index) => (index === 0 ? 'word' : ' word'))
const configOf = (baseUrl: string) => ({
  providers: [{ id: 'p1', name: 'Fake', base_url: baseUrl, api_key: 'provider-key' }],
  models: [
    {
      id: 'my-model',
      owned_by: 'test',
      context_window: 8192,
      max_output_tokens: 1000,
      deployments: [{ provider: 'p1', model_id: 'vendor/model', ...PRICE }],
    },
  ],
})
const tokensOf = (text: string): number => encode(text).length

it('usage records, charges, entries and what callers were told agree with each other and with the price', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-audit-'))
  await using provider = await startFakeProvider(answersBoth({ pieces: WORDS }))
  const told: { prompt_tokens: number; completion_tokens: number }[] = []
  {
    await using app = await startTestApp({ config: configOf(provider.baseUrl), folder })
    const openai = app.openai()
    const request = { model: 'my-model', messages: [{ role: 'user' as const, content: 'Hi' }] }
    for (const maxTokens of [5, 49, 50, 400]) {
      const whole = await openai.chat.completions.create({ ...request, max_tokens: maxTokens })
      told.push(whole.usage!)
      if (maxTokens < 50) expect(whole.usage!.completion_tokens).toBe(tokensOf(whole.choices[0]!.message.content!))
      let text = ''
      for await (const chunk of await openai.chat.completions.create({ ...request, max_tokens: maxTokens, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
        if (chunk.usage) told.push(chunk.usage)
      }
      expect(told.at(-1)!.completion_tokens).toBe(tokensOf(text))
      expect(told.at(-1)!.completion_tokens).toBe(Math.min(50, maxTokens))
    }
    provider.scene = streams({ pieces: WORDS, usageObject: fakeUsage(3, 50), ending: 'early' })
    for await (const _ of await openai.chat.completions.create({ ...request, stream: true }).catch(() => [])) break
  }
  const database = new DatabaseSync(join(folder, 'sluice.db'), { readOnly: true, readBigInts: true })
  const rows = database
    .prepare(
      `select u.*, p.input as input_price, p.output as output_price,
         (select -sum(e.amount) from ledger_entry e where e.reference = u.request_id and e.account_id = u.account_id) as entered
       from usage_record u join price_version p on p.id = u.price_version_id
       order by u.created_at, u.request_id`,
    )
    .all() as Record<string, bigint>[]
  database.close()
  rmSync(folder, { recursive: true, force: true })
  expect(rows).toHaveLength(9)
  for (const row of rows) {
    const nano = row['input_tokens']! * row['input_price']! + row['output_tokens']! * row['output_price']!
    const cost = (nano + 999_999n) / 1_000_000n
    expect(row).toMatchObject({ cost, entered: cost })
    expect(cost).toBeGreaterThan(0n)
  }
  const recorded = rows.slice(0, 8).map((row) => `${row['input_tokens']} in, ${row['output_tokens']} out`)
  const said = told.map((usage) => `${usage.prompt_tokens} in, ${usage.completion_tokens} out`)
  expect(recorded.toSorted()).toEqual(said.toSorted())
})
