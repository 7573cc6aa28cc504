/** What names say of the data that they hold, in the vocabulary that is shipped. */
import { describe, expect, it } from 'vitest'
import { DataVocabulary, GivenNames, wordsOf } from '../../subgraphs/compliance/engine/rulebook/data-names.js'
import { loadPacks } from '../../subgraphs/compliance/engine/rulebook/load.js'

const data = loadPacks().flatMap((pack) => pack.data)
const vocabulary = new DataVocabulary(data.filter(({ given }) => !given))
const given = new GivenNames(data.filter((entry) => entry.given))
const labelsOf = (name: string, owner?: string): string[] => [
  ...new Set(vocabulary.ofName(name, owner).map(({ label }) => label)),
]

/** One name in the spellings that languages have for it. */
function spellings(words: string): string[] {
  const parts = words.split(' ')
  const capitals = parts.map((part) => part[0]!.toUpperCase() + part.slice(1))
  const [first = '', ...rest] = capitals
  return [first.toLowerCase() + rest.join(''), capitals.join(''), parts.join('_'), parts.join('_').toUpperCase(), parts.join('-')]
}

const held: readonly [label: string, names: readonly string[]][] = [
  [
    'secret',
    ['password', 'db password', 'old password', 'confirm password', 'api key', 'stripe api key', 'access token', 'jwt secret'],
  ],
  ['secret', ['connection string', 'database url', 'password value', 'raw password', 'authorization header', 'reset token']],
  ['personal', ['ssn', 'patient ssn', 'card number', 'date of birth', 'diagnosis', 'primary diagnosis', 'medical record number']],
  ['contact', ['email', 'user email', 'email address', 'phone number', 'home address']],
  ['credential', ['password', 'password hash', 'hashed password', 'user password digest', 'security stamp']],
  ['password', ['password', 'new password', 'passphrase', 'raw password']],
  ['mac-key', ['secret', 'webhook secret', 'signing key', 'shared secret']],
]

const other = [
  ['masked card number', 'password reset url', 'password length', 'token hash', 'encrypted ssn', 'card number digest'],
  ['token count', 'max tokens', 'next page token', 'cancellation token', 'has password', 'is secret', 'show password'],
  ['password field', 'password policy', 'invalid password', 'api key id', 'secret name', 'private key path', 'token type'],
  ['email count', 'email template', 'email sent', 'phone type', 'diagnosis count', 'password placeholder', 'public key'],
  ['card number length', 'compass', 'bypass', 'tokenizer', 'secretary', 'keyboard', 'password changed', 'access token expiry'],
].flat()

describe('names of data', () => {
  it.each(held)('%s is what these hold in every spelling', (label, names) => {
    const wrong = names.flatMap(spellings).filter((name) => !labelsOf(name).includes(label))
    expect(wrong).toEqual([])
  })

  it('names that only speak of such data hold none', () => {
    expect(other.flatMap(spellings).filter((name) => labelsOf(name).length > 0)).toEqual([])
  })

  it('a hash of a password is no password, but belongs in no answer either', () => {
    for (const name of ['password hash', 'hashed password', 'encrypted password'].flatMap(spellings))
      expect(labelsOf(name)).toEqual(['credential'])
  })

  it('a part of messages, columns or constants is a text about the data', () => {
    expect(labelsOf('password', 'errors')).toEqual([])
    expect(labelsOf('PASSWORD', 'Columns')).toEqual([])
    expect(labelsOf('password', 'request')).toContain('secret')
    expect(labelsOf('API_KEY', 'Settings')).toContain('secret')
  })

  it('functions hold it that answer with it', () => {
    const labels = (name: string, count: number): string[] => vocabulary.ofCall(name, count).map(({ label }) => label)
    expect(labels('getPassword', 0)).toContain('secret')
    expect(labels('generateAccessToken', 1)).toContain('secret')
    expect(labels('date_of_birth', 0)).toContain('personal')
    expect(labels('validatePassword', 1)).toEqual([])
    expect(labels('password', 1)).toEqual([])
  })

  it('reads words as people do', () => {
    expect(wordsOf('APIKey2')).toEqual(['api', 'key'])
    expect(wordsOf('$user_SSN')).toEqual(['user', 'ssn'])
    expect(wordsOf('jwtHTTPToken')).toEqual(['jwt', 'http', 'token'])
  })
})

describe('names of what is given a value', () => {
  const unguessable = [
    ['reset token', 'otp', 'pickup code', 'session id', 'wifi password', 'gift card code', 'csrf token', 'salt'],
    ['token chars', 'password buffer', 'recovery codes', 'activation code text', 'one time pin', 'remember token'],
  ].flat()
  const open = [
    ['token count', 'password length', 'session', 'status colour', 'pin board', 'code review', 'delay', 'retry token interval'],
    ['key press', 'salted', 'voucher count', 'iv drip', 'next page'],
  ].flat()
  const isNamed = (name: string): boolean => given.ofPlace(name).length > 0

  it('say in every spelling that nobody must guess it', () => {
    const missed = unguessable
      .filter((name) => name !== 'hmac key')
      .flatMap(spellings)
      .filter((name) => !isNamed(name))
    expect(missed).toEqual([])
    expect(open.flatMap(spellings).filter(isNamed)).toEqual([])
  })

  it('may be those of functions, and of classes whose functions say nothing themselves', () => {
    const isSaid = (name: string, className: string | null = null): boolean => given.ofFunction(name, className).length > 0
    expect(isSaid('apiKeyFor')).toBe(true)
    expect(isSaid('make_reset_token')).toBe(true)
    expect(isSaid('next', 'VoucherCodes')).toBe(true)
    expect(isSaid('build', 'TemporaryPassword')).toBe(true)
    expect(isSaid('generateId', 'SessionManager')).toBe(true)
    expect(isSaid('next', 'TokenBucket')).toBe(false)
    expect(isSaid('randomDelay', 'OtpSender')).toBe(false)
    expect(isSaid('secondsForToken')).toBe(false)
  })

  it('may be those of functions that take it, and of collections by their keys', () => {
    expect(given.ofTaker('setPasswordResetKey')).not.toEqual([])
    expect(given.ofTaker('verifyPasswordResetKey')).toEqual([])
    expect(given.ofKeysOf('sessions')).not.toEqual([])
    expect(given.ofKeysOf('session')).toEqual([])
  })

  it('tell a set of them, from which one is picked, from letters', () => {
    expect(given.isPool('apiTokens')).toBe(true)
    expect(given.isPool('passwordCharacters')).toBe(false)
  })
})
