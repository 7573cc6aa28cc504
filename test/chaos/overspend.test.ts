/** A thousand chats at once on credits for 250, over several servers on one PostgreSQL: never a credit twice, and none is lost. */
import { expect, test } from 'vitest'
import { auditBooks, readPostgres } from '../kit/audit.js'
import { startPostgres } from '../kit/postgres.js'
import { type ChaosServer, COST, startChaosServer } from './chaos-server.js'

const CHATS = 1_000
const AFFORDABLE = 250
/** Nano-USD as the configuration writes it. */
const CREDITS = `0.${String(COST * BigInt(AFFORDABLE)).padStart(9, '0')}`

const FORMS = [1, 2, 4].flatMap((servers) => [
  { servers, leases: false, held: 'in rows' },
  { servers, leases: true, held: 'in leases' },
])

test.each(FORMS)('$servers servers that hold $held', { timeout: 300_000 }, async ({ servers: count, leases }) => {
  await using cluster = await startPostgres()
  await using stack = new AsyncDisposableStack()
  const servers: ChaosServer[] = []
  for (let index = 0; index < count; index++) {
    const options = { databaseUrl: cluster.url, server: { starting_credits: CREDITS }, ledger: { leases } }
    servers.push(stack.use(await startChaosServer(options)))
  }
  const ask = (index: number) => servers[index % count]!.chat()
  const statuses = await Promise.all(Array.from({ length: CHATS }, (_, index) => ask(index)))
  expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
  // A hold is more than its charge, so that a burst refuses early; one after the other, the rest can be spent.
  for (let status = 200, index = 0; status === 200; index++) statuses.push((status = await ask(index)))
  const answered = statuses.filter((status) => status === 200).length
  expect(answered).toBeLessThanOrEqual(AFFORDABLE)
  const acknowledged = new Map(servers.flatMap((server) => [...server.acknowledged]))
  expect(acknowledged.size).toBe(answered)
  const [account] = await readPostgres(cluster)('ledger_account')
  expect(BigInt(String(account!['balance']))).toBe(COST * BigInt(AFFORDABLE - answered))
  // What one more chat would be held at, and not spent: its prompt's bytes and its longest answer.
  expect(AFFORDABLE - answered).toBeLessThan(20)
  expect(await auditBooks(readPostgres(cluster), { acknowledged })).toEqual([])
})
