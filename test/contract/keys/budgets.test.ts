/** Budgets: what an account and its keys may spend in a period, who sees them, and what is refused for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, wholeJson } from '../../kit/fake-provider-scenes.js'
import { everywhere } from '../../kit/app-servers.js'
import { nano, PRICE, startChatApp, type ChatApp } from '../chats/chat-app.js'

let chat: ChatApp

beforeAll(async () => {
  const models = ['cheap', 'other'].map((id) => ({
    id,
    owned_by: 'test',
    tier: 'medium',
    deployments: [{ provider: 'p1', model_id: 'a', ...PRICE }],
  }))
  chat = await startChatApp({ a: answers(wholeJson('Hi')) }, { aliases: { thrifty: { model: 'cheap' } } }, models)
})

afterAll(() => chat.stop())

const BUDGET = 'id name accountId keyId period amount spent held left warnAt action models startsAt resetsAt'

interface Budget {
  readonly id: string
  readonly keyId: string | null
  readonly period: string
  readonly amount: string
  readonly spent: string
  readonly held: string
  readonly left: string
  readonly models: string[] | null
  readonly resetsAt: string | null
}

async function account(): Promise<string> {
  const { createAccount } = await chat.app.graphql<{ createAccount: { account: { id: string } } }>(
    'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { id } } }',
    { input: { name: 'a customer', credits: '10' } },
  )
  return createAccount.account.id
}

async function keyOf(accountId: string | null, key?: string): Promise<{ id: string; secret: string }> {
  const { createApiKey } = await chat.app.graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { accountId, scopes: ['CHAT'] } },
    key,
  )
  return { id: createApiKey.apiKey.id, secret: createApiKey.secret }
}

async function budget(input: object, key?: string): Promise<Budget> {
  const { createBudget } = await chat.app.graphql<{ createBudget: { budget: Budget } }>(
    `mutation ($input: CreateBudgetInput!) { createBudget(input: $input) { budget { ${BUDGET} } } }`,
    { input },
    key,
  )
  return createBudget.budget
}

async function update(input: object): Promise<Budget> {
  const { updateBudget } = await chat.app.graphql<{ updateBudget: { budget: Budget } }>(
    `mutation ($input: UpdateBudgetInput!) { updateBudget(input: $input) { budget { ${BUDGET} } } }`,
    { input },
  )
  return updateBudget.budget
}

const remove = (id: string) =>
  chat.app.graphql('mutation ($input: DeleteBudgetInput!) { deleteBudget(input: $input) { budget { id } } }', { input: { id } })

const seenBy = async (key: string): Promise<Budget[]> =>
  (await chat.app.graphql<{ viewer: { budgets: Budget[] } }>(`{ viewer { budgets { ${BUDGET} } } }`, {}, key)).viewer.budgets

async function ask(key: string, model = 'cheap') {
  const response = await chat.app.fetch('/v1/chat/completions', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }),
  })
  const body = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: body.error?.code, message: body.error?.message }
}

/** How many of its requests are answered until it is refused, and what that says. */
async function exhaust(key: string, model?: string) {
  for (let asked = 0; asked < 50; asked++) {
    const answer = await ask(key, model)
    if (answer.status !== 200) return { asked, ...answer }
  }
  throw new Error('The budget refused nothing.')
}

const SMALL = '0.0000002'

