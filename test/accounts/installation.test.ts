/** What administrators are told of the ledger. */
import { expect, it } from 'vitest'
import type { RequestContext } from '#platform/requests/context.js'
import type { InvariantReport } from '../../subgraphs/accounts/ledger/ledger.js'
import { InstallationResolver } from '../../subgraphs/accounts/installation/installation-resolver.js'
import { ManualClock } from '../kit/manual-clock.js'

const administrator: RequestContext = {
  requestId: 'req_1',
  principal: { accountId: 'acc_a', keyId: 'key_1', scopes: new Set(['admin']) },
  signal: new AbortController().signal,
  startedAt: 0,
  headers: new Map(),
  chats: { count: 0 },
}

it('a broken promise is told in words, and however many ask, the ledger is read once at a time', async () => {
  const reports: ((report: InvariantReport) => void)[] = []
  const ledger = {
    checkInvariants: () => new Promise<InvariantReport>((resolve) => reports.push(resolve)),
    unsettledOutcomes: () => 2,
  }
  const installation = { version: '1', configFile: null, settings: [], reload: () => Promise.reject(new Error('not asked')) }
  const resolver = new InstallationResolver({ ledger, installation, clock: new ManualClock() })
  const asked = [resolver.ledgerCheck(administrator), resolver.ledgerCheck(administrator)]
  const violations = [{ invariant: 'nothing is lost', subject: 'acc_b', detail: 'balance 1' }]
  reports[0]!({ ok: false, accounts: 3, entries: 4, openHolds: 5, violations })
  const counts = { isBalanced: false, accounts: 3, entries: 4, openHolds: 5, unsettled: 2 }
  const told = { ...counts, violations: [{ promise: 'nothing is lost', subject: 'acc_b', detail: 'balance 1' }] }
  expect(await Promise.all(asked)).toMatchObject([told, told])
  expect(reports).toHaveLength(1)
  void resolver.ledgerCheck(administrator)
  expect(reports).toHaveLength(2)
})
