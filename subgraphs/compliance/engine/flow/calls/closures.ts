/** Functions that run with the values of one call: lambdas where they stand, and functions of the file that asked about their parameters. */
import type { Lambda } from '../../syntax/ir.js'
import { createEnvironment, type Environment } from '../environment.js'
import { mayLookAgain } from '../questions.js'
import type { Flow, Frame } from '../state.js'
import { enteredBy } from '../values/trail.js'
import { declaredKinds } from '../values/harmless-types.js'
import { cleaned, type FunctionValue, joinOrigins, joinValues, unknown, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'
import { createFrame, maxDepth } from './frame.js'
import { bindParameters, sourcesOf } from './parameters.js'
import { typeByUse } from './parameter-types.js'
import { onReturn } from './returned.js'

/** An anonymous function that runs where it stands; `isHandler`: it was given a name of what it answers to. */
export function callLambda(
  flow: Flow,
  from: Frame,
  func: FunctionValue,
  args: readonly Value[],
  callbackOf: string,
  isHandler = false,
): Value {
  if (flow.depth >= maxDepth) return unknown
  flow.depth++
  flow.evaluated.add(func.lambda)
  const frame = createFrame(from.lambda, func.className, createEnvironment(func.scope), {
    ...sharedWith(from),
    callbackOf,
    closure: func.lambda.declares ? null : func.lambda,
    outermost: from.outermost ?? (from.lambda === null || isHandler ? func.lambda : null),
    loopDepth: from.loopDepth,
    loop: from.loop,
    inCatch: from.inCatch,
    tests: [...from.tests],
  })
  const result = runBody(flow, frame, func, args)
  flow.depth--
  return result
}

/** What is found out inside concerns the function whose parameters are symbols. */
const sharedWith = ({ symbolic, hits, parameterCalls, questions }: Frame): Partial<Frame> => ({
  symbolic,
  hits,
  parameterCalls,
  questions,
})

/** Evaluates the body with the given arguments, and shows the scope around it what became of its variables. */
function runBody(flow: Flow, frame: Frame, func: FunctionValue, args: readonly Value[]): Value {
  const { lambda, scope } = func
  const implicit = flow.book.language === 'kotlin' || flow.book.language === 'swift'
  if (implicit && lambda.parameters.length === 0) {
    frame.env.variables.set('it', args[0] ?? unknown)
    frame.env.variables.set('$0', args[0] ?? unknown)
  }
  const own = lambda.parameters.map((parameter, index): Value => {
    const value = args[index] ?? unknown
    const sourced = sourcesOf(flow, { ...frame, lambda }, parameter, index)
    const given = {
      ...value,
      type: parameter.type ?? value.type ?? typeByUse(flow, lambda, index),
      origins: joinOrigins(value.origins, sourced),
    }
    return cleaned(given, declaredKinds(flow, parameter))
  })
  bindParameters(flow, frame, lambda, own)
  const last = flow.evaluate(frame, lambda.body)
  if (frame.closure !== null && lambda.isExpressionBody && !frame.env.isDead)
    onReturn(flow, frame, last, lambda.body.op === 'block' ? lambda.body.body.at(-1) : lambda.body, true)
  for (const [name, changed] of frame.env.variables) {
    const isOwn = lambda.parameters.some((parameter) => parameter.name === name)
    if (!isOwn && isVariableOf(flow, scope, name)) scope.variables.set(name, changed)
  }
  if (lambda.isExpressionBody && !frame.env.isDead) return frame.result === null ? last : joinValues(frame.result, last)
  return frame.result ?? unknown
}

/** Whether a function around the lambda has the variable; globals are shared in another way. */
function isVariableOf(flow: Flow, scope: Environment, name: string): boolean {
  if (scope === flow.globals) return false
  if (scope.variables.has(name)) return true
  for (let at = scope.parent; at !== null && at !== flow.globals; at = at.parent) if (at.variables.has(name)) return true
  return false
}

/** The result of a function that is looked at again with what this call gives it; `null` where that would lead too far. */
export function lookAgain(flow: Flow, site: CallSite, func: FunctionValue, args: readonly Value[]): Value | null {
  const { lambda } = func
  if (!mayLookAgain(flow) || flow.depth >= maxDepth || flow.inlined.includes(lambda)) return null
  const { narrowing, steps } = flow
  const isOutermost = flow.inlined.length === 0
  flow.inlined.push(lambda)
  flow.lookedFrom.push({ start: site.start, end: site.end, lambda: site.frame.lambda })
  flow.depth++
  flow.narrowing = 0
  const frame = createFrame(lambda, func.className, createEnvironment(func.scope), {
    ...sharedWith(site.frame),
    calledAt: { start: site.start, end: site.end },
  })
  const block = site.args.at(-1)?.subject.value.func
  if (flow.book.language === 'ruby' && block !== undefined) frame.env.variables.set('yield', { ...unknown, func: block })
  const given = args.map((value, index) => ({ ...value, origins: enteredBy(value.origins, site, { of: lambda, index }) }))
  const result = runBody(flow, frame, func, given)
  flow.narrowing = narrowing
  flow.depth--
  flow.inlined.pop()
  flow.lookedFrom.pop()
  if (isOutermost) {
    // Not at the cost of what is looked at for the first time.
    flow.inlinedSteps += flow.steps - steps
    flow.steps = steps
  }
  return result
}

/** Where the function is declared, for those that are called by their name. */
export function declaredAt(flow: Flow, lambda: Lambda): FunctionValue | null {
  const home = flow.scopes.get(lambda)
  return home === undefined ? null : { lambda, scope: home.scope, className: home.className }
}
