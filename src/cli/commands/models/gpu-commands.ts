/** `sluice offers`, `rent` and `rentals`: GPUs that can be had, and those that the account has. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  CliOffersDocument,
  CliRentalDocument,
  CliRentalsDocument,
  CliRentDocument,
  CliTerminateRentalDocument,
  CliWatchRentalDocument,
  type OfferFieldsFragment,
  type RentalFieldsFragment,
  type RentGpuInput,
  RentalStatus,
  SessionPhase,
} from '../../../generated/cli.js'
import { AnswerIsNo } from '../../exit.js'
import { allOf, createGraphClient, type GraphClient } from '../../graph-client.js'
import { enumOption, jsonOption, parseDecimal, parseWholeNumber, type Json } from '../../options.js'
import { printJson, printLine, printNote, printRows, type Column } from '../../output.js'

export function addGpuCommands(program: Command): void {
  addOffers(program)
  addRent(program)
  addRentals(program.command('rentals').description('list, show and terminate the GPUs that you rent'))
}

interface OfferOptions extends Json {
  readonly gpu?: string
  readonly provider?: string
  readonly minVram?: number
  readonly maxPrice?: string
}

function addOffers(program: Command): void {
  program
    .command('offers')
    .description('list GPUs that can be rented now, in USD per GPU and hour')
    .option('--gpu <model>', 'only this GPU, such as L4')
    .option('--provider <id>', 'only this provider')
    .option('--min-vram <gb>', 'the least memory of one GPU', parseWholeNumber)
    .option('--max-price <usd>', 'the most that one GPU may cost per hour', parseDecimal)
    .addOption(jsonOption())
    .action(async ({ gpu, provider, minVram, maxPrice, json }: OfferOptions) => {
      const data = await createGraphClient().request(CliOffersDocument, { gpuModel: gpu, provider, minVram, maxPrice })
      printRows(data.gpuOffers, OFFER_COLUMNS, json === true, 'No offers.')
    })
}

const OFFER_COLUMNS: Column<OfferFieldsFragment>[] = [
  { title: 'GPU', value: (offer) => offer.gpuModel },
  { title: 'GB', value: (offer) => offer.vramGb, align: 'right' },
  { title: 'AT LEAST', value: (offer) => offer.gpuCount, align: 'right', spare: 1 },
  { title: 'PROVIDER', value: (offer) => offer.providerId },
  { title: 'REGION', value: (offer) => offer.region, spare: 2 },
  { title: 'USD/HOUR', value: (offer) => offer.pricePerGpuHour, align: 'right' },
  { title: 'KIND', value: (offer) => (offer.spot ? 'spot' : 'on-demand') },
  { title: 'INTERRUPTED', value: (offer) => `${Math.round(offer.interruptionProbability * 100)} %`, align: 'right', spare: 3 },
]

/** Options that are named like a field of the input are that field. */
interface RentOptions extends Json, Partial<RentGpuInput> {
  readonly model?: string
  readonly image?: string
  readonly sshKeyFile?: string
  readonly provider?: string
  readonly maxPrice?: string
  readonly watch?: boolean
}

function addRent(program: Command): void {
  program
    .command('rent <gpu>')
    .description('rent a GPU; give at least one of --model, --image and --ssh-key-file')
    .option('--model <id>', 'serve this model')
    .option('--image <name>', 'run this image')
    .option('--ssh-key-file <path>', 'accept this public key', readKey)
    .option('--provider <id>', 'only from this provider; the cheapest when left out')
    .option('--region <name>', 'only in this region; the cheapest when left out')
    .option('--max-price <usd>', 'the most that one GPU may cost per hour', parseDecimal)
    .option('--spot', 'only an offer that the provider may take away; the cheapest of both kinds when left out')
    .option('--no-spot', 'only one that it may not take away')
    .option('--fine-tuned', 'the model is a fine-tuned variant')
    .option('--label <name>', 'a name of your own for the rental')
    .addOption(watchOption())
    .addOption(jsonOption())
    .action(async (gpuModel: string, { watch, json, ...asked }: RentOptions) => {
      const { model: modelId, image: dockerImage, sshKeyFile: sshKey, provider: providerId, maxPrice, ...same } = asked
      const input = { ...same, gpuModel, modelId, dockerImage, sshKey, providerId, maxPricePerGpuHour: maxPrice }
      const client = createGraphClient()
      const { rental } = (await client.request(CliRentDocument, { input })).rentGpu
      if (watch) await watchRental(client, rental.id, { json })
      else printRental(rental, { json })
    })
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new InvalidArgumentError('This file cannot be read.')
  }
}

