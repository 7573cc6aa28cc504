/** What a parameter without a type is, by its name or by what is called on it: `(m, out) => { out.writeHead(200) }` answers a request. */
import { matchesText } from '../../match/constraints.js'
import type { ParameterType } from '../../rulebook/model-schema.js'
import type { Ir, Lambda } from '../../syntax/ir.js'
import type { Flow } from '../state.js'

const known = new WeakMap<Lambda, readonly (string | undefined)[]>()

export function typeByUse(flow: Flow, lambda: Lambda, index: number): string | undefined {
  if (flow.book.parameterTypes.length === 0) return undefined
  let types = known.get(lambda)
  if (types === undefined) known.set(lambda, (types = typesOf(flow, lambda)))
  return types[index]
}

function typesOf(flow: Flow, lambda: Lambda): readonly (string | undefined)[] {
  const types: (string | undefined)[] = lambda.parameters.map(() => undefined)
  const uses = usesIn(flow, lambda)
  for (const [index, { name, type, pattern }] of lambda.parameters.entries()) {
    if (type !== undefined || pattern !== undefined) continue
    const found = flow.book.parameterTypes.find((one) => fits(one, name, uses.get(name)))
    if (found === undefined) continue
    types[index] = found.type
    if (found.before !== undefined && index > 0) types[index - 1] ??= found.before
  }
  return types.map((type, index) => (lambda.parameters[index]?.type === undefined ? type : undefined))
}

const fits = ({ name, calls }: ParameterType, written: string, uses: ReadonlySet<string> | undefined): boolean =>
  (name === undefined || matchesText(name, written)) &&
  (calls === undefined || (uses !== undefined && calls.some((all) => all.every((one) => uses.has(one)))))

/** The methods that are called on each parameter, and on what they return: `res.status(404).json(x)`. */
function usesIn(flow: Flow, lambda: Lambda): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map(lambda.parameters.map(({ name }) => [name, new Set<string>()]))
  for (const call of flow.callsInside.get(lambda) ?? []) {
    if (call.op !== 'call' || call.callee.op !== 'member') continue
    let on: Ir = call.callee.object
    for (let depth = 0; depth < 8 && on.op === 'call' && on.callee.op === 'member'; depth++) on = on.callee.object
    if (on.op === 'name') uses.get(on.name)?.add(call.callee.property)
  }
  return uses
}
