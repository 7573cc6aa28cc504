/** Reading the flat tree of a C or C++ file. */
import type { FlatTree } from '../../syntax/flat-tree.js'
import { operatorIn } from '../../syntax/tables/c-operators.js'
import type { Place } from '../program.js'

export interface Cursor {
  readonly text: string
  readonly length: number
  typeOf(node: number): string
  textOf(node: number): string
  placeOf(node: number): Place
  /** Without comments. */
  childrenOf(node: number): number[]
  child(node: number, field: string): number | undefined
  childrenIn(node: number, field: string): number[]
  /** What stands between two nodes, without comments and blanks. */
  between(left: number, right: number): string
  after(node: number): number
}

export function createCursor(tree: FlatTree, text: string): Cursor {
  const { typeNames, fieldNames, type, field, start, end, next } = tree
  const typeOf = (node: number): string => typeNames[type[node] ?? 0] ?? ''
  const fieldIds = new Map(fieldNames.map((name, id) => [name, id]))
  const each = (node: number, visit: (child: number) => boolean): void => {
    const last = next[node] ?? 0
    for (let child = node + 1; child < last; child = next[child] ?? last) if (visit(child)) return
  }
  return {
    text,
    length: tree.length,
    typeOf,
    textOf: (node) => text.slice(start[node] ?? 0, end[node] ?? 0),
    placeOf: (node) => ({ start: start[node] ?? 0, end: end[node] ?? 0 }),
    childrenOf(node) {
      const found: number[] = []
      each(node, (child) => {
        if (typeOf(child) !== 'comment') found.push(child)
        return false
      })
      return found
    },
    child(node, name) {
      const id = fieldIds.get(name)
      let found: number | undefined
      if (id === undefined) return undefined
      each(node, (child) => {
        if (field[child] !== id || typeOf(child) === 'comment') return false
        found = child
        return true
      })
      return found
    },
    childrenIn(node, name) {
      const id = fieldIds.get(name)
      const found: number[] = []
      each(node, (child) => {
        if (field[child] === id && typeOf(child) !== 'comment') found.push(child)
        return false
      })
      return found
    },
    between: (left, right) => operatorIn(text.slice(end[left] ?? 0, start[right] ?? 0)),
    after: (node) => next[node] ?? 0,
  }
}
