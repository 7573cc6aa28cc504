/**
 * One set of limits for every GraphQL document, whichever path it comes by: it is measured before Apollo Server or graphql-sse
 * see it, so a bomb that one refuses cannot go through the other.
 */
import { createRequire } from 'node:module'
import {
  GraphQLError,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  Source,
  specifiedRules,
  TokenKind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'
import type * as Complexity from 'graphql-query-complexity'

// Its ESM build imports graphql's .mjs files, a second copy of the library; the CommonJS build shares ours.
const { getComplexity, simpleEstimator } = createRequire(import.meta.url)('graphql-query-complexity') as typeof Complexity

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

/**
 * Brackets within brackets. A document within the other limits has few: the depth counts fields, but fragments without a type and values
 * nest as well, and each level takes some of the stack of whatever walks the document.
 */
const MAX_NESTING = 200

/** What is nested too deeply to be parsed, in words; null when nothing is. */
export function nestingExcess(query: string, { maxTokens }: GraphLimits): string | null {
  // Nearly all documents have fewer brackets at all, and need no look at what stands in texts and comments.
  if (!hasManyBrackets(query)) return null
  const lexer = new Lexer(new Source(query))
  let depth = 0
  try {
    for (let count = 0; count <= maxTokens; count++) {
      const { kind } = lexer.advance()
      if (kind === TokenKind.EOF) return null
      if (OPENING.includes(kind)) depth++
      else if (CLOSING.includes(kind)) depth--
      if (depth > MAX_NESTING) return `The document nests brackets more than ${MAX_NESTING} deep.`
    }
  } catch (error) {
    // What is no token is said by the parser, with its place.
    if (!(error instanceof GraphQLError)) throw error
  }
  return null
}

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

function hasManyBrackets(text: string): boolean {
  const bracket = /[{[(]/g
  let count = 0
  while (bracket.test(text)) if (++count > MAX_NESTING) return true
  return false
}

/**
 * A subscription is one source of events, chosen by the document alone: the specification of September 2025 forbids conditions at its
 * root, and graphql-js 16 fails on them while it validates.
 */
export function conditionAtRoot({ definitions }: DocumentNode): GraphQLError | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const open = definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.SUBSCRIPTION
      ? node.selectionSet.selections
      : [],
  )
  for (const selection of open) {
    const condition = selection.directives?.find(({ name }) => name.value === 'skip' || name.value === 'include')
    if (condition)
      return new GraphQLError(`@${condition.name.value} cannot stand at the root of a subscription.`, { nodes: condition })
    if (selection.kind === Kind.INLINE_FRAGMENT) open.push(...selection.selectionSet.selections)
    if (selection.kind !== Kind.FRAGMENT_SPREAD) continue
    // Once: a fragment may spread itself.
    const fragment = fragments.get(selection.name.value)
    fragments.delete(selection.name.value)
    if (fragment) open.push(...fragment.selectionSet.selections)
  }
  return null
}

/** The rules of the specification, and of ours what needs the schema. */
export const documentRules = (limits: GraphLimits): ValidationRule[] => [
  ...specifiedRules,
  ...(limits.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
]

export interface OperationCost {
  readonly cost: number
  /** What it costs over the limit, in words; null within it. */
  readonly excess: string | null
}

/**
 * What the operation costs. Variables tell what `limit: $limit` costs.
 *
 * @throws GraphQLError that names its place when a variable leaves an argument empty that must not be.
 */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  { maxCost }: GraphLimits,
): OperationCost {
  const estimators = [listEstimator, simpleEstimator({ defaultComplexity: 1 })]
  const operationName = operation.name && { operationName: operation.name.value }
  try {
    const cost = getComplexity({
      schema,
      query: document,
      variables,
      ...operationName,
      estimators,
      maxQueryNodes: MAX_COUNTED_FIELDS,
    })
    return { cost, excess: cost > maxCost ? `The operation costs ${cost}; the limit is ${maxCost}.` : null }
  } catch (error) {
    if (!(error instanceof GraphQLError) || error.nodes) throw error
    const excess = `The operation has more than ${MAX_COUNTED_FIELDS} fields with its fragments spread.`
    return { cost: MAX_COUNTED_FIELDS, excess }
  }
}

/** Where the counting itself ends, whatever the fields cost. */
const MAX_COUNTED_FIELDS = 10_000

const MAX_ASSUMED_ROWS = 1000

const ROWS_ARGUMENTS = ['limit', 'first']

/** Whether the argument of this name says how many times what is selected below a field counts. */
export const isRowsArgument = (name: string): boolean => ROWS_ARGUMENTS.includes(name)

const listEstimator: Complexity.ComplexityEstimator = ({ args, childComplexity }) => {
  const rows = ROWS_ARGUMENTS.map((name) => args[name] as unknown).find((value) => typeof value === 'number')
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

/** Which limit the document's shape exceeds with its fragments spread, in words; null when none. */
export function documentExcess(document: DocumentNode, limits: GraphLimits): string | null {
  const fragments: Fragments = new Map()
  for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const seen = new Map<string, Shape>()
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, aliases, directives } = measure(fragments, node.selectionSet, seen)
    const measured: [string, number, number][] = [
      // Introspection documents of common tools are 13 to 15 deep and cannot amplify.
      ['depth', isIntrospection(node.selectionSet) ? 0 : depth, limits.maxDepth],
      ['aliases', aliases, limits.maxAliases],
      ['directives', directives + (node.directives?.length ?? 0), limits.maxDirectives],
    ]
    const [what, actual, limit] = measured.find(([, is, may]) => is > may) ?? []
    if (what !== undefined) return `The operation has ${what} ${actual}; the limit is ${limit}.`
  }
  return null
}

type Fragments = Map<string, FragmentDefinitionNode>

const isIntrospection = (set: SelectionSetNode) =>
  set.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'))

/** Each fragment is measured once, so a chain of fragments that double costs linear time; a cycle counts as nothing. */
function measure(fragments: Fragments, set: SelectionSetNode, seen: Map<string, Shape>): Shape {
  let depth = 0
  let aliases = 0
  let directives = 0
  for (const selection of set.selections) {
    directives += selection.directives?.length ?? 0
    const inner = innerShape(fragments, selection, seen)
    if (selection.kind === Kind.FIELD && selection.alias) aliases++
    depth = Math.max(depth, inner.depth + (selection.kind === Kind.FIELD ? 1 : 0))
    aliases += inner.aliases
    directives += inner.directives
  }
  return { depth, aliases, directives }
}

const EMPTY: Shape = { depth: 0, aliases: 0, directives: 0 }

function innerShape(fragments: Fragments, node: SelectionSetNode['selections'][number], seen: Map<string, Shape>): Shape {
  if (node.kind !== Kind.FRAGMENT_SPREAD) return node.selectionSet ? measure(fragments, node.selectionSet, seen) : EMPTY
  const known = seen.get(node.name.value)
  if (known) return known
  const fragment = fragments.get(node.name.value)
  if (!fragment) return EMPTY
  seen.set(node.name.value, EMPTY)
  const shape = measure(fragments, fragment.selectionSet, seen)
  seen.set(node.name.value, shape)
  return shape
}
