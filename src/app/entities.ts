/** Every table of the program; migrations are written from these. */
import 'reflect-metadata'
import { OutboxEventEntity } from '#platform/events/outbox.js'
import { accountsEntities } from '../../subgraphs/accounts/index.js'
import { complianceEntities } from '../../subgraphs/compliance/index.js'
import { computeEntities } from '../../subgraphs/compute/index.js'
import { pricingEntities } from '../../subgraphs/pricing/index.js'

export const entities = [...accountsEntities, ...pricingEntities, ...computeEntities, ...complianceEntities, OutboxEventEntity]
