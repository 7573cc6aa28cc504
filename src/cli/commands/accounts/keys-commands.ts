/** `sluice keys`: what may ask, and how much. */
import type { Command } from 'commander'
import {
  CliCreateKeyDocument,
  CliKeysDocument,
  CliRevokeKeyDocument,
  CliRotateKeyDocument,
  CliSetKeyAnswerScanDocument,
  CliSetKeyModelsDocument,
  CliSetKeyMonthlyCapDocument,
  CliSetKeyRateLimitsDocument,
  type AnswerScanPolicyInput,
  type Scope,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { accountOf, allOf, createGraphClient } from '../../graph-client.js'
import {
  accountOption,
  answerScanOf,
  capOf,
  jsonOption,
  modelsOf,
  parseAnswerScan,
  parseCap,
  parseExpiry,
  parseModels,
  parseRate,
  parseScopes,
  parseWholeNumber,
  rateOf,
  type Json,
} from '../../options.js'
import { lowerCase } from '../../../edge/names.js'
import { printJson, printLine, printRows } from '../../output.js'

interface KeyOptions extends Json {
  readonly account?: string
  readonly name?: string
  readonly scopes?: Scope[]
  readonly models?: string[] | 'any'
  readonly monthlyCap?: string
  readonly requestsPerMinute?: number | 'none'
  readonly tokensPerMinute?: number | 'none'
  readonly scanAnswers?: AnswerScanPolicyInput | 'none'
  readonly expires?: Date
  readonly grace?: number
}

const ANSWER_SCAN =
  'scan the code in answers: report or block, a severity and standards, such as block:high:PCI DSS; for administrators'

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys')
  keys
    .command('create')
    .description('make a key; its secret is printed once')
    .addOption(accountOption())
    .option('--name <name>', 'a name for people')
    .option('--scopes <list>', 'chat,gpu,scan when left out; metrics for a scraper, admin for an administrator', parseScopes)
    .option('--models <list>', 'the only models that it may ask, by id', parseModels)
    .option('--monthly-cap <usd|none>', 'most USD that it may spend a calendar month', parseCap)
    .option('--requests-per-minute <count|none>', 'most chat requests a minute; for administrators', parseRate)
    .option('--tokens-per-minute <count|none>', 'most tokens of chat requests a minute; for administrators', parseRate)
    .option('--scan-answers <policy|none>', ANSWER_SCAN, parseAnswerScan)
    .option('--expires <when>', 'such as 30d, 12h, 1s or an ISO time', parseExpiry)
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      const input = {
        accountId: options.account,
        name: options.name,
        scopes: options.scopes,
        models: modelsOf(options.models),
        monthlyCap: capOf(options.monthlyCap),
        requestsPerMinute: rateOf(options.requestsPerMinute),
        tokensPerMinute: rateOf(options.tokensPerMinute),
        answerScan: answerScanOf(options.scanAnswers),
        expiresAt: options.expires?.toISOString(),
      }
      const { createApiKey } = await createGraphClient().request(CliCreateKeyDocument, { input })
      printCreated(createApiKey, options)
    })
  keys
    .command('list')
    .description("list an account's keys, without their secrets")
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(listKeys)
  keys
    .command('update <id>')
    .description('change what a key may ask and spend, and whether its answers are scanned; the rest stays')
    .option('--models <list|any>', 'by id, or any', parseModels)
    .option('--monthly-cap <usd|none>', 'most USD a calendar month', parseCap)
    .option('--requests-per-minute <count|none>', 'most chat requests a minute; for administrators', parseRate)
    .option('--tokens-per-minute <count|none>', 'most tokens of chat requests a minute; for administrators', parseRate)
    .option('--scan-answers <policy|none>', ANSWER_SCAN, parseAnswerScan)
    .addOption(jsonOption())
    .action(updateKey)
  keys
    .command('rotate <id>')
    .description('put a new key in the place of an old one, which stays valid for a while')
    .option('--grace <seconds>', 'how long the old key stays valid; a day when left out', parseWholeNumber)
    .addOption(jsonOption())
    .action(async (id: string, options: KeyOptions) => {
      const { rotateApiKey } = await createGraphClient().request(CliRotateKeyDocument, {
        input: { id, graceSeconds: options.grace },
      })
      printCreated(rotateApiKey, options)
    })
  keys
    .command('revoke <id>')
    .description('end a key now')
    .addOption(jsonOption())
    .action(async (id: string, options: Json) => {
      const { apiKey } = (await createGraphClient().request(CliRevokeKeyDocument, { input: { id } })).revokeApiKey
      if (options.json) printJson(apiKey)
      else printLine(`Key ${apiKey.id} is revoked.`)
    })
}

