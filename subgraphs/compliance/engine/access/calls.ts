/** Calls in a handler: what the client sent, who the caller is, what is loaded, what is asked. */
import { type AccessWords, singular } from '../rulebook/access-words.js'
import { type Argument, type Call, extensionModifier, type Ir, type Lambda } from '../syntax/ir.js'
import { isElsewhere, isForAll, isLookup, isOfStatement, lookupAt, namesOwner, statementIn } from './lookups.js'
import { chainNames, isConstant, lastName, methodWords, refusalCodes, stringOf } from './names.js'
import {
  has,
  join,
  nothing,
  ofCaller,
  ofCapability,
  ofCarrier,
  ofClient,
  ofId,
  ofRole,
  ofThing,
  type Traits,
  without,
} from './traits.js'
import { asId, headerTraits, isAuthorship, isCallerName, isCurrentPerson, keyTraits, partOfCarrier } from './parts.js'
import { runFunction, runLambda } from './functions.js'
import { noteAct, noteCheck, type Walk } from './state.js'

interface Site {
  readonly call: Call
  readonly method: string
  readonly said: readonly string[]
  readonly object: Ir | null
  readonly receiver: Traits
  readonly args: readonly Traits[]
  readonly given: Traits
}

export function evaluateCall(walk: Walk, call: Call, depth: number): Traits {
  const method = lastName(call.callee)
  const said = methodWords(walk.words, call)
  const object = call.callee.op === 'member' ? call.callee.object : null
  const isAsking = walk.words.demands.begins(said) || isComparing(walk, method)
  if (isAsking) walk.testing++
  const receiver = receiverOf(walk, call.callee, depth)
  const plain = call.args.map((argument) =>
    argument.value.op === 'function' ? nothing : evaluateArgument(walk, argument, depth),
  )
  const passed = without(receiver | (has(receiver, ofThing) ? nothing : join(plain)), ofCarrier)
  const args = call.args.map(({ value }, at) =>
    value.op === 'function' ? runLambda(walk, value, [passed], depth) : (plain[at] ?? nothing),
  )
  if (isAsking) walk.testing--
  const waiting = object?.op === 'name' ? walk.prepared.get(object.name) : undefined
  if (waiting !== undefined) {
    waiting.hasClient ||= has(join(args), ofClient)
    waiting.hasCaller ||= has(join(args), ofCaller)
  }
  const site: Site = { call, method, said, object, receiver, args, given: join(args) }
  return resultOf(walk, site)
}

const isOwn = ({ object }: Site): boolean => object === null || (object.op === 'name' && object.name === 'this')

function receiverOf(walk: Walk, callee: Ir, depth: number): Traits {
  if (callee.op === 'member') return walk.evaluate(walk, callee.object, depth)
  return callee.op === 'name' ? without(walk.env.get(callee.name) ?? nothing, ofThing) : walk.evaluate(walk, callee, depth)
}

function evaluateArgument(walk: Walk, { name, value }: Argument, depth: number): Traits {
  if (name === undefined) return walk.evaluate(walk, value, depth)
  const said = walk.words.of(name)
  if (!isAuthorship(said)) return asId(walk, said, walk.evaluate(walk, value, depth))
  const before = walk.unit.hasCaller
  const traits = walk.evaluate(walk, value, depth)
  walk.unit.hasCaller = before
  return traits
}

