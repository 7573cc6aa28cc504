/** The command line: parse, run one command, and turn every failure into one sentence and an exit code (0 fine, 1 the answer is no, 2 usage or configuration). */
import completion from '@bomb.sh/tab/commander'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/config-error.js'
import { AnswerIsNo } from './exit.js'
import { addAccountCommands } from './commands/accounts/accounts-commands.js'
import { addCreditCommands } from './commands/accounts/credits-commands.js'
import { addKeyCommands } from './commands/accounts/keys-commands.js'
import { addBudgetCommands } from './commands/accounts/budget-commands.js'
import { addChatCommand } from './commands/models/chat-command.js'
import { addConsoleCommand } from './commands/server/console-command.js'
import { addDoctorCommand } from './commands/server/doctor-command.js'
import { addGpuCommands } from './commands/models/gpu-commands.js'
import { addKeepingCommands } from './commands/server/keeping-commands.js'
import { addMcpCommand } from './commands/mcp-command.js'
import { addModelCommands } from './commands/models/model-commands.js'
import { addPriceCommands } from './commands/models/price-commands.js'
import { addReloadCommand } from './commands/server/reload-command.js'
import { addScanCommand } from './commands/scan-command.js'
import { addServerCommands } from './commands/server/server-commands.js'
import { addWebhookCommands } from './commands/accounts/webhook-commands.js'
import { addUsageCommand } from './commands/accounts/usage-command.js'
import { ServerFault } from './graph-client.js'
import { packageVersion } from '#platform/package-root.js'

export function createProgram(): Command {
  const program = new Command('sluice')
    .description('A self-hosted inference gateway: OpenAI-compatible REST, federated GraphQL, exact credits.')
    .version(packageVersion())
    .option('--config <path>', 'configuration file (SLUICE_CONFIG)')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
  addServerCommands(program)
  addReloadCommand(program)
  addKeepingCommands(program)
  addConsoleCommand(program)
  addAccountCommands(program)
  addKeyCommands(program)
  addCreditCommands(program)
  addModelCommands(program)
  addPriceCommands(program)
  addBudgetCommands(program)
  addWebhookCommands(program)
  addChatCommand(program)
  addGpuCommands(program)
  addUsageCommand(program)
  addScanCommand(program)
  addMcpCommand(program)
  addDoctorCommand(program)
  // Last: it reads the commands that are there. Adds `completion <shell>`, whose script asks this program back.
  completion(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')!
    .description('print a script that completes commands in your shell')
  return program
}

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // `sluice models | head` closes the pipe before all is written, which is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  try {
    await createProgram().parseAsync([...argv])
  } catch (error) {
    process.exitCode = report(error)
  }
}

function report(error: unknown): number {
  // commander has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof AnswerIsNo) return 1
  if (error instanceof ServerFault) return error.isUsage ? 2 : 1
  if (error instanceof ConfigError) return 2
  return 2
}
