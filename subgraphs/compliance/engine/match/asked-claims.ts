/**
 * What a store is asked and then told, in two steps: whether a thing is free before somebody gets it, whether there is one already before
 * another is added, how many there are before one more comes. Two who ask at once get the same answer.
 *
 * The question and the change are about the same table or repository. A change that asks once more, or whose answer somebody looks at, is
 * one step; and names that only one may have are watched by an index of the table.
 */
import type { Flow } from '../flow/state.js'
import { wordsOf } from '../rulebook/data-names.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { sentencesIn } from './statements.js'
import { statementClaim } from './statement-claims.js'
import { writtenName } from './subject.js'

export interface AskedClaim {
  /** Calls that ask whether there is one, that count, and that fetch one. */
  readonly exists: readonly string[]
  readonly counts: readonly string[]
  readonly reads: readonly string[]
  /** Calls that add one, that give one to somebody, and that write what was changed. */
  readonly adds: readonly string[]
  /** Calls that add nothing where there is one already. */
  readonly repeats?: readonly string[] | undefined
  readonly claims: readonly string[]
  readonly writes: readonly string[]
  /** What only one may have, by the words of a question. */
  readonly unique: string
}

interface Walk {
  readonly flow: Flow
  readonly wanted: AskedClaim
  readonly nodes: readonly Ir[]
}

/** What was asked: of which store, and into which variable. */
interface Question {
  readonly kind: 'exists' | 'counts' | 'reads'
  readonly store: string
  readonly call: Call
  readonly name: string | null
}

/** The changes of a function that rest on what a store was asked before. */
export function askedClaims(flow: Flow, lambda: Lambda, wanted: AskedClaim): readonly Ir[] {
  const nodes = nodesOf(lambda.body, true)
  const walk: Walk = { flow, wanted, nodes }
  const told = statementClaim(nodes, wanted)
  if (told !== null) return [told]
  const questions = questionsIn(walk)
  if (questions.length === 0) return []
  const tests = nodes.flatMap((ir) => (ir.op === 'if' ? [ir] : []))
  for (const test of tests) {
    for (const question of questions) {
      if (question.call.start > test.test.end || !isAbout(test.test, question)) continue
      const change = nodes.find((ir) => ir.start >= test.test.end && isClaim(walk, question, test.test, ir))
      if (change !== undefined) return [change]
    }
  }
  return []
}

function questionsIn(walk: Walk): Question[] {
  const found: Question[] = []
  const isIn = (outer: Ir, inner: Ir): boolean => outer.start <= inner.start && inner.end <= outer.end
  for (const call of walk.nodes) {
    if (call.op !== 'call') continue
    const kind = kindOf(walk, call)
    const store = kind === null ? null : storeOf(call)
    if (kind === null || store === null) continue
    const into = walk.nodes.find(
      (ir) => ir.op === 'assign' && ir.value !== null && isIn(ir.value, call) && ir.target.op === 'name',
    )
    found.push({ kind, store, call, name: into?.op === 'assign' && into.target.op === 'name' ? into.target.name : null })
  }
  return found
}

function kindOf({ flow, wanted }: Walk, call: Call): Question['kind'] | null {
  const isOne = (names: readonly string[]): boolean => matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)
  if (isOne(wanted.exists)) return 'exists'
  if (isOne(wanted.counts)) return 'counts'
  return isOne(wanted.reads) || selectOf(call) !== null ? 'reads' : null
}

