/** What is wrong, by comparing what handlers ask. */
import type { Fact } from '../facts/run.js'
import type { FactKind } from '../rulebook/fact-kinds.js'
import type { AccessWords } from '../rulebook/access-words.js'
import type { Place } from '../flow/sink-hits.js'
import type { Flow } from '../flow/state.js'
import { type Guard, type GuardReader, noGuard, strongest } from './guards.js'
import type { Handler } from './handler.js'
import { handlersOf } from './handlers.js'
import { bindParameters } from './parameters.js'
import { kindOf, thingWords } from './lookups.js'
import { type Lookup, settle, type Walk } from './state.js'
import { shared } from './shared-acts.js'
import { sharedChanges } from './shared-changes.js'
import { ungated } from './ungated.js'
import { newWalk, refuses } from './walk.js'

interface Read {
  readonly handler: Handler
  readonly walk: Walk
  readonly guard: Guard
}

/** Nobody writes more into one file by hand, and what is made by a program is repaired in that. */
const maxHandlers = 2_000

export function accessFacts(flow: Flow, words: AccessWords): readonly Fact[] {
  const reader = guardReader(flow, words)
  const handlers = [...handlersOf(flow, words, reader), ...pagesOf(flow)]
  if (handlers.length === 0 || handlers.length > maxHandlers) return []
  const reads = handlers.map((handler): Read => {
    const walk = readHandler(flow, words, handler)
    return { handler, walk, guard: strongest(handler.guards) }
  })
  const facts: Fact[] = []
  const seen = new Set<string>()
  const report = (kind: FactKind, { start, end }: Place, handler: Handler): void => {
    if (seen.has(`${kind}:${start}`)) return
    seen.add(`${kind}:${start}`)
    flow.trace?.(`access ${kind}`, start)
    facts.push({ kind, start, end, inside: handler.lambda?.start ?? -1 })
  }
  const scoped = new Set(reads.flatMap(({ walk }) => [...walk.scoped].map((name) => thingWords(words, name).join(' '))))
  scoped.delete('')
  const isCallerKnown = reads.some(({ walk, guard }) => walk.hasCaller || (guard.level > 0 && guard.isUnknown !== true))
  const asked = askedByClass(reads)
  const listed = new Set(reads.flatMap((read) => (isAnonymous(read) ? [...read.walk.listed] : [])))
  const forgetful = ungated(reads)
  const done = shared(words, reads)
  for (const read of reads) {
    const { handler, walk, guard } = read
    for (const change of sharedChanges(flow, words.shared, handler)) report('shared-change', change, handler)
    for (const decision of walk.decisions) report('claimed-role', decision, handler)
    // A page has several acts; of a handler the surest is enough.
    if (walk.decisions.length > 0 && handler.lambda !== null) continue
    const isFree = guard.isOpen !== true && guard.level < 2 && isCallerKnown
    const act = isEntrance(words, read) || isQuestion(words, handler) ? undefined : done.get(read)
    const isUnguarded = isUnguardedAct(words, read, asked) || forgetful.has(read) || act !== undefined
    const unowned =
      isFree && walk.checks.length === 0 && !walk.provesSecret && !walk.givesToCaller
        ? walk.lookups.filter((one) => isOwned(words, read, one, scoped, isUnguarded) && !isShown(read, one, listed))
        : []
    if (isUnguarded && (unowned.length === 0 || handler.isExcepted === true || isForSome(words, handler)))
      report('unguarded-act', act ?? handler.place, handler)
    else for (const lookup of unowned) report('unowned-object', lookup, handler)
    const late = isFree || guard.isRead === true ? lateCheck(read) : null
    if (late !== null) report('late-check', late, handler)
  }
  if (flow.trace !== null)
    for (const { handler, walk, guard } of reads)
      flow.trace(
        `handler ${handler.verb} ${handler.path} ${handler.name} guard ${guard.level}${guard.isUnknown === true ? '?' : ''}${guard.isOpen === true ? ' open' : ''} checks ${walk.checks.length} lookups ${walk.lookups.map((one) => `[${one.near.join(' ')}]`).join(' ')} caller ${walk.hasCaller} scoped ${[...walk.scoped].join(' ')}`,
        handler.place.start,
      )
  return facts
}

function readHandler(flow: Flow, words: AccessWords, handler: Handler): Walk {
  const walk = newWalk(flow, words, handler)
  bindParameters(walk)
  for (const body of handler.bodies) walk.run(walk, body, 0)
  for (const name of walk.prepared.keys()) settle(walk, name)
  return walk
}

