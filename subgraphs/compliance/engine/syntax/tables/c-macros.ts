/** Function-like macros of C: one whose body is nothing but calls stands for these calls. */

export type MacroArgument =
  | { readonly parameter: number }
  | { readonly number: number }
  /** NULL */
  | { readonly parameter: null }

export interface MacroCall {
  /** `=` for an assignment. */
  readonly name: string
  readonly args: readonly MacroArgument[]
}

export interface Macro {
  readonly parameters: readonly string[]
  /** Empty for a body that says more than that. */
  readonly calls: readonly MacroCall[]
  /** What its last statement calls. */
  readonly last: string | null
  /** It leaves the function, or goes to another place in it. */
  readonly leaves: boolean
  /** It makes names out of pieces, so that it may set whatever has such a name. */
  readonly joins: boolean
  /** Variables around the call that its statements assign. */
  readonly sets: readonly string[]
}

const maxBody = 400
const block = /^(?:do\s*)?\{(.*)\}\s*(?:while\s*\(\s*0\s*\)\s*;?)?$/s
const callOf = /^(?:\(\s*void\s*\)\s*)?([A-Za-z_]\w*)\s*\((.*)\)$/s

export function readMacro(parameterText: string, bodyText: string): Macro {
  const parameters = parameterText
    .replaceAll(/[()\s]/g, '')
    .split(',')
    .filter((one) => one !== '')
  const body = bodyText
    .slice(0, 4 * maxBody)
    .replaceAll(/\\\r?\n/g, ' ')
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' ')
    .trim()
  const statements = (block.exec(body)?.[1] ?? body)
    .split(';')
    .map((one) => withoutBrackets(one.trim()))
    .filter((one) => one !== '')
  const last = /^([A-Za-z_]\w*)\s*\(/.exec(statements.at(-1) ?? '')?.[1] ?? null
  const says = { last, leaves: leavesAtEnd(statements), joins: /##(?!\s*__VA_ARGS__)/.test(body), sets: setBy(body, parameters) }
  if (body.length > maxBody || parameters.includes('...') || new Set(parameters).size !== parameters.length)
    return { parameters, calls: [], ...says }
  const calls = statements.map((one) => readCall(one, parameters))
  const isPlain = calls.length > 0 && calls.every((one) => one !== null)
  return { parameters, calls: isPlain ? calls.filter((one) => one !== null) : [], ...says }
}

/** `case n: text = s; break` */
const setBy = (body: string, parameters: readonly string[]): readonly string[] =>
  [...body.matchAll(/(?:^|[;:{})]|\belse\b)\s{0,200}([A-Za-z_]\w{0,60})\s{0,20}=(?!=)/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !parameters.includes(name))

/** `{ note(c); return (x); }`: not inside of a block of its own, which may be skipped. */
function leavesAtEnd(statements: readonly string[]): boolean {
  if (!/^(?:return|goto|throw)\b/.test(statements.at(-1) ?? '')) return false
  const before = statements.slice(0, -1).join(' ')
  return before.split('{').length === before.split('}').length
}

/** `((x))` is `x`; `(a)(b)` stays. */
function withoutBrackets(text: string): string {
  let bare = text
  while (/^\([^()]*\)$/.test(bare) || (bare.startsWith('(') && closesAtEnd(bare))) bare = bare.slice(1, -1).trim()
  return bare
}

function closesAtEnd(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
    if (depth === 0) return at === text.length - 1
  }
  return false
}

function readCall(statement: string, parameters: readonly string[]): MacroCall | null {
  const assigned = /^([^=!<>]+)=([^=]+)$/.exec(statement)
  if (assigned !== null) {
    const sides = [readArgument(assigned[1] ?? '', parameters), readArgument(assigned[2] ?? '', parameters)]
    const args = sides.filter((one) => one !== null)
    return args.length === 2 ? { name: '=', args } : null
  }
  const call = callOf.exec(statement)
  const [, name, list] = call ?? []
  if (name === undefined || list === undefined || parameters.includes(name) || !closesAtEnd(`(${list})`)) return null
  if (/^(?:if|while|for|switch|return|sizeof)$/.test(name)) return null
  const pieces = list.trim() === '' ? [] : list.split(',')
  const args = pieces.map((one) => readArgument(one, parameters)).filter((one) => one !== null)
  return args.length === pieces.length ? { name, args } : null
}

function readArgument(text: string, parameters: readonly string[]): MacroArgument | null {
  const bare = withoutBrackets(text.trim())
  const parameter = parameters.indexOf(bare)
  if (parameter !== -1) return { parameter }
  if (/^(?:NULL|nullptr)$/.test(bare)) return { parameter: null }
  return /^-?\d{1,9}$/.test(bare) ? { number: Number(bare) } : null
}
