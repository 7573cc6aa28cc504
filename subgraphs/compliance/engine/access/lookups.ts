/** What a handler loads, changes or deletes by what the client chose. */
import type { Place } from '../flow/sink-hits.js'
import { type AccessWords, singular } from '../rulebook/access-words.js'
import type { Argument, Call, Ir } from '../syntax/ir.js'
import { chainCalls, chainNames, lastName, stringOf } from './names.js'
import { has, ofCaller, ofCapability, ofClient, ofId, ofOwner, ofThing, type Traits } from './traits.js'
import { noteAct, noteCaller, type Walk } from './state.js'

export function isLookup({ words }: Walk, said: readonly string[], object: Ir | null, receiver: Traits, given: Traits): boolean {
  // `whereKey($request->input('lot'))`: what is asked by its key has one, whatever the client calls it.
  const isByKey = said.length > 1 && (words.ids.ends(said) || said.at(-1) === 'key')
  if (
    !has(given, ofClient) ||
    !(isByKey || has(given, ofId | ofOwner)) ||
    has(given, ofCaller | ofThing) ||
    has(receiver, ofCaller | ofThing)
  )
    return false
  if (has(given, ofCapability) && !has(given, ofOwner)) return false
  if (words.finds.begins(said) || words.changes.begins(said)) return true
  // `service.transactionsOf(accountId)`, named after what it answers with.
  const named = preposition.has(said.at(-1) ?? '') ? said.slice(0, -1) : said
  return object !== null && named.length > 0 && words.owned.is([...named.slice(0, -1), singular(named.at(-1) ?? '')])
}

/** `client.get("https://partner.example/orders/" + id)`: the other server knows whose it is. */
export function isElsewhere({ args }: Call): boolean {
  let first = args[0]?.value
  while (first?.op === 'binary' && first.operator === '+') first = first.left
  if (first?.op === 'concat') first = first.parts[0]
  return /^https?:\/\//.test(stringOf(first) ?? '')
}

const forAll = /^(?:is_?)?(?:visible|published|public|public_?only|listed|approved|on_?sale)$/i

/** `Product.published.find(id)`, `filter(pk=id, visible=True)`: what everybody may see. */
export const isForAll = ({ args }: Call, object: Ir | null): boolean =>
  (object !== null && chainNames(object).some((name) => forAll.test(name))) ||
  args.some(({ name, value }) => name !== undefined && forAll.test(name) && value.op === 'literal' && value.value === true)

const preposition = new Set(['of', 'for', 'by'])

export function lookupAt(walk: Walk, ir: Ir, object: Ir | null, args: readonly Argument[], given: Traits, method: string): void {
  const said = walk.words.of(method)
  const near = [
    thingOf(walk.words, said),
    ...(walk.words.finds.begins(said) || walk.words.changes.begins(said)
      ? []
      : [said.filter((word) => !preposition.has(word)).join('_')]),
    ...args.flatMap(({ value }) => modelNames(value)),
    ...(object === null ? [] : modelsInChain(object)),
    ...(object === null ? [] : tablesInChain(object)),
    ...(object === null ? [] : chainNames(object)),
    ...(object === null ? [] : typesOf(walk, object)),
    ...walk.unit.result,
    ...args.flatMap(({ value }) => chainNames(value).slice(0, 2)),
  ].filter((name) => name !== '')
  add(walk, ir.op === 'call' ? { start: ir.at, end: ir.end } : ir, near, given, {
    isChange: walk.words.changes.begins(said),
    isAct: walk.words.acts.begins(said),
  })
}

function add(
  walk: Walk,
  { start, end }: Place,
  near: readonly string[],
  given: Traits,
  {
    isChange,
    isAct,
    isPrepared = false,
    waits = false,
  }: { isChange: boolean; isAct: boolean; isPrepared?: boolean; waits?: boolean },
): void {
  const place = walk.site ?? { start, end }
  walk.unit.lookups.push({ ...place, near, byOwner: has(given, ofOwner), isChange, isPrepared, waits })
  if (isAct) noteAct(walk, place)
}

/** `find_conversation_by_id` is about a conversation, `FindGenreByID` about a genre. */
function thingOf(words: AccessWords, said: readonly string[]): string {
  const by = said.indexOf('by')
  const rest = (by < 0 ? said : said.slice(0, by)).slice(1).filter((word) => !words.fillers.is([word]))
  return rest.join('_')
}

