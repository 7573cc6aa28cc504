/** `sluice reload`: the servers read their configuration again. */
import type { Command } from 'commander'
import { CliReloadDocument } from '../../../generated/cli.js'
import { createGraphClient } from '../../graph-client.js'
import { jsonOption, type Json } from '../../options.js'
import { printJson, printLine } from '../../output.js'

export function addReloadCommand(program: Command): void {
  program
    .command('reload')
    .description('let the running server read its configuration again: all of it is applied, or nothing (administrators)')
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const result = (await createGraphClient().request(CliReloadDocument, {})).reloadConfiguration
      if (json === true) return printJson(result)
      const { applied, needsRestart } = result
      printLine(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}.`)
      if (needsRestart.length > 0) printLine(`After a restart: ${needsRestart.join(', ')}.`)
    })
}
