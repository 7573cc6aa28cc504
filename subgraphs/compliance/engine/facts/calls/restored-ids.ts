/** `uid_t old = getuid(); seteuid(user); ...; seteuid(old);`: who takes back the rights that he had gives none up. */
import type { Expr, ExprOf } from '../program.js'
import type { Run } from '../run.js'
import { type State, unknownValue } from '../state.js'

/** Rights of root that the function takes for a while: there the way back gives them up. */
const raises = /\bset(?:e|re|res)?[ug]id\s?\(\s?(?:-1\s?,\s?)?0\b/

export function restoresIds(run: Run, { name, args }: ExprOf<'call'>): boolean {
  if (/^sete?gid$/.test(name) && args[0]?.op === 'call' && /^get(?:e|s)?gid$/.test(args[0].name)) return true
  const [saved] = args.filter((one) => one.op === 'variable' && one.isLocal)
  if (saved?.op !== 'variable') return false
  const { start, end } = run.frame.fn
  const text = run.text.slice(start, end)
  const isSaved = new RegExp(`\\b${saved.name.replace(/'.*/, '')}\\s?=\\s?get(?:e|s)?[ug]id\\s?\\(`)
  return isSaved.test(run.text.slice(start, saved.start)) && !raises.test(text)
}

/** Of `setreuid` and `setresuid` the second number is what the process may do from here on. */
export function noteDropped(state: State, { args: [first, effective = first] }: ExprOf<'call'>): void {
  // Back to root: the rights of the group may change again.
  if (isRoot(effective)) state.forget((place) => place === 'user dropped')
  // Not to whoever started the program.
  else if (first?.op !== 'number' && first?.op !== 'call' && !isKept(effective)) state.set('user dropped', unknownValue)
}

/** `setuid(ROOT_UID)` */
const isRoot = (expr: Expr | undefined): boolean =>
  isZero(expr) || (expr?.op === 'variable' && !expr.isLocal && /^(?:[A-Z]+_)*(?:ROOT|SUPER_?USER)(?:_[A-Z]+)*$/.test(expr.name))

/** `setreuid(user, -1)`: what the process may do stays what it was. */
const isKept = (expr: Expr | undefined): boolean =>
  expr?.op === 'cast'
    ? isKept(expr.value)
    : expr?.op === 'number'
      ? expr.value < 0
      : expr?.op === 'unary' && expr.operator === '-'

export const isZero = (expr: Expr | undefined): boolean => expr?.op === 'number' && expr.value === 0
