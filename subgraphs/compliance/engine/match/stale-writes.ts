/**
 * Counts that are read, tested and written back: between the test and the write somebody else may have taken the last one.
 *
 * A variable is filled from a row, a condition asks about a count in it, and what is written afterwards rests on the answer. An update
 * that repeats the condition is one step, and stays silent. What is counted is known by its name, or by statements that select a column
 * and count it up or down.
 */
import type { Flow } from '../flow/state.js'
import { wordsOf } from '../rulebook/data-names.js'
import type { Argument, Call, Ir, Lambda } from '../syntax/ir.js'
import { askedFlags, columnWords } from './asked-flags.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { namesIn, nodesOf } from './nodes.js'
import { statementIn } from './statements.js'
import { writtenName } from './subject.js'

export interface StaleWrite {
  /** Calls that fetch a row. */
  readonly reads: readonly string[]
  /** What is counted or used up, by the words of its name. */
  readonly counted: string
  /** Calls that write a row. */
  readonly writes: readonly string[]
  /** Parts of the caller that are rows: `request.user.wallet`. */
  readonly holders?: readonly string[] | undefined
  /** The object itself is a row, and so are the columns that it calls by their names. */
  readonly own?: boolean | undefined
}

/** With the columns, in words, that the statements of a function select and set, and those that tell whether a row is used up. */
interface Wanted extends StaleWrite {
  readonly columns: ReadonlySet<string>
  /** The flags that questions for rows want unset, and what is set to `'redeemed'`. */
  readonly flags: ReadonlySet<string>
}

interface Walk {
  readonly flow: Flow
  readonly wanted: Wanted
  readonly nodes: readonly Ir[]
  /** Variables that hold a row, and those that hold what a statement selects of it. */
  readonly rows: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  /** Variables that were computed from a count: `amount = [card.balance, due].min`. */
  readonly derived: Set<string>
  /** Names that the function gives itself. */
  readonly locals: ReadonlySet<string>
}

/** The writes of a function that rest on a test of what was read before. */
export function staleWrites(flow: Flow, lambda: Lambda, asked: StaleWrite): readonly Ir[] {
  const nodes = nodesOf(lambda.body, true)
  const flags = new Set([...flagsAsked(asked, nodes), ...usedUpColumns(asked, nodes)])
  const wanted: Wanted = { ...asked, columns: new Set([...countedColumns(nodes), ...flags]), flags }
  const rows = new Set(
    nodes.flatMap((ir) => [...filledAt(ir, (call) => isRead(flow, wanted, call)), ...heldAt(flow, wanted, ir)]),
  )
  if (wanted.own === true) for (const name of ['this', 'self']) rows.add(name)
  if (rows.size === 0) return []
  const selected = new Set(nodes.flatMap((ir) => filledAt(ir, (call) => selectsCount(wanted, call))))
  // Results, and the rows in them; what a row is read into.
  for (const ir of nodes) {
    const names = readFrom(ir, rows)
    for (const name of names) rows.add(name)
    if (readFrom(ir, selected).length > 0) for (const name of names) selected.add(name)
  }
  const assigned = nodes.flatMap((ir) => (ir.op === 'assign' ? namesIn(ir.target) : []))
  const locals = new Set([...lambda.parameters.map(({ name }) => name), ...assigned])
  const walk: Walk = { flow, wanted, nodes, rows, selected, derived: new Set(), locals }
  for (const ir of nodes)
    if (ir.op === 'assign' && ir.target.op === 'name' && ir.value !== null && countIn(walk, ir.value))
      walk.derived.add(ir.target.name)
  const test = nodes.find((ir) => {
    if (
      ir.op === 'assign' &&
      ir.value !== null &&
      namesIn(ir.target).some((name) => rows.has(name)) &&
      asksFlag(wanted, ir.value)
    )
      return true
    const tested = testedBy(flow, ir)
    return tested !== null && (countIn(walk, tested) || isOfCount(walk, tested))
  })
  if (test === undefined) return []
  const from = test.op === 'assign' ? test.end : test.start
  const write = nodes.find((ir) => ir.op === 'call' && ir.start > from && isWrite(walk, test, ir))
  return write === undefined ? [] : [write]
}

/** `if (left < 1)`, `abort_if(left < 1, 409)` */
function testedBy({ unusedCalls }: Flow, ir: Ir): Ir | null {
  if (ir.op === 'if') return ir.test
  const first = ir.op === 'call' && unusedCalls.has(ir) ? ir.args[0]?.value : undefined
  return first?.op === 'binary' || first?.op === 'unary' ? first : null
}

