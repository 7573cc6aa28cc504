/** Types that stand beside a name, as far as the text of a file tells. */
import type { Flow } from '../flow/state.js'

interface Reach {
  readonly before: RegExp
  readonly behind: RegExp
}

const statement: Reach = { before: /[^;\n]*$/, behind: /^[^;\n]*/ }
const declaration: Reach = { before: /[^;\n(){}]*$/, behind: /^[^;\n(){}[\]]*/ }

/** Types that are made for several threads: `ConcurrentBag<int> seen`, `val seen = AtomicLong()`. */
export const safeTypes = /(?:concurrent|atomic|synchroni[sz]ed|thread_?local|copyonwrite|blocking|channel|trie_?map)\w*|\bRef\[/gi
/** A list has a place for each round, a map is rebuilt while it grows. */
export const mapTypes = /dictionary|map(?:Of)?\b|\[:\]/gi

/** Whether a type of these stands by the name in a statement of the file. */
export const isDeclaredWith = (flow: Flow, types: RegExp, name: string): boolean => namesOf(flow, types, statement).has(name)

/** Whether one stands in the declaration itself: `std::thread worker_;`, `let queue = DispatchQueue(label: "io")`. */
export const isOfType = (flow: Flow, types: string, name: string): boolean => namesOf(flow, types, declaration).has(name)

const declared = new WeakMap<Flow, Map<RegExp | string, ReadonlySet<string>>>()

function namesOf(flow: Flow, types: RegExp | string, reach: Reach): ReadonlySet<string> {
  const known = declared.get(flow) ?? new Map<RegExp | string, ReadonlySet<string>>()
  declared.set(flow, known)
  let names = known.get(types)
  if (names === undefined) {
    names = namesBeside(flow.text, typeof types === 'string' ? new RegExp(types, 'g') : types, reach)
    known.set(types, names)
  }
  return names
}

/** The words around each type. */
function namesBeside(text: string, types: RegExp, { before, behind }: Reach): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { index, 0: type } of text.matchAll(types)) {
    const [left = ''] = before.exec(text.slice(Math.max(0, index - 40), index)) ?? []
    const [right = ''] = behind.exec(text.slice(index + type.length, index + type.length + 60)) ?? []
    for (const [name] of `${left} ${right}`.matchAll(/\w+/g)) names.add(name)
  }
  return names
}
