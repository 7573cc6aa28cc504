/**
 * What a function opens, keeps to itself and never closes.
 *
 * A variable that is returned, kept, passed on or used in a function inside may be closed by somebody else; so may what a statement opens
 * that closes by itself (`with`, `using`, `try (...)`, `defer`). What only reads from it (`uses`) closes nothing.
 */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Assign, Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { isOfType } from './declared-types.js'
import { isSelf } from './endless-reads.js'
import { namesIn, nodesOf } from './nodes.js'
import { chainedOpens } from './chained-opens.js'
import { isLeftOnExit } from './open-exits.js'
import { writtenName } from './subject.js'

export interface Opened {
  readonly opens: readonly string[]
  /** Last words of calls that close it, on it or with it. */
  readonly closes: readonly string[]
  /** Calls that are given it, and its parts that are read, and leave it open. */
  readonly uses?: readonly string[] | undefined
  /** Those that only stand around what they are given. */
  readonly wraps?: readonly string[] | undefined
  /** Types (a pattern) of streams that callers hand over, and end themselves: what stands around one needs no end of its own. */
  readonly handed?: string | undefined
  /** Streams over bytes of the program itself: what stands around one holds nothing of the system. */
  readonly memory?: readonly string[] | undefined
  /** Also what is closed, but not on a way out before. */
  readonly exits?: boolean | undefined
  /** Last words of calls and parts that end a chain in which it is opened: nobody has it in hand. */
  readonly chains?: readonly string[] | undefined
  /** What is opened in chains, where that is less than all of `opens`. */
  readonly chain_opens?: readonly string[] | undefined
  /** What a chain closes by itself where its end has asked for everything. */
  readonly spent?: { readonly opens: readonly string[]; readonly ends: readonly string[] } | undefined
  /** With `exits`: calls that often fail, so that nothing behind them runs. */
  readonly failing?: readonly string[] | undefined
}

/** The places where something is opened that stays open. */
export function leftOpen(flow: Flow, lambda: Lambda, wanted: Opened): readonly Ir[] {
  const isOpened = (flow.callsInside.get(lambda) ?? []).some((call) => call.op === 'call' && isOpening(flow, call, wanted))
  if (!isOpened) return []
  const chained = wanted.chains === undefined ? [] : chainedIn(flow, lambda, wanted, wanted.chains)
  const held = openedIn(flow, lambda, wanted)
  if (held.length === 0) return chained
  const nodes = nodesOf(lambda.body, true)
  const doubtful = new Set(nodes.flatMap((ir) => doubtfulIn(flow, wanted, ir)))
  for (const ir of nodes) if (ir.op === 'function') for (const name of namesIn(ir, true)) doubtful.add(name)
  const isOthers = (call: Call): boolean => {
    const inner = call.args[0]?.value
    if (isOverMemory(flow, nodes, inner, wanted)) return true
    const isTyped = wanted.handed !== undefined && inner?.op === 'name' && isOfType(flow, wanted.handed, inner.name)
    if (isTyped && !isMadeIn(nodes, inner.name)) return true
    const wrapped = wrappedIn(flow, call, wanted)
    return (
      wrapped !== null &&
      (!isMadeIn(nodes, wrapped) || isClosedIn(nodes, wanted, wrapped) || isAroundGiven(lambda, nodes, wrapped))
    )
  }
  const kept = wanted.exits === true ? keptThroughExits(flow, lambda, wanted, nodes) : () => false
  const left = held.filter((one) => (!doubtful.has(one.name) || kept(one)) && !isOthers(one.call)).map(({ call }) => call)
  return [...left, ...chained]
}

/** Opened and read in one expression. What only stands around something of others is theirs. */
function chainedIn(flow: Flow, lambda: Lambda, wanted: Opened, ends: readonly string[]): Call[] {
  const { wraps = [], closes } = wanted
  const isSpent = (call: Call, end: string): boolean =>
    wanted.spent?.ends.includes(end) === true && isOneOf(flow, call, wanted.spent.opens)
  const isOpening = (call: Call): boolean => {
    if (closesItselfInside(flow, call) || isAroundStandardStream(flow, call)) return false
    const inner = call.args[0]?.value
    if (isOneOf(flow, call, wraps)) return inner?.op === 'call' && isOpening(inner)
    return isOneOf(flow, call, wanted.chain_opens ?? wanted.opens) && !isOverMemory(flow, [], inner, wanted)
  }
  const isClosing = (call: Call): boolean => closes.includes(writtenName(call.callee)?.segment ?? '')
  return chainedOpens(lambda.body, { ends, isOpening, isClosing, isSpent })
}

/** `using (var all = File.OpenText(p).ReadToEnd())` stands in its head. */
const closesItselfInside = ({ text }: Flow, { start }: Call): boolean =>
  /\b(?:with|using|use|try)\b[^;{}]{0,80}$/.test(text.slice(Math.max(0, start - 100), start))

