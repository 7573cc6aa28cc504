/** What the lowering of one file shares. */
import type { FlatTree } from '../flat-tree.js'
import type { Argument, Entry, Ir } from '../ir.js'
import type { LanguageTable, Lowering, Selector, Shape } from './shapes.js'

export interface LoweringState extends Lowering {
  readonly tree: FlatTree
  readonly table: LanguageTable
  shapeOf(node: number): Shape | undefined
  argument(node: number): Argument[]
  entry(node: number): Entry
  optional(node: number, selector: Selector | undefined): Ir | null
  list(node: number, selector: Selector | undefined): Ir[]
}
