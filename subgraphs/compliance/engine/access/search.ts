/** What the search for handlers knows at a place. */
import type { Place } from '../flow/sink-hits.js'
import type { Flow } from '../flow/state.js'
import type { AccessWords } from '../rulebook/access-words.js'
import type { Argument, Call, ClassIr, Ir, Lambda, Parameter } from '../syntax/ir.js'
import { annotated } from './annotated.js'
import { type Guard, guardOf, guardOfDecorator, type GuardReader } from './guards.js'
import type { Handler } from './handler.js'
import { lastName, stringOf } from './names.js'

export interface Router {
  readonly prefix: string
  readonly guards: Guard[]
  readonly isMounted: boolean
}

export interface Scope {
  readonly routers: Map<string, Router>
  readonly guards: readonly Guard[]
  readonly prefix: string
  /** Guards that begin with a path: `before('/admin/*')`, `use('/admin', auth)`. */
  readonly byPath: { readonly path: string; readonly guard: Guard }[]
  /** What every handler of the file passes. */
  readonly everywhere: Guard[]
  readonly classInfo: ClassScope | null
  readonly lambda: Lambda | null
  readonly callers: readonly string[]
  /** Names that paths and forms give to what they hold. */
  readonly inputs: readonly string[]
}

export interface ClassScope {
  readonly ir: ClassIr
  readonly isController: boolean
  /** Only by a name that other classes have too. */
  readonly isAskedOnly: boolean
  readonly hasRoutes: boolean
  readonly guards: readonly Guard[]
  readonly prefix: string
}

export interface Search {
  readonly flow: Flow
  readonly words: AccessWords
  readonly reader: GuardReader
  readonly found: Map<Ir, Handler>
}

export const wraps = (flow: Flow): boolean => flow.book.language === 'python'

export function decoratorGuards({ flow, reader }: Search, decorators: readonly Ir[]): Guard[] {
  return decorators
    .map((one) => guardOfDecorator(reader, one, wraps(flow)))
    .filter(({ level, isOpen }) => level > 0 || isOpen === true)
}

/** The annotation that binds a function to a path. */
export function routeOf({ words }: Search, lambda: Lambda): Call | Ir | null {
  return lambda.decorators.find((one) => words.routes.is(words.of(lastName(one)))) ?? null
}

export const pathIn = (words: AccessWords, args: readonly Argument[]): string =>
  args
    .map(({ value, name }) => (name === undefined || words.addresses.within(words.of(name)) ? stringOf(value) : null))
    .find((text) => text !== null) ?? ''

const verbs = new Set(['get', 'post', 'put', 'delete', 'patch', 'del', 'destroy'])
export const verbIn = (words: readonly string[]): string => {
  const verb = words.find((word) => verbs.has(word)) ?? ''
  return verb === 'del' || verb === 'destroy' ? 'delete' : verb
}

/** Where the name of a function stands, behind its annotations. */
export function placeOfName({ flow }: Search, ir: Lambda): Place {
  const start = ir.decorators.reduce((at, one) => (one.start >= ir.start && one.end > at ? one.end : at), ir.start)
  const name = ir.name === '' ? -1 : flow.text.indexOf(ir.name, start)
  return name < 0 || name > ir.body.start ? { start, end: ir.end } : { start: name, end: name + ir.name.length }
}

/** `AdminUser`, `Accountant`. */
const isRoleType = (words: AccessWords, type: readonly string[]): boolean =>
  words.roles.is(type.slice(-1)) || (words.roles.is(type.slice(0, 1)) && type.length <= 2)

/** `user: AdminUser`, `admin = Depends(require_admin)`. */
export function parameterGuards({ words, reader, flow }: Search, parameters: readonly Parameter[]): Guard[] {
  return parameters.flatMap((one): Guard[] => {
    const type = words.of(one.type ?? '')
    if (isRoleType(words, type)) return [{ level: 2 }]
    const fallback = one.fallback ?? annotated(flow, one.type)
    const given = fallback?.op === 'call' && /^(?:Depends|Security)$/.test(lastName(fallback)) ? [guardOf(reader, fallback)] : []
    return given.map((guard) => (guard.isUnknown === true ? { level: 0 as const } : guard))
  })
}
