/** What the functions of a file say that they return. */
import type { Ir, Lambda } from '../../syntax/ir.js'
import { partsOf } from '../prepare.js'

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
    if (ir.op === 'assign' && ir.target.op === 'name')
      locals.set(ir.target.name, [...(locals.get(ir.target.name) ?? []), ...(ir.value === null ? [] : [ir.value])])
    stack.push(...partsOf(ir))
  }
  return { values, locals }
}

/** `match self { A => "a", B => "b" }`: whatever it is called on, nothing of that is in the answer. */
export function answersConstants(lambda: Lambda): boolean {
  const { values } = resultsOf(lambda)
  return lambda.parameters.length === 0 && values.length > 0 && values.every(isConstantChoice)
}

const isConstantChoice = (ir: Ir): boolean =>
  ir.op === 'literal' ||
  (ir.op === 'switch' && ir.cases.length > 0 && ir.cases.every(({ body }) => isConstantChoice(body))) ||
  (ir.op === 'block' && ir.body.length === 1 && ir.body.every(isConstantChoice)) ||
  (ir.op === 'if' && ir.otherwise !== null && isConstantChoice(ir.then) && isConstantChoice(ir.otherwise))
