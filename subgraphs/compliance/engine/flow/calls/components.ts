/** JavaScript: tags that call functions of the file. */
import type { Call } from '../../syntax/ir.js'
import { unknown } from '../values/value.js'
import type { CallSite } from './call-site.js'

/** A tag with a capital letter calls a function with one object, its attributes. */
export function componentSite(site: CallSite, { callee }: Call): CallSite | null {
  if (callee.op !== 'member' || callee.object.op !== 'name' || callee.object.name !== 'jsx') return null
  if (!/^[A-Z]/.test(callee.property)) return null
  const fields = new Map(site.args.flatMap(({ name, subject }) => (name === undefined ? [] : [[name, subject.value] as const])))
  return {
    ...site,
    method: callee.property,
    receiver: null,
    args: [{ name: undefined, subject: { value: { ...unknown, fields }, ir: null } }],
  }
}
