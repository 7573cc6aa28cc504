/**
 * One handler, read from its beginning to its end: what it loads by what the client chose, and what it asks about the caller.
 *
 * Values are known by their traits alone. Where the way of the data is not clear, a check is assumed rather than a weakness.
 */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { AccessWords } from '../rulebook/access-words.js'
import type { Call, Ir } from '../syntax/ir.js'
import { bind } from './binding.js'
import { evaluateCall } from './calls.js'
import { runLambda } from './functions.js'
import type { Handler } from './handler.js'
import { lookupAt } from './lookups.js'
import { chainCalls, isConstant, lastName, methodWords, refusalCodes, stringOf } from './names.js'
import { asId, isAuthorship, isCurrentPerson } from './parts.js'
import { partOf, readMember, readName } from './reads.js'
import { inUnit, newUnit, noteCaller, noteCheck, noteClient, settle, type Walk } from './state.js'
import { has, join, nothing, ofCaller, ofClient, ofHeader, ofId, ofRole, ofThing, type Traits, without } from './traits.js'

const maxSteps = 60_000
const maxDepth = 150

export function newWalk(flow: Flow, words: AccessWords, handler: Handler): Walk {
  return {
    flow,
    words,
    handler,
    env: new Map(),
    lookups: [],
    prepared: new Map(),
    checks: [],
    provesSecret: false,
    givesToCaller: false,
    listed: new Set(),
    asksRole: false,
    decisions: [],
    acts: [],
    changesThing: false,
    scoped: new Set(),
    unit: newUnit(),
    hasClient: false,
    hasCaller: false,
    testing: 0,
    inlined: [],
    site: null,
    steps: 0,
    evaluate,
    run,
  }
}

/** A statement or a block of them. */
function run(walk: Walk, ir: Ir, depth: number): Traits {
  if (ir.op === 'block') {
    let last = nothing
    for (const part of ir.body) last = run(walk, part, depth + 1)
    return last
  }
  if (ir.op === 'class' || ir.op === 'import') return nothing
  if (ir.op === 'function' && ir.declares) return nothing
  if (ir.op === 'if' || ir.op === 'switch' || ir.op === 'loop' || ir.op === 'try') return evaluate(walk, ir, depth + 1)
  return inUnit(walk, resultNames(ir), () => {
    const found = evaluate(walk, ir, depth + 1)
    if (ir.op === 'call' && asksForOwn(walk, ir)) noteCheck(walk, ir)
    return found
  })
}

/** `orders.findByIdAndOwner(id, me).orElseThrow()`: nobody keeps what it finds, so it is there to refuse. */
const asksForOwn = ({ words, unit }: Walk, call: Call): boolean =>
  unit.hasCaller && unit.hasClient && chainCalls(call).some((one) => words.finds.begins(methodWords(words, one)))

function resultNames(ir: Ir): readonly string[] {
  if (ir.op !== 'assign') return []
  return [...(ir.type === undefined ? [] : [ir.type]), lastName(ir.target)]
}

const noted = (walk: Walk, traits: Traits): Traits => {
  if (has(traits, ofCaller)) noteCaller(walk)
  if (has(traits, ofClient)) noteClient(walk)
  return traits
}

function evaluate(walk: Walk, ir: Ir, depth: number): Traits {
  if (++walk.steps > maxSteps || depth > maxDepth) return nothing
  if (walk.steps % 256 === 0) walk.flow.checkLimit()
  const next = depth + 1
  switch (ir.op) {
    case 'literal':
    case 'import':
    case 'class':
      return nothing
    case 'name':
      return noted(walk, readName(walk, ir.name))
    case 'member':
      return noted(walk, readMember(walk, ir, next))
    case 'index':
      return noted(walk, readIndex(walk, ir, next))
    case 'call':
      return noted(walk, evaluateCall(walk, ir, next))
    case 'block':
      return run(walk, ir, next)
    case 'assign':
      return assign(walk, ir, next)
    case 'binary':
      return binary(walk, ir, next)
    case 'unary':
      return ir.operator === '!' || ir.operator === 'not' ? asked(walk, ir.operand, next) : evaluate(walk, ir.operand, next)
    case 'if':
      return branches(walk, ir, next)
    case 'switch':
      return cases(walk, ir, next)
    case 'loop': {
      if (ir.init !== null) run(walk, ir.init, next)
      const elements = ir.iterable === null ? nothing : inUnit(walk, [], () => evaluate(walk, ir.iterable ?? ir, next))
      if (ir.target !== null) bind(walk, ir.target, elements)
      if (ir.test !== null) asked(walk, ir.test, next)
      return run(walk, ir.body, next)
    }
    case 'try': {
      for (const resource of ir.resources) run(walk, resource, next)
      const body = run(walk, ir.body, next)
      for (const clause of ir.catches) run(walk, clause.body, next)
      if (ir.finalizer !== null) run(walk, ir.finalizer, next)
      return body
    }
    case 'function':
      return runLambda(walk, ir, [], next)
    case 'collection':
      return join(ir.entries.map(({ key, value }) => entry(walk, key, value, next)))
    default:
      return join(partsOf(ir).map((part) => evaluate(walk, part, next)))
  }
}

