/** Selectors of lowering tables, compiled once per grammar (see shapes.ts for the syntax). */
import type { FlatTree } from '../flat-tree.js'

export type Select = (tree: FlatTree, node: number) => number[]

const commentTypes = new Set([
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
  'doc_comment',
  'shebang',
  'hash_bang_line',
])

type Wanted = (tree: FlatTree, child: number) => boolean

const isCode: Wanted = (tree, child) => !commentTypes.has(typeOf(tree, child))
const typeOf = (tree: FlatTree, node: number): string => tree.typeNames[tree.type[node] ?? 0] ?? ''

/** Whether a comment holds the place. Nodes stand in the order of their beginnings, and comments hold no other nodes of use. */
export function commentsOf(tree: FlatTree): (at: number) => boolean {
  const comments: number[] = []
  for (let node = 0; node < tree.length; node++) if (commentTypes.has(typeOf(tree, node))) comments.push(node)
  return (at) => {
    let [low, high] = [0, comments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tree.start[comments[middle] ?? 0] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    const last = comments[low - 1]
    return last !== undefined && at < (tree.end[last] ?? 0)
  }
}

/** Named children without comments. */
export const childrenOf = (tree: FlatTree, node: number): number[] => pick(tree, node, isCode, true)

/** All such children, or only the first. */
function pick(tree: FlatTree, node: number, isWanted: Wanted, isAll: boolean): number[] {
  const children: number[] = []
  const end = tree.next[node] ?? 0
  for (let at = node + 1; at < end; at = tree.next[at] ?? end) {
    if (!isWanted(tree, at)) continue
    children.push(at)
    if (!isAll) break
  }
  return children
}

const compiled = new Map<string, Select>()

export function compileSelector(selector: string): Select {
  let select = compiled.get(selector)
  if (select === undefined) {
    const alternatives = selector.split(',').map((alternative) => alternative.trim().split('/').map(compileStep))
    select = firstOf(alternatives.map((steps) => steps.reduce(after)))
    compiled.set(selector, select)
  }
  return select
}

/** Most selectors are one step. */
const after =
  (before: Select, step: Select): Select =>
  (tree, node) =>
    before(tree, node).flatMap((at) => step(tree, at))

function firstOf(alternatives: readonly Select[]): Select {
  const [only, ...others] = alternatives
  if (only !== undefined && others.length === 0) return only
  return (tree, node) => {
    for (const select of alternatives) {
      const nodes = select(tree, node)
      if (nodes.length > 0) return nodes
    }
    return []
  }
}

function compileStep(step: string): Select {
  if (step === '.') return (_tree, node) => [node]
  const isAll = step.endsWith('*')
  const base = isAll ? step.slice(0, -1) : step
  if (base === '') return childrenOf
  if (base.startsWith('#')) {
    const at = Number(base.slice(1))
    return (tree, node) => {
      const children = childrenOf(tree, node)
      if (isAll) return children.slice(at)
      const child = children.at(at)
      return child === undefined ? [] : [child]
    }
  }
  const wanted = wantedBy(base)
  return (tree, node) => pick(tree, node, wanted, isAll)
}

function wantedBy(base: string): Wanted {
  if (base.startsWith('%')) {
    const types = new Set(base.slice(1).split('|'))
    return (tree, child) => types.has(typeOf(tree, child)) && isCode(tree, child)
  }
  if (base.startsWith('!')) {
    const types = new Set(base.slice(1).split('|'))
    return (tree, child) => !types.has(typeOf(tree, child)) && isCode(tree, child)
  }
  return (tree, child) => tree.fieldNames[tree.field[child] ?? 0] === base && isCode(tree, child)
}
