/** Identifiers: sortable by time, unguessable, prefixed by kind (`acc_`, `key_`, `req_`, `rent_`, `scan_`). */
import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 9
const RANDOM_LENGTH = 16

/** Two characters for each ten random bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET[bits >> 5]! + ALPHABET[bits & 31]!)

/** Random bits are drawn in bulk: a call into the generator costs far more than the bits of one id. */
const pool = new Uint16Array((RANDOM_LENGTH / 2) * 256)
let drawn = pool.length

/** Many ids share a millisecond. */
let lastMs = -1
let lastTime = ''

/** `<prefix>_<9 characters of milliseconds><16 random characters>`: 80 random bits, lower-case Crockford base 32. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTime = ''
    for (let rest = nowMs, i = 0; i < TIME_LENGTH; i++, rest = Math.floor(rest / 32)) lastTime = ALPHABET[rest % 32] + lastTime
  }
  let id = `${prefix}_${lastTime}`
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  for (const end = drawn + RANDOM_LENGTH / 2; drawn < end; drawn++) id += PAIRS[pool[drawn]! & 1023]
  return id
}