/** `updatedBy: user.id` says who did it; whose it is stays open. */
function entry(walk: Walk, key: Ir | null, value: Ir, depth: number): Traits {
  const words = key === null ? [] : walk.words.of(stringOf(key) ?? lastName(key))
  if (!isAuthorship(words)) return asId(walk, words, evaluate(walk, value, depth))
  const before = walk.unit.hasCaller
  const traits = evaluate(walk, value, depth)
  walk.unit.hasCaller = before
  return without(traits, ofCaller)
}

function readIndex(walk: Walk, ir: Extract<Ir, { op: 'index' }>, depth: number): Traits {
  const object = evaluate(walk, ir.object, depth)
  const key = stringOf(ir.index)
  if (key !== null) return partOf(walk, object, key, ir.object)
  const index = evaluate(walk, ir.index, depth)
  // Ruby's `Member[params[:id]]`.
  if (has(index, ofClient) && has(index, ofId) && ir.object.op === 'name' && /^[A-Z]/.test(ir.object.name)) {
    lookupAt(walk, ir, ir.object, [], index, '')
    return ofThing
  }
  return join([object, index])
}

const comparisons = new Set(['==', '!=', '===', '!==', '<>', 'is', 'eq', 'in', 'not in', '=='])

function binary(walk: Walk, ir: Extract<Ir, { op: 'binary' }>, depth: number): Traits {
  if (!comparisons.has(ir.operator)) {
    const isLogic = ir.operator === '&&' || ir.operator === '||' || ir.operator === 'and' || ir.operator === 'or'
    if (isLogic && walk.testing > 0) return asked(walk, ir.left, depth) | asked(walk, ir.right, depth)
    if (isLogic && refuses(walk, ir.right) && asksThing(walk, ir.left)) noteCheck(walk, ir)
    return evaluate(walk, ir.left, depth) | evaluate(walk, ir.right, depth)
  }
  walk.testing++
  const [left, right] = [evaluate(walk, ir.left, depth), evaluate(walk, ir.right, depth)]
  walk.testing--
  if (has(left | right, ofCaller) && !isConstant(ir.left) && !isConstant(ir.right)) noteCheck(walk, ir)
  // Whoever knows the secret claims nothing.
  const isKnown = (isSecret(walk, ir.left) && !has(left, ofClient)) || (isSecret(walk, ir.right) && !has(right, ofClient))
  return isKnown ? without(left | right, ofRole) : left | right
}

/** `process.env.ADMIN_TOKEN`, `os.environ["ADMIN_KEY"]`, `settings.secret`. */
function isSecret({ words }: Walk, ir: Ir): boolean {
  const key = ir.op === 'call' ? stringOf(ir.args[0]?.value) : null
  return /^(?:secret|token|key|password|passphrase)$/.test(words.of(key ?? lastName(ir)).at(-1) ?? '')
}

/** A condition. */
function asked(walk: Walk, ir: Ir, depth: number): Traits {
  walk.testing++
  const traits = evaluate(walk, ir, depth)
  walk.testing--
  return traits
}

function branches(walk: Walk, ir: Extract<Ir, { op: 'if' }>, depth: number): Traits {
  const before = walk.checks.length
  const test = inUnit(walk, resultNames(ir.test), () => asked(walk, ir.test, depth))
  if (ir.otherwise === null && comparesOnly(ir.test) && onlyTells(walk, ir.then)) walk.checks.splice(before)
  if (has(test, ofRole)) noteClaimed(walk, ir, test)
  if (asksThing(walk, ir.test) && (refuses(walk, ir.then) || (ir.otherwise !== null && refuses(walk, ir.otherwise))))
    noteCheck(walk, ir.test)
  const then = run(walk, ir.then, depth)
  return then | (ir.otherwise === null ? nothing : run(walk, ir.otherwise, depth))
}

