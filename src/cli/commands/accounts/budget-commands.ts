/** `sluice budgets`: what accounts and keys may spend in an hour, a day, a week, a month or in all. */
import type { Command } from 'commander'
import {
  BudgetAction,
  BudgetPeriod,
  CliBudgetsDocument,
  CliCreateBudgetDocument,
  CliDeleteBudgetDocument,
  CliUpdateBudgetDocument,
  type CliBudgetFragment,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { accountOf, createGraphClient } from '../../graph-client.js'
import {
  accountOption,
  enumOption,
  jsonOption,
  modelsOf,
  parseDecimal,
  parseModels,
  parseWholeNumber,
  type Json,
} from '../../options.js'
import { printJson, printLine, printRows, type Column } from '../../output.js'

interface AccountOptions extends Json {
  readonly account?: string
}

interface TermOptions extends Json {
  readonly amount?: string
  readonly name?: string
  readonly warnAt?: number
  readonly action?: BudgetAction
  readonly models?: string[] | 'any'
}

interface CreateOptions extends TermOptions, AccountOptions {
  readonly amount: string
  readonly period: BudgetPeriod
  readonly key?: string
}

export function addBudgetCommands(program: Command): void {
  const budgets = program.command('budgets').description('what accounts and keys may spend in a period')
  budgets
    .command('list', { isDefault: true })
    .description('list the budgets that bind your key, or those of an account')
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(listBudgets)
  withTerms(
    budgets
      .command('create')
      .description('bound what an account, or a key, may spend in a period')
      .addOption(accountOption())
      .option('--key <id>', 'the key (key_...) that it binds; the whole account when left out')
      .requiredOption('--amount <usd>', 'most that may be spent in a period', parseDecimal)
      .addOption(enumOption('--period <period>', 'how often it begins anew, in UTC', BudgetPeriod).makeOptionMandatory()),
  ).action(createBudget)
  withTerms(
    budgets
      .command('update <id>')
      .description('change a budget; what is spent stays spent')
      .option('--amount <usd>', 'most that may be spent in a period', parseDecimal),
  ).action(updateBudget)
  budgets
    .command('delete <id>')
    .description('end a budget')
    .addOption(jsonOption())
    .action(async (id: string, { json }: Json) => {
      const { budget } = (await createGraphClient().request(CliDeleteBudgetDocument, { input: { id } })).deleteBudget
      if (json) printJson(budget)
      else printLine(`Budget ${budget.id} is deleted.`)
    })
}

const withTerms = (command: Command): Command =>
  command
    .option('--name <name>', 'a name for people')
    .option(
      '--warn-at <percent>',
      'tell webhooks at this part of the amount, 1 to 100; 80 when nothing was said',
      parseWholeNumber,
    )
    .addOption(enumOption('--action <action>', 'what it does when it is used up', BudgetAction))
    .option('--models <list>', 'count only these, by id or alias, with commas; "any" for all that is paid for', parseModels)
    .addOption(jsonOption())

async function listBudgets(options: AccountOptions): Promise<void> {
  const client = createGraphClient()
  const { account } = await client.find(CliBudgetsDocument, { id: await accountOf(client, options) })
  if (!account) throw new AnswerIsNo('There is no such account.')
  printRows(account.budgets, COLUMNS, options.json === true, 'No budgets.')
}

const COLUMNS: Column<CliBudgetFragment>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'NAME', value: (row) => row.name || null, spare: 6 },
  { title: 'OF', value: (row) => row.keyId ?? row.accountId, spare: 5 },
  { title: 'PERIOD', value: (row) => row.period.toLowerCase() },
  { title: 'AMOUNT', value: (row) => row.amount, align: 'right' },
  { title: 'SPENT', value: (row) => row.spent, align: 'right', spare: 1 },
  { title: 'HELD', value: (row) => row.held, align: 'right', spare: 3 },
  { title: 'LEFT', value: (row) => row.left, align: 'right' },
  { title: 'ACTION', value: (row) => row.action.toLowerCase(), spare: 4 },
  { title: 'MODELS', value: (row) => row.models?.join(',') ?? 'all', spare: 7 },
  { title: 'ANEW', value: (row) => row.resetsAt ?? 'never', spare: 2 },
]

const termsOf = ({ name, warnAt, action, models }: TermOptions) => ({ name, warnAt, action, models: modelsOf(models) })

async function createBudget({ account: accountId, key: keyId, period, amount, ...terms }: CreateOptions): Promise<void> {
  const input = { accountId, keyId, period, amount, ...termsOf(terms) }
  const { budget } = (await createGraphClient().request(CliCreateBudgetDocument, { input })).createBudget
  printBudget(budget, 'holds from now on', terms)
}

async function updateBudget(id: string, { amount, ...terms }: TermOptions): Promise<void> {
  const input = { id, amount, ...termsOf(terms) }
  const { budget } = (await createGraphClient().request(CliUpdateBudgetDocument, { input })).updateBudget
  printBudget(budget, 'is changed', terms)
}

function printBudget(budget: CliBudgetFragment, what: string, { json }: Json): void {
  if (json) return printJson(budget)
  printLine(`Budget ${budget.id} ${what}: $${budget.amount} (${budget.period.toLowerCase()}), of which $${budget.left} is left.`)
}
