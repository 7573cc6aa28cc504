/** Which variables make a difference to what an operation costs, and what they are in a request: the key of a verdict. */
import { Kind, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import { isRowsArgument } from './limits.js'

/**
 * The values of those that give a number of rows or decide what is included; of the others only whether there is one, because
 * an argument that must not be empty is refused with the cost.
 */
export function costKeyOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): string {
  if (variableDefinitions.length === 0) return ''
  const counted = countedVariables(document)
  const parts = variableDefinitions.map(({ variable: { name } }) => {
    const value = variables[name.value]
    if (counted.has(name.value)) return value === undefined ? null : [value]
    return value === undefined ? 0 : value === null ? 1 : 2
  })
  return JSON.stringify(parts)
}

const known = new WeakMap<DocumentNode, ReadonlySet<string>>()

function countedVariables(document: DocumentNode): ReadonlySet<string> {
  const before = known.get(document)
  if (before) return before
  const names = new Set<string>()
  const collect = {
    Variable: ({ name }: { readonly name: { readonly value: string } }) => void names.add(name.value),
  }
  visit(document, {
    [Kind.ARGUMENT]: (node) => (isRowsArgument(node.name.value) ? void visit(node, collect) : undefined),
    [Kind.DIRECTIVE]: (node) => void visit(node, collect),
  })
  known.set(document, names)
  return names
}
