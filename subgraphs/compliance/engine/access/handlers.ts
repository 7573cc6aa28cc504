/** Finds the handlers of a file: by annotations, by what their class is, by what they are given, by where they are bound to a path. */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { AccessWords } from '../rulebook/access-words.js'
import type { Call, ClassIr, Ir, Lambda } from '../syntax/ir.js'
import { declaredHandler } from './declared.js'
import { type Guard, guardOf, type GuardReader } from './guards.js'
import type { Handler } from './handler.js'
import { chainCalls, lastName, methodWords, rootName } from './names.js'
import { argumentGuards, argumentOrStringGuards, chainGuard, isFilter, noteFilter, noteRouter, prefixOf } from './routers.js'
import { bindRoutes } from './routes.js'
import { type ClassScope, decoratorGuards, pathIn, routeOf, type Scope, type Search, wraps } from './search.js'
import { isCallerName } from './parts.js'
import { noteCases, noteProcedures, noteResolvers, noteRouteEntry } from './tables.js'

const maxDepth = 120
/** Here actions are found by their names: a verb alone (`[HttpPost]`) says nothing about those without one. */
const conventional: ReadonlySet<string> = new Set(['csharp'])

export function handlersOf(flow: Flow, words: AccessWords, reader: GuardReader): readonly Handler[] {
  const search: Search = { flow, words, reader, found: new Map() }
  const scope: Scope = {
    routers: new Map(),
    guards: [],
    prefix: '',
    byPath: [],
    everywhere: [],
    classInfo: null,
    lambda: null,
    callers: [],
    inputs: [],
  }
  visit(search, flow.root, scope, 0)
  const found = [...search.found.values()]
  return found.map((one) => ({
    ...one,
    guards: [
      ...one.guards,
      ...scope.everywhere,
      ...scope.byPath.filter(({ path }) => covers(path, one.path)).map(({ guard }) => guard),
    ],
  }))
}

/** `/admin/*` covers `/admin/users`. */
function covers(pattern: string, path: string): boolean {
  const start = pattern.replace(/\/?\*.{0,20}$/, '')
  return start === '' ? pattern !== '' : path.startsWith(start)
}

function visit(search: Search, ir: Ir, scope: Scope, depth: number): void {
  if (depth > maxDepth) return
  if (ir.op === 'class') return visitClass(search, ir, scope, depth)
  if (ir.op === 'function') return visitFunction(search, ir, scope, depth)
  if (ir.op === 'call') return visitCall(search, ir, scope, depth)
  if (ir.op === 'switch') noteCases(search, ir, scope)
  if (ir.op === 'assign') noteRouter(search, ir, scope)
  if (ir.op === 'collection' && ir.kind === 'map') {
    noteResolvers(search, ir, scope)
    noteProcedures(search, ir, scope)
    noteRouteEntry(search, ir, scope)
  }
  for (const part of partsOf(ir)) visit(search, part, scope, depth + 1)
}

/** A name for whoever passed a guard. */
const isWho = (words: AccessWords, said: readonly string[]): boolean =>
  isCallerName(words, said) || words.people.within(said) || words.identity.within(said) || words.presences.within(said)

function visitClass(search: Search, ir: ClassIr, scope: Scope, depth: number): void {
  const { words, reader } = search
  const names = [
    words.of(ir.name),
    ...ir.bases.map((base) => words.of(base)),
    ...ir.decorators.map((one) => words.of(lastName(one))),
  ]
  const members = ir.members.flatMap((member) => (member.op === 'block' ? [...member.body] : [member]))
  const fields = members.flatMap((member): Guard[] =>
    member.op === 'assign' && member.value !== null && words.gates.within(words.of(lastName(member.target)))
      ? [guardOf(reader, member.value)]
      : [],
  )
  const mixins = ir.bases
    .filter((base) => words.guarding_bases.within(words.of(base)))
    .map((base) => guardOf(reader, { op: 'name', name: base, start: 0, end: 0 }))
  const controllers = names.filter((name) => words.controllers.ends(name))
  const prefix = pathIn(
    words,
    ir.decorators.flatMap((one) => (one.op === 'call' ? [...one.args] : [])),
  )
  const isRouted = (member: Lambda): boolean => {
    const route = routeOf(search, member)
    if (route === null) return false
    return !conventional.has(search.flow.book.language) || prefix !== '' || (route.op === 'call' && route.args.length > 0)
  }
  const info: ClassScope = {
    ir,
    isController: controllers.length > 0,
    isAskedOnly: controllers.every((name) => words.asked_controllers.ends(name)),
    hasRoutes: members.some((member) => member.op === 'function' && isRouted(member)),
    guards: [...decoratorGuards(search, ir.decorators), ...fields, ...mixins.filter(({ isUnknown }) => isUnknown !== true)],
    prefix,
  }
  const inner: Scope = { ...scope, routers: new Map(scope.routers), classInfo: info }
  for (const part of partsOf(ir)) visit(search, part, inner, depth + 1)
}

