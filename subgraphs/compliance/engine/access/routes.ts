/** Calls that bind handlers to paths. */
import { partsOf } from '../flow/prepare.js'
import type { Place } from '../flow/sink-hits.js'
import type { Argument, Call, Ir, Lambda } from '../syntax/ir.js'
import { type Guard, guardOf } from './guards.js'
import { chainCalls, lastName, methodWords, rootName, stringOf } from './names.js'
import { argumentOrStringGuards, chainGuard, isFilter, pathBefore, prefixOf } from './routers.js'
import { decoratorGuards, parameterGuards, placeOfName, type Scope, type Search, verbIn } from './search.js'

/** Go's `"POST /users/{id}"`. */
const methodInPath = /^([A-Z]{3,7})\s+(?=\/)/

/** A call that binds handlers to a path; whether it is one. */
export function bindRoutes(search: Search, call: Call, said: readonly string[], scope: Scope): boolean {
  const { words, reader } = search
  if (!words.routes.is(said)) return false
  const literals = call.args.flatMap(({ value }) => stringOf(value) ?? [])
  if (literals.some((text) => /\s/.test(text.replace(methodInPath, '')))) return false
  const path = literals.join('/')
  const functions = call.args.filter(
    ({ value, name }) => value.op === 'function' || value.op === 'block' || name === 'use' || isReference(value),
  )
  const last = leadingHandler(search, functions, scope) ?? functions.at(-1)
  const isBehindPath = pathBefore(call) !== undefined
  // `router.get("/orders/:id").handler(this::order)`, but not `response.handler(this::read)`.
  if (!isBehindPath && said.at(-1) === 'handler') return false
  const isChained = call.callee.op === 'member' && (scope.routers.has(rootName(call.callee.object)) || isBehindPath)
  if (last === undefined || (literals.length === 0 && !isChained && last.name !== 'use' && !isRouting(search, call, scope)))
    return false
  const [handler, wrapped] = unwrapped(last.value)
  if ((handler.op === 'function' || handler.op === 'block') && bindsRoutes(search, handler)) return false
  const lambda = handler.op === 'function' ? handler : resolve(search, handler, scope)
  if (lambda === null && handler.op !== 'block') return bindInner(search, call, scope, path)
  const receiver = call.callee.op === 'member' ? call.callee.object : null
  const router = receiver === null ? undefined : (scope.routers.get(lastName(receiver)) ?? scope.routers.get(rootName(receiver)))
  const chain =
    receiver === null
      ? []
      : chainCalls(receiver).flatMap((one) =>
          isFilter(words, one) || words.groups.is(methodWords(words, one))
            ? argumentOrStringGuards(reader, one)
            : chainGuard(words, reader, one),
        )
  const before = call.args
    .filter((one) => one !== last && one.value.op !== 'literal')
    .map(({ value, name }) =>
      name === undefined || words.gates.within(words.of(name)) ? guardOf(reader, value) : { level: 0 as const },
    )
  const prefix = [
    router?.prefix ?? scope.prefix,
    ...(receiver === null
      ? []
      : chainCalls(receiver)
          .map((one) => prefixOf(words, one))
          .toReversed()),
  ].join('/')
  add(search, scope, lambda, handler, {
    path: `${prefix}/${path}`.replaceAll(/\/{2,}/g, '/'),
    verb: verbIn([
      ...said,
      ...literals.map((text) => methodInPath.exec(text)?.[1]?.toLowerCase() ?? ''),
      ...(receiver === null ? [] : chainCalls(receiver).flatMap((one) => methodWords(words, one))),
    ]),
    place: { start: call.at, end: call.end },
    guards: [
      ...(router?.guards ?? scope.guards),
      ...scope.guards,
      ...chain,
      ...before,
      ...wrapped.map((one) => guardOf(reader, one)),
    ],
    isMounted:
      router?.isMounted ??
      (scope.lambda?.declares === true &&
        receiver !== null &&
        scope.lambda.parameters.some(({ name }) => name === rootName(receiver))),
  })
  return true
}

/** `r.Route("/admin", func(r chi.Router) { r.Get(...) })`: a function that binds others is no handler. */
function bindsRoutes({ words }: Search, body: Ir): boolean {
  const stack = [body]
  for (let at = stack.pop(), steps = 0; at !== undefined && steps < 400; at = stack.pop(), steps++) {
    const isBinding =
      at.op === 'call' &&
      words.routes.is(methodWords(words, at)) &&
      at.args.some(({ value }) => value.op === 'function' || value.op === 'block' || isReference(value)) &&
      (at.callee.op === 'name' || stringOf(at.args[0]?.value)?.startsWith('/') === true)
    if (isBinding) return true
    stack.push(...partsOf(at))
  }
  return false
}

