/** `sluice webhooks`: addresses that are told what operators want to know, and what was sent to them. */
import { InvalidArgumentError, type Command } from 'commander'
import {
  CliCreateWebhookDocument,
  CliRemoveWebhookDocument,
  CliReplayWebhookDocument,
  CliRotateWebhookSecretDocument,
  CliSetWebhookEnabledDocument,
  CliTestWebhookDocument,
  CliWebhookDeliveriesDocument,
  CliWebhooksDocument,
  WebhookDeliveryState,
  WebhookEvent,
  type CliWebhookDeliveriesQuery,
  type CliWebhooksQuery,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { allOf, createGraphClient } from '../../graph-client.js'
import { enumOption, jsonOption, parseWholeNumber, type Json } from '../../options.js'
import { printJson, printLine, printRows, type Column } from '../../output.js'

interface AddOptions extends Json {
  readonly name?: string
  readonly events?: WebhookEvent[]
}

interface RotateOptions extends Json {
  readonly grace?: number
}

interface DeliveriesOptions extends Json {
  readonly state?: WebhookDeliveryState
}

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('signed messages to your own addresses about what happens here')
  webhooks
    .command('list', { isDefault: true })
    .description('list webhooks, what waits for them and what was given up')
    .addOption(jsonOption())
    .action(listWebhooks)
  webhooks
    .command('add <url>')
    .description('send messages to an address from now on; the secret that signs them is printed once')
    .option('--name <name>', 'a name for people; the host of the address when left out')
    .option('--events <list>', 'such as balance.low,rental.terminated; everything when left out', parseEvents)
    .addOption(jsonOption())
    .action(addWebhook)
  webhooks
    .command('rotate <id>')
    .description('give a webhook a new secret, printed once; the old one signs too for a while')
    .option('--grace <seconds>', 'how long messages are signed with both; a day when left out', parseWholeNumber)
    .addOption(jsonOption())
    .action(rotateSecret)
  webhooks
    .command('remove <id>')
    .description('remove a webhook with all that was sent to it')
    .addOption(jsonOption())
    .action(async (id: string, { json }: Json) => {
      const { removeWebhook } = await createGraphClient().request(CliRemoveWebhookDocument, { input: { id } })
      if (json) printJson(removeWebhook)
      else printLine(`Webhook ${removeWebhook.id} is removed.`)
    })
  webhooks.command('test <id>').description('send a signed test message now').addOption(jsonOption()).action(testWebhook)
  for (const [name, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    webhooks
      .command(`${name} <id>`)
      .description(isEnabled ? 'send messages again, from now on' : 'send nothing more; what waits becomes dead letters')
      .addOption(jsonOption())
      .action(async (id: string, { json }: Json) => {
        const { webhook } = (await createGraphClient().request(CliSetWebhookEnabledDocument, { input: { id, isEnabled } }))
          .setWebhookEnabled
        if (json) printJson(webhook)
        else printLine(`Webhook ${webhook.id} is ${webhook.offSince === null ? 'on' : 'off'}.`)
      })
  }
  webhooks
    .command('deliveries <id>')
    .description('list what was sent to a webhook, newest first; --state dead lists the dead letters')
    .addOption(enumOption('--state <state>', 'only these', WebhookDeliveryState))
    .addOption(jsonOption())
    .action(listDeliveries)
  webhooks
    .command('replay <id> [deliveries...]')
    .description('send these messages again, or every dead letter of the webhook')
    .addOption(jsonOption())
    .action(async (id: string, deliveries: string[], { json }: Json) => {
      const deliveryIds = deliveries.length === 0 ? null : deliveries
      const { replayWebhook } = await createGraphClient().request(CliReplayWebhookDocument, { input: { id, deliveryIds } })
      if (json) return printJson(replayWebhook)
      const { replayed } = replayWebhook
      if (replayed === 0) throw new AnswerIsNo('There was nothing to send again.')
      printLine(`${replayed} ${replayed === 1 ? 'message is' : 'messages are'} sent again.`)
    })
}

/** `balance.low` is `BALANCE_LOW` in the graph. */
function parseEvents(text: string): WebhookEvent[] {
  const known = Object.values(WebhookEvent)
  return text.split(',').map((part) => {
    const found = known.find((event) => event === part.trim().replace('.', '_').toUpperCase())
    if (found === undefined) throw new InvalidArgumentError(`Events are ${known.map(eventName).join(', ')}.`)
    return found
  })
}

const eventName = (event: WebhookEvent): string => event.toLowerCase().replace('_', '.')

async function listWebhooks({ json }: Json): Promise<void> {
  const client = createGraphClient()
  const rows = await allOf(async (after) => (await client.request(CliWebhooksDocument, { after })).webhooks)
  printRows(rows, COLUMNS, json === true, 'No webhooks.')
}

const COLUMNS: Column<NonNullable<CliWebhooksQuery['webhooks']>['nodes'][number]>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'NAME', value: (row) => row.name, spare: 4 },
  { title: 'ADDRESS', value: (row) => row.url, spare: 3 },
  { title: 'EVENTS', value: (row) => row.types?.map(eventName).join(',') ?? 'all', spare: 5 },
  { title: 'WAITING', value: (row) => row.waiting.totalCount, align: 'right', spare: 2 },
  { title: 'DEAD', value: (row) => row.dead.totalCount, align: 'right', spare: 1 },
  { title: 'STATE', value: (row) => (row.offBecause === null ? 'on' : `off (${row.offBecause.toLowerCase()})`) },
]