/** `const [row] = result`, `row.Scan(&left)` */
function readFrom(ir: Ir, rows: ReadonlySet<string>): string[] {
  if (ir.op === 'assign') return ir.value !== null && rows.has(rootOf(ir.value) ?? '') ? namesIn(ir.target) : []
  return ir.op === 'call' && rows.has(rootOf(ir) ?? '') ? filledBy(ir) : []
}

const filledBy = ({ args }: Call): string[] =>
  args.flatMap(({ value }) => (value.op === 'unary' && value.operator === '&' ? namesIn(value.operand) : []))

/** The variables that a call fills which meets the condition. */
function filledAt(ir: Ir, isSuch: (call: Call) => boolean): string[] {
  const isIn = (value: Ir): boolean => nodesOf(value).some((part) => (part.op === 'call' ? isSuch(part) : isRowByKeys(part)))
  if (ir.op === 'assign') return ir.value !== null && isIn(ir.value) ? namesIn(ir.target) : []
  // Go: `row.Scan(&left)`, `db.First(&wallet, id)`.
  if (ir.op !== 'call' || !isIn(ir)) return []
  return filledBy(ir)
}

/** Ruby's Sequel: `DB[:coupons][code: code]` */
const isRowByKeys = (ir: Ir): boolean =>
  ir.op === 'index' && ir.index.op === 'collection' && ir.index.kind === 'map' && ir.object.op === 'index'

/** `wallet = request.user.wallet` */
function heldAt(flow: Flow, { holders = [] }: StaleWrite, ir: Ir): string[] {
  if (ir.op !== 'assign' || ir.value === null || ir.target.op !== 'name') return []
  const held = ir.value.op === 'call' && ir.value.args.length === 0 ? ir.value.callee : ir.value
  return held.op === 'member' && matchesAnyName(holders, writtenName(held), flow.book.ignoreCase) ? [ir.target.name] : []
}

const isRead = (flow: Flow, { reads }: StaleWrite, call: Call): boolean =>
  isCallOf(flow, call, reads) || statementOf(call, /^\s*select\s/i) !== null

/** `SELECT seats_left FROM shows`: what is read is the count, whatever the variable is called. */
const selectsCount = (wanted: Wanted, call: Call): boolean => {
  const [, columns = ''] = /^\s*select\s([^]*?)\sfrom\s/i.exec(statementOf(call, /^\s*select\s/i) ?? '') ?? []
  return (columns.match(/\w+/g) ?? []).some((name) => isCounted(wanted, name))
}

const isCallOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

function statementOf({ args }: Call, beginning: RegExp): string | null {
  const text = args.map(({ value }) => statementIn(value)).find((one) => one !== null) ?? null
  return text !== null && beginning.test(text) ? text : null
}

const isCounted = ({ counted, columns }: Wanted, name: string): boolean =>
  columns.has(columnWords(name)) || matchesText(counted, wordsOf(name).join(' '))

/** `SELECT doses ...` and `SET doses = doses - 1`, or `SET doses = ?` with a difference beside it. */
function countedColumns(nodes: readonly Ir[]): ReadonlySet<string> {
  const statements = nodes.flatMap((ir) => statementIn(ir)?.slice(0, 1000) ?? [])
  const selected = statements.flatMap((one) => /^\s*select\s([^]*?)\sfrom\s/i.exec(one)?.[1]?.match(/\w+/g) ?? [])
  if (selected.length === 0) return none
  const isCountedHere = nodes.some((ir) => ir.op === 'binary' && ir.operator === '-')
  const set = statements.flatMap((one) =>
    /^\s*update\s/i.test(one)
      ? [...one.matchAll(/\b(\w+)\s*=\s*(?:\1\s*[-+]|(?:[?]|[$:@%]\w+)\s*(?:,|\bwhere\b))/gi)].flatMap(([all, name = '']) =>
          isCountedHere || /[-+]$/.test(all) ? [name] : [],
        )
      : [],
  )
  return new Set(set.filter((name) => selected.includes(name)).map(columnWords))
}

