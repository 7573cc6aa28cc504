/** What is asked of each way to run the graph: every document that we ship, with answers and with faults, and joins of callers. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { parse, type DocumentNode, type GraphQLFormattedError } from 'graphql'
import * as cli from '../../src/generated/cli.js'
import * as operations from '../../src/generated/operations.js'

export interface Answer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

export interface Step {
  readonly title: string
  readonly document: DocumentNode
  /** From the answers so far, by title. */
  readonly variables?: (seen: Seen) => object
  /** The administrator's when left out, none when null. */
  readonly key?: null
  /** Whether its answer has a fault. */
  readonly fails?: boolean
  /** Asks again until its answer is this far. */
  readonly until?: (answer: Answer) => boolean
}

export type Story = readonly Step[]

type Seen = ReadonlyMap<string, Answer>

/** The command line has its documents as text. */
type Parsed<T> = {
  [Name in keyof T]: T[Name] extends cli.TypedDocumentString<infer R, infer V> ? TypedDocumentNode<R, V> : T[Name]
}
const parsed = Object.fromEntries(
  Object.entries(cli).map(([name, one]) => [name, one instanceof cli.TypedDocumentString ? parse(one.toString()) : one]),
) as Parsed<typeof cli>

/** Every document that we ship. */
export const ask = { ...parsed, ...operations }

type VariablesOf<TDocument> = TDocument extends TypedDocumentNode<unknown, infer TVariables> ? TVariables : never

const step = <TDocument extends DocumentNode>(
  title: string,
  document: TDocument,
  variables?: (seen: Seen) => VariablesOf<TDocument> & object,
  more: Partial<Step> = {},
): Step => ({ title, document, ...(variables && { variables }), ...more })

const fault = <TDocument extends DocumentNode>(
  title: string,
  document: TDocument,
  variables?: (seen: Seen) => VariablesOf<TDocument> & object,
  more: Partial<Step> = {},
): Step => step(title, document, variables, { fails: true, ...more })

/** Variables that no typed caller could send. */
const untyped = (variables: object) => () => variables as never

/** An id within an earlier answer. */
const from = (seen: Seen, title: string, ...path: string[]): string =>
  String(path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], seen.get(title)?.data))

const chat = (model: string) => ({ body: { model, messages: [{ role: 'user', content: 'Hello' }] } })
const restChat = (model: string) => ({ ...chat(model), api: 'CHAT_COMPLETIONS' as const })
const code = 'import os\nos.system("ls " + input())\npassword = "hunter2hunter2"\n'
const isBooting = ({ data }: Answer) => (data!['rental'] as { phase: string }).phase === 'BOOTING'
const hasFive = ({ data }: Answer) => (data!['account'] as { usage: { nodes: unknown[] } }).usage.nodes.length === 5

const account = (seen: Seen) => from(seen, 'an account', 'createAccount', 'account', 'id')
const own = (seen: Seen) => from(seen, 'oneself', 'viewer', 'id')
const key = (seen: Seen) => from(seen, 'a key', 'createApiKey', 'apiKey', 'id')
const rental = (seen: Seen) => from(seen, 'a rental', 'rentGpu', 'rental', 'id')
const budget = (seen: Seen) => from(seen, 'a budget', 'createBudget', 'budget', 'id')
const webhook = (seen: Seen) => from(seen, 'a webhook', 'createWebhook', 'webhook', 'id')
const nobody = { key: null }

