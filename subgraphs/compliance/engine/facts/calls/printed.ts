/** Arguments that a call only writes out: `log("%p was freed", p)`, `warn("descriptor %d: %s", fd, why)`. */
import type { Expr, ExprOf } from '../program.js'
import type { Value } from '../state.js'

const CONVERSION = /%(?:%|[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(?:hh?|ll?|[jztLq])?([a-zA-Z]))/g

const comparing =
  /(?:^|_)(?:s?list|ptr_array|hash_table|hash|set|map)_(?:remove|find|index|contains|lookup|steal)(?:_(?:all|fast|link))?$/

/** `_("descriptor %d")` */
const translated = (given: Expr | undefined): Expr | undefined =>
  given?.op === 'call' && given.args.length === 1 && given.receiver === null ? given.args[0] : given

const textOf = (given: Expr): string | null => {
  const text = translated(given)
  return text?.op === 'text' ? text.value : null
}

/** Whether the format before the argument takes it for a number or for an address as such. Nothing is reached through it then. */
export function isOnlyWritten({ name, args }: ExprOf<'call'>, at: number, { to }: Value): boolean {
  // `g_slist_remove(all, one)` compares addresses.
  if (at > 0 && comparing.test(name)) return true
  const format = args.findLastIndex((one, index) => index < at && textOf(one)?.includes('%') === true)
  const text = translated(args[format])
  if (text?.op !== 'text') return false
  if (to?.every(({ object }) => object.startsWith('descriptor ')) === true) return true
  const taken = [...text.value.matchAll(CONVERSION)].flatMap(([whole, width, precision, letter]) =>
    whole === '%%' ? [] : [...(width === '*' ? ['d'] : []), ...(precision === '*' ? ['d'] : []), letter ?? ''],
  )
  return /^[pdiuxX]$/.test(taken[at - format - 1] ?? '')
}
