import { type Ir, type Lambda, type Parameter, plainFunction } from '../../syntax/ir.js'

const namedFunctions = new WeakMap<Ir, Lambda>()

/** `array_map('clean', $all)`: a function that calls what the text names; always the same one, as is remembered what it does. */
export function functionNamed(ir: Ir): Lambda | null {
  if (ir.op !== 'literal' || typeof ir.value !== 'string' || !/^[A-Za-z_]\w{0,80}$/.test(ir.value)) return null
  const known = namedFunctions.get(ir)
  if (known !== undefined) return known
  const place = { start: ir.start, end: ir.end }
  const parameter: Parameter = { name: '$value', decorators: [], rest: false, ...place }
  const value: Ir = { op: 'name', name: parameter.name, ...place }
  const callee: Ir = { op: 'name', name: ir.value, ...place }
  const body: Ir = { op: 'call', callee, args: [{ value }], isNew: false, at: ir.start, ...place }
  const lambda = plainFunction({
    name: '',
    declares: false,
    parameters: [parameter],
    body,
    isExpressionBody: true,
    ...place,
  })
  namedFunctions.set(ir, lambda)
  return lambda
}