async function listKeys(options: KeyOptions): Promise<void> {
  const client = createGraphClient()
  const accountId = await accountOf(client, options)
  const rows = await allOf(async (after) => {
    const { account: owner } = await client.find(CliKeysDocument, { accountId, after })
    if (!owner) throw new AnswerIsNo('There is no such account.')
    return owner.keys
  })
  type Row = (typeof rows)[number]
  const columns = [
    { title: 'ID', value: (row: Row) => row.id },
    { title: 'NAME', value: (row: Row) => row.name },
    { title: 'PREFIX', value: (row: Row) => row.prefix, spare: 4 },
    { title: 'SCOPES', value: (row: Row) => row.scopes.join(',').toLowerCase(), spare: 1 },
    { title: 'MODELS', value: (row: Row) => row.models?.join(' '), spare: 4 },
    { title: 'SPENT', value: (row: Row) => row.spentThisMonth, align: 'right' as const, spare: 4 },
    { title: 'CAP', value: (row: Row) => row.monthlyCap, align: 'right' as const, spare: 2 },
    { title: 'RATE', value: rateCell, spare: 4 },
    { title: 'CODE', value: (row: Row) => row.answerScan && policyCell(row.answerScan), spare: 4 },
    { title: 'EXPIRES', value: (row: Row) => row.expiresAt, spare: 5 },
    { title: 'REVOKED', value: (row: Row) => row.revokedAt, spare: 3 },
    { title: 'LAST USED', value: (row: Row) => row.lastUsedAt, spare: 6 },
  ]
  printRows(rows, columns, options.json === true, 'No keys.')
}

/** Requests and tokens a minute. */
const rateCell = ({ requestsPerMinute, tokensPerMinute }: Rates): string | null =>
  requestsPerMinute === null && tokensPerMinute === null ? null : `${requestsPerMinute ?? '-'}/${tokensPerMinute ?? '-'}`

interface Policy {
  readonly mode: string
  readonly minSeverity: string
  readonly standards: readonly string[]
}

/** As `--scan-answers` takes it. */
const policyCell = ({ mode, minSeverity, standards }: Policy): string =>
  [lowerCase(mode), lowerCase(minSeverity), ...(standards.length > 0 ? [standards.join(',')] : [])].join(':')

async function updateKey(id: string, { json, ...given }: KeyOptions, command: Command): Promise<void> {
  const models = modelsOf(given.models)
  const monthlyCap = capOf(given.monthlyCap)
  const requestsPerMinute = rateOf(given.requestsPerMinute)
  const tokensPerMinute = rateOf(given.tokensPerMinute)
  const answerScan = answerScanOf(given.scanAnswers)
  const isRate = requestsPerMinute !== undefined || tokensPerMinute !== undefined
  if (models === undefined && monthlyCap === undefined && answerScan === undefined && !isRate)
    command.error('error: give --models, --monthly-cap, --requests-per-minute, --tokens-per-minute or --scan-answers')
  const client = createGraphClient()
  let changed = {}
  if (models !== undefined) {
    const { apiKey } = (await client.request(CliSetKeyModelsDocument, { input: { id, models } })).setApiKeyModels
    changed = apiKey
    if (!json) printLine(`Key ${id} may ask ${apiKey.models?.join(', ') ?? 'every model'}.`)
  }
  if (monthlyCap !== undefined) {
    const { apiKey } = (await client.request(CliSetKeyMonthlyCapDocument, { input: { id, monthlyCap } })).setApiKeyMonthlyCap
    changed = { ...changed, ...apiKey }
    const { monthlyCap: cap, spentThisMonth: spent } = apiKey
    if (!json)
      printLine(`Key ${id} may spend ${cap === null ? 'all that its account may' : `${cap} USD a month; ${spent} spent`}.`)
  }
  if (isRate) {
    const input = { id, requestsPerMinute, tokensPerMinute }
    const { apiKey } = (await client.request(CliSetKeyRateLimitsDocument, { input })).setApiKeyRateLimits
    changed = { ...changed, ...apiKey }
    if (!json) printLine(`Key ${id} may ask ${ratesInWords(apiKey)}.`)
  }
  if (answerScan !== undefined) {
    const { apiKey } = (await client.request(CliSetKeyAnswerScanDocument, { input: { id, answerScan } })).setApiKeyAnswerScan
    changed = { ...changed, ...apiKey }
    if (!json)
      printLine(`Key ${id} demands of code in answers: ${apiKey.answerScan ? policyCell(apiKey.answerScan) : 'nothing'}.`)
  }
  if (json) printJson(changed)
}

interface Rates {
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
}

function ratesInWords({ requestsPerMinute, tokensPerMinute }: Rates): string {
  if (requestsPerMinute === null && tokensPerMinute === null) return 'as often as it likes'
  return `${requestsPerMinute ?? 'any number of'} requests and ${tokensPerMinute ?? 'any number of'} tokens a minute`
}

function printCreated(created: { secret: string; apiKey: { id: string; name: string } }, options: Json): void {
  if (options.json) return printJson({ id: created.apiKey.id, key: created.secret })
  printLine(`Key ${created.apiKey.id} (${created.apiKey.name}). Its secret is shown once:\n${created.secret}`)
}
