/**
 * What a function answers whatever it is asked: the callback that should refuse, and has no way to.
 *
 * An answer is what the function returns, the value of its last expression where that is its result, or the last argument that it
 * hands to a parameter which it calls (`done(null, true)`). A function that returns nothing answers null. One that throws, or gives
 * what it was asked about to somebody else, may refuse, unless the refusal is caught and forgotten. Who is only asked to show something
 * (`chain.length > 0`) is not refused.
 */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import { constantValue, unknown } from '../flow/values/value.js'
import type { Call, Constant, Ir, Lambda } from '../syntax/ir.js'
import { presenceAsked } from './presence.js'
import { type Subject, writtenName } from './subject.js'

/** Every answer of the function that the subject is, names or wraps; `null` for anything that is no function or that may refuse. */
export function answersOf(flow: Flow, subject: Subject): readonly Subject[] | null {
  const lambda = functionOf(flow, subject)
  return lambda === null ? null : answersOfFunction(flow, lambda)
}

/** The function that stands there, is named or is wrapped. */
export function functionOf(flow: Flow, { value, ir }: Subject): Lambda | null {
  if (ir?.op === 'function') return ir
  // `verify ? tls.check : () => undefined`: whoever calls decides whether there is a check.
  if (ir?.op === 'if' && (ir.then.op === 'member' || ir.otherwise?.op === 'member')) return null
  if (value.func !== undefined) return value.func.lambda
  if (ir === null) return null
  // `new Callback(validate)`, `Verifier { host, session -> true }`, `proc { true }`, `asFunction(validate)`
  if (ir.op === 'call') {
    const [only, second] = ir.args
    return only === undefined || second !== undefined ? null : functionOf(flow, { value: unknown, ir: only.value })
  }
  if (ir.op === 'cast') return functionOf(flow, { value, ir: ir.value })
  const name = writtenName(ir)?.segment
  if (name === undefined) return null
  const free = ir.op === 'name' ? flow.globals.variables.get(name)?.func : undefined
  const [method, another] = flow.methodsByName.get(name) ?? []
  return free?.lambda ?? (another === undefined ? (method?.lambda ?? null) : null)
}

const known = new WeakMap<Lambda, readonly Subject[] | null>()

function answersOfFunction(flow: Flow, lambda: Lambda): readonly Subject[] | null {
  let answers = known.get(lambda)
  if (answers === undefined) known.set(lambda, (answers = collectAnswers(flow, lambda)))
  return answers
}

interface Body {
  readonly flow: Flow
  readonly parameters: ReadonlySet<string>
  readonly answers: Ir[]
  /** What each variable of the function is assigned. */
  readonly locals: Map<string, (Ir | null)[]>
}

function collectAnswers(flow: Flow, lambda: Lambda): readonly Subject[] | null {
  const parameters = new Set(lambda.parameters.map(({ name }) => name))
  const body: Body = { flow, parameters, answers: [], locals: new Map() }
  const stack: { ir: Ir; isCaught: boolean; isTold: boolean }[] = [{ ir: lambda.body, isCaught: false, isTold: false }]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { ir, isCaught } = at
    if (ir.op === 'function') continue
    if (!isCaught && mayRefuse(body, ir, at.isTold)) return null
    // What is made for a line of a log decides nothing: `log.Print(fingerprint(key))`.
    const isTold = at.isTold || (ir.op === 'call' && isTelling(flow, ir))
    noteAnswer(body, ir)
    const idle = idleBranch(body, ir)
    const caught = ir.op === 'try' && ir.catches.length > 0 ? ir.body : null
    for (const part of partsOf(ir)) if (part !== idle) stack.push({ ir: part, isCaught: isCaught || part === caught, isTold })
  }
  if (lambda.isExpressionBody) noteResult(body, lambda.body)
  if (body.answers.length === 0) return [{ value: constantValue(null), ir: null }]
  return body.answers.map((ir) => {
    const constant = constantOf(body, ir)
    return { value: constant === undefined ? unknown : constantValue(constant), ir }
  })
}

/** The branch for those who show nothing at all. */
function idleBranch(body: Body, ir: Ir): Ir | null {
  if (ir.op !== 'if') return null
  const asked = asks(body, ir.test)
  return asked === null ? null : asked === 'absent' ? ir.then : ir.otherwise
}

const asks = ({ flow, parameters }: Body, ir: Ir): 'there' | 'absent' | null =>
  presenceAsked(flow, ir, (one) => mentions(parameters, one))

