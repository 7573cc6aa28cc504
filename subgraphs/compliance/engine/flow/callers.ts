/** Whether a file calls a function itself: then its calls tell what its parameters hold, and not a guess. */
import type { Lambda } from '../syntax/ir.js'
import type { Flow } from './state.js'

/** A function without a name is called like the variable that holds it. */
export const functionName = (flow: Flow, lambda: Lambda): string =>
  lambda.name === '' ? (flow.lambdaNames.get(lambda) ?? '') : lambda.name

/** Whether a call in the file can mean this function. `cmd.Run()` gives too little for `Run(ctx, job)`; a receiver may count as an argument. */
export function isCalled(flow: Flow, lambda: Lambda): boolean {
  const name = functionName(flow, lambda)
  const given = Math.max(flow.calledNames.get(name) ?? -1, givenByOwner(flow, lambda, name))
  if (given < 0 || isOneOfMany(flow, lambda)) return false
  return given + 1 >= lambda.parameters.filter(({ fallback, rest }) => fallback === undefined && !rest).length
}

/** By methods of its class, or of a base that leaves the method to it. */
function givenByOwner({ scopes, classes, calledOwn }: Flow, lambda: Lambda, name: string): number {
  let given = -1
  let className = calledOwn.size === 0 ? undefined : (scopes.get(lambda)?.className ?? undefined)
  for (let hops = 0; className !== undefined && hops < MOST_BASES; hops++) {
    given = Math.max(given, calledOwn.get(`${className}.${name}`) ?? -1)
    const here: string = className
    className = classes.get(here)?.ir.bases.find((base) => base !== here && classes.has(base))
  }
  return given
}

const MOST_BASES = 6

/** `for step in steps { step.perform(plan) }`: a call by what several classes of the file have in common means none of them. */
function isOneOfMany(flow: Flow, lambda: Lambda): boolean {
  const className = flow.scopes.get(lambda)?.className ?? ''
  const bases = lambda.isConstructor ? [] : (flow.classes.get(className)?.ir.bases ?? [])
  return bases.some((base) => (flow.implementers.get(base) ?? []).filter(({ methods }) => methods.has(lambda.name)).length > 1)
}
