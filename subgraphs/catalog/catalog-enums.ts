/** The enums of the catalogue as GraphQL sees them; inside, the contract's lower-case words are used. */
import { registerEnumType } from 'type-graphql'
import { Availability } from './models/availability.js'
import { InputModality } from './models/input-modality.js'

registerEnumType(Availability, {
  name: 'Availability',
  description: 'Whether a model answers now, and if not, why.',
  valuesConfig: {
    INSTANT: { description: 'Served by a hosted provider or a running GPU; no wait.' },
    DEPLOYING: { description: 'A GPU is being set up for it.' },
    COLD: { description: 'Can be deployed on a GPU; the first request starts that.' },
    PRICING_PENDING: { description: 'A provider has it, but its price is not confirmed, so it is not routed to.' },
  },
})

registerEnumType(InputModality, {
  name: 'InputModality',
  description: 'What a message to a model may hold.',
  valuesConfig: {
    TEXT: { description: 'Text.' },
    IMAGE: { description: 'Images beside the text.' },
  },
})

export { Availability, InputModality }
