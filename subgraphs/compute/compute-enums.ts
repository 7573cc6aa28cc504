/** The enums of compute as GraphQL sees them. */
import { registerEnumType } from 'type-graphql'
import type { InterruptionOrigin as OriginWord } from './offers/offer.js'
import type { Phase as PhaseWord, SessionStatus, TerminationReason as ReasonWord } from './sessions/session.js'

export const RentalStatus = {
  PROVISIONING: 'provisioning',
  RUNNING: 'running',
  TERMINATED: 'terminated',
} as const satisfies Record<string, SessionStatus>
registerEnumType(RentalStatus, {
  name: 'RentalStatus',
  description: 'Whether a rented GPU can be used, and whether it costs anything.',
  valuesConfig: {
    PROVISIONING: { description: 'The GPU is being set up; nothing is billed yet.' },
    RUNNING: { description: 'The GPU is active and billed by the second.' },
    TERMINATED: { description: 'Billing has stopped and the hold is settled; final.' },
  },
})

export const SessionPhase = {
  REQUESTED: 'requested',
  CREATING: 'creating',
  BOOTING: 'booting',
  LOADING: 'loading',
  RUNNING: 'running',
  STOPPING: 'stopping',
  TERMINATED: 'terminated',
} as const satisfies Record<string, PhaseWord>
registerEnumType(SessionPhase, {
  name: 'SessionPhase',
  description: 'What the machine behind a session is doing.',
  valuesConfig: {
    REQUESTED: { description: 'Paid for, no machine asked for yet.' },
    CREATING: { description: 'A provider has been asked for a machine.' },
    BOOTING: { description: 'The machine starts.' },
    LOADING: { description: 'The machine runs, its model does not answer yet.' },
    RUNNING: { description: 'Usable.' },
    STOPPING: { description: 'Ended for its owner; the machine is being removed.' },
    TERMINATED: { description: 'The machine is gone.' },
  },
})

export const TerminationReason = {
  USER: 'user',
  IDLE: 'idle',
  CREDITS_EXHAUSTED: 'credits_exhausted',
  INTERRUPTED: 'interrupted',
  UNHEALTHY: 'unhealthy',
  NO_CAPACITY: 'no_capacity',
  OFFER_UNAVAILABLE: 'offer_unavailable',
  TIMEOUT: 'timeout',
  FAILED: 'failed',
  NOT_STARTED: 'not_started',
} as const satisfies Record<string, ReasonWord>
registerEnumType(TerminationReason, {
  name: 'TerminationReason',
  description: 'Why a session ended.',
  valuesConfig: {
    USER: { description: 'Its owner terminated it.' },
    IDLE: { description: 'Nobody asked the model for 15 minutes.' },
    CREDITS_EXHAUSTED: { description: 'The balance or the monthly cap no longer covered it.' },
    INTERRUPTED: { description: 'The provider took the machine away.' },
    UNHEALTHY: { description: 'The machine ran, but its model stopped answering.' },
    NO_CAPACITY: { description: 'No provider had the GPU; nothing was charged.' },
    OFFER_UNAVAILABLE: { description: 'The price had risen by more than 5 percent; nothing was charged.' },
    TIMEOUT: { description: 'It was not usable in time; nothing was charged.' },
    FAILED: { description: 'A provider failed to make it; nothing was charged.' },
    NOT_STARTED: { description: 'The request for it was not completed; nothing was charged.' },
  },
})

export const InterruptionOrigin = {
  ON_DEMAND: 'on_demand',
  PUBLISHED: 'published',
  PRIOR: 'prior',
  OBSERVED: 'observed',
} as const satisfies Record<string, OriginWord>
registerEnumType(InterruptionOrigin, {
  name: 'InterruptionOrigin',
  description: 'Where an interruption probability comes from.',
  valuesConfig: {
    ON_DEMAND: { description: 'Not a spot offer: it is not interrupted.' },
    PUBLISHED: { description: 'The middle of a band that the provider publishes.' },
    PRIOR: { description: 'An assumption, because nobody publishes one.' },
    OBSERVED: { description: 'Corrected by what happened to our own sessions.' },
  },
})