const selectOf = (call: Call): RegExpExecArray | null =>
  sentencesIn(
    call.args.map(({ value }) => value),
    /^\s*select\s([^]*?)\sfrom\s+[["`]?(\w+)/i,
  )

/** `customers` of `this.customers.countDevices(id)`, `lot` of `select open from lot`, `vouchers` of `DB.table('vouchers').first()`. */
function storeOf(call: Call): string | null {
  const table = selectOf(call)?.[2]
  if (table !== undefined) return table.toLowerCase()
  let at: Ir = call.callee
  let given: string | null = null
  for (let depth = 0; depth < 20; depth += 1) {
    if (at.op === 'call') {
      const first = at.args[0]?.value
      if (first?.op === 'literal' && typeof first.value === 'string' && given === null) given = first.value.toLowerCase()
      at = at.callee
    } else if (at.op === 'member' && at.object.op === 'call') at = at.object
    else break
  }
  if (given !== null && at !== call.callee) return given
  const holder = at.op === 'member' ? at.object : null
  const name = holder === null ? null : (writtenName(holder)?.segment ?? null)
  return name === null || /^(?:this|self|it)$/.test(name) ? null : name.toLowerCase()
}

/** Whether a condition is about what was asked, by the call itself or by its variable. */
function isAbout(test: Ir, { call, name }: Question): boolean {
  return nodesOf(test, true).some((ir) => ir === call || (name !== null && ir.op === 'name' && ir.name === name))
}

function isClaim(walk: Walk, question: Question, test: Ir, ir: Ir): boolean {
  if (ir.op !== 'call' || ir.start <= question.call.end) return false
  const { flow, wanted } = walk
  const isOne = (names: readonly string[]): boolean => matchesAnyName(names, writtenName(ir.callee), flow.book.ignoreCase)
  if (question.kind === 'reads') return isTaken(walk, question, test, ir, isOne)
  if (!isOne(wanted.adds) || isOne(wanted.repeats ?? []) || storeOf(ir) !== question.store) return false
  if (isLiteralQuestion(question.call)) return false
  const words = wordsOf(flow.text.slice(question.call.start, Math.min(question.call.end, question.call.start + 400))).join(' ')
  if (matchesText(wanted.unique, words)) return false
  return question.kind === 'exists' || comparesWithLimit(test, question)
}

/** A program that looks for its own first rows. */
function isLiteralQuestion({ callee, args }: Call): boolean {
  if (args.some(({ value }) => value.op !== 'literal')) return false
  return callee.op !== 'member' || callee.object.op !== 'call' || isLiteralQuestion(callee.object)
}

/** `count < 5`, `count >= plan.limit`; `count > 0` asks whether there is one. */
const comparesWithLimit = (test: Ir, question: Question): boolean =>
  nodesOf(test).some(
    (ir) =>
      ir.op === 'binary' &&
      /^[<>]=?$/.test(ir.operator) &&
      isAbout(ir, question) &&
      ![ir.left, ir.right].some((side) => side.op === 'literal' && side.value === 0),
  )

/** What is given to somebody because it was free. */
function isTaken(walk: Walk, question: Question, test: Ir, ir: Call, isOne: (names: readonly string[]) => boolean): boolean {
  const columns = testedParts(walk, question, test)
  if (columns.size === 0) return false
  const update = sentencesIn(
    ir.args.map(({ value }) => value),
    /^\s*update\s+[["`]?(\w+)[^]*?\sset\s([^]*?)(?:\swhere\s([^]*))?$/i,
  )
  if (update !== null) return update[1]?.toLowerCase() === question.store && setsTaken(columns, update[2] ?? '', update[3] ?? '')
  const isOfRow = ir.callee.op === 'member' && isOf(ir.callee.object, question.name)
  const isOfAll = /^(?:save_?changes|flush|commit)(?:async)?$/i.test(writtenName(ir.callee)?.segment ?? '')
  if (storeOf(ir) !== question.store && !isOfRow && !isOfAll) return false
  if (!isOfRow && !isOfAll && isOne(walk.wanted.claims))
    return walk.flow.unusedCalls.has(ir) && sharesKey(walk, question.call, ir)
  if (!isOne(walk.wanted.writes)) return false
  const between = [...walk.nodes.filter((one) => one.start > test.end && one.end <= ir.start), ...nodesOf(ir, true)]
  if (between.some((one) => setsPart(question, columns, one, isVaried))) return true
  // `seat.status = 'held'; seat.held_by = me`: who comes second takes it from the first.
  return between.some((one) => setsPart(question, columns, one, isConstant)) && between.some((one) => setsHolder(question, one))
}

/** Parts that say whose it is. */
const holders =
  /(?:holder|owner|winner|buyer|assignee|driver|courier|patient|guest|customer|member|tenant|worker|user|account|\wby)(?:id)?$/

const setsHolder = ({ name }: Question, ir: Ir): boolean => {
  const place = ir.op === 'assign' && ir.value !== null && isVaried(ir.value) ? ir.target : null
  if (place?.op === 'member' && isOf(place.object, name)) return holders.test(partName(place.property))
  if (ir.op === 'call' && ir.callee.op === 'member' && ir.args.length === 1 && isOf(ir.callee.object, name))
    return /^set[A-Z_]/.test(ir.callee.property) && holders.test(partName(ir.callee.property))
  return (
    ir.op === 'collection' &&
    ir.entries.some(({ key, value }) => key?.op === 'literal' && holders.test(partName(String(key.value))) && isVaried(value))
  )
}

const isConstant = (value: Ir): boolean => value.op === 'literal' || (value.op === 'member' && /^[A-Z]/.test(value.property))

/** The columns and parts of what was read that a condition asks about: `lot.getWinner() != null`, `get(Cars.holder) == null`. */
function testedParts({ flow }: Walk, { call, name }: Question, test: Ir): ReadonlySet<string> {
  const parts = new Set<string>()
  const selected = selectOf(call)?.[1]?.match(/\w+/g) ?? []
  const isPlain = nodesOf(test).some((ir) => ir.op === 'name' && ir.name === name)
  if (isPlain && selected.length === 1) parts.add((selected[0] ?? '').toLowerCase())
  for (const ir of nodesOf(test)) {
    const place = ir.op === 'call' && ir.args.length === 0 ? ir.callee : ir
    if (place.op === 'member' && place.object.op === 'name' && place.object.name === name) parts.add(partName(place.property))
    if (ir.op === 'index' && ir.object.op === 'name' && ir.object.name === name && ir.index.op === 'literal')
      parts.add(partName(String(ir.index.value)))
  }
  // A variable that holds the answer itself: `val free = Cars.select(...).firstOrNull()?.get(Cars.holder) == null`.
  const [, column] = /\(\s*\w{1,40}\.(\w{1,40})\s*\)\s*[=!]==?\s*null/.exec(flow.text.slice(call.end, call.end + 120)) ?? []
  if (isPlain && column !== undefined) parts.add(partName(column))
  return parts
}

/** `getWinner`, `isOpen` and `winner?` are about `winner` and `open`. */
const partName = (name: string): string =>
  name
    .replace(/^(?:get|is|has|set|with)(?=[A-Z_])_?/, '')
    .replace(/[?!=]$/, '')
    .replaceAll('_', '')
    .toLowerCase()

/** `set open = false, winner = ?` where nothing asks again whether it is open; the same value twice does no harm. */
function setsTaken(columns: ReadonlySet<string>, sets: string, conditions: string): boolean {
  const all = [...sets.matchAll(/(\w+)\s*=\s*([^,]*)/g)].map(([, name = '', value = '']) => ({ name: partName(name), value }))
  if (!all.some(({ name }) => columns.has(name))) return false
  if ((conditions.match(/\w+/g) ?? []).some((name) => columns.has(partName(name)))) return false
  return all.some(({ value }) => /^\s*(?:[?]|[$:@%][\w(])/.test(value))
}

/** `it[holder] = me`, `lot.setWinner(me)`, `winner: me`: with a value that differs from one to the next. */
function setsPart({ name }: Question, columns: ReadonlySet<string>, ir: Ir, isSuch: (value: Ir) => boolean): boolean {
  if (ir.op === 'assign' && ir.value !== null && isSuch(ir.value)) {
    if (ir.target.op === 'index') return columns.has(partName(writtenName(ir.target.index)?.segment ?? ''))
    return ir.target.op === 'member' && isOf(ir.target.object, name) && columns.has(partName(ir.target.property))
  }
  if (ir.op === 'call' && ir.callee.op === 'member' && ir.args.length === 1 && /^set[A-Z_]/.test(ir.callee.property))
    return isOf(ir.callee.object, name) && isSuch(ir.args[0]?.value ?? ir) && columns.has(partName(ir.callee.property))
  return (
    ir.op === 'collection' &&
    ir.entries.some(({ key, value }) => key?.op === 'literal' && columns.has(partName(String(key.value))) && isSuch(value))
  )
}

const isOf = (ir: Ir, name: string | null): boolean => ir.op === 'name' && ir.name === name

const isVaried = (value: Ir): boolean => nodesOf(value).some((ir) => ir.op === 'name') && value.op !== 'literal'

/** Both are about the same one. */
function sharesKey({ flow }: Walk, asked: Call, told: Call): boolean {
  const keys = new Set(asked.args.map(({ value }) => flow.text.slice(value.start, value.end)))
  return told.args.length > 1 && told.args.some(({ value }) => keys.has(flow.text.slice(value.start, value.end)))
}