/** What is known of code that nothing in the file binds to a path. */
const unbound = {
  path: '',
  verb: '',
  className: null,
  guards: [],
  isMounted: true,
  callers: [],
  inputs: [],
  takesValues: false,
} as const

/** A page that is a program of its own: PHP. */
function pagesOf(flow: Flow): Handler[] {
  if (flow.book.language !== 'php' || !/\$_(?:GET|POST|REQUEST|COOKIE)\b/.test(flow.text)) return []
  const { start, end } = flow.root
  return [{ ...unbound, name: '', lambda: null, bodies: [flow.root], parameters: [], place: { start, end } }]
}

function isOwned(
  words: AccessWords,
  { handler, walk }: Read,
  lookup: Lookup,
  scoped: ReadonlySet<string>,
  isUnguarded: boolean,
): boolean {
  const isChanged = (lookup.isChange || walk.changesThing) && !isForStaff(walk)
  for (const name of lookup.near) {
    const thing = thingWords(words, name).join(' ')
    if (thing === '') continue
    if (scoped.has(thing)) return true
    const kind = kindOf(words, name)
    if (isChanged && words.posted.ends(thingWords(words, name))) return true
    // Anybody may see that somebody exists, but not change them; where rights are missing, that is said instead.
    const isSomebody = lookup.isChange && !isUnguarded && words.people.is(thingWords(words, name))
    if (kind !== null) return kind === 'owned' || lookup.byOwner || isSomebody
  }
  if (lookup.byOwner) return true
  const around = [
    handler.name,
    ...handler.path
      .split('/')
      .filter((part) => /^[\w-]+$/.test(part))
      .toReversed(),
    handler.className ?? '',
  ]
  for (const name of around) {
    const kind = kindOf(words, name)
    if (kind !== null) return kind === 'owned'
  }
  return false
}

const isAnonymous = ({ walk, guard }: Read): boolean => guard.level === 0 && !walk.hasCaller

/** Nobody has to say who they are to see one of those that everybody sees in a list. */
const isShown = (read: Read, { near, isChange }: Lookup, listed: ReadonlySet<string>): boolean =>
  !isChange && isAnonymous(read) && near.some((name) => listed.has(name))

/** What cannot be undone happens before anybody asks. */
function lateCheck({ walk }: Read): Place | null {
  const [act, check] = [walk.acts[0], walk.checks[0]]
  if (act === undefined || check === undefined || walk.lookups.length === 0) return null
  return act.end < check.start || check.end < act.start ? check : null
}

/** The words that say what a handler does. */
const actOf = (words: AccessWords, { name, path, verb }: Handler): (readonly string[])[] => [
  words.of(name),
  ...path
    .split('/')
    .filter((part) => /^[\w-]+(?:\.\w+)?$/.test(part))
    .map((part) => words.of(part)),
  ...(verb === 'delete' ? [['delete']] : []),
]

/** Its path or its class says that it is for some people only. */
const isForSome = (words: AccessWords, handler: Handler): boolean =>
  words.areas.within(actOf(words, handler).flat()) || words.areas.within(words.of(handler.className ?? ''))

/** The same, or what its class comes from says so. */
const isForStaff = ({ flow, words, handler }: Walk): boolean =>
  isForSome(words, handler) ||
  (flow.classes.get(handler.className ?? '')?.ir.bases ?? []).some((base) => words.areas.within(words.of(base)))

const changing = new Set(['post', 'put', 'patch', 'delete'])

/** How many handlers ask the caller for rights, and how many who he is. */
interface Asked {
  readonly rights: number
  readonly names: number
}

const NOTHING_ASKED: Asked = { rights: 0, names: 0 }

function askedBy(read: Read): Asked {
  const { guard } = read
  if (guard.isUnknown === true) return NOTHING_ASKED
  return { rights: guard.level === 2 || hasRightsCheck(read) ? 1 : 0, names: guard.level >= 1 ? 1 : 0 }
}

type AskedByClass = ReadonlyMap<string | null, Asked>

function askedByClass(reads: readonly Read[]): AskedByClass {
  const asked = new Map<string | null, Asked>()
  for (const read of reads) {
    const { rights, names } = asked.get(read.handler.className) ?? NOTHING_ASKED
    const own = askedBy(read)
    asked.set(read.handler.className, { rights: rights + own.rights, names: names + own.names })
  }
  return asked
}

