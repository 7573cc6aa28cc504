/** What names say of the data that they hold, in the vocabulary that is shipped. */
import { describe, expect, it } from 'vitest'
import { DataVocabulary, wordsOf } from '../../subgraphs/compliance/engine/rulebook/data-names.js'
import { loadPacks } from '../../subgraphs/compliance/engine/rulebook/load.js'

const vocabulary = new DataVocabulary(loadPacks().flatMap(({ data }) => data))
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
]

const other = [
  ['password hash', 'hashed password', 'encrypted password', 'masked card number', 'password reset url', 'password length'],
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

  it('a part of messages, columns or constants is a text about the data', () => {
    expect(labelsOf('password', 'errors')).toEqual([])
    expect(labelsOf('PASSWORD', 'Columns')).toEqual([])
    expect(labelsOf('password', 'request')).toEqual(['secret'])
    expect(labelsOf('API_KEY', 'Settings')).toEqual(['secret'])
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