/** `new BinaryReader(new MemoryStream(bytes))`, `new BufferedReader(new StringReader(text))`, also through a variable. */
function isOverMemory(flow: Flow, nodes: readonly Ir[], inner: Ir | undefined, wanted: Opened): boolean {
  const { memory, wraps = [] } = wanted
  if (memory === undefined || inner === undefined) return false
  if (inner.op === 'call')
    return (
      isOneOf(flow, inner, memory) || (isOneOf(flow, inner, wraps) && isOverMemory(flow, nodes, inner.args[0]?.value, wanted))
    )
  if (inner.op !== 'name') return false
  return nodes.some(
    (ir) =>
      ir.op === 'assign' &&
      ir.target.op === 'name' &&
      ir.target.name === inner.name &&
      ir.value?.op === 'call' &&
      isOneOf(flow, ir.value, memory),
  )
}

/** Whether a function keeps something to itself and closes it, but not where it leaves before. */
function keptThroughExits(flow: Flow, lambda: Lambda, wanted: Opened, nodes: readonly Ir[]): (held: Held) => boolean {
  const isClosing = (ir: Ir): ir is Call => ir.op === 'call' && wanted.closes.includes(writtenName(ir.callee)?.segment ?? '')
  const others = new Set(nodes.flatMap((ir) => (isClosing(ir) ? [] : doubtfulIn(flow, wanted, ir))))
  for (const ir of nodes) if (ir.op === 'function') for (const name of namesIn(ir, true)) others.add(name)
  return ({ name, call }) =>
    !others.has(name) &&
    isLeftOnExit(
      lambda.body,
      name,
      call,
      (ir) => isClosing(ir) && namesIn(ir, true).includes(name),
      (ir) => ir.op === 'call' && isOneOf(flow, ir, wanted.failing ?? []),
    )
}

/** The variable that a reader or writer stands around: who opened it closes it, and the reader needs no end of its own. */
function wrappedIn(flow: Flow, call: Call, wanted: Opened): string | null {
  if (wanted.wraps === undefined || !isOneOf(flow, call, wanted.wraps)) return null
  const inner = call.args[0]?.value
  if (inner?.op === 'call') return wrappedIn(flow, inner, wanted)
  if (inner?.op === 'member' && inner.object.op === 'name' && flow.table?.self.includes(inner.object.name) === true)
    return inner.property
  return inner?.op === 'name' ? inner.name : null
}

const isClosedIn = (nodes: readonly Ir[], wanted: Opened, name: string): boolean =>
  nodes.some(
    (ir) => ir.op === 'call' && wanted.closes.includes(writtenName(ir.callee)?.segment ?? '') && namesIn(ir, true).includes(name),
  )

const isMadeIn = (nodes: readonly Ir[], name: string): boolean =>
  nodes.some((ir) => ir.op === 'assign' && ir.declares && ir.target.op === 'name' && ir.target.name === name)

/** `new LimitedStream(given)`: what stands around a stream of the caller is the caller's too, whatever its class. */
const isAroundGiven = ({ parameters }: Lambda, nodes: readonly Ir[], name: string): boolean =>
  nodes.some((ir) => {
    if (ir.op !== 'assign' || !ir.declares || ir.target.op !== 'name' || ir.target.name !== name) return false
    const inner = ir.value?.op === 'call' && ir.value.isNew ? ir.value.args[0]?.value : undefined
    return inner?.op === 'name' && parameters.some((one) => one.name === inner.name && streams.test(one.type ?? ''))
  })

const streams = /(?:Stream|Reader|Writer|Channel)\??$/

/** Functions of the file that only open something for others: `Connection connect() { return DriverManager.getConnection(url); }` */
const openers = new WeakMap<Flow, Map<Opened, ReadonlySet<string>>>()

function openersOf(flow: Flow, wanted: Opened): ReadonlySet<string> {
  const known = openers.get(flow) ?? new Map<Opened, ReadonlySet<string>>()
  openers.set(flow, known)
  const names =
    known.get(wanted) ??
    new Set(
      [...flow.callsInside.keys()].flatMap(({ name, body }) => {
        const [only = body, ...others] = body.op === 'block' ? body.body : []
        const result = only.op === 'jump' ? only.value : only
        return others.length === 0 && result?.op === 'call' && isOneOf(flow, result, wanted.opens) ? [name] : []
      }),
    )
  known.set(wanted, names)
  return names
}

/** `connect()` of the file, too. */
const isOpening = (flow: Flow, call: Call, wanted: Opened): boolean =>
  isOneOf(flow, call, wanted.opens) ||
  (wanted.exits === true && call.callee.op === 'name' && openersOf(flow, wanted).has(call.callee.name))

/** `self.open()` is the object's own affair, and no function of that name. */
function isOneOf(flow: Flow, { callee }: Call, names: readonly string[]): boolean {
  const isOwn = callee.op === 'member' && callee.object.op === 'name' && isSelf(flow, callee.object.name)
  const wanted = isOwn ? names.filter((name) => name.includes('.')) : names
  return matchesAnyName(wanted, writtenName(callee), flow.book.ignoreCase)
}

const undeclared: ReadonlySet<string> = new Set(['python', 'ruby'])

interface Held {
  readonly name: string
  readonly call: Call
}

