/** Parameters whose names say that they are no text which a sink has to fear, where nobody in the file fills them. */
import type { Origin } from './values/value.js'

/** A statement as a whole: it is run because its caller wrote it, with whatever a driver puts in front of it. */
const statements =
  /^(?:raw_?|base_?|inner_?|full_?)?sql(?:_?(?:text|string|str|query|statement|stmt|command|cmd))?$|^(?:sql_?)?(?:statement|stmt)$/i

/** Numbers that the system gives. */
const numbers = /^(?:p?pid|process_?id)$/i

export function isSpokenFor({ label, parameter }: Origin, kind: string): boolean {
  if (label !== 'param' || parameter === null) return false
  const part = parameter.part?.split('\0').at(-1)
  const name = (part ?? parameter.of.parameters[parameter.index]?.name ?? '').replace(/^[$_@]+/, '')
  return kind === 'sql' ? statements.test(name) : kind === 'command' && numbers.test(name)
}
