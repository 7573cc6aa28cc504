/** Ways out of a function between where it opens something and where it closes it. */
import { partsOf } from '../flow/prepare.js'
import type { Call, Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'

interface Walk {
  readonly name: string
  readonly opening: Call
  readonly isClose: (ir: Ir) => boolean
  /** Calls that often fail, and leave the function by that. */
  readonly isFailing: (ir: Ir) => boolean
  /** What is thrown may be caught in the function. */
  readonly isCaught: boolean
  readonly found: { isLeft: boolean }
}

type State = 'before' | 'open' | 'closed'

/** Whether a return, a throw or a call that fails leaves open what `opening` gave to `name`, although the function closes it further down. */
export function isLeftOnExit(
  body: Ir,
  name: string,
  opening: Call,
  isClose: (ir: Ir) => boolean,
  isFailing: (ir: Ir) => boolean,
): boolean {
  if (closesLater(body, isClose)) return false
  const walk: Walk = { name, opening, isClose, isFailing, isCaught: false, found: { isLeft: false } }
  return follow(walk, body, 'before') !== 'open' && walk.found.isLeft
}

/** What a finally, a catch or a function inside closes is closed on ways that are not followed here. */
const closesLater = (body: Ir, isClose: (ir: Ir) => boolean): boolean =>
  nodesOf(body, true).some((ir) => {
    const ends =
      ir.op === 'function' && ir !== body
        ? [ir.body]
        : ir.op === 'try'
          ? [...ir.catches.map((one) => one.body), ...(ir.finalizer === null ? [] : [ir.finalizer])]
          : []
    return ends.some((end) => nodesOf(end, true).some(isClose))
  })

/** `null` where nothing goes on. */
function follow(walk: Walk, ir: Ir, state: State): State | null {
  if (ir.op === 'function' || ir.op === 'class') return state
  if (ir.op === 'if') {
    const tested = follow(walk, ir.test, state) ?? state
    // What asks for the thing itself may have got none.
    if (asksForItself(ir.test, walk.name)) return tested
    return meet([follow(walk, ir.then, tested), ir.otherwise === null ? tested : follow(walk, ir.otherwise, tested)])
  }
  if (ir.op === 'switch') return meet([state, ...ir.cases.map((one) => follow(walk, one.body, state))])
  if (ir.op === 'try') {
    const inner: Walk = { ...walk, isCaught: walk.isCaught || ir.catches.length > 0 }
    const after = followAll(inner, [...ir.resources, ir.body], state)
    const caught = meet([after, ...ir.catches.map((one) => follow(walk, one.body, state))])
    return caught === null || ir.finalizer === null ? caught : follow(walk, ir.finalizer, caught)
  }
  const after = followAll(walk, partsOf(ir), state)
  if (ir.op === 'jump') {
    const leaves = ir.kind === 'return' || (ir.kind === 'throw' && !walk.isCaught)
    if (leaves && after === 'open' && !speaksOf(ir.value, walk.name)) walk.found.isLeft = true
    return null
  }
  if (ir === walk.opening) return 'open'
  if (after === 'open' && !walk.isCaught && walk.isFailing(ir)) walk.found.isLeft = true
  return after !== null && walk.isClose(ir) ? 'closed' : after
}

/** `if (answer == null)`, `if (!file.isOpen())`, but not `if (answer.code != 200)`. */
function asksForItself(test: Ir, name: string): boolean {
  const nodes = nodesOf(test, true)
  const parts = nodes.filter((ir) => ir.op === 'member' && ir.object.op === 'name' && ir.object.name === name)
  const named = nodes.filter((ir) => ir.op === 'name' && ir.name === name)
  return (
    named.length > parts.length ||
    parts.some((ir) => ir.op === 'member' && /^(?:is_?)?(?:open|closed|null|nil|valid|none|present|empty)/i.test(ir.property))
  )
}

const speaksOf = (value: Ir | null, name: string): boolean =>
  value !== null && nodesOf(value, true).some((ir) => ir.op === 'name' && ir.name === name)

function followAll(walk: Walk, parts: readonly Ir[], state: State): State | null {
  let now: State | null = state
  for (const part of parts) {
    if (now === null) return null
    now = follow(walk, part, now)
  }
  return now
}

/** Closed on some way counts as closed. */
function meet(ways: readonly (State | null)[]): State | null {
  const going = ways.filter((way) => way !== null)
  return going.find((way) => way === 'closed') ?? going.find((way) => way === 'open') ?? going[0] ?? null
}