/** `Lease`, `Ticket.self`, `select(Ticket)`. */
function modelNames(value: Ir): string[] {
  if (value.op === 'name') return /^[A-Z]/.test(value.name) ? [value.name] : []
  if (value.op === 'member' && value.object.op === 'name' && /^[A-Z]/.test(value.object.name)) return [value.object.name]
  return value.op === 'call' ? modelsInChain(value) : []
}

/** What is loaded along with a thing is not the thing: `includes(:room)`. */
const loadsMore =
  /^(?:includes?|preload|eager_?load|joins|left_?joins|with|thenInclude|select_?related|prefetch_?related|populate)$/i

/** Names that the calls of a chain are given: `select(Ticket).where(...)`, `from(messages)`, `db('members')`. */
const modelsInChain = (ir: Ir): string[] =>
  chainCalls(ir).flatMap(({ callee, args }) =>
    loadsMore.test(lastName(callee))
      ? []
      : args.flatMap(({ value }) => [...(value.op === 'name' ? [value.name] : []), ...modelNames(value), tableIn(value)]),
  )

/** Sequel: `DB[:products]`. */
function tablesInChain(ir: Ir): string[] {
  let at = ir
  while (at.op === 'call' || at.op === 'member') at = at.op === 'call' ? at.callee : at.object
  return at.op === 'index' && at.object.op === 'name' ? [tableIn(at.index)].filter((name) => name !== '') : []
}

const tableIn = (value: Ir): string => (/^[a-z_]{3,40}$/.test(stringOf(value) ?? '') ? (stringOf(value) ?? '') : '')

/** The declared type of what is asked: `private final OrderRepository repository`. */
export function typesOf({ flow, handler }: Walk, object: Ir): string[] {
  const root =
    object.op === 'member' && object.object.op === 'name' && object.object.name === 'this' ? object.property : lastName(object)
  const info = handler.className === null ? undefined : flow.classes.get(handler.className)
  const declared = info?.fieldTypes.get(root)
  const given = [...(info?.methods.values() ?? [])].flatMap(({ isConstructor, parameters }) => (isConstructor ? parameters : []))
  const type =
    declared ?? given.find(({ name }) => name === root)?.type ?? handler.parameters.find(({ name }) => name === root)?.type
  if (type === undefined) return []
  const held = info === undefined ? null : heldType(flow.text.slice(info.ir.start, info.ir.end), root, type)
  return held === null ? [type] : [held, type]
}

/** `accounts: Repository<FeeAccount>`, `IRepository<FeeAccount> accounts`: what it keeps. */
function heldType(text: string, name: string, type: string): string | null {
  if (!/^\w+$/.test(name + type)) return null
  const before = new RegExp(`\\b${type}\\s?<\\s?(\\w{2,60})[^<>]{0,80}>\\s{1,9}${name}\\b`)
  const behind = new RegExp(`\\b${name}\\s{0,9}:\\s{0,9}${type}\\s?[<[]\\s?(\\w{2,60})`)
  return (before.exec(text) ?? behind.exec(text))?.[1] ?? null
}

const sqlPattern = /^\s*(select|update|delete)\b/i

