/** `sluice usage`: what was asked, what it cost, request by request or added up. */
import { Option, type Command } from 'commander'
import {
  ChatApi,
  CliRefusedDocument,
  CliUsageByDocument,
  CliUsageDocument,
  type CliRefusedPageFragment,
  type CliUsageSumFragment,
  type UsageFieldsFragment,
  UsageGrouping,
  UsageOutcome,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { accountOf, createGraphClient } from '../../graph-client.js'
import { enumOption, jsonOption, parseDecimal, parsePast, parseWholeNumber, type Json } from '../../options.js'
import { printCsv, printRows, type Column } from '../../output.js'

interface UsageOptions extends Json {
  readonly account?: string
  readonly by?: UsageGrouping
  readonly since?: Date
  readonly api?: ChatApi
  readonly minCost?: string
  readonly limit: number
  readonly model?: string
  readonly provider?: string
  readonly key?: string
  readonly outcome?: UsageOutcome
  readonly refused?: boolean
  readonly csv?: boolean
}

const DEFAULT_LIMIT = 50
/** The most that the server answers at once. */
const PAGE = 500

export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .description('show what requests used and cost, newest first, or added up with --by')
    .option('--account <id>', 'this account (administrators); that of your key when left out')
    .addOption(enumOption('--by <group>', 'add up', UsageGrouping))
    .option('--since <when>', 'from then on: 30d, 12h, 15m or an ISO time (with --by: 30 days when left out)', parsePast)
    .addOption(enumOption('--api <api>', 'only what came by this API', ChatApi))
    .option('--min-cost <usd>', 'only what cost at least so much', parseDecimal)
    .option('--limit <n>', 'at most so many requests', parseWholeNumber, DEFAULT_LIMIT)
    .option('--model <id>', 'only of this canonical model id')
    .option('--provider <id>', 'only answered by this provider')
    .option('--key <id>', 'only asked with this API key')
    .addOption(enumOption('--outcome <how>', 'only those that ended so', UsageOutcome))
    .addOption(new Option('--failed', 'only those that no provider answered').implies({ outcome: UsageOutcome.FAILED }))
    .addOption(
      new Option('--refused', 'those of the last days that were refused before a provider was asked').conflicts([
        'by',
        'since',
        'api',
        'minCost',
        'model',
        'provider',
        'outcome',
      ]),
    )
    .addOption(new Option('--csv', 'print comma-separated values').conflicts('json'))
    .addOption(jsonOption())
    .action(async (options: UsageOptions) => {
      if (options.refused) print(await refusals(options), REFUSED_COLUMNS, options)
      else if (options.by === undefined) print(await requests(options), REQUEST_COLUMNS, options)
      else print(await sums(options), SUM_COLUMNS, options)
    })
}

function print<Row>(rows: readonly Row[], columns: readonly Column<Row>[], { csv, json }: UsageOptions): void {
  if (csv) printCsv(rows, columns)
  else printRows(rows, columns, json === true, 'No usage.')
}

const filtersOf = ({ since, model, provider, key, outcome, api, minCost }: UsageOptions) => ({
  from: since?.toISOString(),
  model,
  provider,
  key,
  outcome,
  api,
  minCost,
})

type RefusedRow = CliRefusedPageFragment['nodes'][number]

interface Paged<Row> {
  readonly nodes: readonly Row[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** As many as are asked for, page by page; `page` answers null where there is no such account. */
async function upTo<Row>(
  limit: number,
  page: (first: number, after: string | null) => Promise<Paged<Row> | undefined>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = null; rows.length < limit;) {
    const found = await page(Math.min(PAGE, limit - rows.length), after)
    if (!found) throw new AnswerIsNo('There is no such account.')
    rows.push(...found.nodes)
    if (!found.pageInfo.hasNextPage) break
    after = found.pageInfo.endCursor
  }
  return rows
}

async function requests(options: UsageOptions): Promise<UsageFieldsFragment[]> {
  const client = createGraphClient()
  const asked = { account: await accountOf(client, options), ...filtersOf(options) }
  return upTo(
    options.limit,
    async (first, after) => (await client.find(CliUsageDocument, { ...asked, first, after })).account?.usage,
  )
}

async function refusals(options: UsageOptions): Promise<RefusedRow[]> {
  const { key, limit } = options
  const client = createGraphClient()
  const account = await accountOf(client, options)
  return upTo(
    limit,
    async (first, after) => (await client.find(CliRefusedDocument, { account, key, first, after })).account?.refusedRequests,
  )
}

async function sums(options: UsageOptions): Promise<readonly CliUsageSumFragment[]> {
  const client = createGraphClient()
  const asked = { account: await accountOf(client, options), group: options.by!, ...filtersOf(options) }
  const { account } = await client.find(CliUsageByDocument, asked)
  if (!account) throw new AnswerIsNo('There is no such account.')
  return account.usageBy
}

const REQUEST_COLUMNS: Column<UsageFieldsFragment>[] = [
  { title: 'WHEN', value: (row) => row.createdAt },
  { title: 'MODEL', value: (row) => row.modelId },
  { title: 'INPUT', value: (row) => row.inputTokens, align: 'right', spare: 2 },
  { title: 'CACHED', value: (row) => row.cachedInputTokens, align: 'right', spare: 4 },
  { title: 'OUTPUT', value: (row) => row.outputTokens, align: 'right', spare: 1 },
  { title: 'USD', value: (row) => row.cost, align: 'right' },
  { title: 'ENDED AS', value: (row) => row.outcome.toLowerCase().replaceAll('_', ' '), spare: 3 },
  { title: 'FIRST TOKEN MS', value: (row) => row.firstTokenMs, align: 'right', spare: 5 },
  { title: 'MS', value: (row) => row.durationMs, align: 'right', spare: 6 },
  { title: 'TRIES', value: (row) => row.attempts, align: 'right', spare: 5 },
  { title: 'API', value: (row) => row.api?.toLowerCase().replaceAll('_', ' ') ?? '', spare: 5 },
  { title: 'KEY', value: (row) => row.keyId, spare: 7 },
  { title: 'REQUEST', value: (row) => row.id, spare: 8 },
]

const REFUSED_COLUMNS: Column<RefusedRow>[] = [
  { title: 'WHEN', value: (row) => row.createdAt },
  { title: 'CODE', value: (row) => row.code },
  { title: 'MODEL', value: (row) => row.model ?? '', spare: 1 },
  { title: 'WHY', value: (row) => row.message, spare: 3 },
  { title: 'API', value: (row) => row.api.toLowerCase().replaceAll('_', ' '), spare: 4 },
  { title: 'KEY', value: (row) => row.keyId, spare: 5 },
  { title: 'REQUEST', value: (row) => row.id, spare: 6 },
]

const SUM_COLUMNS: Column<CliUsageSumFragment>[] = [
  { title: 'GROUP', value: (row) => row.group ?? '(none)' },
  { title: 'REQUESTS', value: (row) => row.requests, align: 'right' },
  { title: 'INPUT', value: (row) => row.inputTokens, align: 'right', spare: 2 },
  { title: 'CACHED', value: (row) => row.cachedInputTokens, align: 'right', spare: 3 },
  { title: 'OUTPUT', value: (row) => row.outputTokens, align: 'right', spare: 1 },
  { title: 'USD', value: (row) => row.cost, align: 'right' },
]
