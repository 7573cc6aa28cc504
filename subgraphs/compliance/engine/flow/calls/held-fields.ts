/**
 * Fields of the file's classes: what any object of a class may hold, for methods whose object nobody sees.
 *
 * What came into a field this way remembers the field. A method that is called on an object that is known, `new Query().where(x)`,
 * gets what that object holds there instead.
 */
import type { ClassInfo, Flow } from '../state.js'
import { mapOrigins, type Value } from '../values/value.js'

/** Notes that objects of the class may hold the value in this field. */
export function holdIn(flow: Flow, info: ClassInfo, key: string, value: Value): void {
  if (isOfClass(flow, info, key)) {
    info.fields.set(key, value)
    return
  }
  const heldIn = `${info.ir.name}\0${key}`
  const held = mapOrigins(value, (origins) => origins.map((origin) => ({ ...origin, heldIn })), 3)
  info.fields.set(key, { ...held, isMade: undefined })
}

const statics = new WeakMap<ClassInfo, ReadonlySet<string>>()

/** Fields of the class itself: all of its objects have the same one. */
function isOfClass({ text }: Flow, info: ClassInfo, key: string): boolean {
  let known = statics.get(info)
  if (known === undefined) {
    const names = info.ir.members.flatMap((member) => {
      if (member.op !== 'assign' || member.target.op !== 'name') return []
      const { start, name } = member.target
      return /\bstatic\b/.test(text.slice(text.lastIndexOf('\n', start) + 1, start)) ? [name] : []
    })
    known = new Set(names)
    statics.set(info, known)
  }
  return known.has(key) || key.startsWith('@@')
}