/** What is opened outside of functions inside and of statements that close it. */
function openedIn(flow: Flow, lambda: Lambda, wanted: Opened): readonly Held[] {
  const found: Held[] = []
  const stack: Ir[] = [lambda.body]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'function') continue
    if (ir.op === 'try') {
      stack.push(ir.body, ...ir.catches.map(({ body }) => body), ...(ir.finalizer === null ? [] : [ir.finalizer]))
      continue
    }
    if (ir.op === 'assign') {
      const call = opening(flow, ir, wanted)
      if (call !== null) found.push(call)
    }
    stack.push(...partsOf(ir))
  }
  return found
}

function opening(flow: Flow, ir: Assign, wanted: Opened): Held | null {
  const target = nodesOf(ir.target).find((one) => one.op === 'name')
  if (ir.value?.op !== 'call' || target?.op !== 'name' || target.name === '_') return null
  if (ir.target.op !== 'name' && ir.target.op !== 'collection') return null
  // `response, body, err := do()`: who answers the content beside it has read it.
  if (/^[^=]{1,80},[^=]{1,80},/.test(flow.text.slice(ir.start, ir.value.start))) return null
  // `File.open(name) { |file| ... }` closes it behind the block and answers what the block does.
  if (ir.value.args.some(({ value }) => value.op === 'function')) return null
  // What is not declared here is a field, where variables are declared.
  if (!ir.declares && !undeclared.has(flow.book.language)) return null
  if (!isOpening(flow, ir.value, wanted) || closesItself(flow, ir) || isAroundStandardStream(flow, ir.value)) return null
  return { name: target.name, call: ir.value }
}

/** `new PrintWriter(System.err)`: that is closed when the program ends. */
function isAroundStandardStream({ text }: Flow, { args: [first] }: Call): boolean {
  return first !== undefined && /\.(?:std)?(?:in|out|err)\)*$/i.test(text.slice(first.value.start, first.value.end))
}

/** `using var x = ...`, `with open(p) as f`, `use x <- ...` */
function closesItself({ text }: Flow, { start, end, value }: Assign): boolean {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, Math.max(start, value?.start ?? start))
  return (
    /\b(?:with|using|use|try)\b/.test(line) ||
    /^\s{0,4}\)?\s{0,4}(?:as\s|,\s{0,20}\w)/.test(text.slice(value?.end ?? end, (value?.end ?? end) + 40))
  )
}

/** Names that are closed, or that others may close, by what is done here. */
function doubtfulIn(flow: Flow, wanted: Opened, ir: Ir): readonly string[] {
  // Python: `with out:` closes what was opened before.
  if (ir.op === 'name') return /\bwith\s$/.test(flow.text.slice(Math.max(0, ir.start - 6), ir.start)) ? [ir.name] : []
  if (ir.op === 'jump') return ir.value === null ? [] : handedOver(flow, wanted, ir.value)
  if (ir.op === 'assign') return ir.value === null ? [] : handedOver(flow, wanted, ir.value)
  if (ir.op === 'collection') return ir.entries.flatMap(({ value }) => handedOver(flow, wanted, value))
  if (ir.op === 'opaque') return ir.parts.flatMap((part) => handedOver(flow, wanted, part))
  if (ir.op !== 'call') return []
  const given = ir.args.flatMap(({ value }) => handedOver(flow, wanted, value))
  const closes = wanted.closes.includes(writtenName(ir.callee)?.segment ?? '')
  const on = closes && ir.callee.op === 'member' ? namesIn(ir.callee.object, true) : []
  const leaves = !closes && wanted.uses !== undefined && isOneOf(flow, ir, wanted.uses)
  return leaves ? on : [...on, ...given]
}

/** Parts that are numbers, texts and answers, and hold nothing open. */
const plainParts =
  /^(?:length|size|name|position|count|encoding|can_?(?:read|write|seek)|path|is_?[a-z]+|connected|end_?of_?stream|data_?source|database|state|server_?version|column_?count|status_?(?:code|line)?)$/i

/** The value itself, as it is or one of several. */
function handedOver(flow: Flow, wanted: Opened, ir: Ir): string[] {
  const of = (one: Ir): string[] => handedOver(flow, wanted, one)
  if (ir.op === 'name') return [ir.name]
  if (ir.op === 'if') return [...of(ir.then), ...(ir.otherwise === null ? [] : of(ir.otherwise))]
  if (ir.op === 'cast') return of(ir.value)
  // Go: who is given `response.Body` closes it; `response.StatusCode` closes nothing.
  if (ir.op === 'member')
    return plainParts.test(ir.property)
      ? []
      : wanted.uses !== undefined && matchesAnyName(wanted.uses, writtenName(ir), flow.book.ignoreCase)
        ? []
        : of(ir.object)
  if (ir.op === 'collection') return ir.entries.flatMap(({ value }) => of(value))
  if (ir.op === 'unary') return of(ir.operand)
  if (ir.op === 'binary') return /^(?:\?\?|\?:|\|\||or|&&|and)$/.test(ir.operator) ? [...of(ir.left), ...of(ir.right)] : []
  if (ir.op === 'block') return ir.body.flatMap(of)
  return []
}
