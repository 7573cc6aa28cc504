/** Operands whose sums and differences never wrap as integers do: addresses, and numbers with a fraction. */
import type { Binary } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { calleeName, knownName } from './c-scope.js'

type OperandKind = NonNullable<Binary['of']> | null

const fractionType = /^(?:const\s+|volatile\s+)*(?:long\s+)?(?:float|double|_Float\d+|float_t|double_t)$/

/** Whether a type without its `*` is one with a fraction. */
export const isFractionType = (type: string | undefined): boolean => type !== undefined && fractionType.test(type.trim())

const addressCall =
  /^(?:str(?:r?chr|chrnul|str|casestr|pbrk|n?dup)|mem(?:r?chr|rchr|mem|cpy|move|set)|rawmemchr|wcs(?:r?chr|str)|r?index|[mc]alloc|realloc|getenv)$/
const fractionCall =
  /^(?:sqrt|pow|exp|log(?:2|10|1p)?|floor|ceil|round|trunc|fabs|fmod|hypot|sin|cos|tan|atan2?|atof|strtod|difftime|ldexp)[fl]?$/

const fieldDeclared =
  /^[ \t]+(?:(?:unsigned|signed|const|struct|union|enum|volatile|mutable|long)\s+)*(\w+)([\s*]+)(\w+)((?:\s{0,4}\[[^\]\n]{0,60}\])*)\s*(?=[;,=])/gm

interface Field {
  readonly kind: OperandKind
  /** What an element is, or what the address leads to. */
  readonly element: OperandKind
}

const known = new WeakMap<Lowering, Map<string, Field | null>>()

/** Fields by their names, as far as the file declares them; `null` where two are different. */
function fieldsOf(lowering: Lowering): Map<string, Field | null> {
  let fields = known.get(lowering)
  if (fields !== undefined) return fields
  fields = new Map()
  for (const [, type = '', space = '', name = '', arrays = ''] of lowering.source.matchAll(fieldDeclared)) {
    if (/^(?:return|case|goto|else|typedef|extern)$/.test(type)) continue
    const depth = space.replaceAll(/[^*]/g, '').length + arrays.split('[').length - 1
    const plain = isFractionType(type) ? 'fraction' : null
    const found = { kind: depth > 0 ? 'address' : plain, element: depth > 1 ? 'address' : plain } as const
    const before = fields.get(name)
    const isSame = before === undefined || (before?.kind === found.kind && before.element === found.element)
    fields.set(name, isSame ? found : null)
  }
  known.set(lowering, fields)
  return fields
}

const fieldOf = (lowering: Lowering, node: number): Field | null =>
  fieldsOf(lowering).get(lowering.text(lowering.first(node, 'field') ?? node)) ?? null

/** What the elements of an array are, or what stands behind an address. */
function elementOf(lowering: Lowering, node: number): OperandKind {
  const at = unwrapped(lowering, node)
  if (lowering.typeOf(at) === 'field_expression') return fieldOf(lowering, at)?.element ?? null
  const name = knownName(lowering, at)
  return name?.isFraction === true && name.kind !== 'scalar' ? 'fraction' : null
}

function unwrapped(lowering: Lowering, node: number): number {
  let at = node
  while (lowering.typeOf(at) === 'parenthesized_expression') {
    const inner = lowering.first(at, '#0')
    if (inner === undefined) break
    at = inner
  }
  return at
}

/** What an operand is, as far as it is written: by a declaration, a cast, a literal or the function that answers it. */
export function operandKind(lowering: Lowering, node: number, depth = 0): OperandKind {
  const at = unwrapped(lowering, node)
  const part = (selector: string): number => lowering.first(at, selector) ?? at
  const text = (): string => lowering.text(at)
  if (depth > 6) return null
  switch (lowering.typeOf(at)) {
    case 'identifier': {
      const name = knownName(lowering, at)
      if (name === undefined) return null
      return name.kind === 'scalar' ? (name.isFraction === true ? 'fraction' : null) : 'address'
    }
    case 'field_expression':
      return fieldOf(lowering, at)?.kind ?? null
    case 'subscript_expression':
      return elementOf(lowering, part('argument'))
    case 'pointer_expression':
      return text().startsWith('&') ? 'address' : elementOf(lowering, part('argument'))
    case 'cast_expression': {
      const type = lowering.text(part('type')).trim()
      return type.endsWith('*') ? 'address' : isFractionType(type) ? 'fraction' : null
    }
    case 'string_literal':
      return 'address'
    case 'number_literal':
      return /^(?!0[xX])(?:\d*\.\d|\d+\.|\d+[eE])/.test(text()) ? 'fraction' : null
    case 'call_expression': {
      const name = calleeName(lowering, at)
      return addressCall.test(name) ? 'address' : fractionCall.test(name) ? 'fraction' : null
    }
    case 'update_expression':
      return operandKind(lowering, part('argument'), depth + 1)
    case 'binary_expression': {
      const [left, right] = [part('left'), part('right')]
      if (left === at || right === at) return null
      const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
      return kindOfResult(operator, operandKind(lowering, left, depth + 1), operandKind(lowering, right, depth + 1))
    }
    default:
      return null
  }
}

/** What the operation is about; a distance between two addresses is one of addresses too. */
export const operationKind = (operator: string, left: OperandKind, right: OperandKind): OperandKind =>
  !/^[-+*/]$/.test(operator) ? null : (left ?? right)

/** What comes out of it. */
export const kindOfResult = (operator: string, left: OperandKind, right: OperandKind): OperandKind =>
  left === 'address' && right === 'address' ? null : operationKind(operator, left, right)
