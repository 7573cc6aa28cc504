/** Arrays that C++ writes as a template. */
import type { Type } from '../program.js'
import { constantOf, type Scope } from './scope.js'
import { otherType } from './types.js'

/** `std::array<T, N>` is an array. */
export function arrayType(scope: Scope, field: number): Type | null {
  const { cursor } = scope
  const typeNode = cursor.child(field, 'type')
  const match =
    typeNode === undefined
      ? null
      : /^(?:std::)?array<\s*(?:std::)?([\w ]+?)\s*,\s*([\w ]{1,40}?)\s*>$/.exec(cursor.textOf(typeNode))
  const count = match === null ? null : (constantOf(scope, match[2] ?? '') ?? null)
  if (match === null || typeof count !== 'number' || typeNode === undefined) return null
  const element = scope.types.aliases.get(match[1] ?? '') ?? elementType(match[1] ?? '')
  const place = cursor.placeOf(field)
  return { ...otherType('array'), kind: 'array', of: element, count: { op: 'number', value: count, type: null, ...place } }
}

const elementType = (name: string): Type => {
  const bytes = {
    char: 1,
    uint8_t: 1,
    int8_t: 1,
    bool: 1,
    uint16_t: 2,
    int16_t: 2,
    short: 2,
    int: 4,
    uint32_t: 4,
    int32_t: 4,
    float: 4,
    double: 8,
    size_t: 8,
    uint64_t: 8,
    int64_t: 8,
  }[name]
  return bytes === undefined
    ? otherType(name)
    : { ...otherType(name), kind: 'integer', bytes, isSigned: !/^u|bool|size_t/.test(name) }
}