function resultOf(walk: Walk, site: Site): Traits {
  const fromRequest = readRequest(walk, site)
  if (fromRequest !== null) return fromRequest
  const { words } = walk
  const { said, receiver, given, call, args } = site
  const both = receiver | given
  if (isCallerName(words, said) || isCurrentPerson(words, site.object, said) || (words.identity.is(said) && has(both, ofCarrier)))
    return ofCaller
  if (said.length === 1 && said[0] === 'auth') return ofCaller
  // `current(r)`
  if (site.object === null && words.presences.is(said) && has(given, ofCarrier)) return ofCaller
  // `$this->getUser()`, `getAccount()`.
  if (call.args.length === 0 && said.length === 2 && said[0] === 'get' && words.people.is(said.slice(1)) && isOwn(site))
    return ofCaller
  if (isCheck(walk, site)) {
    noteCheck(walk, call)
    walk.asksRole ||= words.roles.within(said) || (has(receiver, ofCaller) && isAboutRights(walk, site.method, said))
  }
  if (has(given, ofCaller)) noteThings(walk, site)
  // `current_user.company.bookings`
  if (has(receiver, ofCaller) && call.args.length === 0 && singular(said.at(-1) ?? '') !== said.at(-1))
    walk.scoped.add(site.method)
  // `User.current.feed_token.destroy`
  if (has(receiver, ofCaller) && words.acts.begins(said)) noteOwnThing(walk, site.object)
  const own = ownFunction(walk, site)
  if (own !== null) {
    const result = runFunction(walk, own, site.args, { start: call.at, end: call.end })
    if (result !== null) return has(result, ofThing) ? ofThing : result
  }
  if (words.compares_secrets.is(said) || words.compares_secrets.ends([...objectWords(words, site.object), ...said])) {
    walk.provesSecret ||= walk.inlined.length === 0 && !namesForgery(walk, call)
    return without(both, ofRole | ofCarrier)
  }
  if (isProof(words, site)) return ofCaller
  const statement = statementIn(walk, call, both)
  if (statement) return ofThing
  if (namesOwner(walk, call, args)) return ofCaller
  if (
    isLookup(walk, said, call.isNew ? null : site.object, receiver, withoutWritten(walk, site)) &&
    !isTable(site.object) &&
    !isNoStore(walk, site) &&
    !isSearched(walk, site) &&
    !isOfStatement(site.object) &&
    !takesRequest(site) &&
    !isElsewhere(call) &&
    !isForAll(call, site.object)
  ) {
    lookupAt(walk, call, site.object, call.args, given, site.method)
    return ofThing
  }
  walk.changesThing ||= has(receiver, ofThing) && words.changes.begins(said)
  if (has(both, ofThing) && (words.acts.begins(said) || isActOnEach(walk, site))) noteAct(walk, { start: call.at, end: call.end })
  // `userFrom(r.Context())`, `requireUser(request)`, `sessionFrom(req)`.
  if (
    has(both, ofCarrier) &&
    !has(both, ofClient) &&
    said.some((word) => words.identity.is([word]) || words.callers.is([word]) || words.people.is([word])) &&
    !words.finds.is(said)
  )
    return ofCaller
  if (has(both, ofThing)) return ofThing | (both & ofCaller)
  // What is made of many things is none of them: an answer of a model, a rendered page.
  const passed =
    receiver |
    join(call.args.map(({ value }, at) => (value.op === 'collection' ? (args[at] ?? nothing) : nothing) & ofCaller)) |
    join(call.args.map(({ value }, at) => (value.op === 'collection' ? nothing : (args[at] ?? nothing))))
  return without(passed, ofCarrier) | (has(receiver, ofCarrier) && words.carriers.is(said) ? ofCarrier : nothing)
}

/** A token against forged requests says that the user's own page asks, and nothing of the thing. */
const namesForgery = ({ words }: Walk, { args }: Call): boolean =>
  args.some(({ value }) => [...chainNames(value), stringOf(value) ?? ''].some((name) => words.forgery.within(words.of(name))))

const objectWords = (words: AccessWords, object: Ir | null): readonly string[] =>
  object?.op === 'name' ? words.of(object.name) : []

/** `jwt.verify(token, KEY)`, `verifyToken(token)`, but not `jwt.decode(token)`. */
function isProof(words: AccessWords, { call, said, object }: Site): boolean {
  const named = [...objectWords(words, object), ...said]
  if (words.proves.ends(named)) return true
  const key = call.args[1]?.value
  return words.decodes.ends(named) && key !== undefined && key.op !== 'collection' && !isConstant(key)
}

