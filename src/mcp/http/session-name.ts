/**
 * Names of MCP sessions that prove by themselves to which key they were given: random text, and a keyed hash of it under that key.
 *
 * So any server of an installation can tell, without a table and without a secret of its own, that a session belongs to whoever
 * comes with it. The name of another key's session is of no use, even to somebody who has read it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM_BYTES = 18
const FORM = /^([\w-]{24})\.([\w-]{43})$/

const proofOf = (random: string, token: string): Buffer => createHmac('sha256', token).update(`mcp session ${random}`).digest()

/** A new name for a session of the key with this secret. */
export function newSessionName(token: string): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url')
  return `${random}.${proofOf(random, token).toString('base64url')}`
}

/** Whether the name was given to the key with this secret; false for a text that is no name. */
export function isSessionOf(name: string, token: string): boolean {
  const [, random, proof] = FORM.exec(name) ?? []
  return random !== undefined && proof !== undefined && timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(random, token))
}
