/**
 * Functions that call themselves as deep as their input is nested: each call goes on with the same reader, and nothing counts how deep it is.
 *
 * A function that walks a tree gets a part of what its caller got. That ends with the tree.
 */
import type { Expr, FunctionIr, OwnCall } from '../program.js'
import { type Run, report } from '../run.js'

/** Counts how deep it is, or takes half of what is left each time. */
const counts = /depth|level|nest|recurs|budget|limit|stack_?left|remaining|\/ ?2\b|>> ?1\b/i

export function checkRecursion(run: Run): void {
  const handing = new Map<FunctionIr, { readonly call: OwnCall; readonly callee: FunctionIr }[]>()
  for (const fn of run.program.functions) {
    const given = fn.calls.flatMap((call) => {
      const callee = run.functions.get(call.name)
      return callee !== undefined && handsOn(fn, call) ? [{ call, callee }] : []
    })
    handing.set(fn, given)
  }
  for (const fn of run.program.functions) {
    const cycle = cycleOf(handing, fn)
    if (cycle === null || cycle.some((one) => counts.test(run.text.slice(one.start, one.end)))) continue
    if (!cycle.some((one) => consumes(run, one))) continue
    run.frame = { ...run.frame, fn }
    const next = handing.get(fn)?.find(({ callee }) => cycle.includes(callee))
    if (next !== undefined) report(run, 'unbounded-recursion', next.call)
  }
}

/** The same pointers as the function itself was given, or the same object of a method. */
function handsOn(fn: FunctionIr, { args }: OwnCall): boolean {
  if (args.length === 0) return fn.owner !== null && fn.parameters.length === 0
  // What is given by a variable list of arguments was written by a programmer.
  if (args.some(({ type }) => type !== null && /^(?:__builtin_)?va_list$/.test(type.name ?? ''))) return false
  const pointers = args.filter((one) => isAddress(one))
  return pointers.length > 0 && pointers.every((one) => isParameter(fn, one) || isPartOfReader(fn, one))
}

/** `struct cursor inner; inner.at = c->at; walk(&inner)`: another reader of the same input. */
function isPartOfReader(fn: FunctionIr, { op, ...rest }: Expr): boolean {
  const base = op === 'address' && 'base' in rest ? rest.base : null
  if (base?.op !== 'variable' || !base.isLocal || base.type?.kind !== 'record') return false
  return fn.parameters.some(
    ({ name, type }) => name !== base.name && type?.kind === 'pointer' && type.of?.name === base.type?.name,
  )
}

const isAddress = ({ op, type }: Expr): boolean =>
  type === null ? op === 'variable' : type.kind === 'pointer' || op === 'dereference' || op === 'field'

const isParameter = (fn: FunctionIr, expr: Expr): boolean => {
  const name = expr.op === 'variable' ? expr.name : expr.op === 'dereference' && expr.base.op === 'variable' ? expr.base.name : ''
  const parameter = fn.parameters.find((one) => one.name === name)
  return parameter !== undefined && parameter.type?.of?.kind !== 'void' && !fn.assigned.has(name)
}

/** It moves on in what it reads, or calls something that does. */
const consumes = (run: Run, fn: FunctionIr): boolean =>
  movesOn(run, fn) || fn.calls.some(({ name }) => movesOn(run, run.functions.get(name) ?? null))

const positions = /^(?:at|pos(?:ition)?|off(?:set)?|cur(?:sor)?|idx|index|i|p|ptr|here|next|in|text|s)_?$/i

/** `r->at++`, `r->at += length` */
const movesOn = ({ text }: Run, fn: FunctionIr | null): boolean =>
  fn !== null &&
  ([...fn.steppedFields].some((name) => positions.test(name)) ||
    [...text.slice(fn.start, fn.end).matchAll(/(?:->|\.)(\w{1,12})\s?\+=/g)].some(([, name]) => positions.test(name ?? '')))

/** The functions on the shortest way back to `fn`; `null` when there is none. */
function cycleOf(
  handing: ReadonlyMap<FunctionIr, readonly { readonly callee: FunctionIr }[]>,
  fn: FunctionIr,
): readonly FunctionIr[] | null {
  const from = new Map<FunctionIr, FunctionIr>()
  const queue = [fn]
  for (let at = queue.shift(); at !== undefined && from.size < 200; at = queue.shift()) {
    for (const { callee } of handing.get(at) ?? []) {
      if (callee === fn) {
        const cycle = [fn]
        for (let back: FunctionIr | undefined = at; back !== undefined && back !== fn; back = from.get(back)) cycle.push(back)
        return cycle
      }
      if (from.has(callee)) continue
      from.set(callee, at)
      queue.push(callee)
    }
  }
  return null
}
