/** Identifiers: sortable by time, unguessable, prefixed by kind (`acc_`, `key_`, `req_`, `rent_`, `scan_`). */
import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 9
const RANDOM_LENGTH = 16

/** Random bytes are drawn in bulk: a call into the generator costs far more than the bytes of one id. */
const pool = new Uint8Array(RANDOM_LENGTH * 256)
let drawn = pool.length

/** `<prefix>_<9 characters of milliseconds><16 random characters>`: 80 random bits, lower-case Crockford base 32. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  let time = ''
  for (let rest = nowMs, i = 0; i < TIME_LENGTH; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  let random = ''
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  for (const end = drawn + RANDOM_LENGTH; drawn < end; drawn++) random += ALPHABET[pool[drawn]! & 31]
  return `${prefix}_${time}${random}`
}
