/**
 * What the code around a call takes for the end of the program, although nobody can look into the call: `if (p == NULL) MEM_ERROR();` in
 * front of a use of `p`, `else BAD_CASE("kind");` beside branches that all set a variable, and whatever the author says is not reached.
 */
import { isMacroName } from '../calls/leaving-macros.js'
import type { ExprOf, Place, Statement } from '../program.js'
import { type Run, modelOf } from '../run.js'
import type { State } from '../state.js'

/** Those that write something down, or count, go on. */
const goingOn =
  /trace|log|debug|dbg|warn|print|info|notice|verbose|stat|count|note|_INC|_DEC|SET_|perror|puts|^(?:ERR|ERROR|MSG|error|err|msg|report|alert)$/i

const aboutMemory = /mem|alloc|oom|fatal|die|exit|abort|panic|croak|bail|no_?space/i

/** The call that a branch ends with, which neither the file nor a model knows. */
function lastCall(run: Run, statement: Statement | undefined): ExprOf<'call'> | null {
  if (statement?.op === 'block') {
    const body = statement.body.at(-1)?.op === 'break' ? statement.body.slice(0, -1) : statement.body
    return lastCall(run, body.at(-1))
  }
  const call = statement?.op === 'expression' ? statement.value : null
  if (call?.op !== 'call' || call.receiver !== null || call.callee !== null || goingOn.test(call.name)) return null
  const isKnown = run.overloads.has(call.name) || run.program.expansions.has(call.name)
  return isKnown || modelOf(run, call.name) !== null ? null : call
}

/** It says something, or its name does. */
const mayEnd = ({ name, args }: ExprOf<'call'>): boolean =>
  isMacroName(name) || aboutMemory.test(name) || args.some((one) => one.op === 'text')

const isUnsetIn = (state: State, place: string): boolean => state.value(place)?.isUnset === true

/** Variables that have no value behind this branch, and one behind all others. */
function leavesUnset(states: readonly State[], others: readonly State[]): boolean {
  if (others.length === 0) return false
  return states.some((state) =>
    [...state.places()].some(
      ([place, value]) => value.isUnset && others.every((one) => one.value(place) !== undefined && !isUnsetIn(one, place)),
    ),
  )
}

/** Behind a branch: the ways on which what it calls is not the end. */
export function goingBehind(run: Run, branch: Statement, states: State[], others: readonly State[]): State[] {
  if (states.length === 0) return states
  const call = lastCall(run, branch)
  if (call === null) return states
  const behind = aboutMemory.test(call.name) ? states.filter((state) => !losesMemory(state)) : states
  return mayEnd(call) && leavesUnset(behind, others) ? [] : behind
}

/** `p = realloc(p, n); if (p == NULL) MEM_ERROR();` */
const losesMemory = (state: State): boolean => [...state.places()].some(([place]) => place.startsWith('lost '))

const saying =
  /^[\s;]{0,80}(?:\/\*|\/\/)[\s*]{0,9}(?:NOT[ _]?REACHED|UNREACHED|UNREACHABLE|(?:does|will|do) (?:not|never) return|never returns?)\b/i

/** `exec_command(line); /* NOTREACHED *\/` */
export const isSaidToEnd = ({ text }: Run, { end }: Place): boolean => saying.test(text.slice(end, end + 140))

/** The same behind all branches of a condition. */
export const isBlockSaidToEnd = (run: Run, place: Place): boolean => run.text[place.end - 1] === '}' && isSaidToEnd(run, place)
