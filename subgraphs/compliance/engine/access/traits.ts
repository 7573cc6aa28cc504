/** What is known of a value in a handler, as bits that are joined where values are. */
export type Traits = number

export const nothing = 0
/** Says who is signed in. */
export const ofCaller = 1
/** The client chose it. */
export const ofClient = 2
/** A request or a session, with all that hangs on it. */
export const ofCarrier = 4
/** A thing that was loaded by what the client chose. */
export const ofThing = 8
/** A role that the client claims. */
export const ofRole = 16
/** Who knows it may have the thing. */
export const ofCapability = 32
/** The client says whose it is. */
export const ofOwner = 64
/** In a header or a cookie, where no form would put it. */
export const ofHeader = 128

/** It names one thing among others. */
export const ofId = 256

export const has = (traits: Traits, wanted: Traits): boolean => (traits & wanted) !== 0
export const without = (traits: Traits, unwanted: Traits): Traits => traits & ~unwanted
export const join = (all: readonly Traits[]): Traits => all.reduce((a, b) => a | b, nothing)
