/** Edits that keep the meaning of a program: the vocabulary that they share. */
import type { Language } from '../../languages.js'
import type { FlatTree } from '../../syntax/flat-tree.js'
import type { Ir } from '../../syntax/ir.js'

export interface Program {
  readonly language: Language
  readonly text: string
  readonly root: Ir
  /** `null` for SQL, which no grammar reads. */
  readonly tree: FlatTree | null
}

export interface Edit {
  readonly name: string
  /** All languages when missing. */
  readonly languages?: readonly Language[]
  /** The text after the edit; `null` when the program has no place for it. */
  apply(program: Program): string | null
}

export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all replacements; one inside of another is left out. */
export function replaceAll(text: string, replacements: readonly Replacement[]): string | null {
  let result = ''
  let at = 0
  for (const one of replacements.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start < at) continue
    result += text.slice(at, one.start) + one.text
    at = one.end
  }
  return replacements.length === 0 ? null : result + text.slice(at)
}

export const typeOf = (tree: FlatTree, node: number): string => tree.typeNames[tree.type[node] ?? 0] ?? ''

const fieldOf = (tree: FlatTree, node: number): string => tree.fieldNames[tree.field[node] ?? 0] ?? ''

export const textOf = ({ text }: Program, tree: FlatTree, node: number): string =>
  text.slice(tree.start[node] ?? 0, tree.end[node] ?? 0)

/** All nodes of these types, in source order. */
export function nodesOf(tree: FlatTree, types: ReadonlySet<string>): number[] {
  const found: number[] = []
  for (let node = 0; node < tree.length; node++) if (types.has(typeOf(tree, node))) found.push(node)
  return found
}

export function childrenOf(tree: FlatTree, node: number): number[] {
  const found: number[] = []
  const end = tree.next[node] ?? 0
  for (let child = node + 1; child < end; child = tree.next[child] ?? end) found.push(child)
  return found
}

export const childOf = (tree: FlatTree, node: number, field: string): number | undefined =>
  childrenOf(tree, node).find((child) => fieldOf(tree, child) === field)

/** The direct parent of every node, `-1` for the root. */
export function parentsOf(tree: FlatTree): Int32Array {
  const parents = new Int32Array(tree.length).fill(-1)
  for (let node = 0; node < tree.length; node++) for (const child of childrenOf(tree, node)) parents[child] = node
  return parents
}
