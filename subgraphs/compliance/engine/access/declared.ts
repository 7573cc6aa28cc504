/** Handlers that say so themselves: by an annotation, by what their class is, by what they are given. */
import type { AccessWords } from '../rulebook/access-words.js'
import type { Argument, ClassIr, Ir, Lambda } from '../syntax/ir.js'
import { filtersOf, isFilterMethod } from './filters.js'
import { type Guard, ofWords } from './guards.js'
import type { Handler } from './handler.js'
import { chainNames, lastName, rootName, stringOf } from './names.js'
import {
  type ClassScope,
  decoratorGuards,
  parameterGuards,
  pathIn,
  placeOfName,
  routeOf,
  type Scope,
  type Search,
  verbIn,
} from './search.js'

export function declaredHandler(search: Search, ir: Lambda, scope: Scope): Handler | null {
  const { words, flow } = search
  if (!ir.declares || ir.isConstructor || (ir.body.op === 'block' && ir.body.body.length === 0)) return null
  const route = routeOf(search, ir)
  const info = scope.lambda === null ? scope.classInfo : null
  const said = words.of(ir.name)
  // `protected void doPost(...)`: the base calls it with the request.
  const isForBase = said[0] === 'do' && said.length === 2 && verbIn(said) !== ''
  const isPrivate =
    ir.modifiers.some((one) => /^(?:file)?private$/.test(one) || (one === 'protected' && !isForBase)) ||
    ir.name.startsWith('_') ||
    isBehindPrivate(search, ir, info)
  const isAction =
    info !== null &&
    (info.isController || isHandMade(search, info.ir)) &&
    !info.hasRoutes &&
    !isPrivate &&
    !words.shared_controllers.is(words.of(info.ir.name)) &&
    !isFilterMethod(flow, search.reader, ir.name) &&
    ir.decorators.every((one) => !/property|static|non_?action/i.test(lastName(one)))
  const isAsked =
    ir.parameters.some(
      (one, at) =>
        (isRequest(words, one.type, one.name) &&
          !isOfPackage(flow, one.type) &&
          isAnswered(words, one.type, ir.parameters[at - 1]?.type)) ||
        isExtracted(search, one),
    ) && !isFilterName(words, ir.name)
  const isGivenNothing =
    info?.isController === true &&
    info.isAskedOnly &&
    !isAsked &&
    (handing.has(flow.book.language) || (scripted.has(flow.book.language) && !isGivenCarrier(words, ir)))
  const isServed = isServerAction(search, ir, scope) || (/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(ir.name) && info === null)
  const isResolver = ir.name.startsWith('resolve_') || (ir.name === 'resolve' && !typed.has(flow.book.language))
  if (route === null && (!isAction || isGivenNothing) && !(isAsked && !isPrivate) && !isServed && !isResolver) return null
  if (info !== null && route === null && info.hasRoutes && !(info.isController && isAsked)) return null
  const args = route?.op === 'call' ? route.args : []
  const root = route === null ? '' : rootName(route.op === 'call' ? route.callee : route)
  const router = scope.routers.get(root)
  const verb = verbOf(words, args, route === null ? ir.name : lastName(route))
  const filters = info === null ? { bodies: [], guards: [], isExcepted: false } : filtersOf(flow, search.reader, info.ir, ir.name)
  const own = [...parameterGuards(search, ir.parameters), ...wrapperGuards(search, ir.body)]
  return {
    name: ir.name,
    lambda: ir,
    bodies: [...filters.bodies, ir.body],
    parameters: ir.parameters,
    path: [router?.prefix ?? scope.prefix, info?.prefix ?? '', pathIn(words, args)].join('/').replaceAll(/\/{2,}/g, '/'),
    verb,
    place: placeOfName(search, ir),
    className: ir.owner ?? info?.ir.name ?? null,
    guards: [
      ...overriding(decoratorGuards(search, ir.decorators), info?.guards ?? []),
      ...filters.guards,
      ...own,
      ...(router?.guards ?? []),
      ...(root === '' ? scope.guards : []),
    ],
    isExcepted: filters.isExcepted,
    isMounted: router?.isMounted === true && route === null,
    callers: scope.callers,
    inputs: [],
    takesValues: route !== null || isAction || isServed || isResolver || isAsked,
  }
}

/** Languages whose resolvers of a graph have other names; here `resolve` is any method. */
const typed: ReadonlySet<string> = new Set(['java', 'kotlin', 'scala', 'csharp', 'go', 'rust', 'swift'])

/** Languages whose frameworks hand the request to methods of classes that say no more than that they handle something. */
const handing: ReadonlySet<string> = new Set([...typed, 'php'])

/** Here the request has no type that says so, and its name must: `handle(event)`. */
const scripted: ReadonlySet<string> = new Set(['javascript', 'typescript'])

const isGivenCarrier = (words: AccessWords, { parameters }: Lambda): boolean =>
  parameters.some(
    ({ name, type }) => words.carriers.is(words.of(name)) || (type !== undefined && words.requests.is(words.of(type))),
  )

