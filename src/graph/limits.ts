/**
 * One set of limits for every GraphQL document, whichever path it comes by: Apollo Server and graphql-sse get the same rules,
 * so a bomb that one refuses cannot go through the other.
 */
import { createRequire } from 'node:module'
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type FragmentDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import type * as Complexity from 'graphql-query-complexity'

// Its ESM build imports graphql's .mjs files, a second copy of the library; the CommonJS build shares ours.
const { createComplexityRule, simpleEstimator } = createRequire(import.meta.url)('graphql-query-complexity') as typeof Complexity

export interface GraphLimits {
  readonly maxDepth: number
  readonly maxAliases: number
  readonly maxDirectives: number
  /** Lexer tokens of one document. */
  readonly maxTokens: number
  /** Fields after fragments are spread; a list counts its `limit` or `first` times. */
  readonly maxCost: number
  readonly introspection: boolean
}

/** The rules to validate a request's document with. Variables are needed to know what a `limit` variable costs. */
export function validationRules(limits: GraphLimits, variables: Record<string, unknown>): ValidationRule[] {
  return [
    shapeRule(limits),
    ...specifiedRules,
    createComplexityRule({
      maximumComplexity: limits.maxCost,
      variables,
      estimators: [listEstimator, simpleEstimator({ defaultComplexity: 1 })],
      createError: (max, actual) => refusal(`The operation costs ${actual}; the limit is ${max}.`),
    }),
    ...(limits.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
}

const refusal = (message: string) => new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })

const MAX_ASSUMED_ROWS = 1000

const listEstimator: Complexity.ComplexityEstimator = ({ args, childComplexity }) => {
  const rows = [args['limit'], args['first']].find((value) => typeof value === 'number')
  if (rows === undefined) return undefined
  return 1 + childComplexity * Math.min(Math.max(rows, 1), MAX_ASSUMED_ROWS) * LIST_ROW_WEIGHT
}

/** A row of a list is cheaper than a field of its own: joins are batched. */
const LIST_ROW_WEIGHT = 0.02

interface Shape {
  readonly depth: number
  readonly aliases: number
  readonly directives: number
}

/** Depth, aliases and directives with fragments spread. It runs first and bounds the work of the rules behind it. */
function shapeRule(limits: GraphLimits): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      const { depth, aliases, directives } = measure(context, node.selectionSet, new Map())
      const refuse = (what: string, actual: number, limit: number) => {
        if (actual > limit) context.reportError(refusal(`The operation has ${what} ${actual}; the limit is ${limit}.`))
      }
      // Introspection documents of common tools are 13 to 15 deep and cannot amplify.
      if (!isIntrospection(node.selectionSet)) refuse('depth', depth, limits.maxDepth)
      refuse('aliases', aliases, limits.maxAliases)
      refuse('directives', directives + (node.directives?.length ?? 0), limits.maxDirectives)
    },
  })
}

const isIntrospection = (set: SelectionSetNode) =>
  set.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'))

/** Each fragment is measured once, so a chain of fragments that double costs linear time; a cycle counts as nothing. */
function measure(context: ValidationContext, set: SelectionSetNode, seen: Map<string, Shape>): Shape {
  let depth = 0
  let aliases = 0
  let directives = 0
  for (const selection of set.selections) {
    directives += selection.directives?.length ?? 0
    const inner = innerShape(context, selection, seen)
    if (selection.kind === Kind.FIELD && selection.alias) aliases++
    depth = Math.max(depth, inner.depth + (selection.kind === Kind.FIELD ? 1 : 0))
    aliases += inner.aliases
    directives += inner.directives
  }
  return { depth, aliases, directives }
}

const EMPTY: Shape = { depth: 0, aliases: 0, directives: 0 }

function innerShape(context: ValidationContext, node: SelectionSetNode['selections'][number], seen: Map<string, Shape>): Shape {
  if (node.kind !== Kind.FRAGMENT_SPREAD) return node.selectionSet ? measure(context, node.selectionSet, seen) : EMPTY
  const known = seen.get(node.name.value)
  if (known) return known
  const fragment: FragmentDefinitionNode | null | undefined = context.getFragment(node.name.value)
  if (!fragment) return EMPTY
  seen.set(node.name.value, EMPTY)
  const shape = measure(context, fragment.selectionSet, seen)
  seen.set(node.name.value, shape)
  return shape
}
