/** `sluice chat`: one question to a model, the answer as it comes. */
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { CliChatDocument, type ChatRole, type CliChatSubscription } from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { createGraphClient, ServerFault } from '../../graph-client.js'
import { jsonOption, parseWholeNumber, type Json } from '../../options.js'
import { printJson, printLine, printNote } from '../../output.js'

interface ChatOptions extends Json {
  readonly system?: string
  readonly maxTokens?: number
}

type Deploying = Extract<CliChatSubscription['chatCompletion'], { __typename: 'ModelDeploying' }>

export function addChatCommand(program: Command): void {
  program
    .command('chat')
    .description('ask a model (an id, or light, medium or high) and print its answer as it comes')
    .argument('<model>', 'a model id or a tier')
    .argument('[prompt]', 'what to ask; read from standard input when left out')
    .option('--system <text>', 'instructions for the model')
    .option('--max-tokens <n>', 'the most tokens of the answer', parseWholeNumber)
    .addOption(jsonOption())
    .action(async (model: string, prompt: string | undefined, options: ChatOptions) => {
      const content = prompt ?? (await promptFromInput())
      if (content.trim() === '')
        throw new ServerFault('There is nothing to ask: give a prompt, or write one to standard input.', 'usage')
      const messages = [
        ...(options.system === undefined ? [] : [{ role: 'SYSTEM' as const, content: options.system }]),
        { role: 'USER' as const, content },
      ]
      await ask({ model, messages, maxTokens: options.maxTokens ?? null }, options)
    })
}

function promptFromInput(): Promise<string> {
  if (process.stdin.isTTY) printNote('Write the prompt and end it with Ctrl+D.')
  return readAll(process.stdin)
}

interface Question {
  readonly model: string
  readonly messages: { role: ChatRole; content: string }[]
  readonly maxTokens: number | null
}

async function ask(input: Question, { json }: Json): Promise<void> {
  const answer = { id: '', model: '', content: '', finishReason: null as string | null, usage: null as object | null }
  // Repeating the question would have it answered and charged twice.
  for await (const { chatCompletion: event } of createGraphClient().subscribe(
    CliChatDocument,
    { input },
    { isRepeatable: false },
  )) {
    if (event.__typename === 'ModelDeploying') return refuse(event, json === true)
    if (event.__typename !== 'ChatCompletionChunk') continue
    const piece = event.choices[0]?.delta.content ?? ''
    if (!json) process.stdout.write(piece)
    answer.id = event.id
    answer.model = event.model
    answer.content += piece
    answer.finishReason = event.choices[0]?.finishReason ?? answer.finishReason
    if (event.usage) answer.usage = event.usage
  }
  if (json) printJson(answer)
  else if (!answer.content.endsWith('\n')) printLine('')
  if (answer.finishReason === null) throw new AnswerIsNo('The answer broke off.')
}

function refuse(event: Deploying, json: boolean): never {
  if (json) printJson({ status: 'deploying', model: event.model, estimatedReadySeconds: event.estimatedReadySeconds })
  throw new AnswerIsNo(`${event.message} Ask again in ${event.retryAfterSeconds} seconds.`)
}