/** The flags that a question for a row wants unset. One with a name that says nothing counts where something is counted up as well. */
function flagsAsked(asked: StaleWrite, nodes: readonly Ir[]): string[] {
  const flags = nodes.flatMap((ir) => (ir.op === 'assign' && ir.value !== null ? askedFlags(ir.value) : []))
  if (flags.length === 0) return flags
  const counts = nodes.some(
    (ir) =>
      (ir.op === 'call' && /^increment!?$/.test(ir.callee.op === 'member' ? ir.callee.property : '')) ||
      (ir.op === 'literal' && typeof ir.value === 'string' && /\bset\s+(\w+)\s?=\s?\1\s?[+]/i.test(ir.value.slice(0, 1000))),
  )
  return flags.filter((flag) => counts || matchesText(asked.counted, flag))
}

const asksFlag = ({ flags }: Wanted, value: Ir): boolean =>
  flags.size > 0 &&
  (askedFlags(value).some((flag) => flags.has(flag)) ||
    nodesOf(value).some(
      (ir) => ir.op === 'call' && ir.args.some((each) => asksAny((word) => flags.has(columnWords(word)), each)),
    ))

/** `status = 'redeemed'`: a column that says of a row that it is used up. */
function usedUpColumns({ counted }: StaleWrite, nodes: readonly Ir[]): string[] {
  const says = (ir: Ir | null): boolean =>
    ir?.op === 'literal' &&
    typeof ir.value === 'string' &&
    /^\w+$/.test(ir.value) &&
    matchesText(counted, wordsOf(ir.value).join(' '))
  return nodes.flatMap((ir) => {
    if (ir.op === 'assign' && ir.target.op === 'member' && says(ir.value)) return [columnWords(ir.target.property)]
    if (ir.op === 'collection')
      return ir.entries.flatMap(({ key, value }) =>
        key?.op === 'literal' && says(value) ? [columnWords(String(key.value))] : [],
      )
    return ir.op === 'call'
      ? ir.args.flatMap(({ name, value }) => (name !== undefined && says(value) ? [columnWords(name)] : []))
      : []
  })
}

const none: ReadonlySet<string> = new Set()

const isCount = ({ wanted }: Walk, name: string): boolean => isCounted(wanted, name)

/** The last part of a name: `account.balance`, `voucher.redeemed?`, `item.getStock()`, `left`. */
function countOf(walk: Walk, ir: Ir): { name: string; root: string } | null {
  const place = ir.op === 'call' ? ir.callee : ir
  if (place.op === 'name')
    return walk.selected.has(place.name) ||
      ((walk.rows.has(place.name) || isColumn(walk, place.name)) && isCount(walk, place.name))
      ? { name: place.name, root: place.name }
      : null
  if (place.op !== 'member' && place.op !== 'index') return null
  const name = keyOf(ir) ?? writtenName(place)?.segment ?? ''
  const root = rootOf(place)
  return root !== null && walk.rows.has(root) && isCount(walk, name) ? { name, root } : null
}

/** Ruby: `balance_cents` of the object itself. */
const isColumn = ({ wanted, locals }: Walk, name: string): boolean => wanted.own === true && !locals.has(name)

/** `row.getInt("stock")` */
function keyOf(ir: Ir): string | null {
  const key = ir.op === 'call' && ir.args.length === 1 ? ir.args[0]?.value : undefined
  return key?.op === 'literal' && typeof key.value === 'string' ? key.value : null
}

function rootOf(ir: Ir): string | null {
  if (ir.op === 'name') return ir.name
  if (ir.op === 'member' || ir.op === 'index') return rootOf(ir.object)
  return ir.op === 'call' && ir.callee.op === 'member' ? rootOf(ir.callee.object) : null
}

const countIn = (walk: Walk, ir: Ir): boolean => nodesOf(ir).some((part) => countOf(walk, part) !== null)

const isOfCount = ({ derived }: Walk, ir: Ir): boolean =>
  derived.size > 0 && nodesOf(ir).some((part) => part.op === 'name' && derived.has(part.name))

function isWrite(walk: Walk, test: Ir, call: Call): boolean {
  const { flow, wanted } = walk
  const statement = statementOf(call, /^\s*update\s/i)
  if (statement !== null) return setsCount(walk, statement)
  if (!isCallOf(flow, call, wanted.writes) || isConditional(walk, call)) return false
  if (call.args.some(({ name, value }, at) => givesCount(walk, name ?? columnBefore(call, at), value))) return true
  return walk.nodes.some((ir) => ir.start > test.start && ir.end <= call.start && changesCount(walk, ir))
}

