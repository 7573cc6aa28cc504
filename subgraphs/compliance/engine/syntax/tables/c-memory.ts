/**
 * Buffers in C: how large they are, how long the text in them is, and where a pointer points into them.
 *
 * The analysis folds constants, so the lowering only adds what C programs leave unsaid: `p = malloc(10)` has a size, `memset(p, 'A', 9)`
 * makes a text of length 9, `strcpy(a, b)` needs `length of b + 1` bytes, which the call gets as the argument `%need`.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import {
  argumentsOf,
  bare,
  calleeName,
  fieldOf,
  isCopying,
  knownName,
  pointerBytes,
  remember,
  scaled,
  scopeOf,
  sizeOfType,
  sum,
} from './c-scope.js'

/** Bytes that an allocation returns, `null` when the value is none. */
export function allocationSize(lowering: Lowering, value: number): Ir | null {
  const node = bare(lowering, value)
  const type = lowering.typeOf(node)
  if (type === 'new_expression') {
    const length = lowering.first(node, 'declarator/length')
    const bytes = sizeOfType(lowering.typeName(lowering.first(node, 'type')))
    return length === undefined || bytes === undefined || !isPlain(lowering, length)
      ? null
      : scaled(lowering, node, lowering.lower(length), bytes)
  }
  if (type !== 'call_expression') return null
  const [first, second] = argumentsOf(lowering, node)
  if (first === undefined || !isPlain(lowering, first) || (second !== undefined && !isPlain(lowering, second))) return null
  const name = calleeName(lowering, node)
  if (
    /^(?:[xgk]?_?(?:m|z|vm|vz|dma_)?alloc|malloc|xmalloc|g_malloc0?|kmalloc|kzalloc|vmalloc|_?alloca|ALLOCA|__builtin_alloca|OPENSSL_malloc)$/.test(
      name,
    )
  )
    return lowering.lower(first)
  if (second === undefined) return null
  if (/^(?:realloc|xrealloc|krealloc)$/.test(name)) return lowering.lower(second)
  if (!/^(?:calloc|xcalloc|kcalloc)$/.test(name)) return null
  const [left, right] = [lowering.lower(first), lowering.lower(second)]
  return { op: 'binary', operator: '*', left, right, start: left.start, end: right.end }
}

/** Length of the text that an expression stands for, in characters. */
function lengthOf(lowering: Lowering, node: number): Ir | null {
  const at = bare(lowering, node)
  const text = lowering.text(at)
  if (lowering.typeOf(at) === 'string_literal') {
    const value = lowering.lower(at)
    return value.op === 'literal' && typeof value.value === 'string' ? lowering.make.literal(at, value.value.length) : null
  }
  const defined = scopeOf(lowering).texts.get(text)
  if (defined !== undefined) return lowering.make.literal(at, defined)
  return knownName(lowering, at) === undefined ? null : lowering.make.name(at, `#len:${text}`)
}

/** What follows from `target = value` for a pointer or array: its text and its offset come from the value. */
export function afterAssignment(lowering: Lowering, target: number, value: number | undefined): Ir[] {
  const known = knownName(lowering, target)
  if (known === undefined || known.kind === 'scalar' || !isCopying(lowering)) return []
  if (value === undefined)
    return [
      remember(lowering, target, `#len:${known.name}`, null),
      remember(lowering, target, `#off:${known.name}`, zeroOf(lowering, target)),
    ]
  const at = bare(lowering, value)
  const set = (offset: Ir | null): Ir[] => [
    remember(lowering, target, `#len:${known.name}`, offset === null ? lengthOf(lowering, at) : null),
    remember(lowering, target, `#off:${known.name}`, offset ?? originOf(lowering, at)),
  ]
  if (lowering.typeOf(at) !== 'binary_expression') return set(null)
  const [left, right] = [lowering.first(at, 'left'), lowering.first(at, 'right')]
  const base = knownName(lowering, left)
  if (left === undefined || right === undefined || base === undefined || !isPlain(lowering, right)) return set(null)
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
  if (operator !== '+' && operator !== '-') return set(null)
  return set(sum(lowering, at, lowering.make.name(at, `#off:${base.name}`), operator, lowering.lower(right)))
}

const zeroOf = (lowering: Lowering, node: number): Ir => lowering.make.literal(node, 0)

/** Offset of a value in its buffer: that of another pointer, or the beginning. */
const originOf = (lowering: Lowering, node: number): Ir => {
  const known = knownName(lowering, node)
  return known === undefined ? zeroOf(lowering, node) : lowering.make.name(node, `#off:${known.name}`)
}

const copies = /^(?:strcpy|stpcpy|wcscpy|lstrcpy[AW]?|_tcscpy|strcat|wcscat|lstrcat[AW]?)$/
const counted = /^(?:memcpy|memmove|strncpy|wcsncpy|wmemcpy|wmemset|memset|bcopy)$/

