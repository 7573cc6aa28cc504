/** The enums of the catalogue as GraphQL sees them; inside, the contract's lower-case words are used. */
import { registerEnumType } from 'type-graphql'
import type { Availability as AvailabilityState } from './models/availability.js'
import type { HealthStatus as HealthWord } from './ports.js'
import type { Tier as TierWord } from './records.js'

export const Tier = { LIGHT: 'light', MEDIUM: 'medium', HIGH: 'high' } as const satisfies Record<string, TierWord>
registerEnumType(Tier, {
  name: 'Tier',
  description: 'How capable a model is, which is also a keyword that a chat request may name instead of a model.',
  valuesConfig: {
    LIGHT: { description: 'Small and cheap; quality tier 1.' },
    MEDIUM: { description: 'Balanced; quality tier 2.' },
    HIGH: { description: 'The most capable; quality tier 3.' },
  },
})

export const Availability = {
  INSTANT: 'instant',
  DEPLOYING: 'deploying',
  COLD: 'cold',
  PRICING_PENDING: 'pricing_pending',
} as const satisfies Record<string, AvailabilityState>
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

export const HealthStatus = { HEALTHY: 'healthy', DEGRADED: 'degraded', DOWN: 'down' } as const satisfies Record<
  string,
  HealthWord
>
registerEnumType(HealthStatus, {
  name: 'HealthStatus',
  description: 'How recent real traffic went.',
  valuesConfig: {
    HEALTHY: { description: 'It answers, or nothing has been asked of it yet.' },
    DEGRADED: { description: 'It answers slowly or fails often; used after healthy ones.' },
    DOWN: { description: 'It keeps failing; tried again after a pause.' },
  },
})
