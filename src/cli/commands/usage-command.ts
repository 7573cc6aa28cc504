/** `sluice usage`: what was asked, what it cost, request by request or added up. */
import { Option, type Command } from 'commander'
import {
  ChatApi,
  CliAccountUsageByDocument,
  CliAccountUsageDocument,
  CliUsageByDocument,
  CliUsageDocument,
  type CliUsagePageFragment,
  type CliUsageSumFragment,
  UsageGrouping,
  UsageOutcome,
} from '../../generated/operations.js'
import { AnswerIsNo } from '../exit.js'
import { createGraphClient } from '../graph-client.js'
import { enumOption, jsonOption, parseDecimal, parsePast, parseWholeNumber, type Json } from '../options.js'
import { printCsv, printRows, type Column } from '../output.js'

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
    .addOption(new Option('--csv', 'print comma-separated values').conflicts('json'))
    .addOption(jsonOption())
    .action(async (options: UsageOptions) => {
      if (options.by === undefined) print(await requests(options), REQUEST_COLUMNS, options)
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

type UsageRow = CliUsagePageFragment['nodes'][number]

async function requests(options: UsageOptions): Promise<UsageRow[]> {
  const { account, limit } = options
  const client = createGraphClient()
  const filters = filtersOf(options)
  const page = async (first: number, after: string | null) =>
    account === undefined
      ? (await client.request(CliUsageDocument, { first, after, ...filters })).viewer
      : (await client.request(CliAccountUsageDocument, { account, first, after, ...filters })).account
  const rows: UsageRow[] = []
  for (let after: string | null = null; rows.length < limit;) {
    const owner = await page(Math.min(PAGE, limit - rows.length), after)
    if (!owner) throw new AnswerIsNo('There is no such account.')
    const { nodes, pageInfo } = owner.usage
    rows.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  return rows
}

async function sums(options: UsageOptions): Promise<readonly CliUsageSumFragment[]> {
  const { account, by } = options
  const client = createGraphClient()
  const variables = { group: by!, ...filtersOf(options) }
  const owner =
    account === undefined
      ? (await client.request(CliUsageByDocument, variables)).viewer
      : (await client.request(CliAccountUsageByDocument, { ...variables, account })).account
  if (!owner) throw new AnswerIsNo('There is no such account.')
  return owner.usageBy
}

const REQUEST_COLUMNS: Column<UsageRow>[] = [
  { title: 'WHEN', value: (row) => row.createdAt },
  { title: 'MODEL', value: (row) => row.modelId },
  { title: 'INPUT', value: (row) => row.inputTokens, align: 'right' },
  { title: 'CACHED', value: (row) => row.cachedInputTokens, align: 'right', spare: 2 },
  { title: 'OUTPUT', value: (row) => row.outputTokens, align: 'right' },
  { title: 'USD', value: (row) => row.cost, align: 'right' },
  { title: 'ENDED AS', value: (row) => row.outcome.toLowerCase().replaceAll('_', ' '), spare: 1 },
  { title: 'FIRST TOKEN MS', value: (row) => row.firstTokenMs, align: 'right', spare: 3 },
  { title: 'MS', value: (row) => row.durationMs, align: 'right', spare: 4 },
  { title: 'TRIES', value: (row) => row.attempts, align: 'right', spare: 3 },
  { title: 'API', value: (row) => row.api?.toLowerCase().replaceAll('_', ' ') ?? '', spare: 3 },
  { title: 'KEY', value: (row) => row.keyId, spare: 5 },
  { title: 'REQUEST', value: (row) => row.id, spare: 6 },
]

const SUM_COLUMNS: Column<CliUsageSumFragment>[] = [
  { title: 'GROUP', value: (row) => row.group ?? '(none)' },
  { title: 'REQUESTS', value: (row) => row.requests, align: 'right' },
  { title: 'INPUT', value: (row) => row.inputTokens, align: 'right' },
  { title: 'CACHED', value: (row) => row.cachedInputTokens, align: 'right', spare: 1 },
  { title: 'OUTPUT', value: (row) => row.outputTokens, align: 'right' },
  { title: 'USD', value: (row) => row.cost, align: 'right' },
]