const copying =
  /^(?:strn?cpy|strn?cat|stpcpy|wcsn?cpy|wcsn?cat|lstrc\w+|_tcscpy|w?mem\w+|bcopy|fgets|fgetws|v?snprintf|swprintf|w?sprintf|getcwd|gethostname|strftime|read|recv|recvfrom|pread)$/

/** The call with what it needs of its destination: `%need` bytes, and `%offset` and `%source_offset` of the pointers. */
export function withNeeds(lowering: Lowering, node: number, call: Ir): Ir {
  if (call.op !== 'call') return call
  const name = calleeName(lowering, node)
  const [first, second] = argumentsOf(lowering, node)
  if (first === undefined || second === undefined || !copying.test(name)) return call
  const sized = withFieldSize(lowering, first)
  const made = withNeed(lowering, node, name, call)
  return sized === null ? made : lowering.make.block(node, [sized, made])
}

/** `p->name` is an array of the size that the structure declares. */
function withFieldSize(lowering: Lowering, node: number): Ir | null {
  const field = fieldOf(lowering, node)
  const count = field === null || field.bytes === undefined ? null : countOf(lowering, node, field.count)
  if (field === null || count === null || field.bytes === undefined) return null
  const target = lowering.lower(bare(lowering, node))
  const size = scaled(lowering, node, count, field.bytes)
  return { op: 'assign', target, value: target, operator: '=', declares: false, size, start: target.start, end: target.end }
}

/** A number, or the name of a constant. */
const countOf = (lowering: Lowering, node: number, written: string): Ir | null => {
  if (/^\d+$/.test(written)) return lowering.make.literal(node, Number(written))
  const sum = /^([A-Za-z_]\w*)(?:\s*\+\s*(\d+))?$/.exec(written)
  if (sum?.[1] === undefined) return null
  const base = lowering.make.name(node, sum[1])
  if (sum[2] === undefined) return base
  return {
    op: 'binary',
    operator: '+',
    left: base,
    right: lowering.make.literal(node, Number(sum[2])),
    start: base.start,
    end: base.end,
  }
}

function withNeed(lowering: Lowering, node: number, name: string, call: Extract<Ir, { op: 'call' }>): Ir {
  const [first, second, third] = argumentsOf(lowering, node)
  if (first === undefined || second === undefined) return call
  if (!isPlain(lowering, second) || (third !== undefined && !isPlain(lowering, third))) return call
  const width = /^w|^_tcs/.test(name) ? 4 : 1
  const one = lowering.make.literal(node, 1)
  let need: Ir | null = null
  if (copies.test(name)) {
    const added = lengthOf(lowering, second)
    const before = name.includes('cat') ? lengthOf(lowering, first) : zeroOf(lowering, node)
    if (added !== null && before !== null)
      need = scaled(lowering, node, sum(lowering, node, sum(lowering, node, before, '+', added), '+', one), width)
  } else if (counted.test(name) && third !== undefined) need = scaled(lowering, node, lowering.lower(third), width)
  else if (/^(?:strncat|wcsncat)$/.test(name) && third !== undefined)
    need = scaled(lowering, node, sum(lowering, node, lowering.lower(third), '+', one), width)
  else if (/^(?:fgets|fgetws|snprintf|vsnprintf|swprintf|getcwd|gethostname|strftime)$/.test(name))
    need = scaled(lowering, node, lowering.lower(second), /ws$|^sw/.test(name) ? 4 : 1)
  else if (/^(?:read|recv|recvfrom|pread)$/.test(name) && third !== undefined) need = lowering.lower(third)
  else if (/^w?sprintf$/.test(name)) need = formattedLength(lowering, node)
  if (need === null) return call
  const extra = [
    { name: '%need', value: need },
    { name: '%offset', value: originOf(lowering, bare(lowering, first)) },
  ]
  if (/cpy$|move$/.test(name)) extra.push({ name: '%source_offset', value: originOf(lowering, bare(lowering, second)) })
  return { ...call, args: [...call.args, ...extra] }
}

/** Bytes that `sprintf` writes, for formats of text and `%s` alone. */
function formattedLength(lowering: Lowering, node: number): Ir | null {
  const [, format, ...values] = argumentsOf(lowering, node)
  if (format === undefined || lowering.typeOf(format) !== 'string_literal') return null
  const text = lowering.lower(format)
  if (text.op !== 'literal' || typeof text.value !== 'string') return null
  const rest = text.value.replaceAll('%s', '')
  if (rest.includes('%')) return null
  let total: Ir = lowering.make.literal(node, rest.length + 1)
  for (const value of values) {
    const length = lengthOf(lowering, value)
    if (length === null) return null
    total = sum(lowering, node, total, '+', length)
  }
  return total
}

