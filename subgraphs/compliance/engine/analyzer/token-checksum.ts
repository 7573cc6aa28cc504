/** Tokens that say by their end whether somebody gave them out. */
import { crc32 } from 'node:zlib'

const TOKEN = /gh[pousr]_([A-Za-z0-9]{30})([A-Za-z0-9]{6})(?![A-Za-z0-9])/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 6

/** Whether it has the form of a token of GitHub, whose last six characters are a checksum of the others, with another end. */
export function hasWrongChecksum(text: string): boolean {
  const [, drawn, end] = TOKEN.exec(text) ?? []
  return drawn !== undefined && end !== checksumOf(drawn)
}

function checksumOf(drawn: string): string {
  let rest = crc32(drawn)
  let text = ''
  for (let at = 0; at < length; at++) {
    text = DIGITS.charAt(rest % DIGITS.length) + text
    rest = Math.floor(rest / DIGITS.length)
  }
  return text
}
