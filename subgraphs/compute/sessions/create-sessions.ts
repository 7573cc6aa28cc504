/** The verbs of sessions, made of their halves. */
import { sessionEnding } from './session-ending.js'
import { sessionOpening } from './session-opening.js'
import type { Sessions, SessionsDeps } from './sessions.js'

export const createSessions = (deps: SessionsDeps): Sessions => ({ open: sessionOpening(deps), end: sessionEnding(deps) })
