/** What crosses between the threads arrives as it was sent, whatever is in it. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChatApi } from '#platform/vocabulary/words.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { BudgetAction } from '../../../subgraphs/accounts/ledger/ledger-columns.js'
import { UsageOutcome } from '../../../subgraphs/accounts/ledger/ledger-columns.js'
import type { Operation, Outcome } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import {
  packOperations,
  packOutcomes,
  unpackOperations,
  unpackOutcomes,
} from '../../../subgraphs/accounts/ledger/sqlite/thread-message.js'

const text = fc.string({ unit: 'binary' })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const amount = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n })
const whole = fc.nat()

const usage = fc.record({
  keyId: text,
  modelId: text,
  deploymentId: orNull(text),
  priceVersionId: orNull(text),
  inputTokens: whole,
  cachedInputTokens: whole,
  outputTokens: whole,
  usageSource: fc.constantFrom('reported' as const, 'counted' as const),
  providerCost: orNull(amount),
  endedAs: fc.constantFrom(...Object.values(UsageOutcome)),
  route: orNull(text),
  createdAt: whole,
  firstTokenMs: orNull(whole),
  durationMs: whole,
  attempts: orNull(whole),
  api: orNull(fc.constantFrom(...Object.values(ChatApi))),
  codeFindings: orNull(fc.nat()),
})

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant('reserve' as const),
    holdId: text,
    accountId: text,
    amount,
    purpose: fc.constantFrom('chat' as const, 'session' as const),
    ownerId: text,
    keyId: orNull(text),
    modelId: orNull(text),
    budgetIds: orNull(text),
    expiresAt: whole,
  }),
  fc.record({
    kind: fc.constant('charge' as const),
    holdId: text,
    accountId: text,
    amount,
    purpose: fc.constant('chat' as const),
    ownerId: text,
    keyId: orNull(text),
    modelId: orNull(text),
    budgetIds: orNull(text),
    expiresAt: whole,
    total: amount,
    usage: orNull(usage),
  }),
  fc.record({ kind: fc.constant('bill' as const), holdId: text, total: amount, close: fc.boolean(), usage: orNull(usage) }),
  fc.record({ kind: fc.constant('extend' as const), holdId: text, toAmount: amount, expiresAt: whole }),
  fc.record({ kind: fc.constant('read_holds' as const), holdIds: fc.array(text) }),
)

const account = fc.record({
  accountId: text,
  balance: amount,
  held: amount,
  leased: amount,
  monthlyCap: orNull(amount),
  spent: amount,
  period: text,
})

const budget = fc.record({
  budgetId: text,
  accountId: text,
  held: amount,
  cap: orNull(amount),
  spent: amount,
  period: text,
  every: fc.constantFrom(...Object.values(BudgetPeriod)),
  action: fc.constantFrom(...Object.values(BudgetAction)),
  warnAt: whole,
  name: text,
  ownerId: orNull(text),
  models: orNull(text),
})

const outcome: fc.Arbitrary<Outcome> = fc.record(
  {
    code: fc.constantFrom('done' as const, 'replayed' as const, 'balance' as const, 'unknown_hold' as const),
    captured: amount,
    account: orNull(account),
    holds: fc.constant([]),
    budgets: fc.array(budget),
  },
  { requiredKeys: ['code'] },
)

describe('a message of the ledger thread', () => {
  it('brings every operation as it was', () => {
    const arrives = (operations: Operation[]) => {
      expect(unpackOperations(structuredClone(packOperations(operations)))).toEqual(operations)
    }
    fc.assert(fc.property(fc.array(operation), arrives))
  })

  it('brings every outcome as it was', () => {
    const arrives = (outcomes: Outcome[]) => {
      expect(unpackOutcomes(structuredClone(packOutcomes(outcomes)))).toEqual(outcomes)
    }
    fc.assert(fc.property(fc.array(outcome), arrives))
  })
})