function visitFunction(search: Search, ir: Lambda, scope: Scope, depth: number): void {
  const inner: Scope = { ...scope, routers: new Map(scope.routers), lambda: ir }
  for (const { name } of ir.parameters)
    inner.routers.set(name, {
      prefix: scope.prefix,
      guards: [...scope.guards],
      isMounted: scope.guards.length === 0 && ir.declares,
    })
  // Elsewhere an annotation of this kind is about its own method: `@UseGuards(JwtGuard)`.
  const filter = wraps(search.flow)
    ? ir.decorators.find((one) => search.words.filters.is(search.words.of(lastName(one))))
    : undefined
  if (filter !== undefined) {
    const guard = search.reader.ofLambda(ir)
    const router = scope.routers.get(rootName(filter))
    if (router === undefined) scope.everywhere.push(guard)
    else router.guards.push(guard)
  } else if (!search.found.has(ir)) {
    const handler = declaredHandler(search, ir, scope)
    if (handler !== null) search.found.set(ir, handler)
  }
  for (const part of partsOf(ir)) visit(search, part, inner, depth + 1)
}

function visitCall(search: Search, call: Call, scope: Scope, depth: number): void {
  const { words, reader } = search
  const said = methodWords(words, call)
  noteFilter(search, call, said, scope)
  const isBound = bindRoutes(search, call, said, scope)
  const guards = isBlockGuard(search, call, said) ? [guardOf(reader, withoutFunctions(call))] : []
  const isGroup = words.groups.is(said) || said.at(-1) === 'prefix' || said[0] === 'path' || words.routes.is(said)
  const chain =
    call.callee.op === 'member'
      ? chainCalls(call.callee.object).flatMap((one) =>
          isFilter(words, one) ? argumentOrStringGuards(reader, one) : chainGuard(words, reader, one),
        )
      : []
  const callers =
    guards.length > 0
      ? call.args.flatMap(({ value }) => (value.op === 'function' ? value.parameters.map(({ name }) => name) : []))
      : []
  const router = call.callee.op === 'member' ? scope.routers.get(rootName(call.callee.object)) : undefined
  const inside: Scope = {
    ...scope,
    guards: [
      ...(router?.guards ?? scope.guards),
      ...guards,
      ...(isGroup && !isBound ? [...chain, ...(said[0] === 'path' ? [] : argumentGuards(words, reader, call))] : []),
    ],
    prefix: isGroup ? `${router?.prefix ?? scope.prefix}/${prefixOf(words, call)}` : scope.prefix,
    callers: [...scope.callers, ...callers.filter((name) => isWho(words, words.of(name)))],
    inputs: [...scope.inputs, ...(isGroup && !isBound ? untyped(call) : [])],
  }
  const after: Scope =
    isFilter(words, call) || chainGuard(words, reader, call).length > 0
      ? {
          ...scope,
          guards: [
            ...scope.guards,
            ...(isFilter(words, call) ? argumentOrStringGuards(reader, call) : chainGuard(words, reader, call)),
          ],
        }
      : scope
  visit(search, call.callee, after, depth + 1)
  for (const { value } of call.args) visit(search, value, inside, depth + 1)
}

/** `path(LongNumber) { id => ... }`: parameters that are no router. */
const untyped = (call: Call): string[] =>
  call.args.flatMap(({ value }) =>
    value.op === 'function'
      ? value.parameters.flatMap(({ name, type }) => (type === undefined && name.length > 1 ? [name] : []))
      : [],
  )

const withoutFunctions = (call: Call): Call => ({
  ...call,
  args: call.args.filter(({ value }) => value.op !== 'function' && value.op !== 'block'),
})

/** `authenticate("jwt") { ... }`, `authorize(user.isAdmin) { ... }`. */
function isBlockGuard({ words }: Search, call: Call, said: readonly string[]): boolean {
  const hasBlock = call.args.some(({ value }) => value.op === 'function' || value.op === 'block')
  return (
    hasBlock &&
    !words.routes.is(said) &&
    !words.groups.is(said) &&
    (words.authenticates.within(said) || words.authorizes.within(said) || words.roles.within(said))
  )
}
