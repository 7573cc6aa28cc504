/** Objects of types that are declared in the file: what their fields say that they hold. */
import type { DataNames } from '../rulebook/vocabulary-schema.js'
import type { Words } from '../rulebook/words.js'
import type { ClassIr, Ir, Lambda, ShapeField, ShapeIr } from '../syntax/ir.js'
import { fromLine } from './calls/classes.js'
import { matchesText } from '../match/constraints.js'
import { writtenName } from '../match/subject.js'
import { partsOf } from './prepare.js'
import type { Flow } from './state.js'
import { isHarmlessType } from './values/harmless-types.js'

export interface HeldField {
  readonly name: string
  readonly entry: DataNames
}

const nothing: readonly HeldField[] = []
const known = new WeakMap<ClassIr | ShapeIr, readonly HeldField[]>()

/** What goes along when an object of the type is written down or serialized as a whole. */
export function heldBy(flow: Flow, written: string | undefined): readonly HeldField[] {
  if (written === undefined) return nothing
  // A list is written down with all of its elements.
  const type = written.endsWith('[]') ? written.slice(0, -2) : written
  const info = flow.classes.get(type)
  const shape = flow.shapes.get(type)
  const ir = shape ?? info?.ir
  if (ir === undefined || ir.end === 0) return nothing
  let found = known.get(ir)
  if (found === undefined) {
    const { words } = flow.book
    const own = [...(info?.methods ?? [])].flatMap(([name, method]) => (words.describes.has(name) ? [method] : []))
    found = shownFields(flow, ir, own.length === 0 ? null : joinedNames(words, own))
    known.set(ir, found)
  }
  return found
}

/** What the description of a type joins into its text as it is: `"\(name) takes \(medication)"`, but not `mask(card)`. */
function joinedNames({ serializes }: Words, methods: readonly Lambda[]): ReadonlySet<string> {
  const found = new Set<string>()
  const stack: { ir: Ir; isText: boolean }[] = methods.map(({ body }) => ({ ir: body, isText: false }))
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { ir, isText } = at
    if (isText && ir.op === 'name') found.add(ir.name)
    if (isText && ir.op === 'member' && ir.object.op === 'name') found.add(ir.property)
    const isFormatted = ir.op === 'call' && serializes.has(writtenName(ir.callee)?.segment ?? '')
    const joins = isFormatted || ir.op === 'concat' || (ir.op === 'binary' && ir.operator === '+')
    // What other calls are given is theirs to show or to hide.
    if (ir.op !== 'call' || isFormatted) for (const part of partsOf(ir)) stack.push({ ir: part, isText: joins })
  }
  return found
}

/** The fields that stand in the text of an object of the type; `null` for all of them. */
export function shownIn(flow: Flow, className: string | null): ReadonlySet<string> | null {
  const { words } = flow.book
  const ir = className === null ? undefined : flow.classes.get(className)?.ir
  if (className === null || ir === undefined || ir.end === 0 || words.shows.isEmpty) return null
  const own = fromLine(flow, className, ({ methods }) => {
    const telling = [...methods].flatMap(([name, method]) => (words.describes.has(name) ? [method] : []))
    return telling.length === 0 ? undefined : telling
  })
  if (own !== undefined) return joinedNames(words, own)
  return hasWord(words.shows, declarationOf(flow.text, ir.start, ir.members[0]?.start ?? ir.end)) ? null : new Set()
}

/** `told`: the fields that the type's own description shows, where it has one. */
function shownFields(flow: Flow, ir: ClassIr | ShapeIr, told: ReadonlySet<string> | null): readonly HeldField[] {
  const { words } = flow.book
  const fields = fieldsOf(ir)
  const [first] = fields
  if (first === undefined) return nothing
  const isShown = hasWord(words.shows, declarationOf(flow.text, ir.start, first.start))
  const found: HeldField[] = []
  let end = first.start
  for (const field of fields) {
    const text = flow.text.slice(end, lineEnd(flow.text, field.end))
    ;({ end } = field)
    if (hasWord(words.hides, text) || told?.has(field.name) === false) continue
    for (const entry of flow.book.dataNames.ofName(field.name))
      // How a person is reached stands in most objects.
      if (entry.label !== 'contact' && (isShown || told !== null || entry.serialized === true) && isText(flow, entry, field.type))
        found.push({ name: field.name, entry })
  }
  return found
}

const fieldsOf = (ir: ClassIr | ShapeIr): readonly ShapeField[] =>
  ir.op === 'shape'
    ? ir.fields
    : ir.members.flatMap((member) =>
        member.op === 'assign' && member.target.op === 'name'
          ? [{ name: member.target.name, type: member.type ?? '', start: member.target.start, end: member.target.end }]
          : [],
      )

const isText = (flow: Flow, { types }: DataNames, type: string): boolean =>
  type === '' || (!isHarmlessType(flow, type) && (types === undefined || matchesText(types, type)))

const maxHead = 240

/** From the decorators before a type to its first field. */
function declarationOf(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - maxHead), start)
  return (
    before.slice(Math.max(before.lastIndexOf('}'), before.lastIndexOf(';'), before.lastIndexOf('\n\n')) + 1) +
    text.slice(start, end)
  )
}

/** Tags and comments stand behind a field. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const hasWord = (words: Words['shows'], text: string): boolean => text.split(/[^\w"-]+/).some((word) => words.has(word))