/** Gorm: `Update("used", true)`. */
function columnBefore({ args }: Call, at: number): string | null {
  const before = args[at - 1]?.value
  return args.length === 2 && before?.op === 'literal' && typeof before.value === 'string' && /^\w+$/.test(before.value)
    ? before.value
    : null
}

/** `set balance = ?`, `set stock = stock - 1`; `where stock > 0` asks the database once more. */
function setsCount(walk: Walk, statement: string): boolean {
  const [, sets = '', conditions = ''] = /\bset\b([^]*?)(?:\bwhere\b([^]*))?$/i.exec(statement.slice(0, 1000)) ?? []
  const counts = [...sets.matchAll(/(\w+)\s*=\s*([^,]*)/g)].filter(([, name = '']) => isCount(walk, name))
  return counts.length > 0 && !(conditions.match(/\w+/g) ?? []).some((name) => isCount(walk, name))
}

/** The calls in front of one: `table('seats')->where('free', '>', 0)` of `->update(...)`. */
function chainOf(callee: Ir): readonly Call[] {
  const calls: Call[] = []
  for (let at = callee; at.op === 'member' && at.object.op === 'call' && calls.length < 20; at = at.object.callee)
    calls.push(at.object)
  return calls
}

/** `update({ code, redeemed: false }, ...)`, `where: { stock: { gt: 0 } }`: the database asks once more. */
function isConditional(walk: Walk, { args, callee }: Call): boolean {
  const [first] = args
  const named = args.flatMap(({ name, value }) =>
    name === 'where' ? [value] : entriesOf(value).flatMap(([key, one]) => (key === 'where' ? [one] : [])),
  )
  // Sequelize: `update({ balance }, { where: { id } })`.
  const filters = named.length === 0 && args.length > 1 && first !== undefined ? [first.value] : []
  if (chainOf(callee).some((one) => one.args.some((each) => asksAny((word) => isCount(walk, word), each)))) return true
  return [...filters, ...named].some((filter) => entriesOf(filter).some(([key]) => key !== null && isCount(walk, key)))
}

/** `where('free', '>', 0)`, `where(claimed_by: nil)`, `where('used_at is null')` */
function asksAny(isAsked: (word: string) => boolean, { name, value }: Argument): boolean {
  if (name !== undefined && isAsked(name)) return true
  if (value.op === 'literal') return (String(value.value).slice(0, 1000).match(/\w+/g) ?? []).some(isAsked)
  return entriesOf(value).some(([key]) => key !== null && isAsked(key))
}

const entriesOf = (ir: Ir): (readonly [key: string | null, value: Ir])[] =>
  ir.op === 'collection'
    ? ir.entries.map(({ key, value }) => [key?.op === 'literal' ? String(key.value) : null, value] as const)
    : []

/** `data: { balance: wallet.balance - 1 }`, `redeemed: true`. */
function givesCount(walk: Walk, name: string | null, value: Ir): boolean {
  // Who has claimed it, and when, is news whatever it is.
  if (name !== null && isCount(walk, name))
    return walk.wanted.flags.has(columnWords(name)) || isComputed(walk, value) || /(?:_(?:at|by|on)|(?:At|By|On))$/.test(name)
  // Kotlin: `save(wallet.copy(points = wallet.points - 1))`.
  if (value.op === 'call') return value.args.some((one) => givesCount(walk, one.name ?? null, one.value))
  // A store of keys and values: `set('balance:7', balance - 1)`.
  if (value.op === 'binary') return ['-', '+'].includes(value.operator) && countOf(walk, value.left) !== null
  return entriesOf(value).some(([key, one]) => givesCount(walk, key, one))
}

const isComputed = (walk: Walk, value: Ir): boolean =>
  (value.op === 'literal' && typeof value.value === 'boolean') ||
  nodesOf(value).some((ir) => ir.op === 'name' && walk.rows.has(ir.name)) ||
  (walk.wanted.own === true && countIn(walk, value))

/** `account.balance -= price`, `item.setStock(item.getStock() - 1)`. */
function changesCount(walk: Walk, ir: Ir): boolean {
  if (ir.op === 'assign') return ir.target.op !== 'name' && countOf(walk, ir.target) !== null
  return (
    ir.op === 'call' && ir.args.length > 0 && /^set/i.test(writtenName(ir.callee)?.segment ?? '') && countOf(walk, ir) !== null
  )
}
