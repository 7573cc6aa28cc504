/** What names and parts of a request say of themselves. */
import type { AccessWords } from '../rulebook/access-words.js'
import type { Ir } from '../syntax/ir.js'
import { typesOf } from './lookups.js'
import { lastName } from './names.js'
import type { Walk } from './state.js'
import {
  has,
  join,
  nothing,
  ofCaller,
  ofCapability,
  ofCarrier,
  ofClient,
  ofHeader,
  ofId,
  ofOwner,
  ofRole,
  ofThing,
  type Traits,
  without,
} from './traits.js'

/** `by`, `updated_by`, but not `created_by` and `held_by`, which is the owner. */
export const isAuthorship = (words: readonly string[]): boolean => words.at(-1) === 'by' && !ownership.has(words.at(-2) ?? '')

const ownership: ReadonlySet<string> = new Set(['created', 'owned', 'held', 'taken', 'claimed', 'booked', 'reserved', 'occupied'])

/** A name that nothing was assigned to. */
export function nameTraits(walk: Walk, name: string): Traits {
  const { words, handler } = walk
  if (handler.callers.includes(name) || words.exactCallers.has(name)) return ofCaller
  if (handler.inputs.includes(name)) return ofClient | ofId
  const said = words.of(name)
  if (said.length === 0) return nothing
  if (isCallerName(words, said)) return isStore(walk, name) ? nothing : ofCaller
  // `$_GET`, `$_SESSION`: the names of PHP's own begin so.
  if (name.startsWith('$_')) {
    if (words.carriers.is(said)) return ofCarrier
    return words.inputs.is(said) ? ofClient | (said[0] === 'cookie' ? ofHeader : nothing) : nothing
  }
  if (words.input_names.is(said)) return ofClient | (said[0] === 'cookies' ? ofHeader : nothing)
  return words.carriers.is(said) ? ofCarrier : nothing
}

/** `private final ClaimRepository claims`: claims of an insurance say nothing of the caller. */
const isStore = (walk: Walk, name: string): boolean =>
  typesOf(walk, { op: 'name', name, start: 0, end: 0 }).some((type) =>
    /(?:Repository|Repo|D[Aa][Oo]|Store|Service|Gateway)$/.test(type),
  )

export const isCallerName = (words: AccessWords, said: readonly string[]): boolean =>
  words.callers.ends(said) || (said.length > 1 && words.presences.is(said.slice(0, 1)) && words.people.ends(said))

/** `User.current`. */
export const isCurrentPerson = (words: AccessWords, object: Ir | null, said: readonly string[]): boolean =>
  object?.op === 'name' && said.length === 1 && words.presences.is(said) && words.people.is(words.of(object.name))

/** `_db.Claims`, `store.claims`, `prisma.claims`: a table of an insurance. */
const isInStore = (words: AccessWords, property: string, of: Ir | null): boolean =>
  /^claims$/i.test(property) && of !== null && (ofStores.test(words.of(lastName(of)).join(' ')) || lastName(of) === '_context')

const ofStores =
  /^(?:.* )?(?:db|database|(?:db|data) context|dao|store|stores|repo|repos|repository|repositories|prisma|tables?|schema|models?|collections?|unit of work|uow)$/

/** What a part of something is. */
export function partTraits(walk: Walk, object: Traits, property: string, of: Ir | null = null): Traits {
  const { words } = walk
  const said = words.of(property)
  if (has(object, ofCaller)) return object
  if (has(object, ofCarrier)) return partOfCarrier(walk, said)
  if (has(object, ofClient)) return object | keyTraits(words, said) | headerTraits(said)
  if (has(object, ofThing)) return object
  if (isCallerName(words, said)) return isInStore(words, property, of) ? nothing : ofCaller
  return words.requests.is(said) && said.at(-1) === 'request' ? ofCarrier : without(object, ofCarrier)
}

export function partOfCarrier({ words }: Walk, said: readonly string[]): Traits {
  if (words.identity.is(said) || isCallerName(words, said)) return ofCaller
  if (words.inputs.is(said)) return ofClient | headerTraits(said)
  return words.carriers.is(said) ? ofCarrier : nothing
}

export const headerTraits = (said: readonly string[]): Traits =>
  said.some((word) => word === 'headers' || word === 'header' || word === 'cookies' || word === 'cookie') ? ofHeader : nothing

/** `claimId`, and `draft` where the thing itself is named. */
const isId = (words: AccessWords, said: readonly string[]): boolean =>
  words.ids.ends(said) || (words.owned.is(said) && !words.choices.is(said))

/** `filter(id=request.POST['method'])`: what is asked by an id is one. */
export const asId = ({ words }: Walk, key: readonly string[], value: Traits): Traits =>
  has(value, ofClient) && words.ids.ends(key) ? value | ofId : value

/** `x-admin-key`: whoever is asked for it knows a secret, or claims nothing that helps him. */
const isSecretWord = (said: readonly string[]): boolean =>
  /^(?:secret|token|key|password|passphrase|signature)$/.test(said.at(-1) ?? '')

/** What the key says of a value that the client sent. */
export function keyTraits(words: AccessWords, said: readonly string[]): Traits {
  if (said.length === 0) return nothing
  const bare = said[0] === 'x' ? said.slice(1) : said
  return join([
    words.ranks.within(said) && !isSecretWord(said) ? ofRole : nothing,
    words.owners.is(bare) ? ofOwner : nothing,
    words.capabilities.ends(said) ? ofCapability : nothing,
    isId(words, said) ? ofId : nothing,
  ])
}