/** What a method says replaces what its class says. */
const overriding = (own: readonly Guard[], ofClass: readonly Guard[]): readonly Guard[] =>
  own.some(({ isOpen }) => isOpen === true)
    ? own
    : [...own, ...ofClass.filter(({ isOpen }) => isOpen !== true || own.length === 0)]

const namesIn = (value: Ir): string[] =>
  value.op === 'collection' ? value.entries.flatMap((one) => namesIn(one.value)) : [stringOf(value) ?? lastName(value)]

/** Ruby: what follows `private` is no action. */
function isBehindPrivate(_search: Search, ir: Lambda, info: ClassScope | null): boolean {
  const at =
    info?.ir.members.findIndex((member) => member.op === 'name' && (member.name === 'private' || member.name === 'protected')) ??
    -1
  return at >= 0 && (info?.ir.members.indexOf(ir) ?? -1) > at
}

/** Rust's `Path(id): Path<i64>`: a framework takes it out of the request. */
const isExtracted = ({ flow, words }: Search, { pattern, start }: Lambda['parameters'][number]): boolean =>
  pattern !== undefined && words.input_types.is(words.of(/^(\w+)\(/.exec(flow.text.slice(start, start + 40))?.[1] ?? ''))

export function isRequest(words: AccessWords, type: string | undefined, name: string): boolean {
  if (type !== undefined && type !== '') {
    const said = words.of(type)
    return words.requests.is(said) || (said.at(-1) === 'request' && said.length > 1)
  }
  return ['request', 'req'].includes(name)
}

/** Go: `c context`, a type that no other package sees, is no framework's. */
const isOfPackage = ({ book }: Search['flow'], type = ''): boolean =>
  book.language === 'go' && /^\*?(?:context|[a-z]\w*Context)$/.test(type)

/** Go: `(w http.ResponseWriter, r *http.Request)`; a request alone may be one that is sent. */
const isAnswered = (words: AccessWords, type: string | undefined, before: string | undefined): boolean =>
  type === undefined || !words.paired.is(words.of(type)) || (before !== undefined && words.writers.is(words.of(before)))

/** Helpers that take a request answer a question about it. */
const isFilterName = (words: AccessWords, name: string): boolean => {
  const said = words.of(name)
  return words.demands.begins(said) || words.authenticates.ends(said) || said.at(-1) === 'middleware' || said[0] === 'current'
}

const handMade = new WeakMap<ClassIr, boolean>()

/** PHP without a framework: a class that reads the request and the session and sends heads itself; what calls it hands on the path. */
function isHandMade({ flow }: Search, ir: ClassIr): boolean {
  if (flow.book.language !== 'php') return false
  let is = handMade.get(ir)
  if (is === undefined) {
    const text = flow.text.slice(ir.start, ir.end)
    is = /\$_SESSION\b/.test(text) && /\$_(?:GET|POST|REQUEST)\b/.test(text) && /\b(?:header|http_response_code)\s*\(/.test(text)
    handMade.set(ir, is)
  }
  return is
}

/** Of `methods=['POST']`, or as the route or the function is called. */
function verbOf(words: AccessWords, args: readonly Argument[], name: string): ReturnType<typeof verbIn> {
  const methods = args.flatMap((one) => (one.name === 'methods' || one.name === 'method' ? namesIn(one.value) : []))
  return verbIn(methods.length > 0 ? methods.flatMap((one) => [...words.of(one)]) : words.of(name))
}

/** A function may say so for itself alone. */
const isMarkedInside = (text: string, { body }: Lambda): boolean =>
  /^\{\s*['"]use server['"]/.test(text.slice(body.start, body.start + 200))

/** Next calls what a file or function marked with `use server` exports, for whoever asks. */
const isServerAction = ({ flow }: Search, ir: Lambda, scope: Scope): boolean =>
  scope.classInfo === null &&
  scope.lambda === null &&
  ir.name !== '' &&
  (/^\s*['"]use server['"]/.test(flow.text.slice(0, 400)) || isMarkedInside(flow.text, ir)) &&
  /\bexport\s+(?:default\s+)?(?:async\s+)?(?:function\s*|const\s+)$/.test(
    flow.text.slice(Math.max(0, ir.start - 40), ir.start) +
      (flow.text.slice(ir.start, ir.start + 30).match(/^(?:async\s+)?function\s*/)?.[0] ?? ''),
  )

/** Play's `adminAction.async { request => ... }`. */
function wrapperGuards({ words }: Search, body: Ir): Guard[] {
  if (body.op !== 'call' || body.args.at(-1)?.value.op !== 'function') return []
  // `signedIn { request => ... }`, `signedIn(parse.json) { request => ... }` say it without a step behind it.
  const around = chainNames(body.callee).filter((name, at) => at > 0 || !/^(?:async|apply)$/.test(name))
  return around.flatMap((name) => {
    const said = words.of(name).filter((word) => !words.controllers.is([word]))
    const guard = ofWords(words, said, true) ?? (words.people.ends(said) ? { level: 1 as const } : null)
    return guard === null ? [] : [guard]
  })
}
