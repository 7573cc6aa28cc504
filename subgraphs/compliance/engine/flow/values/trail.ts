/**
 * The way of data through a file: what an origin passed through since its source.
 *
 * Where tainted data is assigned or given to a function of the file, its trail grows by one node that shares all before it. Texts
 * are made for what is reported only. When there are too many, the steps next to the source are kept, which are the furthest from the sink.
 */
import type { Ir, Lambda } from '../../syntax/ir.js'
import type { Origin, Value } from './value.js'

export interface Trail {
  readonly start: number
  readonly end: number
  /** What was assigned, when it is a plain name; else the text of the place says it. */
  readonly name: string | null
  /** The parameter that got the data, when this is a call. */
  readonly into: { readonly of: Lambda; readonly index: number } | null
  readonly before: Trail | null
  /** What happened to the data inside of the function. */
  readonly inside: Trail | null
  readonly length: number
}

export const stepKinds = ['source', 'assignment', 'call', 'sink'] as const
export type StepKind = (typeof stepKinds)[number]

/** One step of a finding; offsets in the text. */
export interface FlowStep {
  readonly kind: StepKind
  readonly start: number
  readonly end: number
  /** Such as `passes into "query"`. */
  readonly message: string
}

/** Steps between source and sink, so that a finding has at most twelve. */
const maxTrail = 10
const maxNameLength = 60

/** The origins behind an assignment to `target`. */
export function assignedOrigins(origins: readonly Origin[], target: Ir | null): readonly Origin[] {
  if (origins.length === 0 || target === null) return origins
  const { start, end } = target
  const name = target.op === 'name' ? target.name : null
  return origins.map((origin) => {
    const { trail } = origin
    const length = (trail?.length ?? 0) + 1
    // A loop comes by again.
    if (length > maxTrail || (trail !== null && trail.start === start && trail.end === end)) return origin
    return { ...origin, trail: { start, end, name, into: null, before: trail, inside: null, length } }
  })
}

/** The value behind an assignment to `target`. Parts that are known one by one keep their own ways. */
export const assignedValue = (value: Value, target: Ir | null): Value =>
  value.origins.length === 0 ? value : { ...value, origins: assignedOrigins(value.origins, target) }

/** The way of an argument that went through a function: to the call, and on from the parameter. */
export function throughCall(before: Trail | null, call: { start: number; end: number }, origin: Origin): Trail | null {
  const length = (before?.length ?? 0) + 1
  if (length > maxTrail || origin.parameter === null) return before
  const step = { start: call.start, end: call.end, name: null, into: origin.parameter, before }
  const whole = length + (origin.trail?.length ?? 0)
  return whole > maxTrail ? { ...step, inside: null, length } : { ...step, inside: origin.trail, length: whole }
}

/** The origins of an argument inside of the function that it was given to. */
export function enteredBy(
  origins: readonly Origin[],
  call: { start: number; end: number },
  into: { of: Lambda; index: number },
): readonly Origin[] {
  return origins.map((origin) => {
    const length = (origin.trail?.length ?? 0) + 1
    if (length > maxTrail) return origin
    const { start, end } = call
    return { ...origin, trail: { start, end, name: null, into, before: origin.trail, inside: null, length } }
  })
}

const sourceMessages: Readonly<Record<string, string>> = {
  remote: 'request data enters here',
  local: 'local input enters here',
  param: 'the data of a caller enters here',
  stored: 'stored data enters here',
  personal: 'personal data enters here',
  environment: 'the environment is read here',
  upload: 'uploaded data enters here',
  archive: 'data of an archive enters here',
  file: 'data of a file enters here',
  fetched: 'fetched data enters here',
}

const sinkNames: Readonly<Record<string, string>> = {
  sql: 'SQL',
  nosql: 'NoSQL',
  html: 'HTML',
  dom: 'DOM',
  ssrf: 'request address',
  path: 'file path',
  xxe: 'XML',
  ldap: 'LDAP',
  xpath: 'XPath',
  xslt: 'XSLT',
  cors: 'CORS',
  jndi: 'JNDI',
  regex: 'regular expression',
}

/** All steps from the source of `origin` to the sink. */
export function stepsOf(text: string, origin: Origin, sink: { kind: string; start: number; end: number }): FlowStep[] {
  const source: FlowStep = {
    kind: 'source',
    start: origin.at,
    end: origin.end,
    message: sourceMessages[origin.label] ?? 'the data comes from here',
  }
  const last: FlowStep = {
    kind: 'sink',
    start: sink.start,
    end: sink.end,
    message: `reaches the ${sinkNames[sink.kind] ?? sink.kind.replaceAll('-', ' ')} sink`,
  }
  return [source, ...trailSteps(text, origin.trail), last]
}

/** In order. The length of a trail bounds the work. */
const trailSteps = (text: string, trail: Trail | null): FlowStep[] =>
  trail === null ? [] : [...trailSteps(text, trail.before), stepOf(text, trail), ...trailSteps(text, trail.inside)]

function stepOf(text: string, { start, end, name, into }: Trail): FlowStep {
  if (into === null) {
    const assigned = shortened(name ?? text.slice(start, Math.min(end, start + 4 * maxNameLength)))
    return { kind: 'assignment', start, end, message: `passes into "${assigned}"` }
  }
  const parameter = into.of.parameters[into.index]?.name ?? ''
  const called = into.of.name === '' ? 'a function' : `"${shortened(into.of.name)}"`
  const message = parameter === '' ? `passes into ${called}` : `passes into ${called} as "${shortened(parameter)}"`
  return { kind: 'call', start, end, message }
}

function shortened(name: string): string {
  const plain = name.replaceAll(/\s+/g, ' ').trim()
  return (plain.length <= maxNameLength ? plain : `${plain.slice(0, maxNameLength)}...`).toWellFormed()
}

const withoutNames: Readonly<Record<StepKind, string | null>> = {
  source: null,
  assignment: 'passes into a variable',
  call: 'passes into a function',
  sink: null,
}

/** The message of a step without the names that stand in the code. */
export const namelessMessage = (kind: StepKind, message: string): string => withoutNames[kind] ?? message
