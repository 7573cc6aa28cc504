/** Searches that are asked twice: `if (strchr(s, '\n')) *strchr(s, '\n') = 0;` finds again what it has found. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { type Linear, isConstant, isSame, zero } from '../numbers/linear.js'
import { numberValue } from '../numbers/arithmetic.js'
import type { Expr, ExprOf } from '../program.js'
import type { Run } from '../run.js'
import { type State, type Value, isAddress, isUnchecked, unknownValue } from '../state.js'

/** Calls that are longer are not written twice. */
const MOST_CHARACTERS = 100

interface Kept {
  readonly at: string
  readonly in: Linear
}

/** Where the answer is kept: with what was searched, so that it is forgotten when that changes. */
function placesOf(run: Run, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): readonly Kept[] {
  if (model.may_be_null !== true || call.end - call.start > MOST_CHARACTERS) return []
  const text = run.text.slice(call.start, call.end)
  if (model.returns_argument === undefined) return model.same_again === true ? [{ at: `::answers.${text}`, in: zero }] : []
  const isSearch = model.changes === undefined && model.fills === undefined && model.writes === undefined
  const searched = args[model.returns_argument]?.to ?? []
  const places = searched.flatMap(({ object, at }) => (at === null ? [] : [{ at: `${object}.again ${text}`, in: at }]))
  return isSearch && places.length === searched.length ? places : []
}

export function answeredBefore(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  model: FunctionModel,
  args: readonly Value[],
): Value | null {
  const places = placesOf(run, call, model, args)
  const [first] = places
  const known = first === undefined ? undefined : state.value(first.at)
  const isKnown = (place: Kept): boolean => {
    const from = state.value(`${place.at} from`)?.number
    return from != null && isSame(from, place.in) && state.value(place.at)?.to === known?.to
  }
  return known !== undefined && places.every((one) => isKnown(one)) ? known : null
}

export function noteAnswer(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  model: FunctionModel,
  args: readonly Value[],
  answer: Value,
): void {
  for (const place of placesOf(run, call, model, args)) {
    state.set(place.at, answer)
    state.set(`${place.at} from`, numberValue(place.in))
  }
}

/** Where a function of the file that changes nothing keeps its answer, as long as it is asked the same. */
export function placeOfSearch(run: Run, state: State, call: ExprOf<'call'>, args: readonly Value[]): string | null {
  if (call.end - call.start > MOST_CHARACTERS || call.args.some(({ op }) => op === 'address')) return null
  const values = call.args.map((argument, at) => elementsPlace(run, state, argument) ?? args[at])
  const [only, ...others] = values[0]?.to ?? []
  if (only?.at == null || others.length > 0) return null
  const asked = call.args.map(({ op }, at) => (op === 'text' || op === 'number' ? '' : identity(values[at])))
  return `${only.object}.again ${state.epoch} ${asked.join(' ')}: ${run.text.slice(call.start, call.end)}`
}

/** `names[i]`, `*next`: which element it is nobody knows, but it stays the same one until the index or the address goes on. */
function elementsPlace(run: Run, state: State, argument: Expr): Value | null {
  if (argument.op !== 'index' && argument.op !== 'dereference') return null
  const parts = argument.op === 'index' ? [argument.base, argument.index] : [argument.base]
  if (!parts.every(({ op }) => op === 'variable' || op === 'number')) return null
  const [base, index] = parts.map((part) => run.evaluate(state, part))
  if (base === undefined || (index !== undefined && index.number === null)) return null
  return { ...base, number: index?.number ?? null }
}

const identity = (value: Value | undefined): string => JSON.stringify([value?.number, value?.to])

const searched = 'searched'

export function noteSearch(state: State, place: string, answer: Value): void {
  state.set(searched, unknownValue)
  state.set(place, answer)
}

/** What was searched has changed, or may have. */
export function forgetSearches(state: State): void {
  if (state.value(searched) !== undefined) state.forget((place) => place === searched || /\.again \d/.test(place))
}

/** What `strchr(s, ':')` has found, `strrchr(s, ':')` finds too, from the other end. */
export function noteFound(state: State, { to }: Value): void {
  if (to === null || to.length === 0) return
  for (const [place, held] of state.places()) {
    const asked = held.to === to ? search.exec(place) : null
    if (asked === null) continue
    const [, object = '', name = '', question = ''] = asked
    for (const [other, found] of state.places()) {
      const [, sameObject, otherName = '', sameQuestion] = search.exec(other) ?? []
      const isReverse =
        sameObject === object && sameQuestion === question && otherName !== name && forwards(otherName) === forwards(name)
      if (isReverse && (found.nil & isUnchecked) !== 0) foundThere(state, found)
    }
  }
}

const search = /^(.*)\.again (\w+)\s*(\(.*\))$/s

/** Of two searches that differ in their direction alone. */
const forwards = (name: string): string => name.replaceAll('r', '')

function foundThere(state: State, found: Value): void {
  for (const [place, held] of state.places()) if (held.to === found.to) state.set(place, { ...found, nil: isAddress })
}

const markOfPart = (start: number): string => `::answers.part ${String(start).padStart(9, '0')}`

/** What `strtok` has answered here. */
export const notePart = (state: State, { start }: ExprOf<'call'>, answer: Value): void => state.set(markOfPart(start), answer)

/** `type = strtok(NULL, " "); if (type == NULL) return;`: where there is a last part, there were those before it. */
export function noteParts(state: State, { to }: Value): void {
  if (to === null || to.length === 0) return
  const parts = [...state.places()].filter(([place]) => place.startsWith('::answers.part '))
  const last = parts.find(([, held]) => held.to === to)?.[0]
  if (last !== undefined)
    for (const [place, held] of parts) if (place < last && (held.nil & isUnchecked) !== 0) foundThere(state, held)
}

/** `rest = all + 1; if (!all) return;`: what was reckoned from the memory before the test is there when the memory is. */
export function noteMovedBy(state: State, { to }: Value): void {
  const [only] = to ?? []
  if (to?.length !== 1 || only?.at == null || !isConstant(only.at) || only.at.constant !== 0) return
  for (const [place, held] of state.places()) {
    const [one] = held.to ?? []
    if (held.to?.length !== 1 || one?.object !== only.object || one.at == null || (held.nil & isUnchecked) === 0) continue
    if (isConstant(one.at) && one.at.constant !== 0) state.set(place, { ...held, nil: isAddress })
  }
}

export const isAnswer = (place: string): boolean => place.includes('.again ') || place.startsWith('::answers.')

/** `if (m.count(key) == 0) return;`, `m[key] = value;`: the search behind it finds something. */
export function isThere({ text, frame: { fn } }: Run, { name, receiver, args, start }: ExprOf<'call'>): boolean {
  const [key] = args
  if (receiver === null || key === undefined || name !== 'find' || key.end - key.start > MOST_CHARACTERS) return false
  const [where, what] = [receiver, key].map((one) => escaped(text.slice(one.start, one.end)))
  const asked = `(?:\\.|->)\\s*(?:count|contains|insert|insert_or_assign|emplace|try_emplace)\\s*\\(\\s*\\{?\\s*${what ?? ''}\\s*[,)]`
  return new RegExp(`\\b${where ?? ''}\\s*(?:${asked}|\\[\\s*${what ?? ''}\\s*\\])`).test(text.slice(fn.start, start))
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
