/**
 * Flags that the question for a row asks about already: `where('used', false)->first()`, `findByCodeAndUsedFalse(code)`,
 * `select ... where used_at is null`. Whoever finds such a row takes it for unused until it is written, as after a test.
 */
import { wordsOf } from '../rulebook/data-names.js'
import type { Argument, Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

/** The columns, in words, that the calls in a value want false or without a value. */
export function askedFlags(value: Ir): string[] {
  return nodesOf(value, true).flatMap((ir) => {
    if (ir.op === 'call') return [...inName(writtenName(ir.callee)?.segment ?? ''), ...inArguments(ir.callee, ir.args)]
    if (ir.op === 'collection') return ir.entries.flatMap(({ key, value: one }) => (isUnset(one) ? namedBy(key) : []))
    // C#: `c => c.Code == code && !c.Used`, `c.UsedAt == null`; Ruby: `DB[:gifts][code: code, claimed: false]`.
    if (ir.op === 'unary' && ['!', 'not'].includes(ir.operator)) return memberOf(ir.operand)
    if (ir.op === 'binary' && ['==', '==='].includes(ir.operator) && isUnset(ir.right)) return memberOf(ir.left)
    return ir.op === 'literal' && typeof ir.value === 'string' ? inStatement(ir.value.slice(0, 1000)) : []
  })
}

/** A column of any spelling: `usedAt`, `used_at`, `setUsedAt`. */
export const columnWords = (name: string): string =>
  wordsOf(name)
    .filter((word, at) => at > 0 || !/^(?:get|set|is)$/.test(word))
    .join(' ')

/** `findByCodeAndUsedFalse` */
const inName = (segment: string): string[] =>
  [...segment.matchAll(/(?:And|By)([A-Z][a-z]+(?:At|On|By)?)(?:Is)?(?:False|Null)/g)].map(([, name = '']) => columnWords(name))

/** `where('used', false)`, `whereNull('used_at')`, `get(code=code, used_at__isnull=True)` */
function inArguments(callee: Ir, args: readonly Argument[]): string[] {
  const [first] = args
  const last = args.at(-1)
  const named = args.flatMap(({ name, value }) => {
    const [, column] = /^(\w+?)__isnull$/.exec(name ?? '') ?? []
    if (column !== undefined) return value.op === 'literal' && value.value === true ? [columnWords(column)] : []
    return name !== undefined && isUnset(value) ? [columnWords(name)] : []
  })
  if (first?.value.op !== 'literal' || typeof first.value.value !== 'string' || last === undefined) return named
  if (/\W/.test(first.value.value)) return named
  const asksNull = /null$/i.test(writtenName(callee)?.segment ?? '') && args.length === 1
  const isFilter = /^(?:(?:and|or)?_?where|filter|filter_by|eq|findby)$/i.test(writtenName(callee)?.segment ?? '')
  return asksNull || (isFilter && args.length > 1 && isUnset(last.value)) ? [columnWords(first.value.value), ...named] : named
}

/** `where code = ? and used = 0`, `used_at is null`, `and not used` */
const inStatement = (text: string): string[] =>
  [...text.matchAll(/\b(\w{2,40})\s?(?:=\s?(?:0|false)\b|is null\b)|\b(?:and|where) not (\w{2,40})/gi)].map(([, one, other]) =>
    columnWords(one ?? other ?? ''),
  )

const isUnset = (ir: Ir): boolean => ir.op === 'literal' && (ir.value === false || ir.value === null || ir.value === 0)

const namedBy = (key: Ir | null): string[] =>
  key?.op === 'literal' && typeof key.value === 'string' ? [columnWords(key.value)] : []

const memberOf = (ir: Ir): string[] => (ir.op === 'member' ? [columnWords(ir.property)] : [])
