/**
 * A syntax tree as typed arrays, in pre-order, named nodes only.
 *
 * One cursor walk copies the tree out of WebAssembly; everything after works on plain numbers. The walk is iterative, so 100,000
 * nested parentheses are only a long array, and it stops at `maxNodes`.
 */
import type { Language as Grammar, Tree } from 'web-tree-sitter'
import { type TimeLimit, TimeLimitError } from './time-limit.js'

export interface FlatTree {
  readonly length: number
  readonly truncated: boolean
  /** Index into `typeNames`. */
  readonly type: Uint16Array
  /** Index into `fieldNames`; 0 is no field. */
  readonly field: Uint16Array
  readonly start: Uint32Array
  readonly end: Uint32Array
  readonly depth: Uint32Array
  /** Index of the first node after the subtree: children of `i` start at `i + 1` and hop by `next`. */
  readonly next: Uint32Array
  readonly typeNames: readonly string[]
  readonly fieldNames: readonly string[]
}

interface GrammarNames {
  readonly types: string[]
  readonly named: boolean[]
  readonly fields: string[]
}

const ERROR_TYPE = 65_535
const names = new WeakMap<Grammar, GrammarNames>()

function grammarNames(grammar: Grammar): GrammarNames {
  let found = names.get(grammar)
  if (found === undefined) {
    const types: string[] = []
    const named: boolean[] = []
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      types.push(grammar.nodeTypeForId(id) ?? '')
      named.push(grammar.nodeTypeIsNamed(id))
    }
    const fields = Array.from({ length: grammar.fieldCount + 1 }, (_, id) => (id === 0 ? '' : (grammar.fieldNameForId(id) ?? '')))
    found = { types: [...types, 'ERROR'], named, fields }
    names.set(grammar, found)
  }
  return found
}

const FIRST_NODES = 4096

class Growing {
  readonly columns: [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  length = 0

  constructor(private capacity: number) {
    const column = (): Uint32Array => new Uint32Array(capacity)
    this.columns = [column(), column(), column(), column(), column(), column()]
  }

  reserve(): number {
    if (this.length === this.capacity) {
      this.capacity *= 2
      for (let at = 0; at < this.columns.length; at++) {
        const wider = new Uint32Array(this.capacity)
        wider.set(this.columns[at] ?? [])
        this.columns[at] = wider
      }
    }
    return this.length++
  }
}

/** Most files are small: they are collected in the same columns, one after the other. */
let small = new Growing(FIRST_NODES)

function emptyColumns(): Growing {
  if (small.columns[0].length > FIRST_NODES) small = new Growing(FIRST_NODES)
  small.length = 0
  return small
}

/** Nodes after these are left out and the result says so. */
const maxNodes = 4_000_000

/** Copies `tree`. Throws TimeLimitError when the limit is over. */
export function flattenTree(tree: Tree, grammar: Grammar, limit: TimeLimit): FlatTree {
  const { types, named, fields } = grammarNames(grammar)
  const cursor = tree.walk()
  const grown = emptyColumns()
  const open: number[] = []
  const depths: number[] = []
  let depth = 0
  let truncated = false
  const enter = (): void => {
    const id = cursor.nodeTypeId
    if (id !== ERROR_TYPE && named[id] !== true) return
    // Every read of the cursor crosses into WebAssembly: none twice.
    const from = cursor.startIndex
    const to = cursor.endIndex
    // Some grammars give a bracket the number of the node that it opens.
    if (to - from === 1 && !cursor.nodeIsNamed) return
    const at = grown.reserve()
    const [type, field, start, end, level] = grown.columns
    type[at] = id === ERROR_TYPE ? types.length - 1 : id
    field[at] = cursor.currentFieldId
    start[at] = from
    end[at] = to
    level[at] = open.length
    open.push(at)
    depths.push(depth)
  }
  const leave = (): void => {
    if (depths.at(-1) !== depth) return
    depths.pop()
    grown.columns[5][open.pop() ?? 0] = grown.length
  }
  enter()
  for (let round = 0; ; round++) {
    if ((round & 1023) === 0 && limit.isOver()) {
      cursor.delete()
      throw new TimeLimitError('The tree could not be copied within its limit.')
    }
    if (grown.length >= maxNodes) truncated = true
    if (!truncated && cursor.gotoFirstChild()) {
      depth++
      enter()
      continue
    }
    leave()
    while (truncated || !cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return finish(grown, truncated, types, fields, cursor)
      depth--
      leave()
    }
    enter()
  }
}

function finish(grown: Growing, truncated: boolean, types: string[], fields: string[], cursor: { delete(): void }): FlatTree {
  cursor.delete()
  const [type, field, start, end, depth, next] = grown.columns
  const size = grown.length
  return {
    length: size,
    truncated,
    type: Uint16Array.from(type.subarray(0, size)),
    field: Uint16Array.from(field.subarray(0, size)),
    start: start.slice(0, size),
    end: end.slice(0, size),
    depth: depth.slice(0, size),
    next: next.slice(0, size),
    typeNames: types,
    fieldNames: fields,
  }
}
