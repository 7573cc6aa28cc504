/**
 * Signing in to the console. Passes are rows of the database, so that a session holds on every server and a code is used up on
 * all of them at once; what a session may do is what its key may do at that moment.
 */
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#platform/clock.js'
import type { Principal } from '#platform/requests/context.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type Row } from '#platform/database/tables.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Keys } from '../keys/keys.js'
import type { ConsolePassEntity } from './console-pass.js'

export interface IssuedPass {
  /** The code or the session's token itself: it exists nowhere else. */
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export interface ConsolePasses {
  /** A code that opens one session in the name of this key. */
  issueCode(keyId: string): Promise<IssuedPass>
  /** A session in the name of a key that was just presented. */
  openSession(keyId: string): Promise<IssuedPass>
  /** The session that a code is good for; null when it was used, is too old, or never was. */
  redeemCode(code: string): Promise<IssuedPass | null>
  /** Who a session's token speaks for; null for any other text, and once the session or its key has ended. */
  authenticate(token: string): Principal | null | Promise<Principal | null>
  /** Repeating it changes nothing. */
  endSession(token: string): Promise<void>
  close(): void
}

/** As for keys: a session that another process ended is refused at the latest after this. */
const CACHE_MS = 5_000
const MAX_CACHED = 10_000

const SESSION_FORM = /^sls_[\w-]{43}$/
const SESSION_ENDED = 'console.session.ended'

export interface PassLifetimes {
  readonly sessionMs: number
  readonly codeMs: number
}

export interface ConsolePassesOptions {
  readonly database: Database
  readonly clock: Clock
  readonly events: EventBus
  readonly keys: Pick<Keys, 'findMany' | 'principalOf'>
  readonly lifetimes: PassLifetimes
}

interface KnownSession {
  readonly publicId: string
  readonly expiresAt: number
  /** Of the monotonic clock. */
  readonly readAt: number
}

const hashOf = (token: string): string => hash('sha256', token, 'hex')

export function createConsolePasses(options: ConsolePassesOptions): ConsolePasses {
  const { database, clock, events, keys, lifetimes } = options
  const db = tablesOf<typeof ConsolePassEntity>(database)
  const known = new LRUCache<string, KnownSession>({ max: MAX_CACHED })
  const stopListening = events.listen(SESSION_ENDED, ({ hash: ended }) => known.delete(String(ended)))

  async function store(kind: Row<typeof ConsolePassEntity>['kind'], publicId: string): Promise<IssuedPass> {
    const random = randomBytes(32).toString('base64url')
    const token = kind === 'session' ? `sls_${random}` : random
    const expiresAt = clock.now() + (kind === 'session' ? lifetimes.sessionMs : lifetimes.codeMs)
    // Nobody can use these any more.
    await db.deleteFrom('console_pass').where('expiresAt', '<=', clock.now()).execute()
    await db
      .insertInto('console_pass')
      .values({ hash: hashOf(token), kind, publicId, expiresAt })
      .execute()
    return { token, expiresAt }
  }

  async function publicIdOf(keyId: string): Promise<string> {
    const [key] = await keys.findMany([keyId])
    if (!key) throw new AppError('not_found', 'There is no such API key.', { param: 'id' })
    return key.publicId
  }

  const passes = (kind: 'code' | 'session', hashed: string) =>
    db.selectFrom('console_pass').selectAll().where('hash', '=', hashed).where('kind', '=', kind)

  async function readSession(hashed: string): Promise<Principal | null> {
    const row = await passes('session', hashed).executeTakeFirst()
    if (!row) return null
    const session = { publicId: row.publicId, expiresAt: row.expiresAt, readAt: clock.monotonic() }
    known.set(hashed, session)
    return judge(session)
  }

  const judge = (session: KnownSession) => (clock.now() < session.expiresAt ? keys.principalOf(session.publicId) : null)

  return {
    issueCode: async (keyId) => store('code', await publicIdOf(keyId)),
    openSession: async (keyId) => store('session', await publicIdOf(keyId)),

    async redeemCode(code) {
      const pass = await passes('code', hashOf(code)).where('expiresAt', '>', clock.now()).executeTakeFirst()
      if (!pass) return null
      // Of two who present one code at once, the one that deletes it gets in.
      const { numDeletedRows } = await db.deleteFrom('console_pass').where('hash', '=', pass.hash).executeTakeFirst()
      if (numDeletedRows !== 1n) return null
      return (await keys.principalOf(pass.publicId)) && store('session', pass.publicId)
    },

    authenticate(token) {
      if (!SESSION_FORM.test(token)) return null
      const hashed = hashOf(token)
      const session = known.get(hashed)
      return session && clock.monotonic() - session.readAt < CACHE_MS ? judge(session) : readSession(hashed)
    },

    async endSession(token) {
      const hashed = hashOf(token)
      await db.deleteFrom('console_pass').where('hash', '=', hashed).where('kind', '=', 'session').execute()
      events.publish(SESSION_ENDED, { hash: hashed })
    },

    close: stopListening,
  }
}