/** `req.get('x-role')`, `c.Param("id")`, `session.getAttribute("userId")`, `URLParam(r, "id")`. */
/** `ORDERINGS.get(order)`: a table in the program. */
const isTable = (object: Ir | null): boolean => object?.op === 'name' && /^[A-Z][A-Z_0-9]+$/.test(object.name)

/** `c.set('account', ...)` keeps something with the request, `exec('convert ...')` runs a program, `download(id + '/' + name)` reads a file. */
const isNoStore = ({ words }: Walk, { call, said, object, receiver }: Site): boolean =>
  (object === null && words.programs.begins(said)) ||
  (object?.op === 'name' && has(receiver, ofCarrier) && said.length === 1 && said[0] === 'set') ||
  (words.loads.is(said) && call.args.every(({ value }) => value.op === 'binary' || value.op === 'concat'))

/** `xpath.select(expression, document)`, `navigator.SelectSingleNode(expression)` */
const isSearched = ({ words }: Walk, { object, said }: Site): boolean =>
  (object?.op === 'name' && words.searched.is(words.of(object.name))) || words.searched.ends(said)

function readRequest(walk: Walk, { call, said, object, receiver, args }: Site): Traits | null {
  const { words } = walk
  const strings = call.args.map(({ value }) => stringOf(value))
  const key = strings.find((text) => text !== null && text !== undefined) ?? null
  const named = key === null ? [] : words.of(key)
  if (has(receiver, ofCarrier)) {
    const isInput = words.inputs.is(said) || words.inputs.ends(said)
    const isGeneral =
      said.length > 0 &&
      (said[0] === 'get' || said[0] === 'must' || said[0] === 'value' || said.at(-1) === 'attribute' || said[0] === 'fetch')
    const [first] = call.args
    if (isGeneral && first !== undefined) {
      // Go: `r.Context().Value(accountKey)`.
      const asks = key === null ? words.of(lastName(first.value)).filter((word) => !ofKeys.has(word)) : named
      if (isGeneralKey(said) && (words.identity.is(asks) || isCallerName(words, asks) || words.identity.ends(asks)))
        return ofCaller
      if (key === null) return null
    }
    if (isInput && !(isGeneral && key === null))
      return (
        ofClient | keyTraits(words, named) | headerTraits([...said, ...(said[0] === 'get' && named[0] === 'x' ? ['header'] : [])])
      )
    const part = partOfCarrier(
      walk,
      said.filter((word) => word !== 'get'),
    )
    return part === nothing ? null : part
  }
  if (has(receiver, ofClient) && !has(receiver, ofThing)) {
    const isHeader = said.includes('header') || said.includes('headers')
    const part = key === null ? said.filter((word) => word !== 'get') : named
    return (
      without(join([receiver, ...args]), ofCarrier) | keyTraits(words, part) | (isHeader ? headerTraits(['header']) : nothing)
    )
  }
  // Go: `mux.Vars(r)["id"]`.
  const isOfPackage = object?.op === 'name' && call.args.length === 1 && receiver === nothing
  if (has(join(args), ofCarrier) && words.inputs.ends(said) && (said.length > 1 || isOfPackage))
    return ofClient | keyTraits(words, named)
  return null
}

const ofKeys: ReadonlySet<string> = new Set(['key', 'ctx', 'context'])

/** `c.Get("user")` and `getAttribute("userId")` against `c.Query("user_id")` and `getParameter("userId")`. */
const isGeneralKey = (said: readonly string[]): boolean =>
  !said.some((word) =>
    ['parameter', 'param', 'header', 'query', 'cookie', 'cookies', 'argument', 'input', 'field'].includes(word),
  )

function isComparing({ flow }: Walk, method: string): boolean {
  const { words } = flow.book
  return words.equal.has(method) || words.contains.has(method) || method === '==' || method === '!='
}

