/** Every section of the configuration, ours here and those of the subgraphs in their folders. */
import { z } from 'zod'
import { catalogConfig } from '../../subgraphs/catalog/index.js'
import { complianceConfig } from '../../subgraphs/compliance/index.js'
import { computeConfig } from '../../subgraphs/compute/index.js'
import { pricingConfig } from '../../subgraphs/pricing/index.js'
import { consoleConfig } from './sections/console.js'
import { databaseConfig } from './sections/database.js'
import { graphConfig } from './sections/graphql.js'
import { ledgerConfig } from './sections/ledger.js'
import { limitsConfig } from './sections/limits.js'
import { responsesConfig } from './sections/responses.js'
import { serverConfig } from './sections/server.js'
import { usageConfig } from './sections/usage.js'
import { webhooksConfig } from './sections/webhooks.js'

const logConfig = z.strictObject({
  /** A line at info for each request. */
  access: z.boolean().default(true),
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

const telemetryConfig = z.strictObject({
  /** Prompts and answers in the spans of chats. */
  content: z.boolean().default(false),
})

export const configSchema = z.strictObject({
  server: serverConfig.prefault({}),
  database: databaseConfig.prefault({}),
  ledger: ledgerConfig.prefault({}),
  usage: usageConfig.prefault({}),
  responses: responsesConfig.prefault({}),
  limits: limitsConfig.prefault({}),
  graphql: graphConfig.prefault({}),
  console: consoleConfig.prefault({}),
  webhooks: webhooksConfig.prefault({}),
  log: logConfig.prefault({}),
  telemetry: telemetryConfig.prefault({}),
  ...catalogConfig.shape,
  ...pricingConfig.shape,
  ...computeConfig.shape,
  ...complianceConfig.shape,
  sandbox: z.union([z.literal('auto'), z.boolean()]).default('auto'),
  sandbox_tokens_per_second: z.number().positive().max(100_000).default(80),
})
