/** Structures of which some parts never got a value when they leave the program: what was in memory before leaves with them. */
import { isConstant } from '../numbers/linear.js'
import type { Expr, Type } from '../program.js'
import { type Run, objectOf, report } from '../run.js'
import { type State, type Value, isAddress } from '../state.js'

/** Nothing has written the whole of it yet; joined with a way on which something has, it is another value. */
const blankValue: Value = { number: null, to: null, nil: isAddress, isUnset: false }

const markOf = (object: string): string => `blank ${object}`

export const beginBlank = (state: State, object: string): void => state.set(markOf(object), blankValue)

/** Something was written over it. */
export function endBlank(state: State, object: string): void {
  if (state.value(markOf(object)) !== undefined) state.forget((place) => place === markOf(object))
}

/** Fields without any use until here, or bytes between them that no assignment reaches. */
function hasGaps(run: Run, state: State, object: string, type: Type, isKernel: boolean): boolean {
  const fields = run.program.classes.get(type.name)?.fields
  if (fields === undefined || fields.size === 0) return false
  if ([...fields.keys()].some((name) => state.object(`${object}.${name}`) === undefined)) return true
  return isKernel && isPadded([...fields.values()])
}

/** Each field begins at a multiple of its size, and so does the next structure; `false` where a size is not known. */
function isPadded(fields: readonly (Type | null)[]): boolean {
  let [at, widest] = [0, 1]
  let isFilled = false
  for (const field of fields) {
    const element = field?.kind === 'array' ? field.of : field
    const count = field?.kind !== 'array' ? 1 : field.count?.op === 'number' ? field.count.value : null
    const bytes = element?.kind === 'record' || element?.kind === 'array' ? null : (element?.bytes ?? null)
    if (bytes === null || bytes === 0 || count === null) return false
    isFilled ||= at % bytes !== 0
    at = Math.ceil(at / bytes) * bytes + bytes * count
    widest = Math.max(widest, bytes)
  }
  return isFilled || at % widest !== 0
}

/** `send(fd, &reply, sizeof reply, 0);` */
export function checkBlank(run: Run, state: State, { to }: Value, argument: Expr, isKernel: boolean): void {
  const [only, ...others] = to ?? []
  const bare = argument.op === 'cast' ? argument.value : argument
  const type = bare.op === 'address' ? bare.base.type : (bare.type?.of ?? null)
  if (only?.at == null || others.length > 0 || !isConstant(only.at) || only.at.constant !== 0 || type?.kind !== 'record') return
  if (state.value(markOf(only.object)) !== blankValue || objectOf(state, only.object).isData) return
  if (hasGaps(run, state, only.object, type, isKernel)) report(run, 'uninitialized', argument)
}