/** The method that a function calls and does nothing else: `&:destroy`. */
const onlyCallOf = (ir: Ir): string =>
  ir.op === 'function' && ir.body.op === 'call' && ir.body.callee.op === 'member' ? ir.body.callee.property : ''

/** Ruby's `entries.each(&:destroy)`. */
const isActOnEach = ({ words }: Walk, { call, said }: Site): boolean =>
  said.at(-1) === 'each' && call.args.some(({ value }) => words.acts.is(words.of(onlyCallOf(value))))

/** `this.findForEditing(req, { _id: id })`: the request goes along, so that the method can ask for the caller. */
const takesRequest = ({ call, object }: Site): boolean =>
  object !== null &&
  call.args.length > 1 &&
  call.args.some(({ value }) => /^\$?req(?:uest)?(?: clone)?$/.test(chainNames(value).toReversed().join(' ')))

/** A call that asks whether the caller may. */
function isCheck(walk: Walk, site: Site): boolean {
  const { call, method, said, receiver, args, given } = site
  const { words } = walk
  const both = receiver | given
  const isTell = words.tells.begins(said)
  if (isComparing(walk, method)) {
    const others = call.args.some(({ value }) => !isConstant(value))
    if (
      has(both, ofCaller) &&
      others &&
      !(call.args.length === 1 && has(receiver, ofCaller) && isConstant(call.args[0]?.value ?? call))
    )
      return true
  }
  if (has(receiver, ofCaller) && walk.testing > 0 && isAboutRights(walk, method, said)) return true
  const isQuery = words.finds.begins(said) || words.changes.begins(said)
  const isIdentity = words.authenticates.within(said) && !words.authorizes.within(said.filter((word) => word !== 'authorization'))
  if (
    !isQuery &&
    !isTell &&
    !isIdentity &&
    !(said[0] === 'own' && isLookupOfOwn(method, said, given)) &&
    words.authorizes.within(said) &&
    (call.args.length > 0 || has(receiver, ofCaller | ofThing) || said.length > 1)
  )
    return true
  if (
    words.roles.within(said) &&
    !isQuery &&
    !isTell &&
    (words.demands.begins(said) || method.endsWith('!') || has(both, ofCaller))
  )
    return true
  if (words.demands.begins(said) && !(isIdentity && !has(given, ofThing)) && !isForAnybody(site)) {
    const isAsked =
      has(given, ofThing) ||
      (has(given, ofCaller) && args.length > 0 && has(both, ofClient | ofThing)) ||
      (has(given, ofCarrier) && has(given, ofClient))
    if (isAsked && !words.finds.is(said)) return true
  }
  if (isTell || isQuery) return false
  return has(both, ofCaller) &&
    has(given, ofThing | ofClient) &&
    call.args.length > 0 &&
    (has(given, ofCaller) || has(receiver, ofCaller)) &&
    !isStorage(said)
    ? true
    : has(receiver, ofThing) && has(given, ofCaller) && !isTell
}

/** `abort_if(order === null, 404)` tells everybody the same. */
const isForAnybody = ({ call: { args }, given }: Site): boolean =>
  !has(given, ofCaller) &&
  args.some(
    ({ value }) =>
      value.op === 'literal' && typeof value.value === 'number' && value.value >= 400 && !refusalCodes.has(value.value),
  )

/** `own_patient(request)` looks for the caller's patient, and asks nothing of another thing. */
const isLookupOfOwn = (method: string, said: readonly string[], given: Traits): boolean =>
  said.length > 1 && !method.endsWith('?') && !has(given, ofThing | ofClient)

const isStorage = (said: readonly string[]): boolean =>
  ['push', 'put', 'append', 'concat', 'format', 'assign'].includes(said[0] ?? '')

