/** What is asked of each way to run the graph: every document that we ship, with answers and with faults, and joins of callers. */
import { parse, type DocumentNode, type GraphQLFormattedError } from 'graphql'
import * as ask from '../../src/generated/operations.js'

export interface Answer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

interface Step {
  readonly title: string
  readonly document: DocumentNode
  /** From the answers so far, by title. */
  readonly variables?: (seen: ReadonlyMap<string, Answer>) => Record<string, unknown>
  /** The administrator's when left out, none when null. */
  readonly key?: null
  /** Asks again until its answer is this far. */
  readonly until?: (answer: Answer) => boolean
}

export type Story = readonly Step[]

type Seen = ReadonlyMap<string, Answer>

const step = (title: string, document: DocumentNode, variables?: Step['variables'], more: Partial<Step> = {}): Step => ({
  title,
  document,
  ...(variables && { variables }),
  ...more,
})

/** A value within an earlier answer. */
const from = (seen: Seen, title: string, ...path: string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], seen.get(title)?.data)

const chat = (model: string) => ({ body: { model, messages: [{ role: 'user', content: 'Hello' }] } })
const code = 'import os\nos.system("ls " + input())\npassword = "hunter2hunter2"\n'
const isBooting = ({ data }: Answer) => (data!['rental'] as { phase: string }).phase === 'BOOTING'

const account = (seen: Seen) => from(seen, 'an account', 'createAccount', 'account', 'id')
const key = (seen: Seen) => from(seen, 'a key', 'createApiKey', 'apiKey', 'id')
const rental = (seen: Seen) => from(seen, 'a rental', 'rentGpu', 'rental', 'id')

