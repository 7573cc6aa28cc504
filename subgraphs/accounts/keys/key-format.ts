/**
 * The form of our keys: `slk_<public id>_<secret><checksum>`. The public id finds the row, the checksum lets secret scanners
 * tell our keys from other texts. A preset administrator key may have any form; unless it has ours, checksum included, its hash
 * stands in for the public id.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PUBLIC_ID_LENGTH = 16
const SECRET_LENGTH = 52
const CHECKSUM_LENGTH = 6
const FORM = /^slk_([0-9a-hjkmnp-tv-z]{16})_([0-9a-hjkmnp-tv-z]{52})([0-9a-hjkmnp-tv-z]{6})$/

export interface NewSecret {
  readonly publicId: string
  /** The whole key: shown once, never stored. */
  readonly token: string
  readonly prefix: string
  readonly hash: string
}

function encode(bytes: Uint8Array, length: number): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5 && text.length < length) {
      bits -= 5
      text += ALPHABET[(value >> bits) & 31]
    }
  }
  return bits > 0 && text.length < length ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}

const checksum = (publicId: string, secret: string) => encode(hash('sha256', `${publicId}.${secret}`, 'buffer'), CHECKSUM_LENGTH)

const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** A new key with 256 random bits. */
export function newSecret(): NewSecret {
  const publicId = encode(randomBytes(10), PUBLIC_ID_LENGTH)
  const secret = encode(randomBytes(32), SECRET_LENGTH)
  const token = `slk_${publicId}_${secret}${checksum(publicId, secret)}`
  return { publicId, token, prefix: `slk_${publicId}`, hash: hashToken(token) }
}

/** A key that an operator chose (`SLUICE_ADMIN_KEY`); nothing of it can be shown. */
export function presetSecret(token: string): NewSecret {
  const { publicId, hash: hashed } = storedKey(token)
  return { publicId, token, prefix: 'preset', hash: hashed }
}

/** A token as it is looked up: by its public id, and then by its hash. */
export interface PresentedKey {
  readonly publicId: string
  readonly hash: string
}

/** Where a key of this form would be in a cache. Cheap, because the checksum is not looked at; see `storedKey`. */
export function presentedKey(token: string): PresentedKey {
  const hashed = hashToken(token)
  return { publicId: FORM.exec(token)?.[1] ?? hashed.slice(0, PUBLIC_ID_LENGTH), hash: hashed }
}

/** Where the key is stored, if it is a key: under its public id when the checksum proves that it has one, else under its hash. */
export function storedKey(token: string): PresentedKey {
  const [, publicId, secret, sum] = FORM.exec(token) ?? []
  const isOurs = publicId !== undefined && secret !== undefined && sum === checksum(publicId, secret)
  const hashed = hashToken(token)
  return { publicId: isOurs ? publicId : hashed.slice(0, PUBLIC_ID_LENGTH), hash: hashed }
}

/** Compares two hashes of one length in constant time. */
export const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))
