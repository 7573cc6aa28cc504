/** `uid_t old = getuid(); seteuid(user); ...; seteuid(old);`: who takes back the rights that he had gives none up. */
import type { ExprOf } from '../program.js'
import type { Run } from '../run.js'

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