export const STORY: Story = [
  step('an account', ask.CliCreateAccountDocument, () => ({ input: { name: 'one', credits: '5', monthlyCap: '3.50' } })),
  step('an account with a wrong amount', ask.CliCreateAccountDocument, () => ({ input: { name: 'one', credits: 'x' } })),
  step('an account without a name', ask.CliCreateAccountDocument, () => ({ input: {} })),
  step('an account changed', ask.CliUpdateAccountDocument, (seen) => ({ input: { id: account(seen), scanTier: 'PRO' } })),
  step('credits', ask.CliAddCreditsDocument, (seen) => ({
    input: { accountId: account(seen), amount: '1', idempotencyKey: 'a' },
  })),
  step('all accounts', ask.CliAccountsDocument),
  step('all accounts, asked by nobody', ask.CliAccountsDocument, undefined, { key: null }),
  step('one account', ask.CliAccountDocument, (seen) => ({ id: account(seen) })),
  step('no account', ask.CliAccountDocument, () => ({ id: 'acc_none' })),
  step('oneself', ask.CliViewerDocument),
  step('a key', ask.CliCreateKeyDocument, (seen) => ({ input: { accountId: account(seen), name: 'k' } })),
  step('the models of a key', ask.CliSetKeyModelsDocument, (seen) => ({ input: { id: key(seen), models: ['normal'] } })),
  step('the cap of a key', ask.CliSetKeyMonthlyCapDocument, (seen) => ({ input: { id: key(seen), monthlyCap: '1.5' } })),
  step('a key rotated', ask.CliRotateKeyDocument, (seen) => ({ input: { id: key(seen), graceSeconds: 60 } })),
  step('a key revoked', ask.CliRevokeKeyDocument, (seen) => ({ input: { id: key(seen) } })),
  step('a key that is not there', ask.CliRevokeKeyDocument, () => ({ input: { id: 'key_none' } })),
  step('keys', ask.CliKeysDocument, (seen) => ({ accountId: account(seen) })),
  step('models', ask.CliModelsDocument, () => ({ limit: 5, tier: 'LIGHT' })),
  step('too many models', ask.CliModelsDocument, () => ({ limit: 0 })),
  step('models of no tier', ask.CliModelsDocument, () => ({ tier: 'HUGE' })),
  step('models over REST', ask.RestModelsDocument, () => ({ limit: 3, offset: 1 })),
  step('a model over REST', ask.RestModelDocument, () => ({ id: 'normal' })),
  step('no model over REST', ask.RestModelDocument, () => ({ id: 'none' })),
  step('a whole chat', ask.RestCreateChatCompletionDocument, () => chat('normal')),
  step('a chat with a model that is not there', ask.RestCreateChatCompletionDocument, () => chat('none')),
  step('a chat of nobody', ask.RestCreateChatCompletionDocument, () => chat('normal'), { key: null }),
  step('a chat without a price', ask.RestCreateChatCompletionDocument, () => chat('unpriced')),
  step('a streamed chat', ask.RestChatCompletionDocument, () => chat('normal')),
  step('a streamed chat refused', ask.RestChatCompletionDocument, () => ({ body: { model: 'normal' } })),
  step('a streamed chat of the command line', ask.CliChatDocument, () => ({
    input: { model: 'normal', messages: [{ role: 'USER', content: 'Hello' }] },
  })),
  step('prices', ask.CliPricesDocument, () => ({ model: 'normal' })),
  step('prices over REST', ask.RestPricesDocument),
  step('tiers over REST', ask.RestPriceTiersDocument),
  step('benchmarks over REST', ask.RestBenchmarksDocument),
  step('pending prices', ask.CliPendingPricesDocument),
  step('a price', ask.CliSetPriceDocument, () => ({
    input: { deploymentId: 'unpriced@p1', inputPerMillion: '0.1', outputPerMillion: '0.2' },
  })),
  step('a price of nothing', ask.CliSetPriceDocument, () => ({
    input: { deploymentId: 'none@p1', inputPerMillion: '0.1', outputPerMillion: '0.2' },
  })),
  step('the history of a price', ask.CliPriceHistoryDocument, () => ({ model: 'unpriced' })),
  step('the history of a price from nowhere', ask.CliPriceHistoryDocument, () => ({ model: 'unpriced', after: 'x' })),
  step('a price cleared', ask.CliClearPriceDocument, () => ({ input: { deploymentId: 'unpriced@p1' } })),
  step('no proposal to settle', ask.CliResolvePendingPriceDocument, () => ({
    input: { deploymentId: 'normal@p1', accept: true },
  })),
  step('usage', ask.CliUsageDocument, () => ({ first: 10 }), {
    until: ({ data }) => ((data!['viewer'] as { usage: { nodes: unknown[] } }).usage.nodes.length ?? 0) === 3,
  }),
  step('usage of an account', ask.CliAccountUsageDocument, (seen) => ({ account: account(seen), first: 2 })),
  step('sums', ask.CliUsageByDocument, () => ({ group: 'MODEL' })),
  step('sums of an account', ask.CliAccountUsageByDocument, (seen) => ({ account: account(seen), group: 'DAY' })),
  step('credits over REST', ask.RestCreditsDocument),
  step('credits over REST of nobody', ask.RestCreditsDocument, undefined, { key: null }),
  step('offers', ask.CliOffersDocument, () => ({ gpuModel: 'L4', maxPrice: '9' })),
  step('offers over REST', ask.RestGpuOffersDocument, () => ({ minVram: 80 })),
  step('a rental of nothing', ask.RestRentGpuDocument, () => ({ input: {} })),
  step('a rental', ask.RestRentGpuDocument, () => ({ input: { gpuModel: 'L4', dockerImage: 'x/y:1' } })),
  step('another rental', ask.CliRentDocument, () => ({ input: { gpuModel: 'T4', dockerImage: 'x/y:1' } })),
  step('the rental', ask.RestRentalDocument, (seen) => ({ id: rental(seen) }), { until: isBooting }),
  step('the rental on the command line', ask.CliRentalDocument, (seen) => ({ id: rental(seen) })),
  step('no rental', ask.RestRentalDocument, () => ({ id: 'none' })),
  step('rentals', ask.CliRentalsDocument, () => ({ status: 'PROVISIONING' })),
  step('rentals over REST', ask.RestRentalsDocument),
  step('a rental watched', ask.CliWatchRentalDocument, (seen) => ({ id: rental(seen) })),
  step('no rental watched', ask.CliWatchRentalDocument, () => ({ id: 'none' })),
  step('a rental ended', ask.RestTerminateRentalDocument, (seen) => ({ input: { id: rental(seen) } })),
  step('no rental ended', ask.CliTerminateRentalDocument, () => ({ input: { id: 'none' } })),
  step('a scan', ask.RestScanCodeDocument, () => ({ input: { code, language: 'python' } })),
  step('a scan of no language', ask.RestScanCodeDocument, () => ({ input: { code, language: 'klingon' } })),
  step('a scan with a character that no text has', ask.RestScanCodeDocument, () => ({
    input: { code, language: 'python', filename: 'a\0.py' },
  })),
  step('a batch', ask.RestBatchScanDocument, () => ({
    input: {
      files: [
        { filename: 'a.py', code },
        { filename: 'b.js', code: 'eval(location.hash)\n' },
      ],
    },
  })),
  step('the scanner', ask.RestScannerConfigDocument),
  step('rules', ask.RestRulesDocument, () => ({ standard: 'CWE Top 25' })),
  step('rules of no standard', ask.RestRulesDocument, () => ({ standard: 'none' })),
  step('the health of the scanner', ask.RestScannerHealthDocument, undefined, { key: null }),
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
  '{ models(limit: 0) { totalCount } viewer { name } prices { providerModelId } }',
].map((text) => step(text, parse(text), text.includes('$with') ? () => ({ with: true }) : undefined))