function noteAnswer({ answers, locals, parameters }: Body, ir: Ir): void {
  if (ir.op === 'jump' && ir.kind === 'return' && ir.value !== null) answers.push(ir.value)
  if (ir.op === 'assign' && ir.target.op === 'name')
    locals.set(ir.target.name, [...(locals.get(ir.target.name) ?? []), ir.operator === '=' ? ir.value : null])
  const handed = ir.op === 'call' && ir.callee.op === 'name' && parameters.has(ir.callee.name) ? ir.args.at(-1) : undefined
  if (handed !== undefined) answers.push(handed.value)
}

/** A throw; a call that is named like a check or that is given what the function was asked about, and is no line of a log. */
function mayRefuse(body: Body, ir: Ir, isTold: boolean): boolean {
  const { flow, parameters } = body
  if (ir.op === 'jump') return ir.kind === 'throw'
  if (ir.op !== 'call' || isTelling(flow, ir)) return false
  const name = writtenName(ir.callee)?.segment ?? ''
  if (ir.callee.op === 'name' && parameters.has(name)) return false
  const { formalities, requires } = flow.book.words
  const [first] = ir.args
  if (formalities.has(name) || (requires.has(name) && first !== undefined && asks(body, first.value) === 'there')) return false
  if (asks(body, ir) !== null) return false
  if (/check|verif|valid|assert|ensure|require|reject|refuse|fail/i.test(name)) return true
  return !ir.isNew && !isTold && ir.args.some(({ value }) => mentions(parameters, value))
}

const isTelling = (flow: Flow, call: Call): boolean => flow.book.words.tells.has(writtenName(call.callee)?.segment ?? '')

const mentions = (parameters: ReadonlySet<string>, ir: Ir): boolean =>
  (ir.op === 'name' && parameters.has(ir.name)) ||
  ((ir.op === 'member' || ir.op === 'index') && mentions(parameters, ir.object)) ||
  (ir.op === 'unary' && mentions(parameters, ir.operand)) ||
  (ir.op === 'cast' && mentions(parameters, ir.value))

/** The last expression of a body whose value is its result. */
function noteResult(body: Body, ir: Ir | undefined): void {
  if (ir === undefined || ir.op === 'jump' || ir.op === 'assign' || ir.op === 'loop' || ir.op === 'function') return
  if (ir.op === 'block') noteResult(body, ir.body.at(-1))
  else if (ir.op === 'if') {
    const idle = idleBranch(body, ir)
    for (const branch of [ir.then, ir.otherwise]) if (branch !== idle) noteResult(body, branch ?? undefined)
  } else if (ir.op === 'try') {
    noteResult(body, ir.body)
    for (const one of ir.catches) noteResult(body, one.body)
  } else if (ir.op !== 'call' || (!isTelling(body.flow, ir) && !isHandedOn(body, ir))) body.answers.push(ir)
}

const isHandedOn = ({ parameters }: Body, { callee }: Call): boolean => callee.op === 'name' && parameters.has(callee.name)

/** What an answer is on every way: `true`, `!0`, `errors == none || true`, a variable that never becomes anything else. */
function constantOf(body: Body, ir: Ir, depth = 4): Constant | undefined {
  if (depth === 0) return undefined
  if (ir.op === 'literal') return ir.value
  if (ir.op === 'cast') return constantOf(body, ir.value, depth - 1)
  if (ir.op === 'block')
    return ir.body.length === 1 && ir.body[0] !== undefined ? constantOf(body, ir.body[0], depth - 1) : undefined
  const asked = asks(body, ir)
  if (asked !== null) return asked === 'there'
  if (ir.op === 'unary' && ir.operator === '!') {
    const inner = constantOf(body, ir.operand, depth - 1)
    return inner === undefined ? undefined : !inner
  }
  if (ir.op === 'binary' && (ir.operator === '&&' || ir.operator === 'and'))
    return constantOf(body, ir.left, depth - 1) === true ? constantOf(body, ir.right, depth - 1) : undefined
  if (ir.op === 'binary' && (ir.operator === '||' || ir.operator === 'or')) {
    const sides = [constantOf(body, ir.left, depth - 1), constantOf(body, ir.right, depth - 1)]
    return sides.includes(true) ? true : undefined
  }
  if (ir.op === 'if' && ir.otherwise !== null) {
    const then = constantOf(body, ir.then, depth - 1)
    return then === constantOf(body, ir.otherwise, depth - 1) ? then : undefined
  }
  if (ir.op !== 'name' || body.parameters.has(ir.name))
    return ir.op === 'name' && /^(?:nil|null|undefined)$/.test(ir.name) ? null : undefined
  if (/^(?:nil|null|undefined|None)$/.test(ir.name)) return null
  const values = (body.locals.get(ir.name) ?? []).map((value) =>
    value === null ? undefined : constantOf(body, value, depth - 1),
  )
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? first : undefined
}
