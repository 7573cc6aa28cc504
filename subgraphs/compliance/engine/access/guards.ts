/** What stands before a handler: middleware, decorators, annotations, wrappers, types of parameters. */
import type { AccessWords } from '../rulebook/access-words.js'
import type { Argument, Ir, Lambda } from '../syntax/ir.js'
import { chainNames, lastName, stringOf } from './names.js'

/** 0: nothing is asked. 1: who it is. 2: what he may do. */
export type Level = 0 | 1 | 2

export interface Guard {
  readonly level: Level
  /** Something stands there, but its name does not say what it does. */
  readonly isUnknown?: true
  /** Says that everybody is meant. */
  readonly isOpen?: true
  /** What it does is read along with the handler. */
  readonly isRead?: true
}

export const noGuard: Guard = { level: 0 }

export interface GuardReader {
  readonly words: AccessWords
  /** What a function of the file asks for. */
  readonly ofFunction: (name: string) => Guard | null
  readonly ofLambda: (lambda: Lambda) => Guard
}

export function strongest(guards: readonly Guard[]): Guard {
  let best = noGuard
  for (const guard of guards) {
    if (guard.isOpen === true) return guard
    if (guard.level > best.level || (guard.level === best.level && best.isUnknown === true)) best = guard
  }
  return best
}

/** The guard that an expression is: `auth`, `requireRole('admin')`, `[auth, admin]`, `{ preHandler: auth }`. */
export function guardOf(reader: GuardReader, ir: Ir): Guard {
  const { words } = reader
  if (ir.op === 'literal') return typeof ir.value === 'string' ? (ofWords(words, words.of(ir.value), false) ?? noGuard) : noGuard
  if (ir.op === 'function') return reader.ofLambda(ir)
  if (ir.op === 'collection') {
    const entries =
      ir.kind === 'map' ? ir.entries.filter(({ key }) => key !== null && words.filters.is(words.of(keyOf(key)))) : ir.entries
    return strongest(entries.map(({ value }) => guardOf(reader, value)))
  }
  if (ir.op === 'binary') return strongest([guardOf(reader, ir.left), guardOf(reader, ir.right)])
  const name = lastName(ir)
  if (name === '') return noGuard
  const args = ir.op === 'call' ? ir.args : []
  if (args.some(({ value }) => hasSharedToken(value))) return { level: 2 }
  if (isNeutralLayer(reader, ir)) return noGuard
  return ofNames(reader, ir, name, args)
}

/** `CorsLayer::new().allow_credentials(true)`, `DefaultBodyLimit::max(n)`: whatever its steps are called, it asks nobody who they are. */
function isNeutralLayer({ words }: GuardReader, ir: Ir): boolean {
  const [, ...around] = ir.op === 'call' ? chainNames(ir) : []
  const types = around.filter((one) => /^[A-Z]/.test(one)).map((one) => words.of(one.replace(/Layer$/, '')))
  const asks = (said: readonly string[]): boolean =>
    said[0] === 'validate' || words.authenticates.within(said) || words.authorizes.within(said) || said.at(-1) === 'key'
  return types.some((said) => !asks(said) && (words.neutral.begins(said) || words.neutral.ends(said)))
}

/** `bearerAuth({ token: process.env.TOKEN })`: one token for all who may call, whoever they are. */
const hasSharedToken = (ir: Ir): boolean =>
  ir.op === 'collection' &&
  ir.kind === 'map' &&
  ir.entries.some(({ key, value }) => key !== null && /^(?:token|api_?key)$/i.test(keyOf(key)) && value.op !== 'function')

const keyOf = (key: Ir): string => stringOf(key) ?? lastName(key)

function ofNames(reader: GuardReader, ir: Ir, name: string, args: readonly Argument[]): Guard {
  const { words } = reader
  const found = ofWords(
    words,
    words.of(name),
    args.some(({ value }) => value.op !== 'function'),
  )
  if (found !== null && !(found.level === 1 && args.length > 0)) return found
  const own = reader.ofFunction(name)
  if (own !== null) return own
  // `Depends(require_admin)`, `UseGuards(JwtGuard, RolesGuard)`, `wrap(auth)`, `use(adminOnly)`.
  const given = strongest(args.map(({ value }) => (value.op === 'function' ? noGuard : guardOf(reader, value))))
  if (given.isUnknown !== true && (given.level > 0 || given.isOpen === true)) return strongest([given, found ?? noGuard])
  if (found !== null) return found
  const around = chainNames(ir)
    .slice(1)
    .map((one) => ofWords(words, words.of(one), false))
  return around.find((guard) => guard !== null) ?? { level: 2, isUnknown: true }
}

