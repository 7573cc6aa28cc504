/** What the declaration of a field says about its value: its type, and decorators that validate it. */
import { writtenName } from '../match/constraints.js'
import type { ClassIr, Ir } from '../syntax/ir.js'
import { isStrictPattern } from './allowlist.js'
import { isHarmlessType } from './harmless-types.js'
import type { Flow } from './state.js'
import { cleaned, unknown, type Value } from './value.js'

/** Decorators of class-validator that leave no character that means something to any sink. */
const harmlessDecorators =
  /^Is(?:In|Enum|Int|Number|Positive|Negative|DivisibleBy|Boolean|BooleanString|NumberString|UUID|MongoId|Date|DateString|ISO8601|Alpha|Alphanumeric|Hexadecimal|HexColor|Port|IP|ISO31661Alpha[23]|ISO4217CurrencyCode|Locale|Hash|SemVer|ULID)$/

/** Text of any kind, but no object with operators in it. */
const textDecorators = /^(?:Is(?:String|Email|Url|JSON|Base64|JWT|Phone\w*)|Length|MinLength|MaxLength|Contains|Matches)$/

const validated = new WeakMap<ClassIr, ReadonlyMap<string, readonly string[]>>()

/** The part of an object of a class of the file, with what the class declares about it. */
export function asDeclared(flow: Flow, object: Value, property: string, part: Value): Value {
  const info = object.type === undefined ? undefined : flow.classes.get(object.type)
  if (info === undefined) return part
  const type = info.fieldTypes.get(property)
  const value = part.type === undefined && type !== undefined && type !== '' ? { ...part, type } : part
  if (value.origins.length === 0) return value
  if (isHarmlessType(flow, type)) return cleaned(value, ['text'])
  const kinds = validatedFields(info.ir).get(property)
  return kinds === undefined ? value : cleaned(value, kinds)
}

/** The kinds that the fields of a class are clean for. */
function validatedFields(ir: ClassIr): ReadonlyMap<string, readonly string[]> {
  const known = validated.get(ir)
  if (known !== undefined) return known
  const found = new Map<string, readonly string[]>()
  for (const member of ir.members) {
    if (member.op !== 'assign' || member.target.op !== 'name') continue
    const decorators = member.decorators ?? []
    if (decorators.some(isHarmless)) found.set(member.target.name, ['text', 'nosql'])
    else if (decorators.some((one) => textDecorators.test(nameOf(one)))) found.set(member.target.name, ['nosql'])
  }
  validated.set(ir, found)
  return found
}

const nameOf = (decorator: Ir): string => writtenName(decorator.op === 'call' ? decorator.callee : decorator)?.segment ?? ''

/** `@IsIn(['a', 'b'])`, `@Matches(/^[a-z]+$/)`. */
function isHarmless(decorator: Ir): boolean {
  if (decorator.op !== 'call') return false
  const pattern = nameOf(decorator) === 'Matches' ? decorator.args[0]?.value : undefined
  if (pattern?.op === 'literal') return isStrictPattern({ ...unknown, constant: pattern.value }, false)
  return harmlessDecorators.test(nameOf(decorator))
}
