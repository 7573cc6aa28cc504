/** What a function leaves behind in the memory of its parameters. */
import { openData } from '../numbers/numbers.js'
import type { FunctionIr, Type } from '../program.js'
import { type Exit, type Run, report } from '../run.js'
import { type State, isNull } from '../state.js'

export const initialObject = (name: string): string => `*&${name} 0`

/** `fread(dst, 1, n, f)` within a function of the file that is given `dst`. */
export const filled = (fn: FunctionIr, exits: readonly Exit[]): readonly number[] =>
  fn.parameters.flatMap(({ name, type }, at) =>
    (type?.kind === 'pointer' || type?.isReference === true) &&
    exits.some(({ state }) => state.object(initialObject(name))?.isData === true)
      ? [at]
      : [],
  )

/** `header->width = le32(bytes);` for the callers of the function: by the parameter and the field. */
export function dataFields(run: Run, fn: FunctionIr, exits: readonly Exit[]): ReadonlyMap<string, Type | null> {
  const found = new Map<string, Type | null>()
  for (const [at, { name, type }] of fn.parameters.entries()) {
    const start = `*&${name} 0.`
    const record = run.program.classes.get(type?.of?.name ?? '')
    const isNumber = type?.kind === 'pointer' && type.of?.kind === 'integer' && type.of.bytes !== 1
    if (type?.kind !== 'pointer' && type?.isReference !== true) continue
    for (const { state } of exits)
      for (const [place, value] of state.places()) {
        // `*width = le32(bytes);` is about the whole.
        const isWhole = isNumber && place === `*&${name} 0` && value.isInitial !== true
        const field = place.startsWith(start) ? place.slice(start.length) : ''
        if (!isWhole && !/^\w+$/.test(field)) continue
        if (value.number === null || openData(run.symbols, state, value.number).length === 0) continue
        found.set(`${at} ${field}`, isWhole ? (type?.of ?? null) : (record?.fields.get(field) ?? null))
      }
  }
  return found
}

/** `free(s->name);` without a new value for `s->name`, on each way. */
export function freedFields(fn: FunctionIr, exits: readonly Exit[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [at, { name, type }] of fn.parameters.entries()) {
    if (type?.kind !== 'pointer') continue
    const ways = exits.filter(({ state }) => !isNullThere(state, initialObject(name), name))
    const [first, ...rest] = ways.map((way) => danglingFields(way, name))
    for (const field of first ?? []) if (rest.every((one) => one.has(field))) found.add(`${at} ${field}`)
  }
  return found
}

/** On this way the parameter turned out to be NULL, so nothing was there to be freed. */
export const isNullThere = (state: State, object: string, name: string): boolean => {
  const value = state.value(`&${name}`)
  return value?.nil === isNull && state.object(object)?.life !== 'freed'
}

/** Fields of what the parameter points to that hold addresses of freed memory on this way. */
export function danglingFields({ state }: Exit, name: string): ReadonlySet<string> {
  const start = `${initialObject(name)}.`
  const found = new Set<string>()
  for (const [place, { to }] of state.places()) {
    const field = place.startsWith(start) ? place.slice(start.length) : ''
    const isFreed = to?.length === 1 && state.object(to[0]?.object ?? '')?.life === 'freed'
    if (isFreed && /^\w+(?:\.\w+)*$/.test(field)) found.add(field)
  }
  return found
}

/** `char *in = m->data; ... free(in);` gives up what it took over: whoever calls knows that by the answer. */
const isHeldByVariable = ({ state }: Exit, object: string): boolean =>
  [...state.places()].some(([place, { to }]) => /^&\w+$/.test(place) && to?.some((one) => one.object === object) === true)

/** `free(c->name); if (n > 64) return -1; ... c->name = fresh;`: the ways out that forget the new value. */
export function checkRenewed(run: Run, { parameters }: FunctionIr, exits: readonly Exit[]): void {
  for (const { name, type } of parameters) {
    if (type?.kind !== 'pointer') continue
    for (const exit of exits) {
      if (exit.isThrown) continue
      for (const field of danglingFields(exit, name)) {
        const place = `${initialObject(name)}.${field}`
        const freed = exit.state.value(place)?.to?.[0]?.object ?? ''
        if (isHeldByVariable(exit, freed)) continue
        const isRenewed = ({ state, isThrown }: Exit): boolean =>
          !isThrown &&
          state.object(freed)?.life === 'freed' &&
          state.value(place)?.to?.some((one) => one.object === freed) === false
        if (exits.some((other) => isRenewed(other))) report(run, 'double-free', exit.place)
      }
    }
  }
}