/** `ROLE_CUSTOMER`, `hasRole('USER')`: what everybody has who is signed in. */
const isOrdinary = (words: AccessWords, name: readonly string[]): boolean => {
  const rest = name.filter((word) => !['has', 'role', 'roles', 'authority', 'is'].includes(word))
  return rest.length === 1 && rest.length < name.length + 1 && words.people.is(rest) && rest[0] !== 'owner'
}

/** Words that authorize only with something to ask for: `[Authorize]` against `[Authorize(Roles = "Admin")]`. */
const bare = new Set(['authorize', 'authorise', 'authorized', 'authorised', 'authorization', 'authorisation', 'secured'])

export function ofWords(words: AccessWords, name: readonly string[], hasArguments: boolean): Guard | null {
  if (name.length === 0) return null
  if (words.open.ends(name) || words.open.begins(name)) return { level: 0, isOpen: true }
  if (words.mechanisms.within(name)) return { level: 1 }
  if (words.roles.within(name)) return { level: 2 }
  if (isOrdinary(words, name)) return { level: 1 }
  if (name.some((word) => bare.has(word)) && !hasArguments) return { level: 1 }
  if (words.neutral.is(name)) return noGuard
  if (words.authorizes.within(name)) return { level: 2 }
  if (words.authenticates.within(name)) return { level: 1 }
  return words.neutral.ends(name) || words.neutral.begins(name) ? noGuard : null
}

/** C# assigns the named arguments of attributes. */
const plain = (argument: Argument): Argument =>
  argument.value.op === 'assign' && argument.value.value !== null
    ? { name: lastName(argument.value.target), value: argument.value.value }
    : argument

/** What a decorator, annotation or attribute asks for. */
export function guardOfDecorator(reader: GuardReader, decorator: Ir, wrapsFunctions: boolean): Guard {
  const { words } = reader
  const name = words.of(lastName(decorator))
  const args = decorator.op === 'call' ? decorator.args.map(plain) : []
  if (words.routes.is(name) || words.neutral.is(name))
    return strongest(args.filter((one) => one.name !== undefined).map((one) => dependency(reader, one)))
  const text = stringOf(args[0]?.value)
  // `@PreAuthorize("isAuthenticated()")`, `@Secured(SecurityRule.IS_AUTHENTICATED)`.
  const asked = args
    .flatMap(({ value }) => (stringOf(value) === null ? chainNames(value) : [stringOf(value) ?? '']))
    .map((one) => words.of(one))
  const isAsking = words.authorizes.within(name) || name.some((word) => bare.has(word)) || words.authenticates.within(name)
  if (isAsking && asked.length > 0) {
    if (asked.some((one) => words.open.is(one))) return { level: 0, isOpen: true }
    if (asked.every((one) => isOrdinary(words, one))) return { level: 1 }
    if (asked.every((one) => one.length <= 3 && one.at(-1) === 'authenticated')) return { level: 1 }
    if (text !== null || decorator.op === 'call') {
      const [given] = [guardOf(reader, decorator)]
      return given.isUnknown === true ? { level: 2 } : given
    }
  }
  const guard = ofWords(words, name, args.length > 0)
  if (guard !== null && (guard.level > 0 || guard.isOpen === true))
    return args.length > 0 && guard.level === 1 ? guardOf(reader, decorator) : guard
  if (args.length > 0 && reader.words.gates.ends(name)) return guardOf(reader, decorator)
  return wrapsFunctions && guard === null ? (reader.ofFunction(lastName(decorator)) ?? { level: 2, isUnknown: true }) : noGuard
}

/** `dependencies=[Depends(require_admin)]`, `onRequest: [auth]`. */
function dependency(reader: GuardReader, { name = '', value }: Argument): Guard {
  const key = reader.words.of(name)
  return reader.words.gates.within(key) || reader.words.filters.is(key) ? guardOf(reader, value) : noGuard
}
