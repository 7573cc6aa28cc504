/**
 * Validators of the file: functions that throw, or return false, unless their parameter is harmless.
 *
 * Every way out of a function is noted with what holds of the parameters there; what all of them (or all that return true, or
 * false) have in common is what a caller may rely on.
 */
import type { Ir, Lambda } from '../syntax/ir.js'
import { copyEnvironment, type Environment } from './environment.js'
import { truthOf } from './fold.js'
import type { Exit, Flow, Frame, ValidatedParameters } from './state.js'
import type { Value } from './value.js'

type Cleans = ReadonlyMap<number, ReadonlySet<string>>

/** What the symbolic origins of the parameters are clean for at this point. */
function cleansOf(lambda: Lambda, env: Environment): Cleans {
  const cleans = new Map<number, ReadonlySet<string>>()
  for (const [index, parameter] of lambda.parameters.entries()) {
    const value = env.variables.get(parameter.name)
    const origin = value?.origins.find((one) => one.parameter?.of === lambda && one.parameter.index === index)
    const isSame = origin !== undefined && !origin.built && !origin.opaque
    if (isSame && origin.clean.size > 0) cleans.set(index, origin.clean)
  }
  return cleans
}

/** Notes a return; `ir` is the returned expression, `null` for the end of the body. */
export function noteExit(flow: Flow, frame: Frame, ir: Ir | null, value: Value): void {
  const { lambda } = frame
  if (
    flow.isTruncated ||
    frame.callbackOf !== null ||
    lambda === null ||
    lambda.parameters.length === 0 ||
    lambda.parameters.length > 8
  )
    return
  const truth = truthOf(value.constant)
  const isTest = ir !== null && truth === undefined && ['binary', 'unary', 'call'].includes(ir.op)
  if (ir === null || !isTest) {
    const cleans = cleansOf(lambda, frame.env)
    frame.exits.push({ whenTrue: truth === false ? null : cleans, whenFalse: truth === true ? null : cleans })
    return
  }
  const under = (assumed: boolean): Cleans => {
    const inner: Frame = { ...frame, env: copyEnvironment(frame.env), hits: [] }
    flow.narrow(inner, ir, assumed)
    return cleansOf(lambda, inner.env)
  }
  frame.exits.push({ whenTrue: under(true), whenFalse: under(false) })
}

const nothing: Cleans = new Map()

/** What all exits have in common. */
export function validatedBy(exits: readonly Exit[]): ValidatedParameters {
  const whenTrue = common(exits.map((exit) => exit.whenTrue))
  const whenFalse = common(exits.map((exit) => exit.whenFalse))
  return { whenTrue, whenFalse, always: common([...exits.map((exit) => exit.whenTrue), ...exits.map((exit) => exit.whenFalse)]) }
}

function common(all: readonly (Cleans | null)[]): Cleans {
  const ways = all.filter((one) => one !== null)
  const [first, ...rest] = ways
  if (first === undefined) return nothing
  const result = new Map<number, ReadonlySet<string>>()
  for (const [index, kinds] of first) {
    const shared = [...kinds].filter((kind) => rest.every((way) => way.get(index)?.has(kind) === true))
    if (shared.length > 0) result.set(index, new Set(shared))
  }
  return result
}
