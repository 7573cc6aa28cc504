/** C++ classes whose constructors leave something out. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { helper } from './c-scope.js'

const plainType =
  /^(?:(?:const|volatile|unsigned|signed)\s+)*(?:bool|char|short|int|long(?:\s+(?:long|int))?|float|double|(?:std::)?u?int(?:8|16|32|64)_t|(?:std::)?size_t|std::ptrdiff_t|unsigned)$/

/**
 * `#unset_field` where a field is read that each constructor leaves without a value, while it gives one to the fields beside it: a field that
 * was forgotten. Nothing in the file ever sets it.
 */
export function unsetFields(lowering: Lowering, node: number): Ir[] {
  const nameNode = lowering.first(node, 'name')
  const body = lowering.first(node, 'body')
  if (nameNode === undefined || body === undefined) return []
  const name = lowering.text(nameNode)
  const members = lowering.children(body)
  const made = constructorsOf(lowering, members, name)
  if (made.length === 0) return []
  return members.flatMap((member) => {
    const field = plainField(lowering, member)
    if (field === null || !made.every((text) => leavesOut(text, name, field))) return []
    const read = readOf(lowering.source, field, lowering.endOf(member))
    return read === null
      ? []
      : [{ ...helper(lowering, member, '#unset_field', []), start: read, end: read + field.length, at: read }]
  })
}

/** Their texts, bodies included; none when one of them stands elsewhere. */
function constructorsOf(lowering: Lowering, members: readonly number[], name: string): string[] {
  const texts = members
    .map((member) => [lowering.typeOf(member), lowering.text(member)] as const)
    .filter(([, text]) => new RegExp(String.raw`^(?:(?:explicit|inline|constexpr)\s+)*${name}\s*\(`).test(text))
  return texts.every(([type, text]) => type === 'function_definition' && text.includes('{')) ? texts.map(([, text]) => text) : []
}

/** The name of a field with a plain type and without a value. */
function plainField(lowering: Lowering, member: number): string | null {
  if (lowering.typeOf(member) !== 'field_declaration') return null
  const text = lowering.text(member)
  const type = lowering.first(member, 'type')
  const declarator = lowering.first(member, 'declarator')
  if (type === undefined || declarator === undefined || /^(?:static|constexpr|inline|mutable)\b|[={]/.test(text)) return null
  if (!plainType.test(lowering.text(type).trim()) || !/^\w+$/.test(lowering.text(declarator))) return null
  return lowering.text(declarator)
}

/** A list of values that passes the field over, and a body that calls nobody who could set it. */
function leavesOut(constructor: string, name: string, field: string): boolean {
  const open = constructor.lastIndexOf('{', constructor.length - 1)
  const list = /\)\s*(?:noexcept\s*)?:(?!:)([^]*)$/.exec(constructor.slice(0, open))?.[1]
  if (list === undefined || new RegExp(String.raw`^\s*${name}\s*[({]`).test(list)) return false
  const isEmpty = /^\{\s*\}$/.test(constructor.slice(open).trim())
  return isEmpty && !new RegExp(String.raw`\b${field}\b`).test(constructor)
}

/** Where it is read, when nothing writes it or takes its address. */
function readOf(source: string, field: string, from: number): number | null {
  const written = new RegExp(
    String.raw`\b${field}\s*(?:[-+*/%|&^]|<<|>>)?=(?!=)|\b${field}\s*(?:\+\+|--|\{)|(?:\+\+|--|&|>>)\s*(?:\w+(?:\.|->))*${field}\b|\bmem(?:set|cpy)\s*\(\s*this\b`,
  )
  if (written.test(source)) return null
  const at = new RegExp(String.raw`(?:\.|->)${field}\b(?!\s*\()`).exec(source.slice(from))
  return at === null ? null : from + at.index + at[0].length - field.length
}
