/**
 * What lets a browser into the console in the name of an API key: a code that is good for one sign-in, or the session that a
 * sign-in opened. Both are random, known here by their hash only, and worth nothing once their key has ended.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { time } from '#platform/database/columns.js'

export const ConsolePassEntity = defineEntity({
  name: 'ConsolePass',
  tableName: 'console_pass',
  indexes: [{ name: 'console_pass_expiry', properties: ['expiresAt'] }],
  properties: {
    /** SHA-256 of the code or of the session's token. */
    hash: p.string().length(64).primary(),
    kind: p.string().length(8).$type<'code' | 'session'>(),
    /** The public id of the key in whose name. */
    publicId: p.string().length(16),
    expiresAt: time(),
  },
})
