/**
 * Methods of a receiver that carries data as a whole: a request object whose class stands in the file.
 *
 * Nothing in the file has filled its fields, so what the method returns of them is what the receiver carries.
 */
import type { Ir, Lambda } from '../../syntax/ir.js'
import { partOf } from '../assign.js'
import { isHarmlessType } from '../values/harmless-types.js'
import { partsOf } from '../prepare.js'
import type { ClassInfo, Flow } from '../state.js'
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
  const self = new Set(['this', ...(lambda.receiver === undefined ? [] : [lambda.receiver.name])])
  const fieldOf = (ir: Ir): string | undefined => {
    if (ir.op === 'member' && ir.object.op === 'name' && self.has(ir.object.name)) return ir.property
    const isBare = ir.op === 'name' && flow.table?.implicitThis === true && info.fieldTypes.has(ir.name)
    return isBare && !lambda.parameters.some(({ name }) => name === ir.name) ? ir.name : undefined
  }
  const { values, locals } = resultsOf(lambda)
  const seen = new Set<string>()
  const stack = values.map((ir) => ({ ir, isPlain: true }))
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { ir } = at
    const isPlain = at.isPlain && ir.op !== 'concat' && !(ir.op === 'binary' && ir.operator === '+')
    const field = fieldOf(ir)
    if (field !== undefined) found.set(field, isPlain && found.get(field) !== false)
    else if (ir.op === 'name' && !seen.has(ir.name)) {
      seen.add(ir.name)
      for (const value of locals.get(ir.name) ?? []) stack.push({ ir: value, isPlain })
    } else if (ir.op === 'if')
      stack.push(...[ir.then, ...(ir.otherwise === null ? [] : [ir.otherwise])].map((one) => ({ ir: one, isPlain })))
    else if (!isTest(ir)) for (const part of partsOf(ir)) stack.push({ ir: part, isPlain })
  }
  returned.set(lambda, found)
  return found
}

/** Its result is a boolean, or not made of its parts. */
const isTest = (ir: Ir): boolean =>
  ir.op === 'function' ||
  (ir.op === 'binary' && /^(?:[!=]==?|[<>]=?|&&|in|is|instanceof)$/.test(ir.operator)) ||
  (ir.op === 'unary' && ir.operator === '!')

/** What a function returns, and what it assigns to its variables. */
export function resultsOf(lambda: Lambda): { values: Ir[]; locals: ReadonlyMap<string, readonly Ir[]> } {
  const values: Ir[] = []
  const locals = new Map<string, Ir[]>()
  const last = lambda.body.op === 'block' ? lambda.body.body.at(-1) : lambda.body
  if (lambda.isExpressionBody && last !== undefined) values.push(last)
  const stack: Ir[] = [lambda.body]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'function') continue
    if (ir.op === 'jump' && ir.kind === 'return' && ir.value !== null) values.push(ir.value)
    if (ir.op === 'assign' && ir.target.op === 'name' && ir.value !== null)
      locals.set(ir.target.name, [...(locals.get(ir.target.name) ?? []), ir.value])
    stack.push(...partsOf(ir))
  }
  return { values, locals }
}
