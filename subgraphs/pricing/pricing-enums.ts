/** The enums of prices as GraphQL sees them. Tier and health are the catalogue's too and must say the same. */
import { registerEnumType } from 'type-graphql'
import type { HealthStatus as HealthWord, Tier as TierWord } from './ports.js'
import type { PriceOrigin as OriginWord } from './versions/price-version.js'

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

export const PriceOrigin = { CONFIG: 'config', FEED: 'feed', ADMINISTRATOR: 'administrator' } as const satisfies Record<
  string,
  OriginWord
>
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
