/** What the declaration of a field says about its value: its type, and decorators that validate it. */
import { writtenName } from '../match/subject.js'
import type { Words } from '../rulebook/words.js'
import type { Assign, ClassIr, Ir } from '../syntax/ir.js'
import { isStrictPattern } from './conditions/allowlist.js'
import { boundedKinds, flooredKinds, isFloored, isHarmlessDeclared, isHarmlessType } from './values/harmless-types.js'
import type { ClassInfo, Flow } from './state.js'
import { cleaned, unknown, type Value } from './values/value.js'

const validated = new WeakMap<ClassIr, ReadonlyMap<string, readonly string[]>>()

/** The part of an object of a class of the file, with what the class declares about it. */
export function asDeclared(flow: Flow, object: Value, property: string, part: Value): Value {
  const info = object.type === undefined ? undefined : flow.classes.get(object.type)
  const type = info?.fieldTypes.get(property) ?? shapeType(flow, object.type, property)
  if (info === undefined && type === undefined) return part
  const value = part.type === undefined && type !== undefined && type !== '' ? { ...part, type } : part
  if (value.origins.length === 0) return value
  const floors = isFlooredField(flow, object.type, property) ? flooredKinds : []
  if (isHarmlessType(flow, type) || (info !== undefined && isHarmlessField(flow, info.ir, property, type)))
    return cleaned(value, ['text', ...floors])
  const kinds = info === undefined ? [] : (validatedFields(flow, info.ir).get(property) ?? [])
  return cleaned(value, [...kinds, ...floors])
}

/** Its type has no sign, or its declaration asks for more. */
function isFlooredField(flow: Flow, type: string | undefined, property: string): boolean {
  const info = type === undefined ? undefined : flow.classes.get(type)
  if (info === undefined) {
    const field = type === undefined ? undefined : flow.shapes.get(type)?.fields.find(({ name }) => name === property)
    return field !== undefined && isFloored(flow, field.type, field)
  }
  const field = fieldOf(info.ir, property)
  return field !== undefined && isFloored(flow, info.fieldTypes.get(property), placeOf(info.ir, field), field.decorators)
}

/** A parameter of the class stands for the whole of it as a member. */
const placeOf = (ir: ClassIr, field: Assign): Ir => (field.start === ir.start && field.end === ir.end ? field.target : field)

const fieldOf = ({ members }: ClassIr, property: string): Assign | undefined =>
  members.find((one): one is Assign => one.op === 'assign' && one.target.op === 'name' && one.target.name === property)

function isHarmlessField(flow: Flow, ir: ClassIr, property: string, type: string | undefined): boolean {
  if (type === undefined || !flow.book.words.holder_types.has(type)) return false
  const field = fieldOf(ir, property)
  if (field === undefined) return false
  return isHarmlessDeclared(flow, type, placeOf(ir, field))
}

/** Structs are declared apart from their functions. */
const shapeType = (flow: Flow, type: string | undefined, property: string): string | undefined =>
  type === undefined ? undefined : flow.shapes.get(type)?.fields.find(({ name }) => name === property)?.type

/** The kinds that the fields of a class are clean for: all of text, or objects with operators in them. */
function validatedFields(flow: Flow, ir: ClassIr): ReadonlyMap<string, readonly string[]> {
  const known = validated.get(ir)
  if (known !== undefined) return known
  const { words } = flow.book
  const found = new Map<string, readonly string[]>()
  for (const member of ir.members) {
    if (member.op !== 'assign' || member.target.op !== 'name') continue
    const decorators = member.decorators ?? []
    const kinds: string[] = []
    if (decorators.some((one) => isHarmless(words, one))) kinds.push('text', 'nosql')
    else if (decorators.some((one) => words.validators_of_text.has(nameOf(one)))) kinds.push('nosql')
    if (decorators.some((one) => words.validators_of_limits.has(nameOf(one)))) kinds.push(...boundedKinds)
    if (kinds.length > 0) found.set(member.target.name, kinds)
  }
  validated.set(ir, found)
  return found
}

const nameOf = (decorator: Ir): string => writtenName(decorator.op === 'call' ? decorator.callee : decorator)?.segment ?? ''

/** `@IsIn(['a', 'b'])`, `@Matches(/^[a-z]+$/)`. */
function isHarmless(words: Words, decorator: Ir): boolean {
  if (decorator.op !== 'call') return false
  const pattern = words.validators_by_pattern.has(nameOf(decorator)) ? decorator.args[0]?.value : undefined
  if (pattern?.op === 'literal') return isStrictPattern({ ...unknown, constant: pattern.value }, false)
  return words.validators.has(nameOf(decorator))
}

/** What a field is before anything runs. PHP declares `$names` and reads `$this->names`; only static fields keep the sign. */
export function noteField(flow: Flow, info: ClassInfo, name: string, value: Value): void {
  const names = name.startsWith('$') ? [name, name.slice(1)] : [name]
  const isStable = names.every((one) => (flow.assignments.get(one) ?? 0) <= 1)
  const held = isStable ? value : { ...value, constant: undefined }
  for (const one of names) {
    info.fields.set(one, held)
    info.defaults.set(one, held)
  }
}
