/**
 * Accounts: who may ask, and what they have.
 *
 * Owns accounts, API keys and their rates, sign-ins to the console, webhooks, the credit ledger (balances, holds, entries), usage
 * records, refused requests, monthly caps and budgets.
 *
 * States: a key is valid -> in grace -> expired, or revoked (both ends final); a hold is open -> captured, released or expired
 * (all final); a webhook's message is pending -> delivered or dead. Invariants: the ledger's (see ledger/ledger.ts); the secret
 * of a key is stored only as its hash, and every secret is shown once; a key cannot make, rotate or revoke a key that may do or
 * spend more than itself; another account's objects do not exist.
 */
import 'reflect-metadata'
import type { Registry } from 'prom-client'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import type { EventBus } from '#platform/events/events.js'
import { createNoticeMarks } from '#platform/events/notice-marks.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Logger } from '#platform/log.js'
import type { NanoUsd } from '#platform/money.js'
import type { Subgraph } from '#platform/subgraph.js'
import { AccountEntity, type ColdStartMode } from './accounts/account.js'
import { AccountResolver } from './accounts/account-resolver.js'
import { AccountType } from './accounts/account-type.js'
import { createAccounts, type Accounts } from './accounts/accounts.js'
import { BudgetResolver } from './budgets/budget-resolver.js'
import { createBudgetStore } from './budgets/budget-store.js'
import { createBudgets, type ModelNamed } from './budgets/budgets.js'
import { ConsolePassEntity } from './console/console-pass.js'
import { createConsolePasses, type PassLifetimes, type ConsolePasses } from './console/console-passes.js'
import { ConsoleResolver } from './console/console-resolver.js'
import { ApiKeyEntity } from './keys/api-key.js'
import { ApiKeyResolver, type StandardsNamed } from './keys/api-key-resolver.js'
import { createBooks, type Books } from './books/books.js'
import { ApiKeyType } from './keys/api-key-type.js'
import { createKeys, type Keys } from './keys/keys.js'
import type { KeyLimits } from './keys/key-maker.js'
import { accountSources } from './account-sources.js'
import { entityLoaders } from './entity-loaders.js'
import { NodeResolver } from './nodes/node-resolver.js'
import { DeploymentStub, ModelStub, RentalStub, ScanStub } from './nodes/node-stubs.js'
import { InstallationResolver } from './installation/installation-resolver.js'
import type { Installation, NodeSource } from './ports.js'
import { AccountBooksResolver, UsageResolver } from './books/books-resolver.js'
import { UsageRecord } from './books/usage-type.js'
import type { InvariantReport, Ledger } from './ledger/ledger.js'
import { ledgerEntities } from './ledger/ledger-tables.js'
import { createCreditNotices } from './notices/credit-notices.js'
import { createLedgerNotices } from './notices/ledger-notices.js'
import { KeyRateEntity, leaseFrom } from './rates/key-rate.js'
import { createKeyRates, type KeyRates } from './rates/key-rates.js'
import { RefusalEntity } from './refusals/refusal.js'
import { createRefusals, type Refusals } from './refusals/refusals.js'
import { RefusalsResolver } from './refusals/refusals-resolver.js'
import { WebhookDeliveryEntity, WebhookEntity, WebhookReaderEntity } from './webhooks/webhook.js'
import { WebhookResolver } from './webhooks/webhook-resolver.js'
import { createWebhooks, type WebhookOptions, type Webhooks } from './webhooks/webhooks.js'

export type { ColdStartMode } from './accounts/account.js'
export type { Accounts } from './accounts/accounts.js'
export type { Books } from './books/books.js'
export type { ConsolePasses } from './console/console-passes.js'
export type { Keys } from './keys/keys.js'
export type { Installation, NodeSource, Reloaded, Setting } from './ports.js'
export type { BudgetSnapshot, ChargeNotice, InvariantReport, Ledger, ReserveResult, Usage } from './ledger/ledger.js'
export { budgetOf } from './budgets/budget.js'
export { announced, creditNews, leaseNews } from './ledger/announced-ledger.js'
export { openLedger, proveBooks } from './ledger/open-ledger.js'
export type { Refusals } from './refusals/refusals.js'
export { webhookOptions, type Webhooks } from './webhooks/webhooks.js'

