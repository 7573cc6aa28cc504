/** Lengths that are kept in a number that is too small for them. */
import { isConstant } from './linear.js'
import { limitsOf, openData, rangeOf } from './numbers.js'
import type { Expr, Place, Type } from '../program.js'
import { type Run, report } from '../run.js'
import { State, type Value } from '../state.js'

const isLengthName = (name: string): boolean => /len|size|count|cnt|total|bytes/i.test(name)

/** `uint16_t len = strlen(s);`: a length out of data, or of a text that nobody measured, in eight or sixteen bits. */
export function checkTruncated(
  run: Run,
  state: State,
  name: string,
  type: Type | null,
  from: Expr,
  value: Value,
  place: Place,
): void {
  if (type?.kind !== 'integer' || type.bytes === null || type.bytes > 2) return
  const bare = from.op === 'cast' ? from.value : from
  const isOfText = value.number?.terms.some(([symbol]) => symbol.startsWith('length ')) === true
  if (
    !isOfText &&
    !isLengthName(name) &&
    !isLengthName(bare.op === 'variable' || bare.op === 'field' || bare.op === 'call' ? bare.name : '')
  )
    return
  const isPure = bare !== from && (bare.op === 'variable' || bare.op === 'field')
  const { number } = isPure ? run.evaluate(state, bare) : value
  if (number === null || rangeOf(run.symbols, state, number).high <= limitsOf(type).high) return
  const isOpen = openData(run.symbols, state, number).length > 0
  const isUnmeasured = number.terms.some(
    ([symbol]) =>
      /^length | count /.test(symbol) && state.range(symbol) === undefined && !isShort(state, symbol, limitsOf(type).high),
  )
  if (isOpen || isUnmeasured) report(run, 'truncated-length', place)
}

/** The text stands in an array whose size fits. */
function isShort(state: State, symbol: string, most: number): boolean {
  const object = /^length (.*) \d+$/.exec(symbol)?.[1]
  const size = object === undefined ? null : (state.object(object)?.size ?? null)
  return size !== null && isConstant(size) && size.constant <= most + 1
}