export const STORY: Story = [
  step('an account', ask.CliCreateAccountDocument, () => ({ input: { name: 'one', credits: '5', monthlyCap: '3.50' } })),
  fault('an account with a wrong amount', ask.CliCreateAccountDocument, () => ({ input: { name: 'one', credits: 'x' } })),
  fault('an account without a name', ask.CliCreateAccountDocument, untyped({ input: {} })),
  step('an account changed', ask.CliUpdateAccountDocument, (seen) => ({
    input: { id: account(seen), scanTier: 'PRO' as const },
  })),
  step('credits', ask.CliAddCreditsDocument, (seen) => ({
    input: { accountId: account(seen), amount: '1', idempotencyKey: 'a' },
  })),
  step('all accounts', ask.CliAccountsDocument, () => ({})),
  fault('all accounts, asked by nobody', ask.CliAccountsDocument, () => ({}), nobody),
  step('one account', ask.CliAccountDocument, (seen) => ({ id: account(seen) })),
  step('no account', ask.CliAccountDocument, () => ({ id: 'acc_none' })),
  step('oneself', ask.CliViewerDocument),
  step('a code for the console', ask.CliConsoleCodeDocument),
  step('the configuration read again', ask.CliReloadDocument),
  fault('the configuration, for nobody', ask.CliReloadDocument, undefined, nobody),
  fault('a code for nobody', ask.CliConsoleCodeDocument, undefined, nobody),
  step('a key', ask.CliCreateKeyDocument, (seen) => ({ input: { accountId: account(seen), name: 'k' } })),
  step('the models of a key', ask.CliSetKeyModelsDocument, (seen) => ({ input: { id: key(seen), models: ['normal'] } })),
  step('the cap of a key', ask.CliSetKeyMonthlyCapDocument, (seen) => ({ input: { id: key(seen), monthlyCap: '1.5' } })),
  step('the rates of a key', ask.CliSetKeyRateLimitsDocument, (seen) => ({
    input: { id: key(seen), requestsPerMinute: 100, tokensPerMinute: 100_000 },
  })),
  step('what a key demands of code in answers', ask.CliSetKeyAnswerScanDocument, (seen) => ({
    input: { id: key(seen), answerScan: { mode: 'BLOCK' as const, standards: ['pci dss'], minSeverity: 'HIGH' as const } },
  })),
  fault('a key and a standard that does not exist', ask.CliSetKeyAnswerScanDocument, (seen) => ({
    input: { id: key(seen), answerScan: { mode: 'REPORT' as const, standards: ['moon law'] } },
  })),
  step('a key rotated', ask.CliRotateKeyDocument, (seen) => ({ input: { id: key(seen), graceSeconds: 60 } })),
  step('a key revoked', ask.CliRevokeKeyDocument, (seen) => ({ input: { id: key(seen) } })),
  fault('a key that is not there', ask.CliRevokeKeyDocument, () => ({ input: { id: 'key_none' } })),
  step('a budget', ask.CliCreateBudgetDocument, (seen) => ({
    input: { accountId: account(seen), amount: '5', period: 'DAY' as const },
  })),
  fault('a budget of no key', ask.CliCreateBudgetDocument, () => ({
    input: { keyId: 'key_none', amount: '5', period: 'DAY' as const },
  })),
  fault('a budget for a model that there is not', ask.CliCreateBudgetDocument, (seen) => ({
    input: { accountId: account(seen), amount: '5', period: 'TOTAL' as const, models: ['none'] },
  })),
  step('budgets', ask.CliBudgetsDocument, (seen) => ({ id: own(seen) })),
  step('a budget changed', ask.CliUpdateBudgetDocument, (seen) => ({ input: { id: budget(seen), amount: '6', name: 'six' } })),
  step('budgets of an account', ask.CliBudgetsDocument, (seen) => ({ id: account(seen) })),
  step('a budget deleted', ask.CliDeleteBudgetDocument, (seen) => ({ input: { id: budget(seen) } })),
  fault('a budget deleted twice', ask.CliDeleteBudgetDocument, (seen) => ({ input: { id: budget(seen) } })),
  fault('budgets, asked by nobody', ask.CliBudgetsDocument, (seen) => ({ id: own(seen) }), nobody),
  step('a webhook', ask.CliCreateWebhookDocument, () => ({
    input: { url: 'https://localhost/hook', types: ['LEDGER_INVARIANT_BROKEN' as const] },
  })),
  fault('a webhook for an address that is not allowed', ask.CliCreateWebhookDocument, () => ({
    input: { url: 'https://127.0.0.1/hook' },
  })),
  fault('a webhook of nobody', ask.CliCreateWebhookDocument, () => ({ input: { url: 'https://localhost/hook' } }), nobody),
  step('webhooks', ask.CliWebhooksDocument, () => ({})),
  fault('webhooks, asked by nobody', ask.CliWebhooksDocument, () => ({}), nobody),
  step('a webhook tested, which may not call there', ask.CliTestWebhookDocument, (seen) => ({ input: { id: webhook(seen) } })),
  step('messages to a webhook', ask.CliWebhookDeliveriesDocument, (seen) => ({ id: webhook(seen), state: 'DEAD' as const })),
  step('messages to no webhook', ask.CliWebhookDeliveriesDocument, () => ({ id: 'whk_none' })),
  step('no message sent again', ask.CliReplayWebhookDocument, (seen) => ({ input: { id: webhook(seen) } })),
  step('a new secret for a webhook', ask.CliRotateWebhookSecretDocument, (seen) => ({ input: { id: webhook(seen) } })),
  fault('a new secret with a wrong grace', ask.CliRotateWebhookSecretDocument, (seen) => ({
    input: { id: webhook(seen), graceSeconds: -1 },
  })),
  step('a webhook turned off', ask.CliSetWebhookEnabledDocument, (seen) => ({
    input: { id: webhook(seen), isEnabled: false },
  })),
  fault('messages of a webhook that is off', ask.CliReplayWebhookDocument, (seen) => ({ input: { id: webhook(seen) } })),
  step('a webhook removed', ask.CliRemoveWebhookDocument, (seen) => ({ input: { id: webhook(seen) } })),
  fault('a webhook removed twice', ask.CliRemoveWebhookDocument, (seen) => ({ input: { id: webhook(seen) } })),
  step('keys', ask.CliKeysDocument, (seen) => ({ accountId: account(seen) })),
  step('models', ask.CliModelsDocument, () => ({ limit: 5, tier: 'LIGHT' as const })),
  fault('too many models', ask.CliModelsDocument, () => ({ limit: 0 })),
  fault('models of no tier', ask.CliModelsDocument, untyped({ tier: 'HUGE' })),
  step('models over REST', ask.RestModelsDocument, () => ({ limit: 3, offset: 1 })),
  step('a model over REST', ask.RestModelDocument, () => ({ id: 'normal' })),
  step('no model over REST', ask.RestModelDocument, () => ({ id: 'none' })),
  step('a whole chat', ask.RestCreateChatCompletionDocument, () => restChat('normal')),
  fault('a chat with a model that is not there', ask.RestCreateChatCompletionDocument, () => restChat('none')),
  fault('a response of a model that is not there', ask.RestCreateChatCompletionDocument, () => ({
    ...chat('none'),
    api: 'RESPONSES' as const,
  })),
  step('a response that is kept', ask.RestStoreResponseDocument, () => ({
    input: {
      id: 'resp_story',
      response: { id: 'resp_story', output: [] },
      items: [{ type: 'message', role: 'user', content: 'Hi' }],
    },
  })),
  fault('one that goes on from nothing', ask.RestStoreResponseDocument, () => ({
    input: { id: 'resp_other', previousId: 'resp_none', response: {}, items: [] },
  })),
  step('a kept response', ask.RestStoredResponseDocument, () => ({ id: 'resp_story' })),
  step('kept responses', ask.RestStoredResponsesDocument, () => ({ ids: ['resp_story', 'resp_none'] })),
  step('a kept conversation', ask.RestStoredConversationDocument, () => ({ id: 'resp_story' })),
  step('a kept response deleted', ask.RestDeleteStoredResponseDocument, () => ({ input: { id: 'resp_story' } })),
  fault('a kept response deleted twice', ask.RestDeleteStoredResponseDocument, () => ({ input: { id: 'resp_story' } })),
  fault('a chat of nobody', ask.RestCreateChatCompletionDocument, () => restChat('normal'), nobody),
  fault('a chat without a price', ask.RestCreateChatCompletionDocument, () => restChat('unpriced')),
  step('a streamed chat', ask.RestChatCompletionDocument, () => restChat('normal')),
  step('a chat whose code is scanned', ask.RestCreateChatCompletionDocument, () => ({ ...restChat('coder'), scan: [] })),
  step('a streamed chat whose code is scanned', ask.RestChatCompletionDocument, () => ({ ...restChat('coder'), scan: ['CWE'] })),
  fault('a chat scanned by a standard that does not exist', ask.RestCreateChatCompletionDocument, () => ({
    ...restChat('coder'),
    scan: ['moon law'],
  })),
  step('the tokens of a prompt', ask.RestChatPromptTokensDocument, () => chat('normal')),
  fault('the tokens of a prompt for no model', ask.RestChatPromptTokensDocument, () => chat('none')),
  fault('a streamed chat refused', ask.RestChatCompletionDocument, () => ({ ...restChat('normal'), body: { model: 'normal' } })),
  step('a streamed chat of the command line', ask.CliChatDocument, () => ({
    input: { model: 'normal', messages: [{ role: 'USER' as const, content: 'Hello' }] },
  })),
  step('prices', ask.CliPricesDocument, () => ({ model: 'normal' })),
  step('prices over REST', ask.RestPricesDocument, () => ({})),
  step('tiers over REST', ask.RestPriceTiersDocument, () => ({})),
  step('benchmarks over REST', ask.RestBenchmarksDocument),
  step('pending prices', ask.CliPendingPricesDocument),
  step('a price', ask.CliSetPriceDocument, () => ({
    input: { deploymentId: 'unpriced@p1', inputPerMillion: '0.1', outputPerMillion: '0.2' },
  })),
  fault('a price of nothing', ask.CliSetPriceDocument, () => ({
    input: { deploymentId: 'none@p1', inputPerMillion: '0.1', outputPerMillion: '0.2' },
  })),
  step('the history of a price', ask.CliPriceHistoryDocument, () => ({ model: 'unpriced' })),
  fault('the history of a price behind nothing', ask.CliPriceHistoryDocument, () => ({ model: 'unpriced', after: 'x' })),
  step('a price cleared', ask.CliClearPriceDocument, () => ({ input: { deploymentId: 'unpriced@p1' } })),
  step('no proposal to settle', ask.CliResolvePendingPriceDocument, () => ({
    input: { deploymentId: 'normal@p1', accept: true },
  })),
  step('usage', ask.CliUsageDocument, (seen) => ({ account: own(seen), first: 10 }), { until: hasFive }),
  fault('usage since never', ask.CliUsageDocument, (seen) => ({ account: own(seen), from: 'never' })),
  step('refused requests', ask.CliRefusedDocument, (seen) => ({ account: own(seen), first: 1, code: 'none_such' })),
  step('refused requests of an account', ask.CliRefusedDocument, (seen) => ({ account: account(seen), first: 2 })),
  fault('refused requests, asked by nobody', ask.CliRefusedDocument, (seen) => ({ account: own(seen), first: 1 }), nobody),
  step('usage of an account', ask.CliUsageDocument, (seen) => ({ account: account(seen), first: 2 })),
  step('sums', ask.CliUsageByDocument, (seen) => ({ account: own(seen), group: 'MODEL' as const })),
  step('sums of an account', ask.CliUsageByDocument, (seen) => ({ account: account(seen), group: 'DAY' as const })),
  step('credits over REST', ask.RestCreditsDocument),
  fault('credits over REST of nobody', ask.RestCreditsDocument, undefined, nobody),
  step('offers', ask.CliOffersDocument, () => ({ gpuModel: 'L4', maxPrice: '9' })),
  step('offers over REST', ask.RestGpuOffersDocument, () => ({ minVram: 80 })),
  fault('a rental of nothing', ask.RestRentGpuDocument, untyped({ input: {} })),
  step('a rental', ask.RestRentGpuDocument, () => ({ input: { gpuModel: 'L4', dockerImage: 'x/y:1' } })),
  step('another rental', ask.CliRentDocument, () => ({ input: { gpuModel: 'L4', dockerImage: 'x/y:1' } })),
  step('the rental', ask.RestRentalDocument, (seen) => ({ id: rental(seen) }), { until: isBooting }),
  step('the rental on the command line', ask.CliRentalDocument, (seen) => ({ id: rental(seen) })),
  step('no rental', ask.RestRentalDocument, () => ({ id: 'none' })),
  step('rentals', ask.CliRentalsDocument, () => ({ status: 'PROVISIONING' as const })),
  step('rentals over REST', ask.RestRentalsDocument, () => ({})),
  step('a rental watched', ask.CliWatchRentalDocument, (seen) => ({ id: rental(seen) })),
  fault('no rental watched', ask.CliWatchRentalDocument, () => ({ id: 'none' })),
  step('a rental ended', ask.RestTerminateRentalDocument, (seen) => ({ input: { id: rental(seen) } })),
  fault('no rental ended', ask.CliTerminateRentalDocument, () => ({ input: { id: 'none' } })),
  step('a scan', ask.RestScanCodeDocument, () => ({ input: { code, language: 'python' } })),
  fault('a scan of no language', ask.RestScanCodeDocument, () => ({ input: { code, language: 'klingon' } })),
  fault('a scan with a character that no text has', ask.RestScanCodeDocument, () => ({
    input: { code, language: 'python', filename: 'a\0.py' },
  })),
  step('a batch', ask.RestBatchScanDocument, () => ({
    input: {
      files: [
        { filename: 'a.py', language: 'python', code },
        { filename: 'b.js', language: 'javascript', code: 'eval(location.hash)\n' },
      ],
    },
  })),
  step('the scanner', ask.RestScannerConfigDocument),
  step('rules', ask.RestRulesDocument, () => ({})),
  fault('rules of no standard', ask.RestRulesDocument, () => ({ standard: 'none' })),
  step('the health of the scanner', ask.RestScannerHealthDocument, undefined, nobody),
]

