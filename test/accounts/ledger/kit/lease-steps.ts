/** What may happen to processes that lease of shared accounts (leases-model.test.ts). */
import * as fc from 'fast-check'
import type { CrashPoint } from './ledger-kit.js'

export const PROCESSES = 3
export const ACCOUNTS = 2

export type Step =
  | {
      readonly verb: 'chats'
      readonly process: number
      readonly account: number
      readonly count: number
      readonly amount: bigint
    }
  | { readonly verb: 'settle' | 'stream' | 'leave'; readonly hold: number; readonly part: number }
  | { readonly verb: 'session'; readonly process: number; readonly account: number; readonly amount: bigint }
  | { readonly verb: 'topUp'; readonly process: number; readonly account: number; readonly amount: bigint }
  | { readonly verb: 'cap'; readonly process: number; readonly account: number; readonly amount: bigint | null }
  | { readonly verb: 'wait'; readonly seconds: number }
  | { readonly verb: 'break'; readonly process: number; readonly point: CrashPoint }
  | { readonly verb: 'kill'; readonly process: number; readonly after: number | null }
  /** For so long, or until somebody wakes it. */
  | { readonly verb: 'stall'; readonly process: number; readonly seconds: number | null }
  | { readonly verb: 'wake' }
  | { readonly verb: 'deaf'; readonly isDeaf: boolean }

const anyProcess = fc.nat(PROCESSES - 1)
const account = fc.nat(ACCOUNTS - 1)
const kind = <const Verb extends string>(...verbs: Verb[]) => fc.constantFrom(...verbs)
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      verb: kind('chats'),
      process: anyProcess,
      account,
      count: fc.integer({ min: 1, max: 16 }),
      amount: fc.oneof(fc.bigInt({ min: 1n, max: 60n }), fc.bigInt({ min: 60n, max: 250n })),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ verb: kind('settle', 'settle', 'stream', 'leave'), hold: fc.nat(40), part: fc.nat(120) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ verb: kind('session'), process: anyProcess, account, amount: fc.bigInt({ min: 1n, max: 2_500n }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verb: kind('topUp'), process: anyProcess, account, amount: fc.bigInt({ min: 1n, max: 900n }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: kind('cap'),
      process: anyProcess,
      account,
      amount: fc.option(fc.bigInt({ min: 0n, max: 4_000n })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ verb: kind('wait'), seconds: fc.constantFrom(1, 2, 5, 6, 11, 31) }) },
  { weight: 2, arbitrary: fc.record({ verb: kind('break'), process: anyProcess, point: kind('before', 'after', 'during') }) },
  { weight: 2, arbitrary: fc.record({ verb: kind('kill'), process: anyProcess, after: fc.option(fc.nat(6), { freq: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ verb: kind('stall'), process: anyProcess, seconds: fc.constantFrom(null, 15, 21, 60) }),
  },
  { weight: 1, arbitrary: fc.record({ verb: kind('wake') }) },
  { weight: 1, arbitrary: fc.record({ verb: kind('deaf'), isDeaf: fc.boolean() }) },
)
