/** `sluice console`: an address that signs a browser in with the key of the command line. */
import type { Command } from 'commander'
import { CliConsoleCodeDocument } from '../../../generated/cli.js'
import { clientSettings } from '../../client-settings.js'
import { createGraphClient } from '../../graph-client.js'
import { jsonOption, type Json } from '../../options.js'
import { printJson, printLine } from '../../output.js'

export function addConsoleCommand(program: Command): void {
  program
    .command('console')
    .description('print an address that opens the console in a browser, signed in with your key')
    .addOption(jsonOption())
    .action(async (options: Json) => {
      const { code, expiresAt } = (await createGraphClient().request(CliConsoleCodeDocument, {})).createConsoleCode
      const url = `${clientSettings(process.env).url}/?code=${code}`
      if (options.json === true) return printJson({ url, expiresAt })
      printLine(`${url}\n\nIt is good once, until ${new Date(expiresAt).toLocaleTimeString()}.`)
    })
}