/** Documents as callers write them, over borders of subgraphs. */
export const JOINS: Story = [
  '{ models { totalCount models { id prices { providerId pricing { inputPerMillion } } cheapestPrice { providerModelId } benchmark { canonicalModelId } session { id } } } }',
  '{ prices(model: "normal") { canonicalModelId model { id displayName deployments { id price { providerModelId } } } } }',
  '{ prices { deployment { id health provider { id health } model { availability } } provider { id name health } } }',
  'query ($with: Boolean!) { model(id: "normal") { ...m deployments { ...d } } } fragment m on Model { id prices @include(if: $with) { providerModelId model { ...n } } } fragment n on Model { tier } fragment d on Deployment { id price @skip(if: $with) { providerModelId } model { id } }',
  '{ a: model(id: "m1") { x: id y: displayName } b: model(id: "none") { id } c: model(id: "m2") { __typename prices { __typename } } }',
  '{ viewer { id name rentals { nodes { id status } totalCount } scans(first: 2) { nodes { status } } usage(first: 5) { nodes { modelId priceVersion { id inputPerMillion } route { servedBy requested candidates { deploymentId kept reason } } } } } }',
  '{ pendingPrices { deploymentId } priceHistory(model: "normal") { edges { cursor node { inputPerMillion model { id tier prices { providerModelId } } } } pageInfo { hasNextPage } totalCount } }',
  '{ benchmarks { benchmarks { canonicalModelId model { ownedBy } } } scan(id: "none") { id } rental(id: "none") { id } account(id: "acc_none") { id rentals { nodes { id } } } }',
  'subscription { priceChanged(model: "normal") { inputPerMillion model { id displayName cheapestPrice { providerModelId } } } }',
  'subscription { modelAvailability(id: "normal") { id availability prices { pricing { outputPerMillion } } } }',
  'subscription { creditBalance { name available rentals { nodes { id } } } }',
  '{ node(id: "normal") { __typename id ... on Model { displayName tier prices { providerId } } } }',
  '{ nodes(ids: ["normal@p1", "none", "rent_none", "acc_none", "normal", "key_none", "scan_none"]) { __typename id ... on Deployment { isRoutable price { origin } } ... on Model { availability } } }',
  'mutation { createChatCompletion(input: { model: "coder", messages: [{ role: USER, content: "Hello" }] }) { ... on ChatCompletion { model codeCheck(minSeverity: HIGH) { status scannedBlocks findings { choice block line language violation { ruleId line } } } } } }',
  '{ models(limit: 0) { totalCount } viewer { name } prices { providerModelId } }',
].map((text) => ({
  title: text,
  document: parse(text),
  fails: text.includes('limit: 0'),
  ...(text.includes('$with') && { variables: () => ({ with: true }) }),
}))