/** `invoice?.ownerId !== user.id`: nothing in it could refuse by itself. */
const comparesOnly = (test: Ir): boolean =>
  test.op === 'binary' &&
  [test.left, test.right].every((side) => side.op === 'name' || side.op === 'member' || comparesOnly(side))

/** The answer is written to the log, and everything goes on as if nobody had asked. */
function onlyTells({ flow }: Walk, ir: Ir): boolean {
  if (ir.op === 'block') return ir.body.length > 0 && ir.body.every((part) => part.op === 'call' && isTold(flow, part))
  return ir.op === 'call' && isTold(flow, ir)
}

const isTold = (flow: Flow, { callee }: Call): boolean => flow.book.words.tells.has(lastName(callee))

/** A role that the client claims decides, where one way refuses or the claim is compared with a name. */
function noteClaimed(walk: Walk, ir: Extract<Ir, { op: 'if' }>, test: Traits): void {
  const isRefused = refuses(walk, ir.then) || (ir.otherwise !== null && refuses(walk, ir.otherwise))
  if (!isRefused && !has(test, ofHeader)) return
  if (has(test, ofCaller)) return
  const { start, end } = ir.test
  walk.decisions.push({ kind: 'claimed-role', start, end })
}

/** `record.deletable?`, `this.entry.editable?`: where the other answer refuses, the thing asks who the caller is. */
function asksThing(walk: Walk, test: Ir): boolean {
  const ir = test.op === 'unary' ? test.operand : test
  const callee = ir.op === 'call' ? ir.callee : ir
  if (callee.op !== 'member' || callee.object.op === 'literal') return false
  const said = walk.words.of(callee.property)
  if (!walk.words.authorizes.within(said) && !/[^aeiou]able$/.test(said.at(-1) ?? '')) return false
  const { object } = callee
  const isField = object.op === 'member' && object.object.op === 'name' && object.object.name === 'this'
  return isField || has(object.op === 'name' ? readName(walk, object.name) : nothing, ofThing)
}

/** Whether a way answers that it is not allowed. */
export function refuses({ words }: Walk, ir: Ir): boolean {
  const stack = [ir]
  for (let steps = 0, at = stack.pop(); at !== undefined && steps < 200; at = stack.pop(), steps++) {
    if (at.op === 'literal' && typeof at.value === 'number' && refusalCodes.has(at.value)) return true
    if (at.op === 'literal' && typeof at.value === 'string' && words.refuses.within(words.of(at.value))) return true
    if (
      (at.op === 'name' || at.op === 'member') &&
      (words.refuses.within(words.of(lastName(at)).filter((word) => word !== 'status')) || /[a-z_]40[13]$/.test(lastName(at)))
    )
      return true
    if (at.op !== 'function') stack.push(...partsOf(at))
  }
  return false
}

function cases(walk: Walk, ir: Extract<Ir, { op: 'switch' }>, depth: number): Traits {
  const subject = ir.subject === null ? nothing : inUnit(walk, [], () => asked(walk, ir.subject ?? ir, depth))
  let all = nothing
  for (const one of ir.cases) {
    for (const test of one.tests) bind(walk, test, subject)
    if (one.guard !== undefined) asked(walk, one.guard, depth)
    all |= run(walk, one.body, depth)
  }
  return all
}

function assign(walk: Walk, ir: Extract<Ir, { op: 'assign' }>, depth: number): Traits {
  const value = ir.value === null ? nothing : evaluate(walk, ir.value, depth)
  const { target } = ir
  if (target.op === 'name') settle(walk, target.name)
  if (target.op === 'name' || (target.op === 'member' && target.object.op === 'name' && target.object.name === 'this')) {
    bind(walk, target, value, ir.operator !== '=' || ir.value === null)
    return value
  }
  if (target.op === 'collection') bind(walk, target, value)
  else if (!isCaller(walk, target)) {
    const isPart = target.op === 'member' && !isAuthorship(walk.words.of(target.property))
    if (has(evaluate(walk, target, depth), ofThing) && has(value, ofCaller) && isPart) walk.givesToCaller = true
  }
  return value
}

/** `User.current = nil` asks for nobody. */
function isCaller({ words }: Walk, target: Ir): boolean {
  const named = target.op === 'call' ? target.callee : target
  return named.op === 'member' && isCurrentPerson(words, named.object, words.of(named.property))
}
