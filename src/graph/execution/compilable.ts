/**
 * Which of the callers' documents are compiled.
 *
 * A compiled document is program text, so nothing of a caller's choosing may get into that text but names of the grammar and
 * plain numbers. graphql-jit 0.8.9 writes literals of arguments down as JSON and then replaces marks in it; a string literal
 * that holds such a mark becomes code of the caller's that this process runs. So a document with a text, a list or an object
 * written into it is interpreted, and so is one whose answer would have keys that mean something to an object literal. Clients
 * that ask often send such values as variables, which never are part of the program.
 */
import { BREAK, Kind, OperationTypeNode, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql'

/** Larger ones cost more to compile than they save: each field of a union or an interface is compiled for each of its types. */
const MAX_NODES = 2_000

export function isCompilable(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  // graphql-jit loses the later ones when an earlier one cannot be called.
  if (operation.operation === OperationTypeNode.MUTATION && operation.selectionSet.selections.length > 1) return false
  let isSafe = true
  let nodes = 0
  const refuse = () => {
    isSafe = false
    return BREAK
  }
  visit(document, {
    enter(node) {
      if (++nodes > MAX_NODES) return refuse()
      switch (node.kind) {
        case Kind.STRING:
        case Kind.LIST:
        case Kind.OBJECT:
          return refuse()
        case Kind.FIELD:
          return isOrdinary(node.name.value) && (!node.alias || isOrdinary(node.alias.value)) ? undefined : refuse()
        default:
          return undefined
      }
    },
  })
  return isSafe
}

/** Introspection takes long to compile and is asked for once; `__proto__` is no key of an object literal. */
const isOrdinary = (name: string): boolean => name === '__typename' || !name.startsWith('__')
