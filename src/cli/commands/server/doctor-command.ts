/** `sluice doctor`: whether a server can start and answer here, and what to do when not. Works without a server. */
import type { Command } from 'commander'
import type { Check } from '../../doctor.js'
import { AnswerIsNo } from '../../exit.js'
import { jsonOption, type Json } from '../../options.js'
import { printJson, printLine, printRows } from '../../output.js'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what a server needs to start and answer here, and say what to do')
    .option('--probe', 'also ask each live provider whether it is there and takes its key')
    .addOption(jsonOption())
    .action(async ({ json, probe }: Json & { readonly probe?: boolean }) => {
      const { diagnose } = await import('../../doctor.js')
      const diagnosis = await diagnose({ env: process.env, path: program.opts<{ config?: string }>().config }, probe === true)
      if (json) printJson(diagnosis)
      else {
        for (const check of diagnosis.checks) printLine(describe(check))
        if (diagnosis.providers.length > 0) {
          printLine('')
          printRows(diagnosis.providers, PROVIDER_COLUMNS, false, '')
        }
      }
      const problems = diagnosis.checks.filter(({ status }) => status === 'problem').length
      if (!diagnosis.ok) throw new AnswerIsNo(`${problems === 1 ? '1 problem' : `${problems} problems`} found.`)
    })
}

const PROVIDER_COLUMNS = [
  { title: 'PROVIDER', value: (row: Provider) => row.id },
  { title: 'NAME', value: (row: Provider) => row.name, spare: 1 },
  { title: 'STATE', value: (row: Provider) => (row.isLive ? 'live' : `set ${row.missingVariables.join(' and ')}`) },
]

interface Provider {
  readonly id: string
  readonly name: string
  readonly isLive: boolean
  readonly missingVariables: readonly string[]
}

const INDENT = '\n         '

function describe({ status, message, advice }: Check): string {
  const text = advice === undefined ? message : `${message}\n${advice}`
  return `${status.padEnd(INDENT.length - 1)}${text.replaceAll('\n', INDENT)}`
}