describe('a budget of an account', () => {
  it('refuses what would exceed it, saying which one it is, what is spent, held and needed, and when it begins anew', async () => {
    const { secret } = await keyOf(
      await account().then(
        async (accountId) => (await budget({ accountId, amount: SMALL, period: 'DAY', name: 'team' }), accountId),
      ),
    )
    const { asked, status, code, message } = await exhaust(secret)
    expect({ status, code }).toEqual({ status: 402, code: 'insufficient_credits' })
    expect(asked).toBeGreaterThan(0)
    const [seen] = await seenBy(secret)
    expect(nano(seen!.spent)).toBeGreaterThan(0)
    expect(nano(seen!.spent)).toBeLessThanOrEqual(200)
    expect(seen).toMatchObject({ amount: SMALL, period: 'DAY', held: '0.00', keyId: null, models: null })
    expect(message).toContain(
      `This account's daily budget "team" is $${SMALL}, of which $${seen!.spent} is spent and $0.00 is set aside`,
    )
    expect(message).toMatch(/needs up to \$0\.\d+\. It begins anew at \d{4}-\d\d-\d\dT00:00:00Z\.$/)
    expect(message).toContain(seen!.resetsAt!.slice(0, 10))
  })

  it('binds all keys of the account and none of another, at once, and no more when it is deleted', async () => {
    const [mine, others] = [await account(), await account()]
    const keys = [await keyOf(mine), await keyOf(mine)]
    const other = await keyOf(others)
    expect((await ask(keys[0]!.secret)).status).toBe(200)
    const { id } = await budget({ accountId: mine, amount: '0.000000001', period: 'TOTAL' })
    for (const { secret } of keys) await everywhere(async () => expect((await ask(secret)).status).toBe(402))
    expect((await ask(keys[0]!.secret)).message).toMatch(/total budget is .* It does not begin anew\.$/)
    expect((await ask(other.secret)).status).toBe(200)
    expect(await seenBy(other.secret)).toEqual([])
    await remove(id)
    for (const { secret } of keys) await everywhere(async () => expect((await ask(secret)).status).toBe(200))
    expect(await seenBy(keys[0]!.secret)).toEqual([])
  })

  it('that only warns refuses nothing, and refuses when it is told to', async () => {
    const accountId = await account()
    const { secret } = await keyOf(accountId)
    const { id } = await budget({ accountId, amount: '0.000000001', period: 'HOUR', action: 'WARN' })
    await everywhere(async () => expect((await ask(secret)).status).toBe(200))
    expect((await seenBy(secret))[0]).toMatchObject({ id, left: '0.00' })
    expect(await update({ id, action: 'STOP' })).toMatchObject({ id, period: 'HOUR' })
    await everywhere(async () => expect((await ask(secret)).status).toBe(402))
  })

  it('of some models counts these, by whichever name, and no other', async () => {
    const accountId = await account()
    const { secret } = await keyOf(accountId)
    const made = await budget({ accountId, amount: '0.000000001', period: 'WEEK', models: ['thrifty', 'cheap'] })
    expect(made.models).toEqual(['cheap'])
    const refused = await ask(secret, 'thrifty')
    expect(refused).toMatchObject({ status: 402, message: expect.stringContaining('weekly budget for cheap is $0.000000001') })
    expect((await ask(secret, 'other')).status).toBe(200)
    expect((await seenBy(secret))[0]).toMatchObject({ spent: '0.00' })
  })

  it('is refused for a model that there is not, an amount that is none, and an account or key that there is not', async () => {
    const input = { amount: '1', period: 'DAY' }
    await expect(budget({ ...input, models: ['cheap', 'none'] })).rejects.toThrow('There is no model')
    await expect(budget({ ...input, models: [] })).rejects.toThrow('1 to')
    await expect(budget({ ...input, amount: '0' })).rejects.toThrow('more than 0')
    await expect(budget({ ...input, warnAt: 101 })).rejects.toThrow('1 to 100')
    await expect(budget({ ...input, accountId: 'acc_none' })).rejects.toThrow('no such account')
    await expect(budget({ ...input, keyId: 'key_none' })).rejects.toThrow('no such API key')
    await expect(update({ id: 'bdg_none' })).rejects.toThrow('no such budget')
    await expect(remove('bdg_none')).rejects.toThrow('no such budget')
  })

  it('is set by administrators only, and an account has a few', async () => {
    const accountId = await account()
    const { secret } = await keyOf(accountId)
    await expect(budget({ amount: '1', period: 'DAY' }, secret)).rejects.toThrow('insufficient_scope')
    for (let made = 0; made < 8; made++) await budget({ accountId, amount: '1', period: 'DAY' })
    await expect(budget({ accountId, amount: '1', period: 'DAY' })).rejects.toThrow('at most 8 budgets')
    expect(await seenBy(secret)).toHaveLength(8)
    // With those of a key: a hold names as many as there can be.
    const key = await keyOf(accountId)
    for (let made = 0; made < 4; made++) await budget({ keyId: key.id, amount: '1', period: 'MONTH' })
    await expect(budget({ keyId: key.id, amount: '1', period: 'DAY' })).rejects.toThrow('at most 4 budgets')
    await everywhere(async () => expect((await ask(key.secret)).status).toBe(200))
    expect((await seenBy(key.secret)).map(({ spent }) => nano(spent) > 0)).toEqual(Array.from({ length: 12 }, () => true))
  })
})

describe('a budget of a key', () => {
  it('binds the key, the one that follows it and those that it makes, and no other; the tightest refuses', async () => {
    const accountId = await account()
    const [bound, free] = [await keyOf(accountId), await keyOf(accountId)]
    await budget({ accountId, amount: '5', period: 'MONTH' })
    await budget({ keyId: bound.id, amount: '1', period: 'DAY' })
    const tight = await budget({ keyId: bound.id, amount: SMALL, period: 'HOUR' })
    expect(tight.keyId).toBe(bound.id)
    expect((await exhaust(bound.secret)).message).toContain("This API key's hourly budget is")
    const { rotateApiKey } = await chat.app.graphql<{ rotateApiKey: { secret: string; apiKey: { id: string } } }>(
      'mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { secret apiKey { id } } }',
      { input: { id: bound.id } },
    )
    const made = await keyOf(null, rotateApiKey.secret)
    for (const secret of [rotateApiKey.secret, made.secret]) {
      await everywhere(async () => expect((await ask(secret)).status).toBe(402))
    }
    expect((await ask(free.secret)).status).toBe(200)
    expect((await seenBy(free.secret)).map(({ period }) => period)).toEqual(['MONTH'])
    const periods = (await seenBy(made.secret)).map(({ period }) => period)
    expect(periods.toSorted()).toEqual(['DAY', 'HOUR', 'MONTH'])
  })

  it('is shown with its monthly cap and that of the account', async () => {
    const accountId = await account()
    const { id, secret } = await keyOf(accountId)
    const cap = (name: string, input: object) =>
      chat.app.graphql(
        `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`,
        { input },
      )
    await cap('setApiKeyMonthlyCap', { id, monthlyCap: '3' })
    await cap('updateAccount', { id: accountId, monthlyCap: '4' })
    expect(await seenBy(secret)).toMatchObject([
      { id: accountId, keyId: null, period: 'MONTH', amount: '4.00' },
      { keyId: id, period: 'MONTH', amount: '3.00' },
    ])
  })
})