/** `routes.get(use: list)`, `path(...) { get { ... } }`. */
const isRouting = ({ words }: Search, call: Call, scope: Scope): boolean =>
  scope.prefix !== '' && call.callee.op === 'name' && call.args.length === 1 && words.routes.is(words.of(call.callee.name))

const isReference = (value: Ir): boolean =>
  value.op === 'name' || value.op === 'member' || (value.op === 'call' && value.args.length > 0)

/** `requireAdmin(handler)`, `wrap(auth(handler))`: the innermost, and what stands around it. */
function unwrapped(ir: Ir): readonly [Ir, readonly Ir[]] {
  const around: Ir[] = []
  let at = ir
  while (at.op === 'call') {
    const inner: Argument | undefined = at.args.findLast(
      ({ value }) => value.op === 'function' || value.op === 'name' || value.op === 'member' || value.op === 'call',
    )
    if (inner === undefined) break
    around.push(at.callee)
    at = inner.value
  }
  return [at, around]
}

export function resolve({ flow }: Search, ir: Ir, scope: Scope): Lambda | null {
  const name = lastName(ir)
  const own = scope.classInfo === null ? undefined : flow.classes.get(scope.classInfo.ir.name)?.methods.get(name)
  const methods = flow.methodsByName.get(name) ?? []
  return (
    own ??
    flow.globals.variables.get(name)?.func?.lambda ??
    (ir.op === 'member' && methods.length === 1 ? (methods[0]?.lambda ?? null) : null)
  )
}

/** echo: `e.GET("/items", read, auth)`. */
function leadingHandler(search: Search, functions: readonly Argument[], scope: Scope): Argument | undefined {
  const [first] = functions
  if (first === undefined || functions.length === 1) return undefined
  const lambda = first.value.op === 'function' ? first.value : resolve(search, first.value, scope)
  const type = lambda?.parameters[0]?.type
  return typeof type === 'string' && search.words.leading.is(search.words.of(type)) ? first : undefined
}

/** axum: `route("/items/:id", get(read).delete(remove))`. */
function bindInner(search: Search, call: Call, scope: Scope, path: string): boolean {
  const { words, reader } = search
  for (const { value } of call.args)
    for (const inner of chainCalls(value)) {
      if (!words.routes.is(methodWords(words, inner))) continue
      const [first] = inner.args
      const lambda = first === undefined ? null : resolve(search, first.value, scope)
      if (lambda === null) continue
      const layers = chainCalls(value).filter((one) => isFilter(words, one))
      add(search, scope, lambda, lambda, {
        path: `${scope.prefix}/${path}`.replaceAll(/\/{2,}/g, '/'),
        verb: verbIn(methodWords(words, inner)),
        place: null,
        guards: [...scope.guards, ...layers.flatMap((one) => argumentOrStringGuards(reader, one))],
        isMounted: false,
      })
    }
  return false
}

interface Binding {
  readonly path: string
  readonly verb: string
  readonly place: Place | null
  readonly guards: readonly Guard[]
  readonly isMounted: boolean
}

export function add(search: Search, scope: Scope, lambda: Lambda | null, handler: Ir, binding: Binding): void {
  const key = lambda ?? handler
  const known = search.found.get(key)
  const parameters = lambda?.parameters ?? []
  search.found.set(key, {
    name: known?.name ?? (lambda === null || !lambda.declares || lambda.name.includes(' ') ? '' : lambda.name),
    lambda,
    bodies: known?.bodies ?? [lambda?.body ?? handler],
    parameters,
    path: binding.path,
    verb: binding.verb === '' ? (known?.verb ?? '') : binding.verb,
    place: binding.place ?? (lambda === null ? handler : placeOfName(search, lambda)),
    className: known?.className ?? lambda?.owner ?? scope.classInfo?.ir.name ?? null,
    guards: [
      ...(known?.guards ?? []),
      ...binding.guards,
      ...(known === undefined ? parameterGuards(search, parameters) : []),
      ...(known === undefined && lambda !== null ? decoratorGuards(search, lambda.decorators) : []),
    ],
    isMounted: binding.isMounted,
    callers: [...scope.callers],
    inputs: [...scope.inputs],
    takesValues: true,
  })
}
