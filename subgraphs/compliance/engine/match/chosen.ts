/** Branches that were taken for a constant: what the data of a caller names, such as an algorithm, is his choice there. */
import type { CallSite } from '../flow/calls/call-site.js'
import type { Flow } from '../flow/state.js'
import type { Case, Ir } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'

interface Branch {
  readonly start: number
  readonly end: number
  /** The constants that its test names. */
  readonly names: readonly string[]
}

const known = new WeakMap<Flow, readonly Branch[]>()

/** Whether the call stands where data had to name this, or is of a function that was looked up by such a name. */
export const isChosen = (flow: Flow, pattern: string, { ir, start, end }: CallSite): boolean =>
  isLookedUp(ir) ||
  branchesOf(flow).some(
    (branch) => branch.start <= start && end <= branch.end && branch.names.some((name) => matchesText(pattern, name)),
  )

/** `HASHES[name]()`. */
const isLookedUp = (ir: Ir): boolean => ir.op === 'call' && ir.callee.op === 'index' && ir.callee.index.op !== 'literal'

function branchesOf(flow: Flow): readonly Branch[] {
  let branches = known.get(flow)
  if (branches === undefined) known.set(flow, (branches = nodesOf(flow.root, true).flatMap(branchesAt)))
  return branches
}

function branchesAt(ir: Ir): readonly Branch[] {
  if (ir.op === 'if') return branch(ir.then, [...textsIn([ir.test]), ...nodesOf(ir.test).flatMap(comparedWith)])
  return ir.op === 'switch' ? branchesOfCases(ir.cases, ir.fallsThrough) : []
}

/** Cases without a body share that of the next one. */
function branchesOfCases(cases: readonly Case[], fallsThrough: boolean): readonly Branch[] {
  let waiting: readonly string[] = []
  return cases.flatMap(({ tests, body }) => {
    const names = [...waiting, ...textsIn(tests), ...tests.flatMap(constantName)]
    const isEmpty = body.op === 'block' && body.body.length === 0
    waiting = fallsThrough && isEmpty ? names : []
    return branch(body, names)
  })
}

const branch = ({ start, end }: Ir, names: readonly string[]): readonly Branch[] =>
  names.length === 0 ? [] : [{ start, end, names }]

/** `mechanism == CKM_MD5` */
const comparedWith = (ir: Ir): readonly string[] =>
  ir.op === 'binary' && /^={2,3}$/.test(ir.operator) ? [ir.left, ir.right].flatMap(constantName) : []

/** `CKM_MD5`, `Hash.Md5`, `Hash::Sha1(_)`: what stands for one of several kinds. */
function constantName(ir: Ir): readonly string[] {
  if (ir.op === 'call') return constantName(ir.callee)
  const name = ir.op === 'name' ? ir.name : ir.op === 'member' ? ir.property : ''
  return /^[A-Z]/.test(name) ? [name] : []
}

const textsIn = (tests: readonly Ir[]): readonly string[] =>
  tests.flatMap((test) => nodesOf(test)).flatMap((ir) => (ir.op === 'literal' && typeof ir.value === 'string' ? [ir.value] : []))
