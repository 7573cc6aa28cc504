/** `sluice backup`, `restore` and `copy`: an installation kept, brought back and moved. They work on the configured database, not over a server. */
import { type Command, Option } from 'commander'
import { formatUsd } from '#platform/money.js'
import { AnswerIsNo } from '../../exit.js'
import { jsonOption, type Json } from '../../options.js'
import { printJson, printLine } from '../../output.js'

interface Forced extends Json {
  readonly force?: boolean
}

export function addKeepingCommands(program: Command): void {
  program
    .command('backup')
    .description('back the SQLite database up into one file, also while its server runs, and prove the copy')
    .argument('<file>', 'the backup')
    .option('--force', 'replace a file that is there')
    .addOption(jsonOption())
    .action(async (file: string, { force = false, json = false }: Forced) => {
      const { backUp } = await import('../../../keeping/backup.js')
      const { bytes, books, ...result } = await backUp({ databaseUrl: await databaseUrl(program), file, force })
      if (json) printJson({ ...result, bytes, books })
      else printLine(`Backed up to ${result.file} (${megabytes(bytes)}): ${booksText(books)}.`)
      if (!books.ok) {
        throw new AnswerIsNo(
          ['The ledger does not balance, here as in the database:', ...books.violations.map(violationText)].join('\n'),
        )
      }
    })
  program
    .command('restore')
    .description('make a backup the configured SQLite database, while no server runs')
    .argument('<file>', 'the backup')
    .option('--force', 'also over a database that holds accounts, which is kept under another name')
    .addOption(jsonOption())
    .action(async (file: string, { force = false, json = false }: Forced) => {
      const { restore } = await import('../../../keeping/restore.js')
      const result = await restore({ databaseUrl: await databaseUrl(program), file, force })
      if (json) return printJson(result)
      const { database, migrations, replaced, books } = result
      printLine(`Restored ${database}: ${booksText(books)}.`)
      if (migrations.length > 0) printLine(`The backup was of an older version: ${migrations.length} migrations applied.`)
      if (replaced !== null) printLine(`What was there is kept as ${replaced}.`)
    })
  program
    .command('copy')
    .description('move an installation to another database, SQLite or PostgreSQL, and prove every balance equal')
    .addOption(urlOption('--from <url>', 'the database with the installation, while no server runs on it'))
    .addOption(urlOption('--to <url>', 'a database without one'))
    .addOption(jsonOption())
    .action(async ({ from, to, json = false }: Json & { from: string; to: string }) => {
      const { copyInstallation } = await import('../../../keeping/copy.js')
      const { tables, balance, books } = await copyInstallation({ from, to })
      const usd = formatUsd(balance)
      if (json) return printJson({ tables, balance: usd, books })
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      printLine(
        `Copied ${rows} rows of ${tables.length} tables, and they are the same: ${booksText(books)}, at ${usd} USD in all.`,
      )
      printLine('Set database.url to the new one, and start no server on the old one.')
    })
}

/** As in the configuration: sqlite:<file> or postgres://... */
const urlOption = (flags: string, description: string): Option => new Option(flags, description).makeOptionMandatory()

async function databaseUrl(program: Command): Promise<string> {
  const { loadConfig } = await import('../../../config/config.js')
  return loadConfig({ env: process.env, path: program.opts<{ config?: string }>().config }).database.url
}

interface Books {
  readonly ok: boolean
  readonly accounts: number
  readonly entries: number
  readonly openHolds: number
}

const booksText = ({ ok, accounts, entries, openHolds }: Books): string =>
  `accounts ${accounts}, ledger entries ${entries}, open holds ${openHolds}${ok ? '; the ledger balances' : ''}`

const violationText = ({ invariant, subject, detail }: { invariant: string; subject: string; detail: string }): string =>
  `  ${invariant}: ${subject} (${detail})`

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
