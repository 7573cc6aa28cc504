/** What the parameters of a handler are. */
import type { AccessWords } from '../rulebook/access-words.js'
import { partsOf } from '../flow/prepare.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { annotated } from './annotated.js'
import { bind } from './binding.js'
import { isRequest } from './declared.js'
import { kindOf } from './lookups.js'
import { lastName, stringOf } from './names.js'
import { headerTraits, isCallerName, keyTraits } from './parts.js'
import type { Walk } from './state.js'
import { ofCaller, ofCarrier, ofClient, ofId, ofThing, type Traits } from './traits.js'

export function bindParameters(walk: Walk): void {
  const { handler, words } = walk
  for (const [at, parameter] of handler.parameters.entries()) {
    const isBound = isBoundModel(walk, parameter)
    const traits = isBound ? 0 : traitsOfParameter(walk, parameter, at)
    if (parameter.pattern === undefined) {
      if (traits !== 0)
        walk.env.set(
          parameter.name,
          traits | (isNamed(words, parameter, traits) ? keyTraits(words, words.of(parameter.name)) : 0),
        )
    } else bind(walk, parameter.pattern, traits)
    if ((traits & ofCaller) !== 0) walk.hasCaller = true
    if (isBound) noteBound(walk, parameter)
    if ((traits & ofClient) !== 0) walk.hasClient = true
  }
}

const isNamed = (words: AccessWords, { decorators, type }: Lambda['parameters'][number], traits: Traits): boolean =>
  (traits & ofClient) !== 0 &&
  !isWholeBody(
    decorators.map((one) => words.of(lastName(one))),
    type,
  )

/** Laravel's `{invoice}` with `Invoice $invoice`: the framework has loaded it by the id in the path. */
function isBoundModel({ flow, words, handler }: Walk, { name, type }: Lambda['parameters'][number]): boolean {
  if (flow.book.language !== 'php' || type === undefined || !handler.takesValues || handler.verb === 'post') return false
  if (kindOf(words, type) !== 'owned') return false
  const plain = name.replace(/^\$/, '')
  return words.of(plain).join('') === words.of(type).join('') && (handler.path.includes(`{${plain}}`) || handler.path === '/')
}

function noteBound(walk: Walk, { name, type = '' }: Lambda['parameters'][number]): void {
  const [body] = walk.handler.bodies.slice(-1)
  const use = body === undefined ? null : firstUse(body, name)
  if (use === null) return
  walk.env.set(name, ofThing)
  walk.lookups.push({ start: use.start, end: use.end, near: [type], byOwner: false, isChange: false, isPrepared: false })
}

function firstUse(body: Ir, name: string): Ir | null {
  const stack: Ir[] = [body]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.op === 'name' && at.name === name) return at
    stack.push(...partsOf(at).toReversed())
  }
  return null
}

/** `@RequestBody user: User` holds what is to become a user, and says of none which one. */
const isWholeBody = (inputs: readonly (readonly string[])[], type: string | undefined): boolean =>
  inputs.some((one) => one.at(-1) === 'body') &&
  type !== undefined &&
  !/^(?:String|[Ll]ong|[Ii]nt(?:eger)?|UUID|Guid|string|number)\b/.test(type)

function traitsOfParameter({ words, handler, flow }: Walk, parameter: Lambda['parameters'][number], at: number): Traits {
  const name = words.of(parameter.name)
  const type = words.of(parameter.type ?? '')
  const decorators = parameter.decorators.map((one) => words.of(lastName(one)))
  if (
    decorators.some((one) => isCallerName(words, one) || words.identity.is(one) || (one[0] === 'get' && words.people.ends(one)))
  )
    return ofCaller
  const inputs = decorators.filter((one) => words.input_types.is(one))
  if (inputs.length > 0) {
    const key =
      parameter.decorators
        .map((one) => (one.op === 'call' ? stringOf(one.args[0]?.value) : null))
        .find((text) => text !== null) ?? parameter.name
    return ofClient | (isWholeBody(inputs, parameter.type) ? 0 : keyTraits(words, words.of(key))) | headerTraits(inputs.flat())
  }
  if (decorators.some((one) => words.requests.is(one))) return isCallerName(words, type) ? ofCaller : ofCarrier
  const fallback = parameter.fallback ?? annotated(flow, parameter.type)
  if (fallback?.op === 'call') {
    const said = words.of(lastName(fallback))
    const given = words.of(lastName(fallback.args[0]?.value ?? fallback))
    if (words.input_types.is(said)) return ofClient | keyTraits(words, name) | headerTraits(said)
    if (said.join(' ') === 'depends' || said.join(' ') === 'security')
      return isSomebody(words, given) || words.roles.within(given) || isSomebody(words, type) ? ofCaller : 0
  }
  if (isCallerName(words, type) || words.roles.within(type)) return ofCaller
  if (isRequest(words, parameter.type, parameter.name))
    return type.at(-1) === 'request' && !words.requests.is(type) ? ofClient : ofCarrier
  // Rust's `Extension(user): Extension<User>`, which a guard of the routes has put there.
  const isHeld = parameter.held !== undefined && !words.input_types.is(type)
  if (isHeld && isSomebody(words, words.of(parameter.held ?? ''))) return ofCaller
  // Rust's `Path(id): Path<i64>`, of which the type is the number.
  if (parameter.pattern !== undefined && (words.input_types.is(type) || /^[a-z]\w*$/.test(parameter.type ?? ''))) return ofClient
  if (isCallerName(words, name) || handler.callers.includes(parameter.name)) return ofCaller
  if (isSomebody(words, type) && flow.book.language !== 'php') return ofCaller
  const isGraphql = handler.lambda !== null && !handler.lambda.declares && handler.path === '' && handler.name !== ''
  if (isGraphql) return at === 1 ? ofClient : at === 2 ? ofCarrier : 0
  if (parameter.pattern !== undefined) return ofCarrier
  // A route of Swift is a closure that takes the request first, whatever it calls it.
  const isFirst =
    at === 0 && (parameter.name.length === 1 || (flow.book.language === 'swift' && handler.lambda?.declares === false))
  if (type.length === 0 && (words.carriers.is(name) || isFirst)) return ofCarrier
  if (!handler.takesValues) return 0
  if (words.ids.ends(name) || new RegExp(`[:{<]\\W?(?:\\w+:)?${parameter.name.replaceAll(/\W/g, '')}\\b`).test(handler.path))
    return ofClient | ofId
  return words.input_types.is(type) || words.bodies.within(name) ? ofClient : 0
}

/** `AuthUser`, `get_current_user`, `Member`. */
const isSomebody = (words: AccessWords, said: readonly string[]): boolean =>
  said.length > 0 &&
  (isCallerName(words, said) ||
    (words.people.is(said.slice(-1)) &&
      said.at(-1) !== 'id' &&
      said.length <= 3 &&
      (said.length === 1 || words.presences.is(said.slice(0, 1)) || words.authenticates.within(said) || said[0] === 'get')))