/** `shouldDestroy(req)` answers whether something is to be done, and does not do it. */
const isQuestion = (words: AccessWords, { name }: Handler): boolean => words.questions.is(words.of(name).slice(0, 1))

/** How often the other classes of the file ask who the caller is, where this one asks nobody for anything. */
function askedElsewhere(asked: AskedByClass, className: string | null): number {
  if (className === null || (asked.get(className)?.names ?? 0) > 0) return 0
  return [...asked].reduce((sum, [name, { names }]) => sum + (name === null ? 0 : names), 0)
}

/** Play: `def newPin(): String` beside the actions of a controller is none. */
const isPlainAnswer = ({ flow, handler }: Walk): boolean =>
  flow.book.language === 'scala' &&
  /^(?:String|Boolean|Int|Long|Double|Unit|Option|List|Seq|Map)$/.test(handler.lambda?.returnType ?? '')

/** Who comes here has not said yet who he is. */
const isEntrance = (words: AccessWords, { handler }: Read): boolean =>
  actOf(words, handler).some((one) => words.entrances.is(one))

/** `asked`: by all handlers of each class, this one among them. */
function isUnguardedAct(words: AccessWords, read: Read, askedOf: AskedByClass): boolean {
  const { handler, walk, guard } = read
  const asked = askedOf.get(handler.className) ?? NOTHING_ASKED
  if (guard.level === 2 || walk.checks.length > 0 || walk.provesSecret || isPlainAnswer(walk)) return false
  const acts = actOf(words, handler)
  if (isEntrance(words, read) || isQuestion(words, handler)) return false
  const isPrivileged = acts.some((one) => words.privileged.begins(one) || words.privileged.is(one))
  const isExport = acts.some((one) => one[0] === 'export')
  const isArea = isForSome(words, handler)
  const isChange = handler.verb === '' ? isPrivileged : changing.has(handler.verb)
  const level = Math.max(guard.level, walk.hasCaller ? 1 : 0)
  const own = askedBy(read)
  const asksRights = asked.rights > own.rights
  // Whose thing it is says nothing of who may give out rights.
  if (walk.scoped.size > 0 && !(asksRights && words.rights.is(words.of(handler.name).slice(-1)))) return false
  const asksName = asked.names > own.names
  if (guard.isOpen === true) return isPrivileged && (isChange || isExport) && (asksRights || asksName)
  if (asksRights && isPrivileged && (isChange || isExport)) return true
  if (level > 0) return false
  // `->except(['settle'])`: its neighbours are guarded, and what it changes is nobody's own.
  if (handler.isExcepted === true && !walk.provesSecret && changesFound(walk)) return true
  if (asksName && (isPrivileged || isArea) && (isChange || isExport)) return true
  if (isPrivileged && isChange && askedElsewhere(askedOf, handler.className) >= 2) return true
  return isArea && isPrivileged && isChange && !handler.isMounted
}

const changesFound = ({ lookups, changesThing }: Walk): boolean =>
  lookups.some(({ isChange }) => isChange) || (changesThing && lookups.length > 0)

const hasRightsCheck = ({ walk }: Read): boolean =>
  walk.asksRole || (walk.hasCaller && walk.checks.length > 0 && walk.lookups.length === 0 && walk.scoped.size === 0)

function guardReader(flow: Flow, words: AccessWords): GuardReader {
  const known = new Map<string, Guard | null>()
  const reader: GuardReader = {
    words,
    ofFunction(name) {
      const before = known.get(name)
      if (before !== undefined) return before
      known.set(name, null)
      const methods = flow.methodsByName.get(name) ?? []
      const lambda = flow.globals.variables.get(name)?.func?.lambda ?? (methods.length === 1 ? methods[0]?.lambda : undefined)
      const guard = lambda === undefined ? null : reader.ofLambda(lambda)
      known.set(name, guard)
      return guard
    },
    ofLambda(lambda) {
      const { name, body, parameters } = lambda
      const walk = newWalk(flow, words, { ...unbound, name, lambda, bodies: [body], parameters, place: lambda })
      bindParameters(walk)
      walk.run(walk, body, 0)
      if (walk.checks.length > 0) return { level: 2 }
      return walk.hasCaller || refuses(walk, body) ? { level: 1 } : noGuard
    },
  }
  return reader
}
