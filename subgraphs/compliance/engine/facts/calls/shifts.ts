/** `left -= n; memmove(held, held + n, left);`: what is left of a buffer moves to its beginning. */
import type { ExprOf } from '../program.js'
import type { Run } from '../run.js'

/** How far before the call the length was made smaller. */
const MOST_BETWEEN = 2000

const plain = (text: string): string => text.replaceAll(/\s+/g, '')

const bare = (text: string): string => /^\(([^()]*)\)$/.exec(text)?.[1] ?? text

/** The data may say how much that is, but only as much as it was before. */
export function noteShift(run: Run, { name, args, start, end }: ExprOf<'call'>): void {
  const [to = '', from = '', rest = ''] = args.map((one) => bare(plain(run.text.slice(one.start, one.end))))
  if (name !== 'memmove' || to === '' || !from.startsWith(`${to}+`)) return
  const by = bare(from.slice(to.length + 1))
  const before = plain(run.text.slice(Math.max(run.frame.fn.start, start - MOST_BETWEEN), start))
  const isLess = ['-=', `=${rest}-`].some((sign) => [by, `(${by})`].some((one) => before.includes(`${rest}${sign}${one};`)))
  const isRest = isLess || rest.endsWith(`-${by}`) || rest.endsWith(`-(${by})`)
  // What nobody compares may be more than there was.
  const isCompared = [rest, by].some((one) =>
    comparisons.some((sign) => before.includes(one + sign) || before.includes(sign + one)),
  )
  if (isRest && isCompared) run.within.add(`${start}:${end}`)
}

const comparisons = ['<', '>', '!=', '==', '<=', '>=']
