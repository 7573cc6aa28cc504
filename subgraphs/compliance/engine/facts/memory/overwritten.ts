/** C++: a field that owns memory gets more of it, and what it held is never given back. */
import type { Expr } from '../program.js'
import { type Run, report } from '../run.js'

/** These run once for each object. */
const begins = /^(?:init|setup|set_?up|create|build|make|load|open|start|construct|alloc|on_?(?:init|create|start|load))/i

/** `void reserve(size_t n) { buffer_ = new char[n]; }` beside `~Owner() { delete[] buffer_; }` */
export function checkOverwritten(run: Run, target: Expr, value: Expr): void {
  if (value.op !== 'new' || target.op !== 'field' || target.base.op !== 'variable' || target.base.name !== 'this') return
  const { fn } = run.frame
  const { owner } = fn
  // `template<class T> Curve<T>::Curve(...)`
  if (
    owner === null ||
    fn.name === owner.replace(/<.*$/s, '').replace(/^.*::/s, '') ||
    fn.name.startsWith('~') ||
    fn.name === 'operator=' ||
    begins.test(fn.name)
  )
    return
  const field = new RegExp(`\\b${target.name}\\b`)
  // Whoever speaks of it before has looked what it holds.
  if (field.test(run.text.slice(fn.start, target.start))) return
  const own = run.program.functions.filter((one) => one.owner === owner)
  const isFreed = new RegExp(`\\bdelete\\s{0,3}(?:\\[\\])?\\s{0,3}(?:this->)?${target.name}\\b`)
  const ends = own.some((one) => one.name.startsWith('~') && isFreed.test(run.text.slice(one.start, one.end)))
  const callers = own.filter((one) => one !== fn && one.calls.some(({ name }) => name === fn.name))
  const isPrepared = callers.some((one) => one.name === owner || isFreed.test(run.text.slice(one.start, one.end)))
  if (ends && !isPrepared) report(run, 'overwritten-owner', target)
}
