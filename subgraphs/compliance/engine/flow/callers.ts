/** Whether a file calls a function itself: then its calls tell what its parameters hold, and not a guess. */
import type { Lambda } from '../syntax/ir.js'
import type { Flow } from './state.js'

/** A function without a name is called like the variable that holds it. */
export const functionName = (flow: Flow, lambda: Lambda): string =>
  lambda.name === '' ? (flow.lambdaNames.get(lambda) ?? '') : lambda.name

/** Whether a call in the file can mean this function. `cmd.Run()` gives too little for `Run(ctx, job)`; a receiver may count as an argument. */
export function isCalled(flow: Flow, lambda: Lambda): boolean {
  const given = flow.calledNames.get(functionName(flow, lambda))
  if (given === undefined) return false
  return given + 1 >= lambda.parameters.filter(({ fallback, rest }) => fallback === undefined && !rest).length
}
