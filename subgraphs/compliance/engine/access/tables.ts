/** Handlers in tables: resolvers of GraphQL, cases of http4s. */
import type { Ir } from '../syntax/ir.js'
import { lastName, stringOf } from './names.js'
import { add } from './routes.js'
import type { Scope, Search } from './search.js'

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
