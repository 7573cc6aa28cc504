/** A call with everything about it evaluated, and the selection of its arguments by rules. */
import { nameOf, parseName, type QualifiedName } from '../../rulebook/qualified-name.js'
import type { Candidates, Entry, NameIndex } from '../../rulebook/name-index.js'
import { type Subject, writtenName } from '../../match/subject.js'
import type { Call, Ir } from '../../syntax/ir.js'
import type { Flow, Frame } from '../state.js'
import { lookup } from '../environment.js'
import { unknown, type Value } from '../values/value.js'

export interface SiteArgument {
  readonly name: string | undefined
  readonly subject: Subject
  /** It stands for any number of arguments. */
  readonly spread?: boolean
}

export interface CallSite {
  readonly frame: Frame
  readonly ir: Ir
  readonly start: number
  readonly end: number
  /** The last segment of the callee. */
  readonly method: string
  /** The callee's possible qualified names: resolved, as written, by type. */
  readonly names: readonly QualifiedName[]
  readonly receiver: Subject | null
  readonly args: readonly SiteArgument[]
  readonly isNew: boolean
}

/** The type with its bases, from the file and from the packs. */
export function typesOf(flow: Flow, type: string | undefined): string[] {
  if (type === undefined) return []
  const types = [type.replace(/\*$/, '')]
  for (let at = 0; at < types.length && types.length < 12; at++) {
    const current = types[at] ?? ''
    const bases = [
      ...(flow.classes.get(current)?.ir.bases ?? []),
      ...(flow.book.subtypes.get(current) ?? []),
      ...(flow.declaredTypes.get(current) ?? []),
    ]
    for (const base of bases) if (!types.includes(base)) types.push(base)
  }
  return types
}

/** Names under which `property` of a receiver may be known to rules. */
export function memberNames(flow: Flow, receiver: Subject, property: string, written: QualifiedName | null): QualifiedName[] {
  const names: QualifiedName[] = []
  if (receiver.value.path !== null) names.push(nameOf(property, receiver.value.path))
  for (const type of typesOf(flow, receiver.value.type)) names.push(nameOf(property, parseName(type)))
  if (written !== null) names.push(written)
  return names
}

/** The entries of an index that are about a call. */
export function entriesAbout(flow: Flow, index: NameIndex, { names, method, receiver, isNew }: CallSite): Entry[] {
  const found = matchingEntries(flow, index.candidates(method, isNew), names, receiver)
  // A variable that holds what is called has a name of its own.
  for (const { segment } of names)
    if (segment !== method)
      for (const entry of matchingEntries(flow, index.wildcards(segment, isNew), names, receiver))
        if (!found.includes(entry)) found.push(entry)
  return found
}

/** The entries that are about a name or a method of a type. */
export const matchingEntries = (
  flow: Flow,
  candidates: Candidates,
  names: readonly QualifiedName[],
  receiver: Subject | null,
): Entry[] => (candidates.entries.length === 0 ? [] : candidates.about(names, () => typesOf(flow, receiver?.value.type)))

type Selector = (site: CallSite) => Subject[]

const selectors = new Map<number | string, Selector>()

/** `0`, `-1`, `name`, `receiver`, `callee`, `all`, `last`, `rest` (from index 1), `2..` (from index 2), alternatives with `|`. */
export function selectArguments(site: CallSite, selector: number | string): Subject[] {
  let select = selectors.get(selector)
  if (select === undefined) selectors.set(selector, (select = compileSelector(selector)))
  return select(site)
}

const isPositional = ({ name }: SiteArgument): boolean => name === undefined
const only = (argument: SiteArgument | undefined): Subject[] => (argument === undefined ? [] : [argument.subject])
const from = (site: CallSite, index: number): Subject[] =>
  site.args
    .filter(isPositional)
    .slice(index)
    .map(({ subject }) => subject)

