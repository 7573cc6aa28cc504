/**
 * What a statement takes from a column or adds to it: `update purse set points = points - $1`.
 *
 * The value stands behind the statement, by its number or its name, or in it, where the text was joined.
 */
import { matchesText } from '../match/constraints.js'
import type { Subject } from '../match/subject.js'
import { wordsOf } from '../rulebook/data-names.js'
import type { Ir } from '../syntax/ir.js'
import type { CallSite, SiteArgument } from './calls/call-site.js'
import type { Flow } from './state.js'

const step = /\b(\w{1,60})\s{0,9}=\s{0,9}(?:\w{1,60}\.)?\1\s{0,9}[-+]\s{0,9}/gi
const placeholder = /^(?:\?|[$]\d+|%s|[:@$]\w+|%\(\w+\)s)/

/** The values that go into columns whose names, as words, match. */
export function movedValues(flow: Flow, { args, frame }: CallSite, columns: string): readonly Subject[] {
  return args.flatMap(({ subject }, at) => {
    const { ir } = subject
    const { constant } = subject.value
    if (typeof constant === 'string') return given(constant, columns, args.slice(at + 1))
    if (ir?.op !== 'concat') return []
    return ir.parts.flatMap((part, index) => {
      const before = ir.parts[index - 1]
      const isMoved = before?.op === 'literal' && steps(String(before.value), columns).some(({ rest }) => rest === '')
      return isMoved ? [{ value: flow.evaluate(frame, part), ir: part }] : []
    })
  })
}

interface Step {
  readonly at: number
  readonly rest: string
}

const steps = (text: string, columns: string): readonly Step[] =>
  [...text.matchAll(step)].flatMap((one) => {
    const at = one.index + one[0].length
    return matchesText(columns, wordsOf(one[1] ?? '').join(' ')) ? [{ at, rest: text.slice(at) }] : []
  })

/** The values behind a statement that its placeholders stand for. */
function given(text: string, columns: string, args: readonly SiteArgument[]): readonly Subject[] {
  if (!/[-+]/.test(text) || args.length === 0) return []
  return steps(text, columns).flatMap(({ at, rest }) => {
    const [mark = ''] = placeholder.exec(rest) ?? []
    if (mark === '') return []
    const number = /^[$](\d+)$/.exec(mark)?.[1]
    const place = number === undefined ? (text.slice(0, at).match(/\?|%s/g) ?? []).length : Number(number) - 1
    const found = mark === '?' || mark === '%s' || number !== undefined ? byPlace(args)[place] : byName(args, mark)
    return found === undefined ? [] : [found]
  })
}

const partOf = ({ subject: { value } }: SiteArgument, key: string, ir: Ir): Subject | undefined => {
  const part = value.fields?.get(key)
  return part === undefined ? undefined : { value: part, ir }
}

/** One after the other, or all of them in one list. */
function byPlace(args: readonly SiteArgument[]): readonly (Subject | undefined)[] {
  return args.flatMap((argument): readonly (Subject | undefined)[] => {
    const { ir } = argument.subject
    if (ir?.op !== 'collection' || ir.kind !== 'list') return [argument.subject]
    return ir.entries.map(({ value }, at) => partOf(argument, String(at), value))
  })
}

function byName(args: readonly SiteArgument[], mark: string): Subject | undefined {
  const name = mark.replace(/^%?[:@$(]/, '').replace(/\)s$/, '')
  for (const argument of args) {
    if (argument.name === name) return argument.subject
    const { ir } = argument.subject
    const entry = ir === null ? undefined : partOf(argument, name, ir)
    if (entry !== undefined) return entry
  }
  return undefined
}
