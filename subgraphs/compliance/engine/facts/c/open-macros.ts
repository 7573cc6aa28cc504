/** Macros that stand without a semicolon or without parentheses, which the grammar does not know from calls. */
import { isMacroName, leavingOf } from '../calls/leaving-macros.js'
import type { Expr } from '../program.js'
import type { Cursor } from './cursor.js'
import type { Scope } from './scope.js'

/** `TRACE(("enter")) p = take(b)`: without a semicolon the grammar takes the macro for what is assigned, and the name for a mistake. */
export function targetBehindMacro(cursor: Cursor, node: number, left: number): number | undefined {
  if (cursor.typeOf(left) !== 'call_expression') return undefined
  const mistake = cursor.childrenOf(node).find((child) => cursor.typeOf(child) === 'ERROR')
  const [name, ...more] = mistake === undefined ? [] : cursor.childrenOf(mistake)
  return more.length === 0 && name !== undefined && cursor.typeOf(name) === 'identifier' ? name : undefined
}

/** `OPTIONS(own, .path = root)`: a field of what the macro makes, which nobody else can name. */
export const isDesignated = ({ text, typeOf, placeOf }: Cursor, left: number): boolean =>
  typeOf(left) === 'identifier' && /[\s,(]\.\s{0,4}$/.test(text.slice(Math.max(0, placeOf(left).start - 8), placeOf(left).start))

/** `TRACE(("gone"))` without a semicolon walks nothing: what follows stands beside it and not further in, or it is given a text. */
export function isUnder({ text, textOf, placeOf, typeOf }: Cursor, next: number, node: number): boolean {
  if (typeOf(next) === 'compound_statement') return true
  if (textOf(node).includes('"')) return false
  const [from, to] = [placeOf(node).start, placeOf(next).start]
  return !text.slice(from, to).includes('\n') || columnOf(text, to) > columnOf(text, from)
}

/** Whoever stands further in than this stands as far in as anybody: lines of a megabyte are not looked through each time. */
const mostColumns = 400

const columnOf = (text: string, at: number): number => {
  const line = text.slice(Math.max(0, at - mostColumns), at)
  return line.length - line.lastIndexOf('\n')
}

/** `debug_return;`, `HASH_CALC;` */
export const asMacro = ({ plainMacros }: Scope, value: Expr): Expr =>
  value.op === 'variable' &&
  !value.isLocal &&
  (leavingOf(value.name) === 'always' || isMacroName(value.name) || plainMacros.has(value.name))
    ? { ...value, op: 'call', args: [], receiver: null, callee: null }
    : value
