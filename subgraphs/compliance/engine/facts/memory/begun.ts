/** Texts that were compared: `if (!strncmp(line, "Length:", 7)) read(strchr(line, ':') + 1);` finds what is known to be there. */
import { numberValue } from '../numbers/arithmetic.js'
import { type Linear, isConstant, isSame } from '../numbers/linear.js'
import { type Run, modelOf } from '../run.js'
import { type State, type Value, unknownValue } from '../state.js'
import type { FunctionModel } from '../../rulebook/function-model.js'
import type { Expr, ExprOf } from '../program.js'

const someHeld = 'held characters'

const heldAt = (object: string, code: number): string => `${object}.holds ${code}`

/** Letters and digits are rarely searched for. */
const isSeparator = (character: string): boolean => !/[A-Za-z0-9]/.test(character)

/** On a way on which a comparison of texts has answered zero. */
export function noteSameText(run: Run, state: State, test: Expr): void {
  if (test.op !== 'call' || test.receiver !== null || modelOf(run, test.name)?.compares !== true) return
  const [a, b, most] = test.args
  const [text, other] = a?.op === 'text' ? [a, b] : [b?.op === 'text' ? b : undefined, a]
  if (text === undefined || other?.op !== 'variable') return
  const count = most === undefined ? text.value.length : most.op === 'number' ? most.value : 0
  noteHeld(state, run.evaluate(state, other), text.value.slice(0, count))
}

function noteHeld(state: State, { to }: Value, text: string): void {
  const [only, ...others] = to ?? []
  if (only?.at == null || others.length > 0) return
  for (const character of new Set(text)) {
    if (!isSeparator(character)) continue
    state.set(someHeld, unknownValue)
    state.set(heldAt(only.object, character.charCodeAt(0)), numberValue(only.at))
  }
}

const conversion = /%[-+ #0-9.*]{0,20}(?:hh|ll|[hlzjtL])?[a-zA-Z%]/g

/** `snprintf(path, n, "%s/%s", folder, name)`: what was put together holds what stands between its parts. */
export function noteJoined(
  state: State,
  call: ExprOf<'call'>,
  model: FunctionModel,
  args: readonly Value[],
  answer: Value,
): void {
  const { writes, joins } = model
  const made = joins !== undefined || writes?.to === undefined ? answer : args[writes.to]
  const isMade =
    joins !== undefined || writes?.text !== undefined || writes?.format !== undefined || model.result?.exceeds === true
  if (!isMade || made === undefined) return
  const texts = call.args.flatMap((one) => (one.op === 'text' ? [one.value.replaceAll(conversion, '')] : []))
  noteHeld(state, made, `${joins ?? ''}${texts.join('')}`)
}

/** Whether a text is known to hold the character that is searched for. */
export function holdsCharacter(state: State, { to }: Value, wanted: Linear | null): boolean {
  const [only, ...others] = to ?? []
  if (only?.at == null || others.length > 0 || wanted === null || !isConstant(wanted)) return false
  const from = state.value(heldAt(only.object, wanted.constant))?.number
  return from != null && isSame(from, only.at)
}

/** Something is written into a text. */
export function forgetHeld(state: State, object: string): void {
  if (state.value(someHeld) !== undefined) state.forget((place) => place.startsWith(`${object}.holds `))
}
