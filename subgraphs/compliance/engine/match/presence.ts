/** Tests that only ask whether there is something: `chain.length > 0`, `cert != null`, `host.isNotEmpty()`. Whoever attacks sends something. */
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'
import { writtenName } from './subject.js'

/** What is so where the test holds, for things that `isAbout` knows; `null` for a test that asks for more. */
export function presenceAsked(flow: Flow, ir: Ir, isAbout: (ir: Ir) => boolean): 'there' | 'absent' | null {
  const ask = (one: Ir): 'there' | 'absent' | null => presenceAsked(flow, one, isAbout)
  if (ir.op === 'cast') return ask(ir.value)
  if (ir.op === 'block') return ir.body.length === 1 && ir.body[0] !== undefined ? ask(ir.body[0]) : null
  if (ir.op === 'unary') return ir.operator === '!' || ir.operator === 'not' ? opposite(ask(ir.operand)) : null
  if (ir.op === 'binary') {
    if (/^(?:&&|and)$/.test(ir.operator)) return ask(ir.left) === 'there' && ask(ir.right) === 'there' ? 'there' : null
    if (/^(?:\|\||or)$/.test(ir.operator)) return ask(ir.left) === 'absent' && ask(ir.right) === 'absent' ? 'absent' : null
    const measuredThing = measured(flow, ir.left)
    return isAbout(measuredThing) ? compared(ir, measuredThing !== ir.left) : null
  }
  const { filled, folds } = flow.book.words
  const name = writtenName(ir.op === 'call' ? ir.callee : ir)?.segment ?? ''
  const isEmptiness = folds.is_empty.has(name) || folds.is_blank.has(name)
  if (!isEmptiness && !filled.has(name)) return null
  const object = ir.op === 'call' ? (ir.args[0]?.value ?? receiverOf(ir.callee)) : receiverOf(ir)
  return object === null || !isAbout(object) ? null : isEmptiness ? 'absent' : 'there'
}

const opposite = (asked: 'there' | 'absent' | null): 'there' | 'absent' | null =>
  asked === null ? null : asked === 'there' ? 'absent' : 'there'

const receiverOf = (ir: Ir): Ir | null => (ir.op === 'member' ? ir.object : null)

/** What a length is the length of. */
function measured(flow: Flow, ir: Ir): Ir {
  const callee = ir.op === 'call' ? ir.callee : ir
  const { measures, lengths, folds } = flow.book.words
  return callee.op === 'member' && [measures, lengths, folds.length].some((words) => words.has(callee.property))
    ? callee.object
    : ir
}

/** A comparison with nothing; zero is nothing only where it is a length. */
function compared({ operator, right }: Extract<Ir, { op: 'binary' }>, isLength: boolean): 'there' | 'absent' | null {
  const isNegated = right.op === 'unary' && right.operator === '!'
  const other = isNegated ? right.operand : right
  const isNull =
    (other.op === 'literal' && other.value === null) || (other.op === 'name' && /^(?:nil|null|None|undefined)$/.test(other.name))
  const isZero = other.op === 'literal' && ((isLength && other.value === 0) || other.value === '')
  const isOne = isLength && other.op === 'literal' && other.value === 1
  if (operator === 'is') return isNull ? (isNegated ? 'there' : 'absent') : null
  if (/^(?:!==?|<>|is not)$/.test(operator)) return isNull || isZero ? 'there' : null
  if (/^={2,3}$/.test(operator)) return isNull || isZero ? 'absent' : null
  if ((operator === '>' && isZero) || (operator === '>=' && isOne)) return 'there'
  return (operator === '<' && isOne) || (operator === '<=' && isZero) ? 'absent' : null
}
