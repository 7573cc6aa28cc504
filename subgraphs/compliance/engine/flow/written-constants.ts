/** Where the file writes the text that one of its constants holds: `const KEY = '...'`, `private static final String KEY = "..."`. */
import { nodesOf } from '../match/nodes.js'
import { writtenName } from '../match/subject.js'
import type { Assign, Ir } from '../syntax/ir.js'
import type { Place } from './sink-hits.js'
import type { Flow } from './state.js'

const known = new WeakMap<Ir, ReadonlyMap<string, Place | null>>()

/** So much behind the start of a call may name what it is given. */
const REACH = 400

/** The text of the only constant of the file that is named at the place. */
export function writtenConstant(flow: Flow, { start, end }: Place): Place | null {
  const constants = constantsOf(flow.root)
  if (constants.size === 0) return null
  const text = flow.text.slice(start, Math.max(end, Math.min(start + REACH, lineEnd(flow.text, start))))
  const named = new Set(text.match(/[A-Za-z_]\w*/g)?.filter((name) => constants.has(name)))
  const [name] = named
  return named.size === 1 && name !== undefined ? (constants.get(name) ?? null) : null
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline
}

/** Names that get a text outside of functions, once. */
function constantsOf(root: Ir): ReadonlyMap<string, Place | null> {
  let constants = known.get(root)
  if (constants !== undefined) return constants
  const found = new Map<string, Place | null>()
  for (const ir of nodesOf(root)) {
    if (!isText(ir)) continue
    const name = writtenName(ir.target)?.segment ?? ''
    if (name !== '') found.set(name, found.has(name) ? null : { start: ir.start, end: ir.end })
  }
  constants = new Map([...found].filter(([, place]) => place !== null))
  known.set(root, constants)
  return constants
}

const isText = (ir: Ir): ir is Assign =>
  ir.op === 'assign' && ir.value?.op === 'literal' && typeof ir.value.value === 'string' && ir.value.value.length > 4
