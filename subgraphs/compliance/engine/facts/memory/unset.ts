/** Variables that are read before anything has given them a value. */
import type { FunctionIr, Place } from '../program.js'
import { type Run, report } from '../run.js'

/** A variable without a value; not where a condition guards the use that does not guard each assignment: both may ask the same. */
export function reportUnset(run: Run, name: string, place: Place): void {
  const { fn, guards } = run.frame
  const assigned = fn.assigned.get(name) ?? []
  if (run.program.macroWords.has(name) || isWalkedBy(fn, name) || isMeant(run, fn)) return
  if (assigned.length === 0 && isBehindMacro(run, place)) return
  if (guards.every(({ start, end }) => assigned.every((at) => at >= start && at < end))) report(run, 'uninitialized', place)
}

/** `READ_STRING(file, text); n = length;`: nothing in the function gives it a value, so that a macro of another file does. */
const isBehindMacro = ({ program, frame: { fn }, models }: Run, { start }: Place): boolean =>
  fn.calls.some(
    (one) =>
      one.start < start && settingMacro.test(one.name) && !program.expansions.has(one.name) && models.find(one.name) === null,
  )

const settingMacro = /^(?!.*(?:LOG|DEBUG|DBG|TRACE|ASSERT|CHECK|UNUSED|WARN|PRINT))[A-Z][A-Z0-9]*_[A-Z0-9_]+$/

/** `#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"` in the function: the author has looked. */
const isMeant = ({ text }: Run, { start, end }: Place): boolean =>
  /^[ \t]*#[ \t]*pragma\b.{1,60}"-W(?:maybe-|sometimes-|conditional-)?uninitialized"/m.test(text.slice(start, end))

/** `IDXSET_FOREACH(item, set, i) { ... }` gives it a value in each round. */
const isWalkedBy = ({ calls }: FunctionIr, name: string): boolean =>
  calls.some((one) => /for_?each/i.test(one.name) && one.args.some((given) => given.op === 'variable' && given.name === name))
