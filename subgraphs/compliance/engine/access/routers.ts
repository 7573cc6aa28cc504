/** Routers, and the filters that stand before their routes. */
import type { AccessWords } from '../rulebook/access-words.js'
import type { Call, Ir } from '../syntax/ir.js'
import { type Guard, guardOf, type GuardReader, strongest } from './guards.js'
import { chainCalls, lastName, methodWords, rootName, stringOf } from './names.js'
import type { Scope, Search } from './search.js'

export function noteRouter({ words, reader }: Search, { target, value }: Extract<Ir, { op: 'assign' }>, scope: Scope): void {
  if (value === null || (target.op !== 'name' && target.op !== 'member')) return
  const calls = chainCalls(value)
  if (!calls.some((call) => words.groups.ends(methodWords(words, call)))) return
  const parent = scope.routers.get(rootName(value))
  const guards = calls.flatMap((call) => [...chainGuard(words, reader, call), ...argumentGuards(words, reader, call)])
  const prefix = calls
    .map((call) => prefixOf(words, call))
    .toReversed()
    .join('/')
  scope.routers.set(lastName(target), {
    prefix: `${parent?.prefix ?? ''}/${prefix}`,
    guards: [...(parent?.guards ?? scope.guards), ...guards],
    isMounted: parent?.isMounted ?? false,
  })
}

export const prefixOf = (words: AccessWords, { args }: Call): string => {
  const named = args.flatMap(({ value }) =>
    value.op === 'collection'
      ? value.entries
          .filter(({ key }) => key !== null && words.addresses.within(words.of(stringOf(key) ?? lastName(key))))
          .map((one) => stringOf(one.value))
      : [],
  )
  const parts = args.flatMap(({ value, name }) =>
    name === undefined || words.addresses.within(words.of(name)) ? [stringOf(value)] : [],
  )
  return [...named, ...parts].filter((text): text is string => text !== null && /^[\w/:{}*.-]*$/.test(text)).join('/')
}

/** The method itself says it: `RequireAuthorization("x")`, `AllowAnonymous()`. */
export function chainGuard(words: AccessWords, reader: GuardReader, call: Call): Guard[] {
  const said = methodWords(words, call)
  const isAsking = words.authorizes.within(said) || words.authenticates.within(said) || words.open.is(said)
  return isAsking && !words.routes.is(said) && !words.groups.is(said) ? [guardOf(reader, call)] : []
}

export function argumentGuards(words: AccessWords, reader: GuardReader, call: Call): Guard[] {
  return call.args.flatMap(({ value, name }): Guard[] => {
    if (name !== undefined && !words.gates.within(words.of(name))) return []
    if (value.op === 'literal' || value.op === 'function') return []
    return [guardOf(reader, value)].filter(
      (guard) => guard.level > 0 && !(guard.isUnknown === true && value.op === 'name' && words.carriers.is(words.of(value.name))),
    )
  })
}

export const isFilter = (words: AccessWords, call: Call): boolean =>
  words.filters.is(methodWords(words, call)) || words.chained.is(methodWords(words, call))

export const argumentOrStringGuards = (reader: GuardReader, call: Call): Guard[] =>
  call.args
    .map(({ value }) => (value.op === 'function' ? { level: 0 as const } : guardOf(reader, value)))
    .filter(({ level, isOpen }) => level > 0 || isOpen === true)

/** The path that a call is chained to: `router.route("/api/*").handler(...)`. */
export const pathBefore = ({ callee }: Call): string | undefined =>
  callee.op === 'member'
    ? (chainCalls(callee.object)
        .map(({ args }) => stringOf(args[0]?.value))
        .find((text) => text?.startsWith('/') === true) ?? undefined)
    : undefined

/** `router.use(auth)`, `before { halt 401 unless current_user }`, `addHook('preHandler', auth)`. */
export function noteFilter({ words, reader, flow }: Search, call: Call, said: readonly string[], scope: Scope): void {
  const before = said.at(-1) === 'handler' && call.args[0]?.value.op === 'call' ? pathBefore(call) : undefined
  if ((!words.filters.is(said) && before === undefined) || scope.classInfo?.isController === true) return
  const strings = call.args.map(({ value }) => stringOf(value)).filter((text) => text !== null)
  const guards = call.args
    .map(({ value }) => (value.op === 'literal' ? { level: 0 as const } : guardOf(reader, value)))
    .filter(({ level, isUnknown }) => level > 0 && isUnknown !== true)
  if (guards.length === 0) return
  const path = strings.find((text) => text.startsWith('/') || text === '*') ?? before?.replace(/(.)\/\*$/, '$1')
  const guard = strongest(guards)
  const name = call.callee.op === 'member' ? lastName(call.callee.object) : ''
  if (path !== undefined && path !== '*' && path !== '/*') scope.byPath.push({ path, guard })
  else if (scope.routers.has(name)) scope.routers.get(name)?.guards.push(guard)
  else if (scope.lambda === null || name === '' || flow.globals.variables.has(name)) scope.everywhere.push(guard)
  else scope.routers.set(name, { prefix: scope.prefix, guards: [...scope.guards, guard], isMounted: false })
}
