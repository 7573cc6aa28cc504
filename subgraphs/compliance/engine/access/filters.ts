/** Filters that a class names: `before_action :authenticate!, only: [...]`, `$this->middleware('auth')->except('show')`. */
import { fromLine } from '../flow/calls/classes.js'
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Call, ClassIr, Ir, Lambda } from '../syntax/ir.js'
import { type Guard, guardOf, type GuardReader } from './guards.js'
import { lastName, methodWords, stringOf } from './names.js'

interface Filters {
  /** Methods of the class that run first. */
  readonly bodies: readonly Ir[]
  readonly guards: readonly Guard[]
  /** A guard of the class leaves this action out by its name. */
  readonly isExcepted: boolean
}

export function filtersOf(flow: Flow, reader: GuardReader, ir: ClassIr, action: string): Filters {
  const { words } = reader
  const bodies: Ir[] = []
  const guards: Guard[] = []
  let isLoaded = false
  let isExcepted = false
  for (const { call, limits } of filterCalls(reader, ir).toSorted((a, b) => a.call.start - b.call.start)) {
    if (!limits.every((limit) => appliesTo(limit, action))) {
      isExcepted ||=
        limits.some((limit) => leavesOut(limit, action)) && call.args.some(({ value }) => guardOf(reader, value).level > 0)
      continue
    }
    for (const { value, name } of call.args) {
      if (name !== undefined) continue
      const called = stringOf(value) ?? lastName(value)
      const own = value.op === 'function' ? value : fromLine(flow, ir.name, ({ methods }) => methods.get(called))
      if (own !== undefined) bodies.push(...defaultsOf(own), own.body)
      const guard = value.op === 'function' ? reader.ofLambda(value) : guardOf(reader, value)
      // What is asked after the thing was loaded is about the thing.
      if (own === undefined && isLoaded && words.authorizes.within(words.of(called))) bodies.push(question(value, called))
      if (guard.level > 0 && !(own !== undefined && guard.isUnknown === true))
        guards.push(own === undefined ? guard : { ...guard, isRead: true })
      isLoaded ||= words.finds.begins(words.of(called))
    }
  }
  return { bodies, guards, isExcepted }
}

const question = ({ start, end }: Ir, name: string): Ir => {
  const callee: Ir = { op: 'name', name, start, end }
  return { op: 'call', callee, args: [{ value: { ...callee, name: 'this' } }], isNew: false, at: start, start, end }
}

/** Nothing is given to a filter. */
const defaultsOf = ({ parameters }: Lambda): Ir[] =>
  parameters.flatMap(({ name, fallback, start, end }): Ir[] =>
    fallback === undefined
      ? []
      : [
          {
            op: 'assign',
            target: { op: 'name', name, start, end },
            value: fallback,
            operator: '=',
            declares: true,
            start,
            end,
          },
        ],
  )

const filterNames = new WeakMap<Flow, ReadonlySet<string>>()

/** A method that a class of the file names as a filter: it answers no request by itself. */
export function isFilterMethod(flow: Flow, reader: GuardReader, name: string): boolean {
  let names = filterNames.get(flow)
  if (names === undefined) {
    const given = [...flow.classes.values()].flatMap(({ ir }) => filterCalls(reader, ir)).flatMap(({ call }) => call.args)
    names = new Set(given.flatMap((one) => (one.name === undefined ? (stringOf(one.value) ?? []) : [])))
    filterNames.set(flow, names)
  }
  return names.has(name)
}

interface FilterCall {
  readonly call: Call
  /** The calls that say where it holds. */
  readonly limits: readonly Call[]
}

/** In the body of the class and in its constructor. */
function filterCalls({ words }: GuardReader, ir: ClassIr): FilterCall[] {
  const found: FilterCall[] = []
  const stack: { ir: Ir; around: readonly Call[] }[] = ir.members
    .filter((member) => member.op !== 'function' || member.isConstructor || member.name === '__construct')
    .map((member) => ({ ir: member, around: [] }))
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { ir: part, around } = at
    if (part.op === 'call') {
      const said = methodWords(words, part)
      if (words.filters.is(said) || words.chained.is(said)) found.push({ call: part, limits: [part, ...around] })
      stack.push({ ir: part.callee, around: [...around, part] })
    } else
      for (const inner of part.op === 'function' && !isConstructor(part) ? [] : partsOf(part))
        stack.push({ ir: inner, around: part.op === 'member' ? around : [] })
  }
  return found
}

const isConstructor = (lambda: Lambda): boolean => lambda.isConstructor || lambda.name === '__construct'

function appliesTo(limit: Call, action: string): boolean {
  const method = lastName(limit.callee)
  if (method === 'only' || method === 'except') {
    const listed = limit.args.flatMap(({ value }) => stringsIn(value))
    return listed.includes(action) === (method === 'only')
  }
  for (const { name, value } of limit.args) {
    if (name === 'only' && !stringsIn(value).includes(action)) return false
    if (name === 'except' && stringsIn(value).includes(action)) return false
  }
  return true
}

/** `->except(['settle'])`, `except: [:refund]` */
const leavesOut = (limit: Call, action: string): boolean =>
  limit.args.some(({ name, value }) => (name ?? lastName(limit.callee)) === 'except' && stringsIn(value).includes(action))

const stringsIn = (ir: Ir): string[] =>
  ir.op === 'collection'
    ? ir.entries.flatMap(({ value }) => stringsIn(value))
    : [stringOf(ir) ?? ''].filter((text) => text !== '')
