/** `sluice credits`: what an account has, and what is added to it. */
import type { Command } from 'commander'
import { CliAccountDocument, CliAddCreditsDocument, CliViewerDocument } from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { createGraphClient } from '../../graph-client.js'
import { accountOption, jsonOption, parseDecimal, type Json } from '../../options.js'
import { printJson, printLine } from '../../output.js'

interface CreditOptions extends Json {
  readonly account?: string
  readonly idempotencyKey?: string
}

export function addCreditCommands(program: Command): void {
  const credits = program.command('credits').description('add and show credits')
  credits
    .command('add')
    .description('add credits to an account (administrators)')
    .argument('<amount>', 'USD', parseDecimal)
    .requiredOption('--account <id>', 'the account (acc_...)')
    .option('--idempotency-key <text>', 'names this payment, so that repeating the command adds it once')
    .addOption(jsonOption())
    .action(async (amount: string, options: CreditOptions) => {
      const accountId = options.account!
      const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
      const input = { accountId, amount, idempotencyKey }
      const { entry } = (await createGraphClient().request(CliAddCreditsDocument, { input })).addCredits
      if (options.json) printJson(entry)
      else printLine(`Added ${entry.amount} USD to ${accountId}.`)
    })
  credits
    .command('show')
    .description('show balance, holds and cap')
    .addOption(accountOption())
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
