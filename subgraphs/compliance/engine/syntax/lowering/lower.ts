/**
 * Flat tree + lowering table -> intermediate representation.
 *
 * Recursion is bounded: nodes deeper than `maxDepth` become opaque leaves, and left-nested operator chains are unrolled, so no
 * input can exhaust the stack.
 */
import type { FlatTree } from '../flat-tree.js'
import type { Argument, Constant, Entry, Ir, Parameter } from '../ir.js'
import { lowerShape } from './lower-shape.js'
import type { LoweringState } from './lowering-state.js'
import { childrenOf, compileSelector } from './selectors.js'
import type { LanguageTable } from './shapes.js'
import { type TimeLimit, TimeLimitError } from '../time-limit.js'
import { decodeEscape, decodeEscapes, unquote } from '../strings.js'

const maxDepth = 400

/** The whole file as a block. Throws TimeLimitError when the limit is over. */
export function lowerTree(tree: FlatTree, source: string, table: LanguageTable, limit: TimeLimit): Ir {
  return createLowering(tree, source, table, limit).lower(0)
}

type Shapes = readonly (LanguageTable['nodes'][string] | undefined)[]

const known = new WeakMap<LanguageTable, { readonly typeNames: readonly string[]; readonly shapes: Shapes }>()

/** A grammar has hundreds of types, more than a short file has nodes: looked up once. */
function shapesOf(table: LanguageTable, typeNames: readonly string[]): Shapes {
  const before = known.get(table)
  if (before?.typeNames === typeNames) return before.shapes
  const shapes = typeNames.map((name) => (Object.hasOwn(table.nodes, name) ? table.nodes[name] : undefined))
  known.set(table, { typeNames, shapes })
  return shapes
}

function createLowering(tree: FlatTree, source: string, table: LanguageTable, limit: TimeLimit): LoweringState {
  let lowered = 0
  let aliases: ReadonlyMap<string, string> | undefined
  const shapes = shapesOf(table, tree.typeNames)
  const startOf = (node: number): number => tree.start[node] ?? 0
  const endOf = (node: number): number => tree.end[node] ?? 0
  const span = (node: number): { start: number; end: number } => ({ start: startOf(node), end: endOf(node) })
  const state: LoweringState = {
    tree,
    table,
    source,
    startOf,
    endOf,
    typeOf: (node) => tree.typeNames[tree.type[node] ?? 0] ?? '',
    text: (node) => source.slice(startOf(node), endOf(node)),
    children: (node) => childrenOf(tree, node),
    all: (node, selector) => compileSelector(selector)(tree, node),
    first: (node, selector) => compileSelector(selector)(tree, node)[0],
    shapeOf: (node) => shapes[tree.type[node] ?? 0],
    lower(node) {
      if ((++lowered & 63) === 0 && limit.isOver()) throw new TimeLimitError('The file could not be lowered within its limit.')
      if ((tree.depth[node] ?? 0) > maxDepth) return { op: 'opaque', kind: 'too-deep', parts: [], ...span(node) }
      const shape = state.shapeOf(node)
      if (shape === undefined) return lowerUnknown(state, node)
      return typeof shape === 'function' ? shape(state, node) : lowerShape(state, node, shape)
    },
    lowerAll(nodes, owner) {
      const [only] = nodes
      if (nodes.length === 1 && only !== undefined) return state.lower(only)
      return { op: 'block', body: nodes.map((node) => state.lower(node)), ...span(owner) }
    },
    name: (node) => nameOf(state, node),
    typeName(node) {
      if (node === undefined) return undefined
      const type = shortType(state.text(node), table.typeNames ?? 'last')
      return (aliases ??= aliasesOf(source, table)).get(type) ?? type
    },
    parameters: (list) => list.flatMap((node, at) => looseRest(state, list, at) ?? parametersOf(state, node)),
    argument: (node) => argumentsOf(state, node),
    entry: (node) => entryOf(state, node),
    string: (node, isRaw) => stringOf(state, node, isRaw),
    optional(node, selector) {
      const found = selector === undefined ? [] : state.all(node, selector)
      return found.length === 0 ? null : state.lowerAll(found, found[0] ?? node)
    },
    list: (node, selector) => (selector === undefined ? [] : state.all(node, selector).map((child) => state.lower(child))),
    make: {
      name: (node, name) => ({ op: 'name', name, ...span(node) }),
      literal: (node, value: Constant) => ({ op: 'literal', value, ...span(node) }),
      member: (node, object, property) => ({ op: 'member', object, property, ...span(node) }),
      call: (node, callee, args) => ({
        op: 'call',
        callee,
        args: args.map((value) => ({ value })),
        isNew: false,
        at: startOf(node),
        ...span(node),
      }),
      block: (node, body) => ({ op: 'block', body, ...span(node) }),
      opaque: (node, parts) => ({ op: 'opaque', kind: state.typeOf(node), parts, ...span(node) }),
    },
  }
  return state
}

