/**
 * Macros of other files whose name says that they leave the function: `RETURN_FALSE(x)`, `LOG_FUNC_RETURN(ctx, r)`. Others do when what they
 * are given says so: `CHECK_RET(r)`, `LOG_TEST_GOTO_ERR(ctx, r)`. What is known on the way on which they stay does not follow from the text.
 */
import type { Expr, ExprOf, FunctionIr } from '../program.js'
import { type State, isNull, missingMemory } from '../state.js'

const ways = new Set(['RETURN', 'RET', 'GOTO', 'THROW', 'RAISE', 'BAIL', 'ABORT', 'PANIC', 'DIE'])
/** `CHECK_RETURN`, `RETURN_IF_NULL`, `ERR_GOTO` ask first. */
const asking = new Set('EXPECT ASSERT CHECK CHK REQUIRE VERIFY TEST TRY IF IFNOT ON UNLESS WARN NOT WHEN'.split(' '))
const failing = /(?:^|_)(?:ERR|ERROR|FAIL|FAILED|FAILURE|NULL)(?:_|$)/
/** `SET_RETURN`, `NO_RETURN`, `EXPECT_THROW` name a thing. */
const naming = new Set('GET SET SAVE NO DEFAULT LAST ALLOC EXPECT ASSERT REQUIRE CHECK TEST WARN'.split(' '))

export type Leaving = 'always' | 'on-failure' | 'never'

/** `debug_return_int(r)`: it writes down that the function ends. */
const logging = /^(?:debug|dbg|trace|log)_return(?:_[a-z_]{1,20})?$/

export function leavingOf(name: string): Leaving {
  if (logging.test(name)) return 'always'
  if (/^(?:END|LEAVE|EXIT)_?(?:FN|FUNC|FUNCTION|PROC)(?:_?[A-Z]{1,8})?$/.test(name)) return 'on-failure'
  const words = name.split('_')
  const at = words.findLastIndex((word) => ways.has(word))
  if (at < 0 || !/^[A-Z][A-Z0-9_]*$/.test(name)) return 'never'
  const before = words.slice(0, at)
  if (/^(?:THROW|RAISE|ABORT)$/.test(words[at] ?? '') && before.some((word) => naming.has(word))) return 'never'
  if (words.some((word) => asking.has(word)) || before.some((word) => failing.test(word))) return 'on-failure'
  return before.some((word) => naming.has(word)) ? 'never' : 'always'
}

/** `map_foreach(map, key, value, { ... })` is a macro too. */
export const isMacroName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]{2,}$/.test(name) || logging.test(name) || /(?:^|_)for_?each(?:_|$)/i.test(name)

/** `require(p != NULL, done)`: what is given a label goes there. */
export const namesLabel = ({ labels }: FunctionIr, { args }: ExprOf<'call'>): boolean =>
  labels.size > 0 && args.length > 1 && args.some((one) => one.op === 'variable' && !one.isLocal && labels.has(one.name))

/** A macro may give it a value. */
export const isUnset = (state: State, argument: Expr): boolean =>
  argument.op === 'variable' && argument.isLocal && state.value(`&${argument.name}`)?.isUnset === true

/** `CHECK_RET(ctx, LIB_ERROR_INVALID, "no tag")`, or a way on which memory is known to be missing. */
export const isGivenFailure = (state: State, { args }: ExprOf<'call'>): boolean =>
  args.some((one) => isFailing(state, one)) || state.value(missingMemory)?.nil === isNull

function isFailing(state: State, argument: Expr): boolean {
  if (argument.op !== 'variable') return false
  if (!argument.isLocal) return isFailureName(argument.name)
  const { number } = state.value(`&${argument.name}`) ?? {}
  const only = number?.constant === 0 && number.terms.length === 1 ? number.terms[0]?.[0] : undefined
  return only !== undefined && only.startsWith('::') && isFailureName(only.slice(2).replace(/ \d+$/, ''))
}

const isFailureName = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name) && failing.test(name)

/** A way on which a macro may have left: what was known of failures holds no more. */
export function stays(state: State): void {
  for (const [place, value] of state.places()) if (value.isUnset) state.set(place, { ...value, isUnset: false })
  for (const [id, object] of state.allObjects()) if (object.life === 'freed') state.setObject(id, { ...object, life: 'unknown' })
}