/** A statement in SQL: found by an id alone, or with whose it is. */
export function statementIn(walk: Walk, call: Call, both: Traits): boolean {
  for (const { value } of call.args) {
    const text = sqlText(value)
    if (text === null || !sqlPattern.test(text)) continue
    const table = /\b(?:from|update|into)\s+["`[]?(?:\w{1,40}["`\]]?\.["`[]?)?(\w{1,60})/i.exec(text)?.[1]
    const where = /\bwhere\b([^;]{0,1000})/i.exec(text)?.[1]
    if (table !== undefined && isListing(walk.words, text, where)) walk.listed.add(table)
    if (table === undefined || where === undefined) return false
    const columns = [...where.matchAll(/([a-z_][a-z_0-9.]{0,60})["`\]]?\s{0,4}(?:=|in\b|is\b|<>|!=)/gi)].map(
      (match) => (match[1] ?? '').split('.').at(-1) ?? '',
    )
    const owners = columns.filter((column) => walk.words.owners.is(walk.words.of(column)))
    if (owners.length > 0) {
      if (has(both, ofCaller)) noteOwn(walk, table)
      else if (!has(both, ofOwner)) walk.scoped.add(table)
      if (!has(both, ofOwner)) return true
    }
    // `WHERE id = $2 AND shipper_id = $3`, with who calls among the values: whatever the column is called, it says whose the row is.
    else if (has(both, ofCaller) && columns.length > 1 && columns.every((column) => isId(walk.words, column)))
      noteOwn(walk, table)
    const byId = columns.length > 0 && columns.every((column) => isId(walk.words, column))
    const isPlain = columns.length === 1 || columns.every((column) => /(?:^|_)id$|uuid/i.test(column))
    if (!byId || !isPlain || has(both, ofCaller)) return true
    // An order that the client chose says nothing of the value that is still to come.
    const waits = has(both, ofClient) && call.args.length === 1 && hasPlaceLeft(value)
    add(walk, { start: call.at, end: call.end }, [table, ...walk.unit.result], both, {
      isChange: !/^\s*select/i.test(text),
      isAct: /^\s*delete/i.test(text),
      isPrepared: !has(both, ofClient) || waits,
      waits,
    })
    return true
  }
  return false
}

/** `db.prepare('insert into visits ...').execute([id])`: the text in front of it says what it is about. */
export const isOfStatement = (object: Ir | null): boolean =>
  object !== null &&
  chainCalls(object).some(({ args }) =>
    args.some(({ value }) => /^\s*(?:select|insert|update|delete|with|replace|merge)\s/i.test(sqlText(value) ?? '')),
  )

/** `where id = ?` as it is written, not where a value stands in the text. */
const hasPlaceLeft = (value: Ir): boolean =>
  (value.op === 'concat' ? value.parts : [value]).some(
    (part) => part.op === 'literal' && typeof part.value === 'string' && /=\s*(?:[?]|:\w)/.test(part.value),
  )

/** Scala writes `${me.id}` as a block, which is a statement of its own. */
function noteOwn(walk: Walk, table: string): void {
  walk.unit.things.push(table)
  noteCaller(walk)
}

/** `Where("id = ? AND owner_id = ?", id, agent)`: the client does not say whose it is. */
export const namesOwner = ({ words }: Walk, { args }: Call, given: readonly Traits[]): boolean =>
  args.some(({ value }, at) =>
    (stringOf(value) ?? '')
      .split('?')
      .slice(0, -1)
      .some((before, mark) => {
        const column = /([a-z_]\w{0,60})["`\]]?\s{0,4}=\s{0,4}$/i.exec(before)?.[1]
        const bound = given[at + mark + 1]
        return column !== undefined && words.owners.is(words.of(column)) && bound !== undefined && !has(bound, ofClient)
      }),
  )

/** Rows of everybody: neither of one id nor of one owner. */
const isListing = (words: AccessWords, text: string, where: string | undefined): boolean =>
  /^\s*select/i.test(text) &&
  !(where ?? '')
    .split(/[^\w$]+/)
    .some((column) => words.owners.is(words.of(column)) || isId(words, column) || /^id$/i.test(column))

const isId = (words: AccessWords, column: string): boolean =>
  /(?:^|_)id$|uuid|_no$|^number$/i.test(column) && !words.capabilities.is(words.of(column))

function sqlText(value: Ir): string | null {
  if (value.op === 'literal') return stringOf(value)
  if (value.op === 'concat') return value.parts.map((part) => stringOf(part) ?? '?').join('')
  if (value.op === 'binary' && (value.operator === '+' || value.operator === '.')) {
    const left = sqlText(value.left)
    return left === null ? null : `${left}${sqlText(value.right) ?? '?'}`
  }
  return null
}

/** The thing that names speak of: `owned`, `public`, or nothing that is known. */
export function kindOf(words: AccessWords, name: string): 'owned' | 'public' | null {
  const said = thingWords(words, name)
  if (said.length === 0) return null
  if (words.public.ends(said)) return words.owned.is(said) ? 'owned' : 'public'
  return words.owned.ends(said) ? 'owned' : null
}

/** The words of a name that say what it is about, in the singular. */
export function thingWords(words: AccessWords, name: string): string[] {
  const said = words.of(name).filter((word) => !words.fillers.is([word]))
  const last = said.at(-1)
  return last === undefined ? [] : [...said.slice(0, -1), singular(last)]
}
