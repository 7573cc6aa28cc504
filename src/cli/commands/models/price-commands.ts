/** `sluice prices`: what deployments cost, what they cost before, and an administrator's decisions about it. */
import { Option, type Command } from 'commander'
import { parseUsd } from '#platform/money.js'
import {
  CliClearPriceDocument,
  CliPendingPricesDocument,
  CliPriceHistoryDocument,
  CliPricesDocument,
  CliResolvePendingPriceDocument,
  CliSetPriceDocument,
  type CliPendingPricesQuery,
  type CliPriceChangeFragment,
  type CliPriceFragment,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { allOf, createGraphClient } from '../../graph-client.js'
import { jsonOption, parseDecimal, type Json } from '../../options.js'
import { printJson, printLine, printRows, type Column } from '../../output.js'

export function addPriceCommands(program: Command): void {
  const prices = program.command('prices').description('show and set prices, in USD per million tokens')
  addList(prices)
  addSet(prices)
  addHistory(prices)
  addPending(prices)
}

interface ListOptions extends Json {
  readonly model?: string
  readonly provider?: string
  readonly sort: keyof typeof ORDERS
}

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
const byModel = (a: CliPriceFragment, b: CliPriceFragment) => compare(a.canonicalModelId, b.canonicalModelId)
const byRate = (rate: (price: CliPriceFragment) => string) => (a: CliPriceFragment, b: CliPriceFragment) =>
  compare(parseUsd(rate(a)), parseUsd(rate(b))) || byModel(a, b)

const ORDERS = {
  model: byModel,
  input: byRate(({ pricing }) => pricing.inputPerMillion),
  output: byRate(({ pricing }) => pricing.outputPerMillion),
}

function addList(prices: Command): void {
  prices
    .command('list', { isDefault: true })
    .description('list what everything routable costs')
    .option('--model <id>', 'only this model')
    .option('--provider <id>', 'only this provider')
    .addOption(new Option('--sort <by>', 'order of the rows').choices(Object.keys(ORDERS)).default('model'))
    .addOption(jsonOption())
    .action(async ({ model, provider, sort, json }: ListOptions) => {
      const data = await createGraphClient().request(CliPricesDocument, { model, provider })
      printRows(data.prices.toSorted(ORDERS[sort]), PRICE_COLUMNS, json === true, 'No prices.')
    })
}

const PRICE_COLUMNS: Column<CliPriceFragment>[] = [
  { title: 'DEPLOYMENT', value: (price) => price.deploymentId },
  { title: 'MODEL', value: (price) => price.canonicalModelId, spare: 5 },
  { title: 'PROVIDER', value: (price) => price.providerId, spare: 4 },
  { title: 'INPUT', value: (price) => price.pricing.inputPerMillion, align: 'right' },
  { title: 'OUTPUT', value: (price) => price.pricing.outputPerMillion, align: 'right' },
  { title: 'CACHED', value: (price) => price.pricing.cachedInputPerMillion, align: 'right', spare: 1 },
  { title: 'SET BY', value: (price) => price.origin.toLowerCase(), spare: 2 },
  { title: 'SINCE', value: (price) => price.lastPriceUpdate, spare: 3 },
]

interface SetOptions extends Json {
  readonly input: string
  readonly output: string
  readonly cached?: string
}

function addSet(prices: Command): void {
  prices
    .command('set <deployment>')
    .description('set what callers pay from now on; a deployment that waited for its price becomes routable')
    .addOption(new Option('--input <usd>', 'per million input tokens').argParser(parseDecimal).makeOptionMandatory())
    .addOption(new Option('--output <usd>', 'per million output tokens').argParser(parseDecimal).makeOptionMandatory())
    .option('--cached <usd>', 'per million cached input tokens; as much as input when left out', parseDecimal)
    .addOption(jsonOption())
    .action(async (deploymentId: string, options: SetOptions) => {
      const input = {
        deploymentId,
        inputPerMillion: options.input,
        outputPerMillion: options.output,
        cachedInputPerMillion: options.cached ?? null,
      }
      const { price } = (await createGraphClient().request(CliSetPriceDocument, { input })).setPrice
      if (options.json) return printJson(price)
      const { inputPerMillion, outputPerMillion } = price.pricing
      printLine(`${price.deploymentId} costs ${inputPerMillion} for input and ${outputPerMillion} for output from now on.`)
    })
  prices
    .command('clear <deployment>')
    .description("take an administrator's price back, so that configuration and feeds decide again")
    .addOption(jsonOption())
    .action(async (deploymentId: string, options: Json) => {
      const data = await createGraphClient().request(CliClearPriceDocument, { input: { deploymentId } })
      const { priceChange } = data.clearPrice
      if (!priceChange) throw new AnswerIsNo(`No administrator has set a price of ${deploymentId}.`)
      if (options.json) printJson(priceChange)
      else printLine(describeChange(priceChange))
    })
}

interface HistoryOptions extends Json {
  readonly provider?: string
}

function addHistory(prices: Command): void {
  prices
    .command('history <model>')
    .description('list every price a model had, newest first')
    .option('--provider <id>', 'only at this provider')
    .addOption(jsonOption())
    .action(async (model: string, { provider, json }: HistoryOptions) => {
      const client = createGraphClient()
      const rows = await allOf(
        async (after) => (await client.request(CliPriceHistoryDocument, { model, provider, after })).priceHistory,
      )
      if (rows.length === 0) throw new AnswerIsNo(`${model} has never had a price here.`)
      printRows(rows, HISTORY_COLUMNS, json === true, '')
    })
}

const HISTORY_COLUMNS: Column<CliPriceChangeFragment>[] = [
  { title: 'SINCE', value: (change) => change.validFrom },
  { title: 'DEPLOYMENT', value: (change) => change.deploymentId },
  { title: 'INPUT', value: (change) => change.inputPerMillion, align: 'right' },
  { title: 'OUTPUT', value: (change) => change.outputPerMillion, align: 'right' },
  { title: 'CACHED', value: (change) => change.cachedInputPerMillion, align: 'right', spare: 2 },
  { title: 'SET BY', value: (change) => change.origin.toLowerCase(), spare: 1 },
  { title: '', value: (change) => (change.isPending ? 'waits' : change.isCurrent ? 'in force' : '') },
]

type Pending = NonNullable<CliPendingPricesQuery['pendingPrices']>[number]

function addPending(prices: Command): void {
  prices
    .command('pending')
    .description('list deployments without a price, and prices that a price list proposes and that wait')
    .addOption(jsonOption())
    .action(async (options: Json) => {
      const data = await createGraphClient().request(CliPendingPricesDocument, {})
      printRows(data.pendingPrices, PENDING_COLUMNS, options.json === true, 'Nothing waits.')
    })
  for (const [name, accept] of [
    ['accept', true],
    ['reject', false],
  ] as const) {
    prices
      .command(`${name} <deployment>`)
      .description(`${name} the price that waits for this deployment`)
      .addOption(jsonOption())
      .action(async (deploymentId: string, options: Json) => {
        const input = { deploymentId, accept }
        const data = await createGraphClient().request(CliResolvePendingPriceDocument, { input })
        const { priceChange } = data.resolvePendingPrice
        if (!priceChange) throw new AnswerIsNo(`No price waits for ${deploymentId}.`)
        if (options.json) printJson(priceChange)
        else printLine(accept ? describeChange(priceChange) : `The price proposed for ${deploymentId} is refused.`)
      })
  }
}

const rates = (change: CliPriceChangeFragment | null) => change && `${change.inputPerMillion} / ${change.outputPerMillion}`

const PENDING_COLUMNS: Column<Pending>[] = [
  { title: 'DEPLOYMENT', value: (row) => row.deploymentId },
  { title: 'MODEL', value: (row) => row.canonicalModelId, spare: 2 },
  { title: 'PROVIDER', value: (row) => row.providerId, spare: 1 },
  { title: 'NOW', value: (row) => rates(row.current) ?? 'unpriced', align: 'right' },
  { title: 'PROPOSED', value: (row) => rates(row.proposal), align: 'right' },
  { title: 'WHY IT WAITS', value: (row) => row.proposal?.reason },
]

function describeChange({ deploymentId, inputPerMillion, outputPerMillion }: CliPriceChangeFragment): string {
  if (inputPerMillion === null) return `${deploymentId} has no price now and is not routed to.`
  return `${deploymentId} costs ${inputPerMillion} for input and ${outputPerMillion} for output from now on.`
}
