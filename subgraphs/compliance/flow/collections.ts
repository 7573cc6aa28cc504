/**
 * Operations on collections and text builders that all languages share by name.
 *
 * They are only precise for collections whose beginning was seen (a literal, or a constructor without arguments); otherwise what is
 * put in makes the whole collection as tainted as itself.
 */
import type { CallSite } from './call-site.js'
import { elementOf, partOf } from './assign.js'
import { changedOrigins, deepOrigins, joinOrigins, type Origin, unknown, type Value, withField, withOrigins } from './value.js'

const appenders = new Set(
  'add append push push_back pushback addlast addelement appendleft unshift offer enqueue write print println put_back concat << extend addall insert replace setlength emplace_back push_str addfirst writestring fprintf writeln'.split(
    ' ',
  ),
)
const putters = new Set(
  'put set setattribute setproperty setitem __setitem__ store setdefault putifabsent setvalue setheader addheader'.split(' '),
)
const getters = new Set('get getattribute getproperty at elementat getordefault fetch __getitem__ getvalue'.split(' '))
const removers = new Set('remove removeat'.split(' '))
const clearers = new Set('clear removeall'.split(' '))

/** What the receiver becomes; `null` when the method does not change it. */
export function mutated(method: string, receiver: Value, args: readonly Value[]): Value | null {
  const name = method.toLowerCase()
  const [first, second] = args
  if (appenders.has(name)) {
    if (first === undefined) return null
    const origins = args.reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one)), [])
    const added = withOrigins(args.at(-1) ?? unknown, changedOrigins(origins, { built: true }))
    if (receiver.fields === undefined)
      return { ...withOrigins(receiver, joinOrigins(receiver.origins, added.origins)), constant: undefined, isConcat: true }
    return { ...withField(receiver, String(receiver.fields.size), added), isConcat: true }
  }
  if (putters.has(name) && second !== undefined && first !== undefined) {
    const { constant } = first
    const key = typeof constant === 'string' || typeof constant === 'number' ? String(constant) : null
    if (key !== null) return withField(receiver, key, second)
    return withOrigins(receiver, joinOrigins(receiver.origins, deepOrigins(second)))
  }
  if (removers.has(name) && typeof first?.constant === 'number' && receiver.fields !== undefined)
    return removeAt(receiver, first.constant)
  return clearers.has(name) && receiver.fields !== undefined
    ? { ...unknown, type: receiver.type, path: receiver.path, fields: new Map() }
    : null
}

function removeAt(receiver: Value, index: number): Value {
  const values = [...(receiver.fields?.values() ?? [])]
  values.splice(index, 1)
  return { ...receiver, fields: new Map(values.map((value, at) => [String(at), value])) }
}

/** What the call returns when it reads a collection that is known part by part. */
export function readFrom(site: CallSite): Value | null {
  const receiver = site.receiver?.value
  if (receiver?.fields === undefined || receiver.func !== undefined) return null
  if (!getters.has(site.method.toLowerCase())) return null
  const key = site.args[0]?.subject.value.constant
  if (typeof key === 'string' || typeof key === 'number') return partOf({ ...receiver, path: null }, String(key))
  return elementOf(receiver)
}
