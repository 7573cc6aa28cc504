/**
 * Changes of what all requests share, made in a handler without a lock: a counter of the program, a field of a class of which there is one
 * object, a map of which every request changes an entry. Two requests at the same time lose one of the changes, or break the map.
 *
 * Only changes that rest on what was there before count, and entries of maps. What is written down is read as text where the
 * representation leaves a step (`n++`) to its name.
 */
import type { Place } from '../flow/sink-hits.js'
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import { nodesOf } from '../match/nodes.js'
import { careful, changed, isChange, ownNames } from '../match/outer-changes.js'
import type { SharedPart } from '../rulebook/access-keys.js'
import type { Assign, Ir } from '../syntax/ir.js'
import type { Handler } from './handler.js'

export function sharedChanges(flow: Flow, shared: ReadonlySet<SharedPart>, handler: Handler): readonly Place[] {
  const { lambda } = handler
  if (lambda === null || lambda.modifiers.some((one) => careful.test(one))) return []
  const text = flow.text.slice(lambda.start, lambda.end)
  if (careful.test(text)) return []
  const own = ownNames(lambda)
  const nodes = nodesOf(lambda.body, true)
  const isAlone =
    shared.has('waits') && /\basync\s+(?:def\b.{0,80})?$/.test(flow.text.slice(Math.max(0, lambda.start - 8), lambda.start + 9))
  const first = nodes.find(
    (ir) =>
      isChange(flow, ir, shared.has('maps')) &&
      (!isAlone || /\bawait\b/.test(flow.text.slice(ir.start, ir.end))) &&
      isShared(flow, shared, handler, own, text, changed(ir)),
  )
  return first === undefined ? [] : [first]
}

function isShared(
  flow: Flow,
  shared: ReadonlySet<SharedPart>,
  handler: Handler,
  own: ReadonlySet<string>,
  text: string,
  place: Ir,
): boolean {
  const whole = place.op === 'index' ? place.object : place
  if (whole.op === 'name') {
    if (own.has(whole.name)) return false
    const field = fieldOf(flow, handler, whole.name)
    if (field !== undefined) return isSharedField(flow, shared, field, place)
    return (
      shared.has('globals') &&
      (place.op === 'index' ||
        !shared.has('announced') ||
        new RegExp(`\\b(?:global|nonlocal) [^\\n]{0,80}\\b${whole.name}\\b`).test(text)) &&
      globalOf(flow, whole.name, place) !== undefined
    )
  }
  if (whole.op !== 'member' || whole.object.op !== 'name') return false
  const { name } = whole.object
  // Go: the receiver of a method that answers requests.
  if (handler.lambda?.receiver?.name === name) return shared.has('fields')
  if (name === handler.className) return isSharedField(flow, shared, fieldOf(flow, handler, whole.property), place)
  return name === 'this' && isSharedField(flow, shared, fieldOf(flow, handler, whole.property), place)
}

const fieldOf = (flow: Flow, { className }: Handler, name: string): Assign | undefined =>
  className === null || copiesItself(flow, className) || livesForOneCall(flow, className)
    ? undefined
    : declaredAmong(flow.classes.get(className)?.ir.members ?? [], name)

/** `return new Collector(this)`: every use has an object of its own. */
const copiesItself = ({ text }: Flow, className: string): boolean =>
  /^\w+$/.test(className) && new RegExp(`\\breturn new ${className}\\(this\\b`).test(text)

/** `Walk(tree).run()` of a class that only this file knows: nobody keeps the object. */
function livesForOneCall({ text, root }: Flow, className: string): boolean {
  if (!/^\w+$/.test(className)) return false
  if (!new RegExp(`\\bprivate (?:inner |static |final ){0,2}class ${className}\\b`).test(text)) return false
  const calls = nodesOf(root, true).flatMap((ir) => (ir.op === 'call' ? [ir] : []))
  const made = calls.filter(({ callee }) => callee.op === 'name' && callee.name === className)
  const used = new Set(calls.flatMap(({ callee }) => (callee.op === 'member' ? [callee.object] : [])))
  return made.length > 0 && made.every((call) => used.has(call))
}

/** A constant map is changed by its entries, a constant number not at all. */
function isSharedField(flow: Flow, shared: ReadonlySet<SharedPart>, field: Assign | undefined, place: Ir): boolean {
  if (field === undefined || isGuarded(flow, field)) return false
  const before = flow.text.slice(flow.text.lastIndexOf('\n', field.start) + 1, field.target.start)
  const isStatic = field.modifiers?.some((one) => /static/.test(one)) === true || /\bstatic\b/.test(before)
  return (
    shared.has(isStatic ? 'statics' : 'fields') && (place.op === 'index' || !/\b(?:const|final|readonly|val|let)\b/.test(before))
  )
}

function globalOf(flow: Flow, name: string, place: Ir): Assign | undefined {
  const found = declaredAmong(flow.root.op === 'block' ? flow.root.body : partsOf(flow.root), name)
  if (found === undefined || isGuarded(flow, found)) return undefined
  return place.op !== 'index' || found.value === null || found.value.op !== 'literal' ? found : undefined
}

/** `ConcurrentDictionary`, `AtomicLong`, `threading.local()`, `@volatile`: made for it. */
const isGuarded = ({ text }: Flow, { start, end }: Assign): boolean =>
  /concurrent|atomic|synchroni[sz]ed|thread_?local|threading|contextvar|copyonwrite|sync\./i.test(
    text.slice(text.lastIndexOf('\n', start) + 1, end),
  )

function declaredAmong(members: readonly Ir[], name: string): Assign | undefined {
  for (const member of members) {
    if (member.op === 'assign' && member.target.op === 'name' && member.target.name === name) return member
    const inner = member.op === 'block' ? declaredAmong(member.body, name) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}
