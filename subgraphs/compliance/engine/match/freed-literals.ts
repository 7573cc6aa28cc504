/**
 * Fields that one function of a file sets to a text of the program and another one frees: `f->crop = crop ? crop : "unknown";` and
 * `free(f->crop);`. Who asks about more than null before he frees it knows which of both it is.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

/** The calls of a function that free such a field. */
export function freedLiterals(flow: Flow, lambda: Lambda, frees: readonly string[]): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  return nodes.filter((ir): ir is Call => {
    const given = ir.op === 'call' ? ir.args[0]?.value : undefined
    if (ir.op !== 'call' || given === undefined || !matchesAnyName(frees, writtenName(ir.callee), flow.book.ignoreCase))
      return false
    const field = fieldOf(lambda, nodes, given)
    return field !== null && !isAsked(flow, nodes, ir) && isSetToText(flow, field)
  })
}

/** The type of the record and the name of the field: `struct field*.crop`. */
function fieldOf(lambda: Lambda, nodes: readonly Ir[], place: Ir): string | null {
  if (place.op === 'cast') return fieldOf(lambda, nodes, place.value)
  if (place.op !== 'member' || place.object.op !== 'name') return null
  const { name } = place.object
  const declared = nodes.find((ir) => ir.op === 'assign' && ir.declares && ir.target.op === 'name' && ir.target.name === name)
  const type = lambda.parameters.find((one) => one.name === name)?.type ?? (declared?.op === 'assign' ? declared.type : undefined)
  return type === undefined || type === '' ? null : `${type}.${place.property}`
}

/** `if (f->own) free(f->crop);` */
const isAsked = ({ text }: Flow, nodes: readonly Ir[], call: Call): boolean => {
  const given = text.slice(call.args[0]?.value.start, call.args[0]?.value.end).replace(/^.*\)\s?/, '')
  return nodes.some(
    (ir) =>
      (ir.op === 'if' || ir.op === 'switch') &&
      (ir.op === 'switch' || text.slice(ir.test.start, ir.test.end).trim() !== given) &&
      (call.end <= ir.end
        ? ir.start <= call.start
        : /(?:->|\.)/.test(text.slice(ir.start, ir.start + 60)) && text.slice(ir.start, call.start).includes(given)),
  )
}

function isSetToText({ callsInside }: Flow, field: string): boolean {
  return [...callsInside.keys()].some((lambda) => {
    const nodes = nodesOf(lambda.body)
    return nodes.some(
      (ir) => ir.op === 'assign' && ir.value !== null && isText(ir.value) && fieldOf(lambda, nodes, ir.target) === field,
    )
  })
}

/** A literal, also as one of two answers. */
function isText(value: Ir): boolean {
  if (value.op === 'cast') return isText(value.value)
  if (value.op === 'block') return isText(value.body.at(-1) ?? { op: 'literal', value: null, start: 0, end: 0 })
  if (value.op === 'if') return isText(value.then) || (value.otherwise !== null && isText(value.otherwise))
  return value.op === 'literal' && typeof value.value === 'string' && value.kind === undefined
}