/** `user.IsInRole(x)`, `current_user.finance?`, but not `user.isAuthenticated()`. */
function isAboutRights({ words }: Walk, method: string, said: readonly string[]): boolean {
  if (
    words.authenticates.within(said) ||
    said.includes('present') ||
    said.includes('nil') ||
    said.includes('blank') ||
    said.includes('empty') ||
    said.includes('anonymous')
  )
    return false
  return (
    method.endsWith('?') ||
    ['is', 'has', 'can', 'may'].includes(said[0] ?? '') ||
    words.roles.within(said) ||
    words.authorizes.within(said)
  )
}

/** What hangs on the caller is the caller's. */
function noteOwnThing({ words, scoped }: Walk, object: Ir | null): void {
  const [name, of] = object === null ? [] : chainNames(object)
  if (name === undefined || of === undefined || isCallerName(words, words.of(name)) || words.presences.is(words.of(name))) return
  scoped.add(name)
}

/** `increment({ ownerId: user.id }, 'cents', 5)`: whose it is stands there, whatever the method does. */
const isOfOwner = ({ words }: Walk, { args }: Call): boolean =>
  args.some(
    ({ value }) =>
      value.op === 'collection' &&
      value.entries.some(({ key }) => key !== null && words.owners.is(words.of(stringOf(key) ?? lastName(key)))),
  )

/** What is read together with the caller is a thing that belongs to somebody. */
function noteThings(walk: Walk, { call, said, object, method }: Site): void {
  if (walk.words.tells.is(said) && !isOfOwner(walk, call)) return
  walk.unit.things.push(method, ...(object === null ? [] : chainNames(object)))
  // `get_or_create(user=caller, product=product)` is about what is the caller's, and says whose the product is not.
  for (const { name, value } of call.args) if (name === undefined && value.op === 'name') walk.unit.things.push(value.name)
}

/** `update(filter, change)`, `update({ where, data })`: a phone number that is written says nothing of who knows it. */
function withoutWritten({ words }: Walk, { call, said, args, given }: Site): Traits {
  const [first] = call.args
  const [chosen = nothing] = args
  if (first === undefined || !has(given, ofCapability) || !words.changes.begins(said)) return given
  if (args.length > 1 && has(chosen, ofClient) && has(chosen, ofId) && !has(chosen, ofCapability))
    return without(given, ofCapability)
  const { value } = first
  const where =
    value.op === 'collection' ? value.entries.find(({ key }) => key !== null && stringOf(key) === 'where')?.value : null
  if (where?.op !== 'collection') return given
  const names = where.entries.flatMap(({ key, value: one }) => [key === null ? '' : (stringOf(key) ?? ''), lastName(one)])
  return names.some((name) => words.capabilities.ends(words.of(name))) ? given : without(given, ofCapability)
}

/** The function of the file that is called; methods only where one class alone has them. */
/** Kotlin: `fun ApplicationCall.clinic() = principal<JWTPrincipal>()...` */
function extensionOf({ flow }: Walk, method: string): Lambda | null {
  const lambda = flow.globals.variables.get(method)?.func?.lambda
  return lambda?.modifiers.includes(extensionModifier) === true ? lambda : null
}

function ownFunction(walk: Walk, { call, object, method }: Site): Lambda | null {
  const { flow, handler } = walk
  const own = handler.className === null ? undefined : flow.classes.get(handler.className)?.methods.get(method)
  if (object === null) return call.isNew ? null : (own ?? flow.globals.variables.get(method)?.func?.lambda ?? null)
  if (object.op === 'name' && (object.name === 'this' || object.name === handler.className)) return own ?? null
  const others = flow.methodsByName.get(method) ?? []
  const [only] = others
  if (only === undefined) return extensionOf(walk, method)
  if (others.length > 1) return null
  // `Claim.find(...)` is no method of the file that happens to be called so.
  const isModel = object.op === 'name' && /^[A-Z]/.test(object.name) && object.name !== only.className
  // `this.teams.members()` in a class that has `members` too.
  const isOther = object.op !== 'name' && only.className === handler.className
  return isModel || isOther ? null : only.lambda
}
