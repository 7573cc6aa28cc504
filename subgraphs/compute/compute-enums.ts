/** What the graph says of the words of compute. */
import { registerEnumType } from 'type-graphql'
import { InterruptionOrigin, PRICE_TOLERANCE_PERCENT } from './offers/offer.js'
import { Phase, SessionStatus, TerminationReason } from './sessions/session.js'

registerEnumType(SessionStatus, {
  name: 'RentalStatus',
  description: 'Whether a rented GPU can be used, and whether it costs anything.',
  valuesConfig: {
    PROVISIONING: { description: 'The GPU is being set up; nothing is billed yet.' },
    RUNNING: { description: 'The GPU is active and billed by the second.' },
    TERMINATED: { description: 'Billing has stopped and the hold is settled; final.' },
  },
})

registerEnumType(Phase, {
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

registerEnumType(TerminationReason, {
  name: 'TerminationReason',
  description: 'Why a session ended.',
  valuesConfig: {
    USER: { description: 'Its owner terminated it.' },
    IDLE: {
      description: 'Nobody asked the model for as long as an idle one is kept: 15 minutes unless the server is set otherwise.',
    },
    CREDITS_EXHAUSTED: { description: 'The balance or the monthly cap no longer covered it.' },
    INTERRUPTED: { description: 'The provider took the machine away.' },
    UNHEALTHY: { description: 'The machine ran, but its model stopped answering.' },
    NO_CAPACITY: { description: 'No provider had the GPU; nothing was charged.' },
    OFFER_UNAVAILABLE: {
      description: `The price had risen by more than ${PRICE_TOLERANCE_PERCENT} percent; nothing was charged.`,
    },
    TIMEOUT: { description: 'It was not usable in time; nothing was charged.' },
    FAILED: { description: 'A provider failed to make it; nothing was charged.' },
    NOT_STARTED: { description: 'The request for it was not completed; nothing was charged.' },
  },
})

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

export { InterruptionOrigin, Phase as SessionPhase, SessionStatus as RentalStatus, TerminationReason }