export const accountsEntities = [
  AccountEntity,
  ApiKeyEntity,
  KeyRateEntity,
  ConsolePassEntity,
  WebhookEntity,
  WebhookDeliveryEntity,
  WebhookReaderEntity,
  RefusalEntity,
  ...ledgerEntities,
]

export interface AccountsDependencies {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly events: EventBus
  readonly outbox: Outbox
  readonly log: Logger
  readonly registry: Registry
  /** Of accounts that are opened without a mode of their own. */
  readonly coldStartMode: ColdStartMode
  readonly keyLimits: KeyLimits
  readonly passLifetimes: PassLifetimes
  readonly webhooks: WebhookOptions
  readonly standardsNamed: StandardsNamed
  /** Models by their names, for budgets. */
  readonly modelNamed: ModelNamed
  /** Days that refused requests are kept; 0 for not at all. Asked each time. */
  readonly refusedDays: () => number
  /** Operators are told of a balance below it; 0 for never. */
  readonly lowBalance: NanoUsd
  /** Objects of the other subgraphs. */
  readonly nodes: NodeSource
  /** What administrators are told of the program. */
  readonly installation: Installation
}

export interface AccountsSubgraph extends Subgraph {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly consolePasses: ConsolePasses
  readonly rates: KeyRates
  readonly books: Books
  readonly webhooks: Webhooks
  readonly refusals: Refusals
  /** Tells operators of promises of the ledger that a check has found broken, once. */
  tellLedger(report: InvariantReport): Promise<void>
}

export function createAccountsSubgraph(dependencies: AccountsDependencies): AccountsSubgraph {
  const { database, ledger, outbox, clock, events, coldStartMode, keyLimits, passLifetimes } = dependencies
  const accounts = createAccounts({ database, ledger, clock, coldStartMode })
  const budgetStore = createBudgetStore(database)
  const keys = createKeys({ database, outbox, clock, events, ledger, limits: keyLimits, budgets: budgetStore })
  const { modelNamed } = dependencies
  const budgets = createBudgets({ store: budgetStore, keys, ledger, events, modelNamed, mostModels: keyLimits.models })
  const consolePasses = createConsolePasses({ database, clock, events, keys, lifetimes: passLifetimes })
  const books = createBooks({ database, ledger, clock })
  const marks = createNoticeMarks(dependencies)
  const creditNotices = createCreditNotices({ ...dependencies, marks })
  const webhooks = createWebhooks({ ...dependencies, options: dependencies.webhooks })
  const refusals = createRefusals({ database, clock, log: dependencies.log, keepDays: dependencies.refusedDays })
  const loaders = entityLoaders(accounts, keys, books)
  return {
    name: 'accounts',
    accounts,
    keys,
    consolePasses,
    rates: createKeyRates(clock, leaseFrom(database)),
    books,
    webhooks,
    refusals,
    tellLedger: createLedgerNotices(marks),
    resolvers: [
      new AccountResolver({ accounts, keys, ledger, books }),
      new AccountBooksResolver(books),
      new UsageResolver(books),
      new RefusalsResolver(refusals),
      new ApiKeyResolver(keys, accounts, dependencies.standardsNamed),
      new BudgetResolver(budgets, accounts, keys),
      new ConsoleResolver(consolePasses),
      new WebhookResolver(webhooks),
      new InstallationResolver({ ledger, installation: dependencies.installation, clock }),
      new NodeResolver({ ...loaders }, dependencies.nodes),
    ],
    entities: {
      PriceChange: { kind: 'pointer' },
      Account: { kind: 'owner', load: loaders.Account },
      UsageRecord: { kind: 'owner', load: loaders.UsageRecord },
      Rental: { kind: 'pointer' },
      Scan: { kind: 'pointer' },
      Model: { kind: 'pointer' },
      Deployment: { kind: 'pointer' },
    },
    orphanedTypes: [AccountType, ApiKeyType, UsageRecord, RentalStub, ScanStub, ModelStub, DeploymentStub],
    sources: accountSources({ accounts, keys, books, events }),
    async startWork() {
      creditNotices.start()
      await webhooks.start()
    },
    async stop() {
      await creditNotices.stop()
      await webhooks.stop()
      await refusals.stop()
      consolePasses.close()
      keys.close()
    },
  }
}
