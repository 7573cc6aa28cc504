/** What accounts need of the other subgraphs. */
import type { Subgraph } from '#platform/subgraph.js'
import type { NodeSource } from '../../../subgraphs/accounts/index.js'

/** Objects by their ids, from the subgraph that owns them. */
export const nodesOf =
  (subgraphs: () => readonly Subgraph[]): NodeSource =>
  async (typeName, references, context) => {
    for (const { entities } of subgraphs()) {
      const part = entities?.[typeName]
      if (part?.kind === 'owner') return part.load(references, context)
    }
    throw new Error(`No subgraph owns ${typeName}.`)
  }
