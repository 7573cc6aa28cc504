/**
 * Methods of a receiver that carries data as a whole: a request object whose class stands in the file.
 *
 * Nothing in the file has filled its fields, so what the method returns of them is what the receiver carries.
 */
import { writtenName } from '../../match/subject.js'
import type { RoleOf } from '../../rulebook/compile.js'
import type { Propagator } from '../../rulebook/model-schema.js'
import type { Call, Ir, Lambda } from '../../syntax/ir.js'
import { partOf } from '../assign.js'
import { isHarmlessType } from '../values/harmless-types.js'
import { partsOf } from '../prepare.js'
import { selfNames } from '../self-names.js'
import type { ClassInfo, Flow } from '../state.js'
import { matchingEntries } from './call-site.js'
import { resultsOf } from './results.js'
import { changedOrigins, cleaned, deepOrigins, joinOrigins, type Origin, type Value } from '../values/value.js'

/** The fields that a method returns, and whether each is returned as it is. */
const returned = new WeakMap<Lambda, ReadonlyMap<string, boolean>>()

/** What a method of the file returned, with the data that its receiver carries in the returned fields. */
export function withReceiver(flow: Flow, lambda: Lambda, receiver: Value | undefined, result: Value): Value {
  if (receiver === undefined || deepOrigins(receiver).length === 0 || isHarmlessType(flow, lambda.returnType)) return result
  const className = flow.scopes.get(lambda)?.className
  const info = className == null ? undefined : flow.classes.get(className)
  if (info === undefined) return result
  let origins: readonly Origin[] = []
  for (const [field, isPlain] of fieldsReturned(flow, lambda, info)) {
    const part = partOf(receiver, field)
    const value = isHarmlessType(flow, info.fieldTypes.get(field)) ? cleaned(part, ['text']) : part
    origins = joinOrigins(origins, isPlain ? deepOrigins(value) : changedOrigins(deepOrigins(value), { built: true }))
  }
  if (origins.length === 0) return result
  return { ...result, constant: undefined, prefix: undefined, origins: joinOrigins(result.origins, origins) }
}

function fieldsReturned(flow: Flow, lambda: Lambda, info: ClassInfo): ReadonlyMap<string, boolean> {
  const known = returned.get(lambda)
  if (known !== undefined) return known
  const found = new Map<string, boolean>()
  const self = new Set(selfNames(lambda))
  const fieldOf = (ir: Ir): string | undefined => {
    if (ir.op === 'member' && ir.object.op === 'name' && self.has(ir.object.name)) return ir.property
    const isBare = ir.op === 'name' && flow.table?.implicitThis === true && info.fieldTypes.has(ir.name)
    return isBare && !lambda.parameters.some(({ name }) => name === ir.name) ? ir.name : undefined
  }
  const { values, locals } = resultsOf(lambda)
  const added = addedTo(flow, lambda, locals)
  const seen = new Set<string>()
  const stack = values.map((ir) => ({ ir, isPlain: true }))
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { ir } = at
    const isPlain = at.isPlain && !isJoined(flow, ir)
    const field = fieldOf(ir)
    if (field !== undefined) found.set(field, isPlain && found.get(field) !== false)
    else if (ir.op === 'name' && !seen.has(ir.name)) {
      seen.add(ir.name)
      for (const value of locals.get(ir.name) ?? []) stack.push({ ir: value, isPlain })
      for (const value of added.get(ir.name) ?? []) stack.push({ ir: value, isPlain: false })
    } else if (ir.op === 'index') stack.push({ ir: ir.object, isPlain })
    else if (ir.op === 'if')
      stack.push(...[ir.then, ...(ir.otherwise === null ? [] : [ir.otherwise])].map((one) => ({ ir: one, isPlain })))
    else if (!isTest(ir)) for (const part of partsOf(ir)) stack.push({ ir: part, isPlain })
  }
  returned.set(lambda, found)
  return found
}

/** `"a" + b`, and calls that write their arguments into a text. */
function isJoined(flow: Flow, ir: Ir): boolean {
  if (ir.op === 'concat') return true
  if (ir.op === 'binary') return ir.operator === '+'
  return ir.op === 'call' && joins(flow, ir, (role) => role.conditions.as === 'format')
}

function joins(flow: Flow, call: Call, test: (role: RoleOf<'propagator'>) => boolean): boolean {
  const name = writtenName(call.callee)
  if (name === null) return false
  const candidates = flow.book.calls.candidates(name.segment, false)
  return matchingEntries(flow, candidates, [name], null).some(({ role }) => role.role === 'propagator' && test(role))
}

/** What a function adds to the texts in its variables: `b.WriteString(x)`, `text += x`, `fmt.Fprintf(&b, "%s", x)`. */
function addedTo(flow: Flow, lambda: Lambda, locals: ReadonlyMap<string, readonly Ir[]>): ReadonlyMap<string, readonly Ir[]> {
  const added = new Map<string, Ir[]>()
  const add = (target: Ir | undefined, values: readonly Ir[]): void => {
    const place = target?.op === 'unary' ? target.operand : target
    if (place?.op === 'name' && locals.has(place.name)) added.set(place.name, [...(added.get(place.name) ?? []), ...values])
  }
  const stack: Ir[] = [lambda.body]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'function') continue
    if (ir.op === 'assign' && ir.operator === '+=' && ir.value !== null) add(ir.target, [ir.value])
    if (ir.op === 'call') {
      const [first, ...rest] = ir.args.map(({ value }) => value)
      const { callee } = ir
      if (callee.op === 'member' && flow.book.words.appends_text.has(callee.property))
        add(callee.object, first === undefined ? [] : [first, ...rest])
      else if (joins(flow, ir, ({ conditions }) => selectsFirst(conditions.to))) add(first, rest)
    }
    stack.push(...partsOf(ir))
  }
  return added
}

const selectsFirst = (to: Propagator['to']): boolean => [to].flat().some((one) => String(one) === '0')

/** Its result is a boolean, or not made of its parts. */
const isTest = (ir: Ir): boolean =>
  ir.op === 'function' ||
  (ir.op === 'binary' && /^(?:[!=]==?|[<>]=?|&&|in|is|instanceof)$/.test(ir.operator)) ||
  (ir.op === 'unary' && ir.operator === '!')
