/**
 * How much of a document is said several times. Fields of one name that stand at one place of the answer are merged, and whether they
 * can be is found by comparing each with each: some thousand repetitions, which fit into a few kilobytes, would take seconds.
 */
import { Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'

/** Fields and fragments, with fragments spread: twice as many as there may be fields in what is executed. */
const MAX_SELECTIONS = 20_000
/** Three hundred repetitions of one field; some milliseconds. */
const MAX_PAIRS = 50_000
/** A document that nests deeper has a fragment that spreads itself, which is said later. */
const MAX_DEPTH = 200

/** Which limit the document exceeds, in words; null when none. */
export function mergingExcess({ definitions }: DocumentNode): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const count: Count = { selections: 0, pairs: 0, fragments, spread: new Set() }
  const roots = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  for (const root of roots) countMerged([root.selectionSet], 0, count)
  // Those that no operation spreads are compared as well.
  for (const [name, node] of fragments) if (!count.spread.has(name)) countMerged([node.selectionSet], 0, count)
  if (count.selections > MAX_SELECTIONS)
    return `The document has more than ${MAX_SELECTIONS} selections with its fragments spread.`
  return count.pairs > MAX_PAIRS ? 'The document repeats the same fields too often.' : null
}

interface Count {
  selections: number
  pairs: number
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of fragments that were met. */
  readonly spread: Set<string>
}

const isOver = ({ selections, pairs }: Count): boolean => selections > MAX_SELECTIONS || pairs > MAX_PAIRS

/** Of the selections that are merged at one place, and of all below it. */
function countMerged(sets: readonly SelectionSetNode[], depth: number, count: Count): void {
  if (depth > MAX_DEPTH) return
  const groups = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  const open = sets.flatMap(({ selections }) => selections)
  for (const selection of open) {
    if (isOver(count)) return
    count.selections++
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      open.push(...selection.selectionSet.selections)
    } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value
      const fragment = spread.has(name) ? undefined : count.fragments.get(name)
      spread.add(name)
      count.spread.add(name)
      if (fragment) open.push(...fragment.selectionSet.selections)
    } else {
      const name = (selection.alias ?? selection.name).value
      const group = groups.get(name)
      count.pairs += group?.length ?? 0
      if (group) group.push(selection)
      else groups.set(name, [selection])
    }
  }
  for (const group of groups.values()) {
    const below = group.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (below.length > 0) countMerged(below, depth + 1, count)
  }
}
