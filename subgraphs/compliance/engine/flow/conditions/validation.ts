/**
 * Validators of the file: functions that throw, or return false, unless their parameter is harmless.
 *
 * Every way out of a function is noted with what holds of the parameters there; what all of them (or all that return true, or
 * false) have in common is what a caller may rely on.
 */
import { writtenName } from '../../match/subject.js'
import type { Ir, Lambda } from '../../syntax/ir.js'
import { copyEnvironment, type Environment } from '../environment.js'
import { truthOf } from '../values/fold.js'
import type { Exit, Flow, Frame, ParameterMarks, ValidatedParameters } from '../state.js'
import type { Value } from '../values/value.js'

type Cleans = ReadonlyMap<number, ReadonlySet<string>>

/** What the symbolic origins of the parameters are clean for at this point. */
function cleansOf(lambda: Lambda, env: Environment): Cleans {
  const cleans = new Map<number, ReadonlySet<string>>()
  for (const [index, parameter] of lambda.parameters.entries()) {
    const value = env.variables.get(parameter.name)
    const origin = value?.origins.find((one) => one.parameter?.of === lambda && one.parameter.index === index)
    const isSame = origin !== undefined && origin.parameter?.part === undefined && !origin.built && !origin.opaque
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
    lambda !== frame.symbolic ||
    lambda.parameters.length === 0 ||
    lambda.parameters.length > 8
  )
    return
  // Who asks with `?` does not go on from there.
  if (ir?.op === 'call' && ir.callee.op === 'name' && ir.callee.name === 'Err') return
  const truth = value.constant === null ? false : isFailure(flow, ir) ? true : truthOf(value.constant)
  const isTest = ir !== null && truth === undefined && ['binary', 'unary', 'call'].includes(ir.op)
  const marks = marksOf(lambda, frame.env)
  if (ir === null || !isTest) {
    const cleans = cleansOf(lambda, frame.env)
    frame.exits.push({ whenTrue: truth === false ? null : cleans, whenFalse: truth === true ? null : cleans, marks })
    return
  }
  const under = (assumed: boolean): Cleans => {
    const inner: Frame = { ...frame, env: copyEnvironment(frame.env), hits: new Map() }
    flow.narrow(inner, ir, assumed)
    return cleansOf(lambda, inner.env)
  }
  frame.exits.push({ whenTrue: under(true), whenFalse: under(false), marks })
}

/** `return errors.New("bad name")`, `return ErrName`, `return err` where there is one: a caller that asks for an error gets it. */
function isFailure(flow: Flow, ir: Ir | null): boolean {
  if (ir === null) return false
  const { text } = flow
  if (ir.op === 'unary') return ir.operator === '&' && isFailure(flow, ir.operand)
  if (ir.op === 'call') return /err/i.test(text.slice(ir.callee.start, ir.callee.end))
  const segment = writtenName(ir)?.segment ?? ''
  if (segment !== 'err') return /^[Ee]rr[A-Z]/.test(segment)
  return /\bif\b[^{}\n]*\berr != nil[^{}\n]*\{\s*(?:[^{}]*\n\s*)?return $/.test(text.slice(Math.max(0, ir.start - 300), ir.start))
}

/** The marks of the parameters at this point; a null pointer was left alone on purpose. */
function marksOf(lambda: Lambda, env: Environment): Exit['marks'] {
  const marks = new Map<number, ReadonlySet<string> | null>()
  for (const [index, parameter] of lambda.parameters.entries()) {
    const value = env.variables.get(parameter.name)
    if (value?.constant === null) marks.set(index, null)
    else if (value !== undefined && value.marks.size > 0) marks.set(index, value.marks)
  }
  return marks
}

/** Marks that all ways out leave on what the caller gave: a parameter that got another value is not that any more. */
export function marksLeft(flow: Flow, lambda: Lambda, exits: readonly Exit[]): ParameterMarks {
  const left = new Map<number, ReadonlySet<string>>()
  if (flow.isTruncated) return left
  for (const [index, parameter] of lambda.parameters.entries()) {
    const ways = exits.map((exit) => exit.marks.get(index)).filter((marks) => marks !== null)
    const shared = [...(ways[0] ?? [])].filter((mark) => ways.every((marks) => marks?.has(mark) === true))
    if (shared.length > 0 && !isReplaced(flow.text.slice(lambda.start, lambda.end), parameter.name))
      left.set(index, new Set(shared))
  }
  return left
}

const isReplaced = (text: string, name: string): boolean =>
  !/^\w+$/.test(name) ||
  new RegExp(`\\b${name}\\s*(?:[-+]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${name}\\b|&\\s*${name}\\b`).test(text)

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
