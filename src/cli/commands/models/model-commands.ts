/** `sluice models`: what can be asked for, whether it answers now, and what it costs. */
import type { Command } from 'commander'
import { CliModelsDocument, Availability, type CliModelsQuery, Tier } from '../../../generated/cli.js'
import { createGraphClient } from '../../graph-client.js'
import { enumOption, jsonOption, type Json } from '../../options.js'
import { printRows, type Column } from '../../output.js'

interface ModelOptions extends Json {
  readonly tier?: Tier
  readonly availability?: Availability
}

type Model = NonNullable<CliModelsQuery['models']>['models'][number]

const PAGE = 1000

export function addModelCommands(program: Command): void {
  program
    .command('models')
    .description('list the models that can be served, with their cheapest price per million tokens in USD')
    .addOption(enumOption('--tier <tier>', 'only this tier', Tier))
    .addOption(enumOption('--availability <state>', 'only this state', Availability))
    .addOption(jsonOption())
    .action(async (options: ModelOptions) => {
      printRows(await allModels(options), COLUMNS, options.json === true, 'No models.')
    })
}

async function allModels({ tier, availability }: ModelOptions): Promise<Model[]> {
  const client = createGraphClient()
  const models: Model[] = []
  for (;;) {
    const { models: page } = await client.request(CliModelsDocument, { tier, availability, limit: PAGE, offset: models.length })
    models.push(...page.models)
    if (page.models.length === 0 || models.length >= page.totalCount) return models
  }
}

/** Routing identifiers; the status of a provider that refuses us stands behind its name, for administrators. */
function hosts({ providers, deployments }: Model): string | undefined {
  const refusals = new Map(deployments.map(({ provider }) => [provider.id, provider.lastError?.status]))
  return providers?.map((id) => (refusals.get(id) ? `${id}(${refusals.get(id)}!)` : id)).join(' ')
}

const COLUMNS: Column<Model>[] = [
  { title: 'MODEL', value: (model) => model.id },
  { title: 'TIER', value: (model) => model.tier.toLowerCase(), spare: 1 },
  { title: 'STATE', value: (model) => model.availability.toLowerCase() },
  { title: 'HOSTS', value: hosts, spare: 3 },
  { title: 'CONTEXT', value: (model) => model.contextWindow, align: 'right', spare: 2 },
  { title: 'INPUT', value: (model) => model.cheapestPrice?.pricing.inputPerMillion, align: 'right' },
  { title: 'OUTPUT', value: (model) => model.cheapestPrice?.pricing.outputPerMillion, align: 'right' },
]