/** What a call that stands as a statement leaves in its buffers. */
export function afterCall(lowering: Lowering, node: number): Ir[] {
  if (lowering.typeOf(node) !== 'call_expression') return []
  const name = calleeName(lowering, node)
  const [first, second, third] = argumentsOf(lowering, node)
  const known = first === undefined ? undefined : knownName(lowering, bare(lowering, first))
  if (known === undefined || first === undefined || known.kind === 'scalar') return []
  const length = (value: Ir | null): Ir[] => [remember(lowering, node, `#len:${known.name}`, value)]
  if (/^w?memset$/.test(name) && second !== undefined && third !== undefined && isPlain(lowering, third))
    return length(/^L?'\\0'$|^0$/.test(lowering.text(second)) ? zeroOf(lowering, node) : lowering.lower(third))
  if (copies.test(name) && second !== undefined && !name.includes('cat')) return length(lengthOf(lowering, second))
  if (copies.test(name) && second !== undefined) {
    const [before, added] = [lengthOf(lowering, first), lengthOf(lowering, second)]
    return length(before === null || added === null ? null : sum(lowering, node, before, '+', added))
  }
  if (/^(?:memcpy|memmove|w?memcpy)$/.test(name) && second !== undefined) return length(lengthOf(lowering, second))
  return /^(?:fgets|fgetws|gets|read|recv|fread|scanf|sprintf|snprintf|swprintf|strncpy|wcsncpy|strncat|wcsncat)$/.test(name)
    ? length(null)
    : []
}

/** `p[9] = 0` ends the text there. */
export function afterStore(lowering: Lowering, left: number, right: number): Ir[] {
  if (lowering.typeOf(left) !== 'subscript_expression' || !/^L?'\\0'$|^0$/.test(lowering.text(right))) return []
  const known = knownName(lowering, lowering.first(left, 'argument,#0'))
  const index = lowering.first(left, 'index,indices/#0,#1')
  if (known === undefined || index === undefined || !isSimple(lowering, index)) return []
  return [remember(lowering, left, `#len:${known.name}`, lowering.lower(index))]
}

/** Expressions that may be looked at twice: names, numbers, and operators on them. */
export function isSimple(lowering: Lowering, node: number): boolean {
  const type = lowering.typeOf(node)
  if (['identifier', 'number_literal', 'sizeof_expression', 'char_literal'].includes(type)) return true
  return (
    ['binary_expression', 'parenthesized_expression', 'cast_expression', 'field_expression'].includes(type) &&
    lowering.children(node).every((child) => isSimple(lowering, child) || /type|field_identifier/.test(lowering.typeOf(child)))
  )
}

/** Simple, or the length of something simple, or text: lowering it twice costs little. */
export function isPlain(lowering: Lowering, node: number): boolean {
  const type = lowering.typeOf(node)
  if (isSimple(lowering, node) || type === 'string_literal' || type === 'concatenated_string' || type === 'null') return true
  if (type === 'pointer_expression' || type === 'subscript_expression')
    return lowering.children(node).every((child) => isPlain(lowering, child))
  if (type === 'call_expression')
    return (
      /^(?:strlen|wcslen)$/.test(calleeName(lowering, node)) &&
      argumentsOf(lowering, node).every((argument) => isSimple(lowering, argument))
    )
  const isOperator = type === 'binary_expression' || type === 'parenthesized_expression' || type === 'cast_expression'
  return (
    isOperator && lowering.children(node).every((child) => isPlain(lowering, child) || lowering.typeOf(child).includes('type'))
  )
}

/** `strlen(text)`: the length, when it is known. */
export function measured(lowering: Lowering, node: number, call: Ir): Ir {
  if (!/^(?:strlen|wcslen)$/.test(calleeName(lowering, node))) return call
  const [text] = argumentsOf(lowering, node)
  const known = text === undefined ? undefined : knownName(lowering, bare(lowering, text))
  return known === undefined ? call : lowering.make.block(node, [call, lowering.make.name(node, `#len:${known.name}`)])
}

/** `sizeof buf` is the size of the array; of a pointer it is rarely what was meant. */
export function sizeOfName(lowering: Lowering, operand: number): Ir | null {
  const known = knownName(lowering, bare(lowering, operand))
  if (known?.kind === 'array') return lowering.make.name(operand, `#size:${known.name}`)
  if (known?.kind === 'pointer') return lowering.make.literal(operand, pointerBytes)
  if (known?.bytes !== undefined) return lowering.make.literal(operand, known.bytes)
  const inner = bare(lowering, operand)
  const typed = lowering.typeOf(inner) === 'identifier' ? sizeOfType(lowering.text(inner)) : undefined
  if (typed !== undefined) return lowering.make.literal(operand, typed)
  if (lowering.typeOf(inner) !== 'pointer_expression' || !lowering.text(inner).startsWith('*')) return null
  const element = knownName(lowering, lowering.first(inner, 'argument'))?.bytes
  return element === undefined ? null : lowering.make.literal(operand, element)
}
