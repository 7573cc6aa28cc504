/** `sluice accounts`, `sluice keys`, `sluice credits`: the operator's view of who may spend what. */
import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import {
  CliAccountDocument,
  CliAccountsDocument,
  CliAddCreditsDocument,
  CliCreateAccountDocument,
  CliCreateKeyDocument,
  CliKeysDocument,
  CliRevokeKeyDocument,
  CliRotateKeyDocument,
  CliSetKeyMonthlyCapDocument,
  CliSetKeyModelsDocument,
  CliUpdateAccountDocument,
  CliViewerDocument,
  type Scope,
  type ScanTier,
  type ColdStartMode,
} from '../../generated/operations.js'
import { AnswerIsNo } from '../exit.js'
import { allOf, createGraphClient } from '../graph-client.js'
import {
  jsonOption,
  capOf,
  modelsOf,
  parseCap,
  parseDecimal,
  parseExpiry,
  parseModels,
  parseScopes,
  parseWholeNumber,
  type Json,
} from '../options.js'
import { printJson, printLine, printRows } from '../output.js'

const account = () => new Option('--account <id>', 'the account (acc_...); that of your key when left out')

export function addAccountCommands(program: Command): void {
  addAccounts(program.command('accounts').description('open, change and list accounts'))
  addKeys(program.command('keys').description('create, list, rotate and revoke API keys'))
  addCredits(program.command('credits').description('add and show credits'))
}

interface AccountOptions extends Json {
  readonly credits?: string
  readonly monthlyCap?: string
  readonly scanTier?: string
  readonly coldStartMode?: string
  readonly name?: string
}

const scanTier = () =>
  new Option('--scan-tier <tier>', "the scanner's rate limits for the account").choices(['free', 'pro', 'enterprise'])

const coldStartMode = () =>
  new Option(
    '--cold-start-mode <mode>',
    'what a request for a cold model gets: a 202 at once, a 503 to retry, or a wait',
  ).choices(['respond', 'retry', 'wait'])

const upper = (text: string | undefined) => text?.toUpperCase()

function addAccounts(accounts: Command): void {
  accounts
    .command('create <name>')
    .description('open an account, and say its id')
    .option('--credits <usd>', 'credits to start with', parseDecimal)
    .option('--monthly-cap <usd>', 'most USD a calendar month', parseDecimal)
    .addOption(scanTier())
    .addOption(coldStartMode())
    .addOption(jsonOption())
    .action(async (name: string, options: AccountOptions) => {
      const input = {
        name,
        credits: options.credits,
        monthlyCap: options.monthlyCap,
        scanTier: upper(options.scanTier) as ScanTier | undefined,
        coldStartMode: upper(options.coldStartMode) as ColdStartMode | undefined,
      }
      const { account } = (await createGraphClient().request(CliCreateAccountDocument, { input })).createAccount
      if (options.json) printJson(account)
      else printLine(`Account ${account.id} (${account.name}) with ${account.balance} USD.`)
    })
  accounts
    .command('update <id>')
    .description('change the settings that are given, and leave the others')
    .option('--name <name>', 'a name for people')
    .option('--monthly-cap <usd|none>', 'most USD a calendar month', parseCap)
    .addOption(scanTier())
    .addOption(coldStartMode())
    .addOption(jsonOption())
    .action(async (id: string, options: AccountOptions) => {
      const coldStartMode = upper(options.coldStartMode) as ColdStartMode | undefined
      const { name } = options
      const input = {
        id,
        name,
        monthlyCap: capOf(options.monthlyCap),
        scanTier: upper(options.scanTier) as ScanTier | undefined,
        coldStartMode,
      }
      const { account } = (await createGraphClient().request(CliUpdateAccountDocument, { input })).updateAccount
      if (options.json) printJson(account)
      else printLine(`Account ${account.id} (${account.name}) changed.`)
    })
  accounts
    .command('list')
    .description('list every account with its money (administrators)')
    .addOption(jsonOption())
    .action(async (options: Json) => {
      const client = createGraphClient()
      const rows = await allOf(async (after) => (await client.request(CliAccountsDocument, { after })).accounts)
      type Row = (typeof rows)[number]
      const columns = [
        { title: 'ID', value: (row: Row) => row.id },
        { title: 'NAME', value: (row: Row) => row.name },
        { title: 'BALANCE', value: (row: Row) => row.balance, align: 'right' as const },
        { title: 'HELD', value: (row: Row) => row.held, align: 'right' as const },
        { title: 'SPENT', value: (row: Row) => row.spentThisMonth, align: 'right' as const },
        { title: 'CAP', value: (row: Row) => row.monthlyCap, align: 'right' as const },
      ]
      printRows(rows, columns, options.json === true, 'No accounts.')
    })
}

interface KeyOptions extends Json {
  readonly account?: string
  readonly name?: string
  readonly scopes?: Scope[]
  readonly models?: string[] | 'any'
  readonly monthlyCap?: string
  readonly expires?: Date
  readonly grace?: number
}