async function addWebhook(url: string, { name, events, json }: AddOptions): Promise<void> {
  const input = { url, name, types: events }
  const { webhook, secret } = (await createGraphClient().request(CliCreateWebhookDocument, { input })).createWebhook
  if (json) return printJson({ ...webhook, secret })
  printLine(`Webhook ${webhook.id} (${webhook.name}). Its secret is shown once:\n${secret}`)
}

async function rotateSecret(id: string, { grace, json }: RotateOptions): Promise<void> {
  const input = { id, graceSeconds: grace }
  const { webhook, secret } = (await createGraphClient().request(CliRotateWebhookSecretDocument, { input })).rotateWebhookSecret
  if (json) return printJson({ ...webhook, secret })
  printLine(`Webhook ${webhook.id} (${webhook.name}) signs with both secrets until ${webhook.earlierSecretUntil}.`)
  printLine(`Its new secret is shown once:\n${secret}`)
}

async function testWebhook(id: string, { json }: Json): Promise<void> {
  const { testWebhook: test } = await createGraphClient().request(CliTestWebhookDocument, { input: { id } })
  if (json) printJson(test)
  else if (test.isDelivered) printLine(`The receiver has taken the message (${test.answered}).`)
  if (!test.isDelivered) throw new AnswerIsNo(`The message was not taken: ${test.failure}.`)
}

type Delivery = NonNullable<CliWebhookDeliveriesQuery['webhook']>['deliveries']['nodes'][number]

async function listDeliveries(id: string, { state, json }: DeliveriesOptions): Promise<void> {
  const client = createGraphClient()
  const rows = await allOf(async (after) => {
    const { webhook } = await client.find(CliWebhookDeliveriesDocument, { id, state, after })
    if (!webhook) throw new AnswerIsNo('There is no such webhook.')
    return webhook.deliveries
  })
  printRows(rows, DELIVERY_COLUMNS, json === true, 'No messages.')
}

const DELIVERY_COLUMNS: Column<Delivery>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'EVENT', value: (row) => eventName(row.type) },
  { title: 'ABOUT', value: (row) => row.subject, spare: 3 },
  { title: 'AT', value: (row) => row.occurredAt, spare: 4 },
  { title: 'STATE', value: (row) => row.state.toLowerCase() },
  { title: 'TRIED', value: (row) => row.attempts, align: 'right', spare: 2 },
  { title: 'FAILURE', value: (row) => row.failure, spare: 1 },
]