function compileSelector(selector: number | string): Selector {
  if (typeof selector === 'number' || /^-?\d+$/.test(selector)) {
    const index = Number(selector)
    return ({ args }) => only((args.every(isPositional) ? args : args.filter(isPositional)).at(index))
  }
  if (selector.includes('|')) {
    const written = selector.split('|').map((one) => one.trim())
    const alternatives = written.map(compileSelector)
    const isOfNames = written.every(isPlainName)
    return (site) => {
      if (isOfNames && !site.args.some(hasNames)) return []
      for (const select of alternatives) {
        const found = select(site)
        if (found.length > 0) return found
      }
      return []
    }
  }
  const beginning = /^(\d+)\.\.$/.exec(selector)
  if (beginning !== null) return (site) => from(site, Number(beginning[1]))
  if (selector === 'all') return ({ args }) => args.map(({ subject }) => subject)
  if (selector === 'rest') return (site) => from(site, 1)
  if (selector === 'receiver') return ({ receiver }) => (receiver === null ? [] : [receiver])
  if (selector === 'callee') return calleeVariable
  if (selector === 'last') return ({ args }) => only(args.at(-1))
  return (site) => namedArgument(site, selector)
}

const selectorWords = new Set(['all', 'rest', 'receiver', 'callee', 'last'])
const isPlainName = (selector: string): boolean => !/^-?\d/.test(selector) && !selectorWords.has(selector)

/** Rules about options ask every call for one of a dozen names, and few calls give anything a name. */
const hasNames = ({ name, subject }: SiteArgument): boolean => name !== undefined || subject.value.fields !== undefined

/** The variable that holds the name of what is called: `$action` of `$page->$action()`. */
function calleeVariable({ frame, names }: CallSite): Subject[] {
  const value = lookup(frame.env, names.at(-1)?.segment ?? '')
  return value === undefined ? [] : [{ value, ir: null }]
}

/** A named argument, or a key of a map literal among the arguments (options objects). */
function namedArgument(site: CallSite, name: string): Subject[] {
  const direct = site.args.find((argument) => argument.name === name)
  if (direct !== undefined) return [direct.subject]
  for (const { subject } of site.args) {
    const field = isOwn(subject) ? undefined : subject.value.fields?.get(name)
    if (field !== undefined) return [{ value: field, ir: entryOf(subject.ir, name) }]
  }
  return []
}

/** `tools.execute(step, this)`: who gives itself away gives no options. */
const isOwn = ({ ir }: Subject): boolean => ir?.op === 'name' && ir.name === 'this'

function entryOf(ir: Ir | null, name: string): Ir | null {
  if (ir?.op !== 'collection') return null
  return ir.entries.find((entry) => entry.key?.op === 'literal' && entry.key.value === name)?.value ?? null
}

/** A call in a condition, with its parts as they are known already. */
export function testedSite(flow: Flow, frame: Frame, call: Call): CallSite {
  const written = writtenName(call.callee)
  const receiverIr = call.callee.op === 'member' ? call.callee.object : null
  const receiver = receiverIr === null ? null : { value: flow.evaluate(frame, receiverIr), ir: receiverIr }
  const args = call.args.map((argument) => ({
    name: argument.name,
    subject: {
      value: flow.evaluate(frame, argument.value),
      ir: argument.value,
    },
  }))
  const path = call.callee.op === 'name' ? flow.readCallee(frame, call.callee).path : null
  const names = [...(path === null ? [] : [path]), ...(written === null ? [] : [written])]
  return {
    frame,
    ir: call,
    start: call.start,
    end: call.end,
    method: written?.segment ?? '',
    names,
    receiver,
    args,
    isNew: false,
  }
}

/** JavaScript: a tag of the file gets the fixed pieces of its template first, and then the values between them. */
export function taggedSite(flow: Flow, site: CallSite, call: Call): CallSite {
  const [template] = call.args
  if (template === undefined || flow.text[template.value.start] !== '`' || template.value.start !== call.callee.end) return site
  const parts = template.value.op === 'concat' ? template.value.parts.filter((part) => part.op !== 'literal') : []
  const values = parts.map((ir) => ({ name: undefined, subject: { value: flow.evaluate(site.frame, ir), ir } }))
  return { ...site, args: [{ name: undefined, subject: { value: unknown, ir: null } }, ...values] }
}

/** The resolved name of a member of a value. */
export const memberPath = (value: Value, property: string): Value['path'] =>
  value.path === null ? null : nameOf(property, value.path)
