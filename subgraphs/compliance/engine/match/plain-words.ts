/** Shell variables that are only ever set to plain words: expanded without quotes they stay what they are. */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'

const known = new WeakMap<Flow, ReadonlySet<string>>()

export function isPlainWord(flow: Flow, name: string): boolean {
  let variables = known.get(flow)
  if (variables === undefined) known.set(flow, (variables = plainVariables(flow.root)))
  return variables.has(name)
}

/** Variables of the shell that are numbers. */
const numbers = new Set(
  'RANDOM SRANDOM $ # ? ! PPID UID EUID SECONDS LINENO BASHPID EPOCHSECONDS'.split(' ').map((name) => `$${name}`),
)
/** By custom it names a folder without blanks, or nothing. */
const temporary = new Set(['$TMPDIR', '$TMP', '$TEMP'])

interface Assigned {
  /** `null`: something that nobody sees. */
  readonly values: Map<string, (Ir | null)[]>
  /** The script ends where a command fails. */
  endsOnFailure: boolean
}

function plainVariables(root: Ir): ReadonlySet<string> {
  const assigned = assignedIn(root)
  const plain = new Set<string>()
  // Those that are made of others follow them.
  for (let before = -1; before < plain.size;) {
    before = plain.size
    for (const [name, values] of assigned.values)
      if (values.every((value) => value !== null && isPlain(value, plain, assigned.endsOnFailure))) plain.add(name)
  }
  return plain
}

function assignedIn(root: Ir): Assigned {
  const found: Assigned = { values: new Map(), endsOnFailure: false }
  const note = (target: Ir, value: Ir | null): void => {
    if (target.op !== 'name') return
    const values = found.values.get(target.name) ?? []
    values.push(value)
    found.values.set(target.name, values)
  }
  const stack = [root]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.op === 'assign') note(at.target, at.operator === '=' ? at.value : null)
    if (at.op === 'loop' && at.target !== null) note(at.target, at.iterable)
    if (at.op === 'call' && at.callee.op === 'name' && at.callee.name === 'set')
      found.endsOnFailure ||= at.args.some(
        ({ value }) => value.op === 'literal' && /^(?:-\w{0,6}e\w{0,6}|errexit)$/.test(String(value.value)),
      )
    stack.push(...partsOf(at))
  }
  return found
}

function isPlain(ir: Ir, plain: ReadonlySet<string>, endsOnFailure: boolean): boolean {
  const isPart = (one: Ir): boolean => isPlain(one, plain, endsOnFailure)
  switch (ir.op) {
    case 'collection':
      return ir.entries.every(({ value }) => isPart(value))
    case 'literal':
      return typeof ir.value === 'string' && /^[\w./@%+,:-]+$/.test(ir.value)
    case 'name':
      return plain.has(ir.name) || numbers.has(ir.name)
    case 'concat':
      return ir.parts.length > 0 && ir.parts.every((one) => isPart(one))
    // `${TMPDIR:-/tmp}`
    case 'binary':
      return ir.operator === '||' && isPart(ir.right) && ir.left.op === 'name' && temporary.has(ir.left.name)
    // `$(mktemp -d "${TMPDIR:-/tmp}/build-XXXXXX")`: it answers nothing when it fails.
    case 'call':
      return (
        endsOnFailure && ir.callee.op === 'name' && ir.callee.name === 'mktemp' && ir.args.every(({ value }) => isPart(value))
      )
    default:
      return false
  }
}
