/** `sluice accounts`: who there is, and with which limits. */
import type { Command } from 'commander'
import {
  CliAccountsDocument,
  CliCreateAccountDocument,
  CliUpdateAccountDocument,
  ColdStartMode,
  ScanTier,
} from '../../../generated/cli.js'
import { allOf, createGraphClient } from '../../graph-client.js'
import { capOf, enumOption, jsonOption, parseCap, parseDecimal, type Json } from '../../options.js'
import { printJson, printLine, printRows } from '../../output.js'

interface AccountOptions extends Json {
  readonly credits?: string
  readonly monthlyCap?: string
  readonly scanTier?: ScanTier
  readonly coldStartMode?: ColdStartMode
  readonly name?: string
}

const scanTier = () => enumOption('--scan-tier <tier>', "the scanner's rate limits for the account", ScanTier)

const coldStartMode = () =>
  enumOption(
    '--cold-start-mode <mode>',
    'what a request for a cold model gets: a 202 at once, a 503 to retry, or a wait',
    ColdStartMode,
  )

export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('open, change and list accounts')
  accounts
    .command('create <name>')
    .description('open an account, and say its id')
    .option('--credits <usd>', 'credits to start with', parseDecimal)
    .option('--monthly-cap <usd>', 'most USD a calendar month', parseDecimal)
    .addOption(scanTier())
    .addOption(coldStartMode())
    .addOption(jsonOption())
    .action(async (name: string, { json, ...given }: AccountOptions) => {
      const input = { ...given, name }
      const { account } = (await createGraphClient().request(CliCreateAccountDocument, { input })).createAccount
      if (json) printJson(account)
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
    .action(async (id: string, { json, monthlyCap, ...given }: AccountOptions) => {
      const input = { ...given, id, monthlyCap: capOf(monthlyCap) }
      const { account } = (await createGraphClient().request(CliUpdateAccountDocument, { input })).updateAccount
      if (json) printJson(account)
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
        { title: 'HELD', value: (row: Row) => row.held, align: 'right' as const, spare: 3 },
        { title: 'SPENT', value: (row: Row) => row.spentThisMonth, align: 'right' as const, spare: 1 },
        { title: 'CAP', value: (row: Row) => row.monthlyCap, align: 'right' as const, spare: 2 },
      ]
      printRows(rows, columns, options.json === true, 'No accounts.')
    })
}
