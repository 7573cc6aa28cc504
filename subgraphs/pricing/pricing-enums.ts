/** The enums of prices as GraphQL sees them. */
import { registerEnumType } from 'type-graphql'
import { PriceOrigin } from './versions/price-version.js'

registerEnumType(PriceOrigin, {
  name: 'PriceOrigin',
  description: 'Who said what a deployment costs.',
  valuesConfig: {
    CONFIG: { description: 'The configuration file or the shipped catalogue.' },
    FEED: { description: 'A public price list that is read on a schedule.' },
    ADMINISTRATOR: { description: 'A person; wins over both others until cleared.' },
  },
})

export const PricingType = { TOKEN: 'token' } as const
registerEnumType(PricingType, {
  name: 'PricingType',
  description: 'How a deployment is charged.',
  valuesConfig: { TOKEN: { description: 'By tokens of input and output.' } },
})