function addKeys(keys: Command): void {
  keys
    .command('create')
    .description('make a key; its secret is printed once')
    .addOption(account())
    .option('--name <name>', 'a name for people')
    .option('--scopes <list>', 'such as chat,gpu,scan; metrics for a scraper', parseScopes)
    .option('--models <list>', 'the only models that it may ask, by id', parseModels)
    .option('--monthly-cap <usd|none>', 'most USD that it may spend a calendar month', parseCap)
    .option('--expires <when>', 'such as 30d, 12h, 1s or an ISO time', parseExpiry)
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      const input = {
        accountId: options.account,
        name: options.name,
        scopes: options.scopes,
        models: modelsOf(options.models),
        monthlyCap: capOf(options.monthlyCap),
        expiresAt: options.expires?.toISOString(),
      }
      const { createApiKey } = await createGraphClient().request(CliCreateKeyDocument, { input })
      printCreated(createApiKey, options)
    })
  keys
    .command('list')
    .description("list an account's keys, without their secrets")
    .addOption(account())
    .addOption(jsonOption())
    .action(async (options: KeyOptions) => {
      const client = createGraphClient()
      const accountId = options.account ?? (await client.request(CliViewerDocument, {})).viewer.id
      const rows = await allOf(async (after) => {
        const { account: owner } = await client.find(CliKeysDocument, { accountId, after })
        if (!owner) throw new AnswerIsNo('There is no such account.')
        return owner.keys
      })
      type Row = (typeof rows)[number]
      const columns = [
        { title: 'ID', value: (row: Row) => row.id },
        { title: 'NAME', value: (row: Row) => row.name },
        { title: 'PREFIX', value: (row: Row) => row.prefix, spare: 2 },
        { title: 'SCOPES', value: (row: Row) => row.scopes.join(',').toLowerCase() },
        { title: 'MODELS', value: (row: Row) => row.models?.join(' '), spare: 2 },
        { title: 'SPENT', value: (row: Row) => row.spentThisMonth, align: 'right' as const, spare: 2 },
        { title: 'CAP', value: (row: Row) => row.monthlyCap, align: 'right' as const },
        { title: 'EXPIRES', value: (row: Row) => row.expiresAt, spare: 3 },
        { title: 'REVOKED', value: (row: Row) => row.revokedAt, spare: 1 },
        { title: 'LAST USED', value: (row: Row) => row.lastUsedAt, spare: 4 },
      ]
      printRows(rows, columns, options.json === true, 'No keys.')
    })
  keys
    .command('update <id>')
    .description('change which models a key may ask, and what it may spend a month')
    .option('--models <list|any>', 'by id, or any', parseModels)
    .option('--monthly-cap <usd|none>', 'most USD a calendar month', parseCap)
    .addOption(jsonOption())
    .action(updateKey)
  keys
    .command('rotate <id>')
    .description('put a new key in the place of an old one, which stays valid for a while')
    .option('--grace <seconds>', 'how long the old key stays valid', parseWholeNumber)
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

async function updateKey(id: string, { json, ...given }: KeyOptions, command: Command): Promise<void> {
  const models = modelsOf(given.models)
  const monthlyCap = capOf(given.monthlyCap)
  if (models === undefined && monthlyCap === undefined) command.error('error: give --models, --monthly-cap or both')
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
  if (json) printJson(changed)
}

function printCreated(created: { secret: string; apiKey: { id: string; name: string } }, options: Json): void {
  if (options.json) return printJson({ id: created.apiKey.id, key: created.secret })
  printLine(`Key ${created.apiKey.id} (${created.apiKey.name}). Its secret is shown once:\n${created.secret}`)
}

interface CreditOptions extends Json {
  readonly account?: string
  readonly idempotencyKey?: string
}

function addCredits(credits: Command): void {
  credits
    .command('add')
    .description('add credits to an account (administrators)')
    .argument('<amount>', 'USD', parseDecimal)
    .addOption(account().makeOptionMandatory())
    .option('--idempotency-key <text>', 'names this payment, so that repeating the command adds it once')
    .addOption(jsonOption())
    .action(async (amount: string, options: CreditOptions) => {
      const accountId = options.account!
      const idempotencyKey = options.idempotencyKey ?? randomUUID()
      const input = { accountId, amount, idempotencyKey }
      const { entry } = (await createGraphClient().request(CliAddCreditsDocument, { input })).addCredits
      if (options.json) printJson(entry)
      else printLine(`Added ${entry.amount} USD to ${accountId}.`)
    })
  credits
    .command('show')
    .description('show balance, holds and cap')
    .addOption(account())
    .addOption(jsonOption())
    .action(async (options: CreditOptions) => {
      const client = createGraphClient()
      const found = options.account
        ? (await client.find(CliAccountDocument, { id: options.account })).account
        : (await client.request(CliViewerDocument, {})).viewer
      if (!found) throw new AnswerIsNo('There is no such account.')
      if (options.json) return printJson(found)
      const cap = found.monthlyCap === null ? 'no monthly cap' : `monthly cap ${found.monthlyCap}`
      printLine(
        `${found.name}: balance ${found.balance} USD, held ${found.held}, available ${found.available}, spent this month ${found.spentThisMonth}, ${cap}.`,
      )
    })
}
