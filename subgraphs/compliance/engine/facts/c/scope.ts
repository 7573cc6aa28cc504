/** Names while a file is lowered: constants, types, the variables in sight, and what the open loops write. */
import type { Lambda } from './lambdas.js'
import type { Expr, OwnCall, Type, Writes } from '../program.js'
import type { Macro } from '../../syntax/tables/c-macros.js'
import type { Cursor } from './cursor.js'
import type { Types } from './types.js'

interface Collector {
  readonly variables: Map<string, number | null>
  readonly steps: Map<string, number>
  readonly fields: Set<string>
  readonly called: Set<string>
  readonly filled: Set<string>
  readonly compared: Set<string>
}

export interface Scope {
  readonly cursor: Cursor
  readonly types: Types
  /** `#define`d numbers and texts, enumerators, constants of the file. */
  readonly constants: Map<string, number | string>
  readonly macros: Set<string>
  /** Arrays of the file by how many elements their definition lists. */
  readonly tables: Map<string, number>
  readonly expansions: Map<string, Macro>
  /** What macros without parentheses name, where they stand for statements. */
  readonly plainMacros: Map<string, Set<string>>
  readonly makers: Map<string, Set<string>>
  /** How the variables of the function got their memory. */
  localMakers: Map<string, string>
  /** What the function calls by name. */
  calls: OwnCall[]
  /** Fields that the function counts up. */
  steppedFields: Set<string>
  labels: Set<string>
  /** What `#if` asks in the function. */
  conditions: string[]
  /** Names in comparisons anywhere in the file. */
  readonly compared: Set<string>
  /** Where the variables of the function are assigned. */
  assigned: Map<string, number[]>
  readonly globals: Map<string, Type | null>
  /** Own names and types of the variables in sight, innermost last. */
  readonly blocks: Map<string, { readonly name: string; readonly type: Type | null }>[]
  /** Fields of the class around. */
  fields: ReadonlyMap<string, Type | null> | null
  /** How often a name was declared in the function. */
  readonly declared: Map<string, number>
  readonly collectors: Collector[]
  /** Lambdas of the function that are functions of their own. */
  readonly lambdas: Map<number, Lambda>
  depth: number
}

export const createScope = (cursor: Cursor): Scope => ({
  cursor,
  types: { aliases: new Map(), classes: new Map() },
  constants: new Map(),
  macros: new Set(),
  tables: new Map(),
  expansions: new Map(),
  plainMacros: new Map(),
  makers: new Map(),
  localMakers: new Map(),
  calls: [],
  steppedFields: new Set(),
  labels: new Set(),
  conditions: [],
  compared: new Set(),
  assigned: new Map(),
  globals: new Map(),
  blocks: [],
  fields: null,
  declared: new Map(),
  lambdas: new Map(),
  collectors: [],
  depth: 0,
})

/** Variables of the same name in one function are told apart. */
export function declare(scope: Scope, name: string, type: Type | null): string {
  const block = scope.blocks.at(-1)
  if (block === undefined) {
    scope.globals.set(name, type)
    return name
  }
  const count = scope.declared.get(name) ?? 0
  scope.declared.set(name, count + 1)
  const own = count === 0 ? name : `${name}'${count}`
  block.set(name, { name: own, type })
  return own
}

export function lookup(
  scope: Scope,
  name: string,
): { readonly name: string; readonly type: Type | null; readonly isLocal: boolean } | null {
  for (let at = scope.blocks.length - 1; at >= 0; at--) {
    const found = scope.blocks[at]?.get(name)
    if (found !== undefined) return { ...found, isLocal: true }
  }
  const type = scope.globals.get(name)
  return type === undefined ? null : { name, type, isLocal: false }
}

/** Runs `body` and tells what it wrote. */
export function collecting<T>(scope: Scope, body: () => T): { readonly result: T; readonly writes: Omit<Writes, 'isCounted'> } {
  const collector: Collector = {
    variables: new Map(),
    steps: new Map(),
    fields: new Set(),
    called: new Set(),
    filled: new Set(),
    compared: new Set(),
  }
  scope.collectors.push(collector)
  const result = body()
  scope.collectors.pop()
  return { result, writes: collector }
}

/** A variable gets a value here, or may get one by its address: `read_time(&now)`. */
export function noteGiven(scope: Scope, target: Expr): void {
  if (target.op !== 'variable') return
  const places = scope.assigned.get(target.name)
  if (places === undefined) scope.assigned.set(target.name, [target.start])
  else places.push(target.start)
}

/** `by` is the amount of a step, `null` for any other assignment. */
export function noteWrite(scope: Scope, target: Expr, by: number | null, isDeclared = false): void {
  if (!isDeclared) noteGiven(scope, target)
  for (const collector of scope.collectors) {
    if (target.op === 'variable') {
      const known = collector.variables.get(target.name)
      const bytes = target.type?.kind === 'pointer' ? (target.type.of?.bytes ?? null) : null
      if (bytes !== null) collector.steps.set(target.name, bytes)
      collector.variables.set(target.name, known === undefined || known === by ? by : null)
    } else if (target.op === 'field') collector.fields.add(target.name)
    else if (target.op === 'dereference' || target.op === 'index') collector.fields.add('*')
  }
}

