/** Handlers in tables: resolvers of GraphQL, cases of http4s. */
import type { Ir } from '../syntax/ir.js'
import { type Guard, guardOf, type GuardReader } from './guards.js'
import { chainCalls, lastName, methodWords, rootName, stringOf } from './names.js'
import { argumentOrStringGuards, isFilter } from './routers.js'
import { add, resolve } from './routes.js'
import { type Scope, type Search, verbIn } from './search.js'

type MapEntry = readonly [key: string, value: Ir]

const entriesOf = (ir: Ir): readonly MapEntry[] =>
  ir.op === 'collection' && ir.kind === 'map'
    ? ir.entries.flatMap(({ key, value }): MapEntry[] => (key === null ? [] : [[stringOf(key) ?? lastName(key), value]]))
    : []

/** `route({ method: 'post', path: '/flags/:id', handler: this.change, permission: CHANGE_FLAG })`. */
export function noteRouteEntry(search: Search, ir: Ir, scope: Scope): void {
  const { words, reader } = search
  const entries = entriesOf(ir)
  const path = entries.find(([key]) => key === 'path' || key === 'url')?.[1]
  const method = entries.find(([key]) => key === 'method')?.[1]
  const handler = entries.find(([key]) => key === 'handler')?.[1]
  if (path === undefined || method === undefined || handler === undefined) return
  const lambda = handler.op === 'function' ? handler : resolve(search, boundOf(handler), scope)
  if (lambda === null) return
  const guards = entries
    .flatMap((one) => (one[0] === 'options' || one[0] === 'config' ? entriesOf(one[1]) : [one]))
    .flatMap(([key, value]) => guardOfEntry(reader, words.of(key), value) ?? [])
  add(search, scope, lambda, lambda, {
    path: `${scope.prefix}/${stringOf(path) ?? ''}`,
    verb: verbIn(words.of(stringOf(method) ?? lastName(method))),
    place: null,
    guards: [...scope.guards, ...guards],
    isMounted: false,
  })
}

/** `this.change.bind(this)` is `this.change`. */
const boundOf = (ir: Ir): Ir =>
  ir.op === 'call' && ir.callee.op === 'member' && ir.callee.property === 'bind' ? ir.callee.object : ir

function guardOfEntry(reader: GuardReader, said: readonly string[], value: Ir): Guard | null {
  const { words } = reader
  const isAsking = words.authorizes.within(said) || words.roles.within(said)
  if (!isAsking && !words.authenticates.within(said) && !words.gates.within(said) && !words.filters.is(said)) return null
  if (value.op === 'literal' && value.value === false && words.authenticates.within(said)) return { level: 0, isOpen: true }
  if (value.op === 'literal' && typeof value.value !== 'string') return value.value === true ? { level: 1 } : null
  const named = words.of(stringOf(value) ?? lastName(value))
  if (words.open.is(named) || named.at(-1) === 'none') return { level: 0, isOpen: true }
  if (isAsking) return { level: 2 }
  const guard = guardOf(reader, value)
  return words.authenticates.within(said) && guard.level === 0 ? { level: 1 } : guard
}

/** `Query: { invoice: (_, { id }, { user }) => ... }`. */
export function noteResolvers(search: Search, { entries }: Extract<Ir, { op: 'collection' }>, scope: Scope): void {
  for (const { key, value } of entries) {
    if (key === null || value.op !== 'collection') continue
    const of = stringOf(key) ?? lastName(key)
    if (of !== 'Query' && of !== 'Mutation') continue
    for (const one of value.entries) {
      if (one.value.op !== 'function') continue
      const name = one.key === null ? '' : (stringOf(one.key) ?? lastName(one.key))
      add(search, scope, one.value, one.value, {
        path: '',
        verb: of === 'Mutation' ? 'post' : 'get',
        place: one.value,
        guards: [],
        isMounted: false,
      })
      const found = search.found.get(one.value)
      if (found !== undefined) search.found.set(one.value, { ...found, name, place: one.value })
    }
  }
}

/** tRPC: `deleteUser: adminProcedure.input(schema).mutation(({ input, ctx }) => ...)`. */
export function noteProcedures(search: Search, { entries }: Extract<Ir, { op: 'collection' }>, scope: Scope): void {
  const { words, reader } = search
  for (const { key, value } of entries) {
    if (key === null || value.op !== 'call' || value.callee.op !== 'member') continue
    const lambda = value.args[0]?.value
    const root = value.callee.object
    const base = rootName(root)
    if (lambda?.op !== 'function' || !words.routes.is(methodWords(words, value)) || !words.procedures.ends(words.of(base)))
      continue
    const filters = chainCalls(root).filter((one) => isFilter(words, one))
    const guards = filters.flatMap((one) => argumentOrStringGuards(reader, one))
    add(search, scope, lambda, lambda, {
      path: '/',
      verb: value.callee.property === 'mutation' ? 'post' : 'get',
      place: lambda,
      guards: [...guards, guardOf(reader, { op: 'name', name: base, start: root.start, end: root.end })],
      isMounted: false,
    })
    const found = search.found.get(lambda)
    if (found !== undefined) search.found.set(lambda, { ...found, name: stringOf(key) ?? lastName(key) })
  }
}

/** http4s: `case GET -> Root / "loans" / LongVar(id) as user => ...`. */
export function noteCases({ flow, found }: Search, ir: Extract<Ir, { op: 'switch' }>, scope: Scope): void {
  if (ir.subject?.op !== 'name' || ir.subject.name !== '%case') return
  for (const { tests, body } of ir.cases) {
    const [test] = tests
    if (test?.op !== 'collection' || !test.entries.some(({ value }) => stringOf(value) !== null)) continue
    const parts = test.entries.map(({ value }) => value)
    const names = parts.map((part) =>
      part.op === 'opaque'
        ? (/\((\w+)/.exec(flow.text.slice(part.start, part.end))?.[1] ?? '')
        : part.op === 'name'
          ? part.name
          : '',
    )
    const by = names.indexOf('as')
    const text = flow.text.slice(test.start, test.end)
    found.set(body, {
      name: '',
      lambda: scope.lambda,
      bodies: [body],
      parameters: [],
      path: parts.map((part) => stringOf(part) ?? ':').join('/'),
      verb: /^(?:GET|POST|PUT|PATCH|DELETE)\b/.exec(text)?.[0].toLowerCase() ?? '',
      place: test,
      className: scope.classInfo?.ir.name ?? null,
      guards: [...scope.guards, ...(by < 0 ? [] : [{ level: 1 as const }])],
      isMounted: true,
      callers: by < 0 ? [] : names.slice(by + 1),
      inputs: by < 0 ? names : names.slice(0, by),
      takesValues: false,
    })
  }
}