function addRentals(rentals: Command): void {
  rentals
    .command('list', { isDefault: true })
    .description('list rentals, newest first')
    .addOption(enumOption('--status <status>', 'only these', RentalStatus))
    .addOption(jsonOption())
    .action(async ({ status, ...options }: Json & { status?: RentalStatus }) => {
      const client = createGraphClient()
      const rows = await allOf(async (after) => (await client.request(CliRentalsDocument, { status, after })).rentals)
      printRows(rows, RENTAL_COLUMNS, options.json === true, 'No rentals.')
    })
  rentals
    .command('show <id>')
    .description('show one rental with its endpoint and SSH address')
    .addOption(watchOption())
    .addOption(jsonOption())
    .action(async (id: string, options: Json & { watch?: boolean }) => {
      const client = createGraphClient()
      const { rental } = await client.find(CliRentalDocument, { id })
      if (!rental) throw new AnswerIsNo('There is no such rental.')
      if (options.watch) await watchRental(client, id, options)
      else printRental(rental, options)
    })
  rentals
    .command('terminate <id>')
    .description('end a rental; the time used is billed and the rest of the hold released')
    .addOption(jsonOption())
    .action(async (id: string, options: Json) => {
      const data = await createGraphClient().request(CliTerminateRentalDocument, { input: { id } })
      printRental(data.terminateRental.rental, options)
    })
}

const watchOption = () => new Option('--watch', 'follow every change until it is terminated; with --json one line a change')

/** Prints the rental as it is, then after every change. Who stops looking is told that the GPU goes on, and costs. */
async function watchRental(client: GraphClient, id: string, { json }: Json): Promise<void> {
  process.once('SIGINT', () => {
    printNote(`\nThe rental runs on and is billed. "sluice rentals terminate ${id}" ends it.`)
    process.exit(130)
  })
  let shown = ''
  for await (const { rentalStatus } of client.subscribe(CliWatchRentalDocument, { id })) {
    const text = json ? JSON.stringify(rentalStatus) : rentalText(rentalStatus)
    if (text !== shown) printLine(text)
    shown = text
  }
}

const RENTAL_COLUMNS: Column<RentalFieldsFragment>[] = [
  { title: 'ID', value: (rental) => rental.id },
  { title: 'STATUS', value: (rental) => rental.status.toLowerCase() },
  { title: 'GPU', value: (rental) => `${rental.gpuCount} x ${rental.gpuModel}`, spare: 1 },
  { title: 'PROVIDER', value: (rental) => rental.providerId, spare: 4 },
  { title: 'REGION', value: (rental) => rental.region, spare: 5 },
  { title: 'USD/HOUR', value: (rental) => rental.pricePerHour, align: 'right', spare: 2 },
  { title: 'COST', value: (rental) => rental.cost, align: 'right' },
  { title: 'SERVES', value: (rental) => rental.modelId ?? rental.dockerImage, spare: 3 },
  { title: 'LABEL', value: (rental) => rental.label, spare: 6 },
]

function printRental(rental: RentalFieldsFragment, { json }: Json): void {
  if (json) printJson(rental)
  else printLine(rentalText(rental))
}

function rentalText(rental: RentalFieldsFragment): string {
  const { id, status, phase, gpuCount, gpuModel, providerId, pricePerHour, cost, hold } = rental
  const name = rental.label === null ? id : `${id} (${rental.label})`
  const lines = [`${name} is ${status.toLowerCase()}: ${gpuCount} x ${gpuModel} at ${providerId}, ${pricePerHour} USD per hour.`]
  lines.push(`Billed so far ${cost} USD, held ${hold} USD.`)
  if (rental.terminationReason) lines.push(`It ended because: ${rental.terminationReason.toLowerCase().replaceAll('_', ' ')}.`)
  if (rental.estimatedReadySeconds !== null) lines.push(`Probably ready in ${rental.estimatedReadySeconds} seconds.`)
  if (rental.endpoint) lines.push(`Endpoint ${rental.endpoint} with the key ${rental.endpointKey}`)
  if (rental.sshHost) lines.push(`SSH at ${rental.sshHost}, port ${rental.sshPort ?? 22}`)
  if (status === RentalStatus.TERMINATED) {
    lines.push(phase === SessionPhase.TERMINATED ? 'Its machine is gone.' : 'Its machine is being removed.')
  }
  return lines.join('\n')
}
