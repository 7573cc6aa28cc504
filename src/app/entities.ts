/** Every table of the program; migrations are written from these. */
import 'reflect-metadata'
import { eventEntities } from '#platform/events/notice-marks.js'
import { accountsEntities } from '../../subgraphs/accounts/index.js'
import { complianceEntities } from '../../subgraphs/compliance/index.js'
import { computeEntities } from '../../subgraphs/compute/index.js'
import { inferenceEntities } from '../../subgraphs/inference/index.js'
import { pricingEntities } from '../../subgraphs/pricing/index.js'

export const entities = [
  ...accountsEntities,
  ...pricingEntities,
  ...inferenceEntities,
  ...computeEntities,
  ...complianceEntities,
  ...eventEntities,
]
