/** Buffers that a loop makes larger when they are full: `if (n == room) all = realloc(all, room *= 2); all[n++] = one;` */
import type { ExprOf } from '../program.js'
import type { Run } from '../run.js'

/** The relation of three numbers that all change is not followed: that the program asks for room in front of each step is enough. */
export function isGrown({ text, frame: { fn, loops } }: Run, { base, index }: ExprOf<'index'>): boolean {
  const counter = index.op === 'step' ? index.target : index
  if (base.op !== 'variable' || counter.op !== 'variable') return false
  if (!loops.some(({ written }) => written.get(base.name) === null)) return false
  const [buffer, at] = [base, counter].map(({ name }) => name.replace(/'.*/, ''))
  const body = text.slice(fn.start, fn.end)
  const asksForRoom = new RegExp(`\\b${at ?? ''}\\s*(?:(?:==|>=)\\s*(?!0\\b)|\\+[^;<>=]{1,60}>)`)
  const grows = new RegExp(`\\b${buffer ?? ''}\\s*=[^;=]{0,60}alloc\\w*\\s*\\([^;]{0,80}\\b${buffer ?? ''}\\b`)
  return asksForRoom.test(body) && grows.test(body)
}