function lowerUnknown(state: LoweringState, node: number): Ir {
  const parts = state.children(node).filter((child) => state.shapeOf(child) !== 'skip')
  const [only] = parts
  if (parts.length === 1 && only !== undefined && state.typeOf(node) !== 'ERROR') return state.lower(only)
  return state.make.opaque(
    node,
    parts.map((child) => state.lower(child)),
  )
}

/** The plain name in a declaration: sigils stay (PHP, shell variables are told apart from functions by them). */
function nameOf(state: LoweringState, node: number): string {
  const text = state.text(node)
  return state.table.self.includes(text) ? 'this' : text.replaceAll(/^`|`$/g, '')
}

/** `java.util.List<String>` -> `List`; with packages kept (Go): `*http.Request` -> `http.Request`. */
function shortType(text: string, mode: 'last' | 'package'): string {
  const bare = text
    .replace(/^\s*:\s*/, '')
    .replaceAll(/\b(?:const|final|static|struct|mut|dyn|impl|volatile|unsigned|out|ref|in|inout)\s+/g, '')
    .replace(/^[\s*&?![\]\\]+(?:'\w+\s+)?(?:mut\s+)?/, '')
  const head = /^[\w.:\\$]+/.exec(bare)?.[0] ?? bare
  const array = /^\s*:?\s*[*&]?\s*\[|\[\s*\]\s*$/.test(text) ? '[]' : ''
  if (mode === 'package') return head + array
  return (head.split(/::|[.\\]/).findLast((part) => part !== '') ?? head) + array
}

/** `type Req = events.Request`: whoever speaks of one means the other. */
const aliasesOf = (source: string, { typeAliases, typeNames }: LanguageTable): ReadonlyMap<string, string> =>
  new Map(
    typeAliases === undefined
      ? []
      : [...source.matchAll(typeAliases)].map(([, name = '', type = '']) => [name, shortType(type, typeNames ?? 'last')]),
  )

/** C#: the type and the name of `params string[] names` stand in the list by themselves. */
function looseRest(state: LoweringState, list: readonly number[], at: number): Parameter[] | null {
  if (state.table.hasLooseRest !== true) return null
  const isLoose = (node: number | undefined): node is number => node !== undefined && state.typeOf(node) === 'identifier'
  const [type, node, next] = [list[at - 1], list[at], list[at + 1]]
  if (isLoose(next)) return []
  if (type === undefined || !isLoose(node)) return null
  const span = { start: state.startOf(node), end: state.endOf(node) }
  return [{ ...namedParameter(state, node), type: state.typeName(type), decorators: [], rest: true, ...span }]
}

function parametersOf(state: LoweringState, node: number): Parameter[] {
  const shape = state.shapeOf(node)
  const span = { start: state.startOf(node), end: state.endOf(node) }
  if (shape === 'skip') return []
  if (typeof shape === 'object' && shape.is === 'param') {
    const named = state.all(node, shape.name)
    const decorators = state.list(node, shape.decorators)
    const type = state.typeName(shape.type === undefined ? undefined : state.first(node, shape.type))
    const fallback = state.optional(node, shape.value) ?? undefined
    const labelled = shape.label === undefined ? undefined : state.first(node, shape.label)
    const label = labelled === undefined ? undefined : state.text(labelled)
    const held = shape.held === undefined ? undefined : state.typeName(state.first(node, shape.held))
    const rest = typeof shape.rest === 'string' ? state.first(node, shape.rest) !== undefined : (shape.rest ?? false)
    const common = {
      label,
      type,
      fallback,
      decorators,
      rest,
      ...(held === undefined ? {} : { held }),
      ...span,
    }
    return named.map((at) => ({ ...namedParameter(state, at), ...common }))
  }
  if (typeof shape === 'object' && shape.is === 'spread') {
    const inner = state.first(node, shape.value)
    return inner === undefined ? [] : [{ ...namedParameter(state, inner), decorators: [], rest: true, ...span }]
  }
  if (typeof shape === 'object' && shape.is === 'assign') {
    const target = state.first(node, shape.target)
    const fallback = state.optional(node, shape.value) ?? undefined
    return target === undefined ? [] : [{ ...namedParameter(state, target), fallback, decorators: [], rest: false, ...span }]
  }
  return [{ ...namedParameter(state, node), decorators: [], rest: false, ...span }]
}

function namedParameter(state: LoweringState, node: number): { name: string; pattern?: Ir } {
  const pattern = state.lower(node)
  if (pattern.op === 'name') return { name: pattern.name }
  return pattern.op === 'opaque' && pattern.parts.length === 0 ? { name: state.name(node) } : { name: '', pattern }
}

function argumentsOf(state: LoweringState, node: number): Argument[] {
  const shape = state.shapeOf(node)
  if (shape === 'skip') return []
  if (typeof shape === 'object') {
    if (shape.is === 'argument') {
      const label = shape.name === undefined ? undefined : state.first(node, shape.name)
      const [inner, ...more] = state.all(node, shape.value)
      if (inner === undefined) return []
      // Looked at before it is lowered: to lower it here and again inside doubles the work with every nesting.
      if (label === undefined && more.length === 0 && inner !== node) return argumentsOf(state, inner)
      const value = state.lowerAll([inner, ...more], inner)
      return [label === undefined ? { value } : { value, name: state.text(label).replace(/:$/, '') }]
    }
    if (shape.is === 'spread') return [{ value: state.optional(node, shape.value) ?? state.make.opaque(node, []), spread: true }]
    if (shape.is === 'pair') {
      const { key, value } = entryOf(state, node)
      if (key?.op === 'literal' && typeof key.value === 'string') return [{ value, name: key.value }]
    }
  }
  return [{ value: state.lower(node) }]
}

function entryOf(state: LoweringState, node: number): Entry {
  const shape = state.shapeOf(node)
  if (typeof shape === 'object' && shape.is === 'pair') {
    const key = state.first(node, shape.key)
    const value = state.optional(node, shape.value) ?? state.make.opaque(node, [])
    return { key: key === undefined ? null : keyOf(state, key), value, spread: false }
  }
  if (typeof shape === 'object' && shape.is === 'spread') {
    return { key: null, value: state.optional(node, shape.value) ?? state.make.opaque(node, []), spread: true }
  }
  if (typeof shape === 'object' && shape.is === 'assign') {
    const target = state.first(node, shape.target)
    const value = state.optional(node, shape.value) ?? state.make.opaque(node, [])
    return { key: target === undefined ? null : keyOf(state, target), value, spread: false }
  }
  const value = state.lower(node)
  if (value.op === 'function' && value.declares) return { key: state.make.literal(node, value.name), value, spread: false }
  return { key: null, value, spread: false }
}

/** `{ a: 1 }`, `{ 'a': 1 }` and `{ :a => 1 }` have the same key; `{ [a]: 1 }` and `{ a => 1 }` of a variable are computed. */
function keyOf(state: LoweringState, node: number): Ir {
  const key = state.lower(node)
  const isComputed = ['computed_property_name', 'variable_name', 'identifier', 'constant'].includes(state.typeOf(node))
  return key.op === 'name' && !isComputed ? state.make.literal(node, key.name) : key
}

function stringOf(state: LoweringState, node: number, isRaw: boolean): Ir {
  const { content, escape = [], ignore = [], gaps = false } = state.table.strings
  const decode = (text: string): string => (isRaw ? text : decodeEscapes(text))
  const parts: Ir[] = []
  let text = ''
  let textStart = state.startOf(node)
  let at = textStart
  let sawContent = false
  const flush = (end: number): void => {
    if (text !== '') parts.push({ op: 'literal', value: text, start: textStart, end })
    text = ''
  }
  const add = (piece: string, from: number): void => {
    if (text === '') textStart = from
    text += piece
  }
  const children = state.children(node)
  for (const child of children) {
    const type = state.typeOf(child)
    if (ignore.includes(type)) continue
    sawContent = true
    if (gaps) add(decode(gapText(state, at, state.startOf(child), at === state.startOf(node))), at)
    if (content.includes(type)) add(decode(state.text(child)), state.startOf(child))
    else if (escape.includes(type)) add(decodeEscape(state.text(child)), state.startOf(child))
    else {
      flush(state.startOf(child))
      parts.push(state.lower(child))
    }
    at = state.endOf(child)
  }
  if (!sawContent) return state.make.literal(node, decode(unquote(state.text(node))))
  if (gaps) add(decode(state.source.slice(at, state.endOf(node)).replace(/"{1,3}$/, '')), at)
  flush(state.endOf(node))
  const [only] = parts
  if (parts.length === 0) return state.make.literal(node, '')
  if (parts.length === 1 && only?.op === 'literal') return { ...only, start: state.startOf(node), end: state.endOf(node) }
  return { op: 'concat', parts, start: state.startOf(node), end: state.endOf(node) }
}

function gapText(state: LoweringState, from: number, to: number, isFirst: boolean): string {
  const gap = state.source.slice(from, to)
  return isFirst ? gap.replace(/^"{1,3}/, '') : gap
}
