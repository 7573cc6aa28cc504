/** `sluice usage`: what was asked, what it cost, request by request or added up. */
import type { Command } from 'commander'
import {
  CliAccountUsageByDocument,
  CliAccountUsageDocument,
  CliUsageByDocument,
  CliUsageDocument,
  type CliUsagePageFragment,
  type CliUsageSumFragment,
  UsageGrouping,
} from '../../generated/operations.js'
import { AnswerIsNo } from '../exit.js'
import { createGraphClient } from '../graph-client.js'
import { enumOption, jsonOption, parsePast, parseWholeNumber, type Json } from '../options.js'
import { printRows, type Column } from '../output.js'

interface UsageOptions extends Json {
  readonly account?: string
  readonly by?: UsageGrouping
  readonly since?: Date
  readonly limit: number
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
    .option('--limit <n>', 'at most so many requests', parseWholeNumber, DEFAULT_LIMIT)
    .addOption(jsonOption())
    .action(async (options: UsageOptions) => {
      if (options.by === undefined) printRows(await requests(options), REQUEST_COLUMNS, options.json === true, 'No usage.')
      else printRows(await sums(options), SUM_COLUMNS, options.json === true, 'No usage.')
    })
}

type UsageRow = CliUsagePageFragment['nodes'][number]

async function requests({ account, since, limit }: UsageOptions): Promise<UsageRow[]> {
  const client = createGraphClient()
  const from = since?.toISOString()
  const page = async (first: number, after: string | null) =>
    account === undefined
      ? (await client.request(CliUsageDocument, { first, after, from })).viewer
      : (await client.request(CliAccountUsageDocument, { account, first, after, from })).account
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

async function sums({ account, by, since }: UsageOptions): Promise<readonly CliUsageSumFragment[]> {
  const client = createGraphClient()
  const variables = { group: by!, from: since?.toISOString() }
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
