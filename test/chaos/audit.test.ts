/** The auditor itself: an audit that finds nothing must mean something. */
import { expect, test } from 'vitest'
import { auditBooks } from '../kit/audit.js'

type Row = Record<string, unknown>
type Tables = Record<'ledger_account' | 'ledger_hold' | 'ledger_entry' | 'usage_record' | 'ledger_budget' | 'ledger_lease', Row[]>

/** A Monday; the charge before it was in the week before. */
const [NOW, EARLIER] = [Date.parse('2026-11-23T10:30:00Z'), Date.parse('2026-11-22T23:59:59Z')]

/** 100 were given; one request was charged 17, another holds 30 and has 10 of it captured, and a server leases 15. */
const books = (): Tables => ({
  ledger_account: [{ account_id: 'acc', balance: 73n, held: 35n, leased: 15n }],
  ledger_hold: [{ id: 'open', account_id: 'acc', amount: 30n, captured: 10n, state: 'open', budget_id: 'weekly hourly' }],
  ledger_entry: [
    { account_id: 'acc', reference: 'k', kind: 'top_up', amount: 100n, created_at: EARLIER },
    { account_id: 'acc', reference: 'done', kind: 'charge', amount: -17n, budget_id: 'weekly', created_at: EARLIER },
    { account_id: 'acc', reference: 'open', kind: 'capture:10', amount: -10n, budget_id: 'weekly hourly', created_at: NOW },
  ],
  ledger_lease: [{ process_id: 'p', account_id: 'acc', amount: 15n }],
  usage_record: [{ request_id: 'done', account_id: 'acc', cost: 17n }],
  ledger_budget: [
    { id: 'weekly', account_id: 'acc', every: 'week', period: '2026-11-23', held: 20n, spent: 10n },
    { id: 'hourly', account_id: 'acc', every: 'hour', period: '2026-11-23T10', held: 20n, spent: 10n },
    { id: 'other', account_id: 'acc', every: 'total', period: 'total', held: 0n, spent: 0n },
  ],
})
const audit = (tables: Tables, acknowledged = new Map([['done', 17n]])) =>
  auditBooks(async (table) => tables[table as keyof Tables], { acknowledged })

test('books in order pass', async () => {
  expect(await audit(books())).toEqual([])
})

test.each<[string, (tables: Tables) => void, RegExp]>([
  [
    'a balance that its entries do not explain',
    ({ ledger_account: [row] }) => (row!['balance'] = 74n),
    /has 74, its entries sum to 73/,
  ],
  ['a charge that was lost', ({ ledger_entry }) => ledger_entry.splice(1, 1), /entries sum to 90/],
  ['a charge that gives', ({ ledger_entry }) => (ledger_entry[1]!['amount'] = 17n), /goes the wrong way/],
  ['a charge of nothing', ({ usage_record }) => usage_record.pop(), /belongs to no request/],
  ['an entry of nobody', ({ ledger_entry }) => (ledger_entry[0]!['account_id'] = 'ghost'), /belongs to no account/],
  ['money that is held for nothing', ({ ledger_hold }) => ledger_hold.pop(), /holds 35, its open holds and leases sum to 15/],
  ['a lease that nobody has', ({ ledger_lease }) => ledger_lease.pop(), /has leased 15, its leases sum to 0/],
  ['more held than there is', ({ ledger_account: [row] }) => (row!['balance'] = 30n), /holds 35 of 30/],
  ['a cost that was not charged', ({ usage_record: [row] }) => (row!['cost'] = 18n), /says 18, its entries 17/],
  ['a request that is over with an open hold', ({ ledger_hold: [row] }) => (row!['id'] = 'done'), /is over and its hold is open/],
  [
    'a budget that has spent what was charged before its period',
    ({ ledger_budget: [row] }) => (row!['spent'] = 27n),
    /budget weekly has spent 27, its charges sum to 10/,
  ],
  [
    'a budget that lost a charge',
    ({ ledger_budget }) => (ledger_budget[1]!['spent'] = 0n),
    /budget hourly has spent 0, its charges sum to 10/,
  ],
  [
    'a budget that holds for nothing',
    ({ ledger_hold: [row] }) => (row!['budget_id'] = 'weekly'),
    /budget hourly holds 20, its open holds sum to 0/,
  ],
  ['an answer that nobody wrote down', ({ usage_record: [row] }) => (row!['request_id'] = 'x'), /was answered and must cost 17/],
])('%s is found', async (_, tamper, found) => {
  const tables = books()
  tamper(tables)
  expect((await audit(tables)).join('\n')).toMatch(found)
})