/** `v.push_back(x)`, `fill(v)`, `in >> v`: it may hold another number of elements afterwards. */
export function noteCalled(scope: Scope, expr: Expr, method = ''): void {
  const bare = expr.op === 'address' || expr.op === 'dereference' ? expr.base : expr
  if (bare.op !== 'variable' && bare.op !== 'field') return
  for (const { called, filled } of scope.collectors) {
    called.add(method === '' ? bare.name : `${bare.name}.${method}`)
    if (expr.op === 'address') filled.add(bare.name)
  }
}

export function noteCompared(scope: Scope, expr: Expr): void {
  for (const name of namesIn(expr)) for (const collector of scope.collectors) collector.compared.add(name)
}

function namesIn(expr: Expr): string[] {
  switch (expr.op) {
    case 'variable':
      return [expr.name]
    case 'field':
      return [expr.name, ...namesIn(expr.base)]
    case 'binary':
      return [...namesIn(expr.left), ...namesIn(expr.right)]
    case 'index':
    case 'dereference':
      return namesIn(expr.base).map((name) => `${name}[]`)
    case 'assign':
    case 'step':
      return namesIn(expr.target)
    case 'cast':
      return namesIn(expr.value)
    case 'unary':
      return namesIn(expr.operand)
    case 'call':
      return expr.args.flatMap((one) => namesIn(one))
    default:
      return []
  }
}

/** The value of a `#define`: numbers, names of others, and `+ - * / << | ( )` on them. */
export function constantOf(scope: Scope, text: string, hops = 0): number | string | null {
  const bare = text.trim()
  if (/^L?"(?:[^"\\]|\\.)*"$/.test(bare))
    return bare
      .replace(/^L/, '')
      .slice(1, -1)
      .replaceAll(/\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|.)/g, '?')
  const tokens = bare.match(/0[xX][\da-fA-F]+[uUlL]*|\d+[uUlL]*|\w+|<<|[-+*/()|]/g) ?? []
  if (tokens.length === 0 || tokens.length > 40 || tokens.join('').length !== bare.replaceAll(/\s/g, '').length || hops > 8)
    return null
  let at = 0
  const primary = (): number | null => {
    const token = tokens[at++]
    if (token === undefined) return null
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : null
    }
    if (token === '-') {
      const value = primary()
      return value === null ? null : -value
    }
    if (/^\d/.test(token)) return numberOf(token)
    const known = scope.constants.get(token)
    return typeof known === 'number' ? known : null
  }
  const product = (): number | null => {
    let value = primary()
    while (value !== null && /^(?:\*|\/|<<)$/.test(tokens[at] ?? '')) {
      const operator = tokens[at++]
      const right = primary()
      if (right === null) return null
      value = operator === '*' ? value * right : operator === '<<' ? value * 2 ** right : Math.trunc(value / right)
    }
    return value
  }
  const sum = (): number | null => {
    let value = product()
    while (value !== null && /^[-+|]$/.test(tokens[at] ?? '')) {
      const operator = tokens[at++]
      const right = product()
      if (right === null) return null
      value = operator === '-' ? value - right : value + right
    }
    return value
  }
  const value = sum()
  return at === tokens.length && value !== null && Number.isFinite(value) ? value : null
}

export function numberOf(text: string): number | null {
  const bare = text
    .replaceAll("'", '')
    .replace(/(?:[uUlLzZ]+|[fF])$/, (suffix) => (/^0[xX]/.test(text) && /^[fF]$/.test(suffix) ? suffix : ''))
  const value = /^0[0-7]+$/.test(bare) ? Number.parseInt(bare, 8) : Number(bare)
  return bare === '' || Number.isNaN(value) ? null : value
}

/** How a field gets its memory. */
export function noteMaker(scope: Scope, field: string, value: Expr): void {
  const by = makerOf(scope, value)
  if (by === null) return
  const known = scope.makers.get(field) ?? new Set()
  scope.makers.set(field, known.add(by))
}

/** A variable has its memory from where it was declared. */
export function noteLocalMaker(scope: Scope, name: string, value: Expr | null): void {
  const by = value === null ? null : makerOf(scope, value)
  if (by !== null) scope.localMakers.set(name, scope.localMakers.has(name) && scope.localMakers.get(name) !== by ? 'other' : by)
}

function makerOf(scope: Scope, value: Expr): string | null {
  const bare = value.op === 'cast' ? value.value : value
  if (bare.op === 'variable' && bare.isLocal) return scope.localMakers.get(bare.name) ?? 'other'
  return bare.op === 'new'
    ? bare.count === null
      ? 'new'
      : 'new[]'
    : bare.op === 'null' || (bare.op === 'number' && bare.value === 0)
      ? null
      : bare.op === 'call' && bare.name.endsWith('alloc')
        ? 'heap'
        : 'other'
}
