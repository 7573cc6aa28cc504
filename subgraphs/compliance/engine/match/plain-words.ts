/** Shell variables that are only ever set to plain words: expanded without quotes they stay what they are. */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'

const known = new WeakMap<Flow, ReadonlyMap<string, boolean>>()

export function isPlainWord(flow: Flow, name: string): boolean {
  let variables = known.get(flow)
  if (variables === undefined) known.set(flow, (variables = plainVariables(flow.root)))
  return variables.get(name) === true
}

function plainVariables(root: Ir): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  const note = (target: Ir, isPlain: boolean): void => {
    if (target.op === 'name') found.set(target.name, isPlain && found.get(target.name) !== false)
  }
  const stack = [root]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.op === 'assign') note(at.target, at.operator === '=' && at.value !== null && isPlain(at.value))
    if (at.op === 'loop' && at.target !== null) note(at.target, at.iterable !== null && isPlain(at.iterable))
    stack.push(...partsOf(at))
  }
  return found
}

const isPlain = (ir: Ir): boolean =>
  ir.op === 'collection'
    ? ir.entries.every(({ value }) => isPlain(value))
    : ir.op === 'literal' && typeof ir.value === 'string' && /^[\w./@%+,:-]+$/.test(ir.value)
