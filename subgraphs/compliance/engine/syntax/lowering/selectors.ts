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

/** Named children without comments. */
export function childrenOf(tree: FlatTree, node: number): number[] {
  const children: number[] = []
  const end = tree.next[node] ?? 0
  for (let at = node + 1; at < end; at = tree.next[at] ?? end) {
    if (!commentTypes.has(tree.typeNames[tree.type[at] ?? 0] ?? '')) children.push(at)
  }
  return children
}

const compiled = new Map<string, Select>()

export function compileSelector(selector: string): Select {
  let select = compiled.get(selector)
  if (select === undefined) {
    const alternatives = selector.split(',').map((alternative) => alternative.trim().split('/').map(compileStep))
    select = (tree, node) => {
      for (const steps of alternatives) {
        let nodes = [node]
        for (const step of steps) nodes = nodes.flatMap((at) => step(tree, at))
        if (nodes.length > 0) return nodes
      }
      return []
    }
    compiled.set(selector, select)
  }
  return select
}

function compileStep(step: string): Select {
  if (step === '.') return (_tree, node) => [node]
  const isAll = step.endsWith('*')
  const base = isAll ? step.slice(0, -1) : step
  const limit = (nodes: number[]): number[] => (isAll ? nodes : nodes.slice(0, 1))
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
  if (base.startsWith('%')) {
    const types = new Set(base.slice(1).split('|'))
    return (tree, node) => limit(childrenOf(tree, node).filter((child) => types.has(tree.typeNames[tree.type[child] ?? 0] ?? '')))
  }
  if (base.startsWith('!')) {
    const types = new Set(base.slice(1).split('|'))
    return (tree, node) =>
      limit(childrenOf(tree, node).filter((child) => !types.has(tree.typeNames[tree.type[child] ?? 0] ?? '')))
  }
  return (tree, node) => limit(childrenOf(tree, node).filter((child) => tree.fieldNames[tree.field[child] ?? 0] === base))
}
