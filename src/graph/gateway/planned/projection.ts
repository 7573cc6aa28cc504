/**
 * What was fetched from subgraphs as the answer to an operation: the selected fields in their order and nothing that was only
 * fetched to join by, with nulls where the schema lets them stand.
 */
import {
  getNamedType,
  GraphQLError,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Tree } from './plan-runner.js'

/** Of a value within the answer, from its end: most are never asked for. */
interface Path {
  readonly before: Path | null
  readonly part: string | number
}

/** The answer; null when a field that may not be null is. Adds to `errors` what no subgraph has said. */
export type Projection = (data: Tree, errors: GraphQLError[]) => Tree | null

/** What is not there although it must be: it takes the object that it belongs to with it. */
const MISSING = Symbol('missing')

type Complete = (value: unknown, path: Path | null, errors: GraphQLError[]) => unknown

export interface ProjectionOptions {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The value of a variable in `@skip` and `@include`. */
  readonly isTrue: (variable: string) => boolean
}

export function compileProjection(options: ProjectionOptions): Projection {
  const { schema, operation } = options
  const root = schema.getRootType(operation.operation)
  if (!root) throw new Error(`The schema has no ${operation.operation}.`)
  const complete = completeObject(root, [operation.selectionSet], options)
  return (data, errors) => {
    const answer = complete(data, null, errors)
    return answer === MISSING ? null : (answer as Tree | null)
  }
}

function completeOf(
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  options: ProjectionOptions,
  field: string,
): Complete {
  if (isNonNullType(type)) {
    const complete = completeOf(type.ofType, sets, options, field)
    return (value, path, errors) => {
      const completed = complete(value, path, errors)
      if (completed !== null) return completed
      const place = partsOf(path)
      if (!isToldOf(errors, place)) {
        errors.push(new GraphQLError(`Cannot return null for non-nullable field ${field}.`, { path: place }))
      }
      return MISSING
    }
  }
  const complete = isListType(type)
    ? completeList(completeOf(type.ofType, sets, options, field))
    : completeNamed(type, sets, options)
  return (value, path, errors) => {
    if (value === null || value === undefined) return null
    const completed = complete(value, path, errors)
    return completed === MISSING ? null : completed
  }
}

function partsOf(path: Path | null): (string | number)[] {
  const parts: (string | number)[] = []
  for (let at = path; at; at = at.before) parts.unshift(at.part)
  return parts
}

/** Whether an error says why there is nothing, here, above or beneath. */
const isToldOf = (errors: readonly GraphQLError[], path: readonly (string | number)[]): boolean =>
  errors.some(({ path: told = [] }) => {
    const common = Math.min(told.length, path.length)
    return path.slice(0, common).every((part, at) => part === told[at])
  })

const completeList =
  (complete: Complete): Complete =>
  (value, path, errors) => {
    if (!Array.isArray(value)) return null
    const items = value.map((item: unknown, index) => complete(item, { before: path, part: index }, errors))
    return items.includes(MISSING) ? MISSING : items
  }

function completeNamed(type: GraphQLOutputType, sets: readonly SelectionSetNode[], options: ProjectionOptions): Complete {
  const named = getNamedType(type)
  if (isObjectType(named)) return completeObject(named, sets, options)
  if (!isAbstractType(named)) return (value) => value
  const byType = new Map(options.schema.getPossibleTypes(named).map((each) => [each.name, completeObject(each, sets, options)]))
  return (value, path, errors) => byType.get(String((value as Tree)['__typename']))?.(value, path, errors) ?? null
}

function completeObject(type: GraphQLObjectType, sets: readonly SelectionSetNode[], options: ProjectionOptions): Complete {
  const fields = [...fieldsOf(type, sets, options)].map(([key, { name, sets: inner }]) => {
    const field = type.getFields()[name]
    return { key, complete: field ? completeOf(field.type, inner, options, `${type.name}.${name}`) : () => type.name }
  })
  return (value, path, errors) => {
    const answer: Tree = {}
    let isMissing = false
    for (const { key, complete } of fields) {
      const completed = complete((value as Tree)[key], { before: path, part: key }, errors)
      if (completed === MISSING) isMissing = true
      answer[key] = completed
    }
    return isMissing ? MISSING : answer
  }
}

interface Selected {
  readonly name: string
  readonly sets: SelectionSetNode[]
}

/** The fields of an object type by response key, fragments spread and conditions decided. */
function fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[], options: ProjectionOptions): Map<string, Selected> {
  const fields = new Map<string, Selected>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, options)) continue
      if (selection.kind !== Kind.FIELD) {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? options.fragments.get(selection.name.value) : selection
        if (fragment && appliesTo(type, fragment.typeCondition?.name.value, options.schema)) collect(fragment.selectionSet)
        continue
      }
      const key = (selection.alias ?? selection.name).value
      const known = fields.get(key) ?? { name: selection.name.value, sets: [] }
      if (selection.selectionSet) known.sets.push(selection.selectionSet)
      fields.set(key, known)
    }
  }
  for (const set of sets) collect(set)
  return fields
}

function appliesTo(type: GraphQLObjectType, condition: string | undefined, schema: GraphQLSchema): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}

function isIncluded({ directives = [] }: SelectionNode, { isTrue }: ProjectionOptions): boolean {
  return directives.every(({ name, arguments: given = [] }) => {
    const value = given.find((argument) => argument.name.value === 'if')?.value
    if (!value || (name.value !== 'skip' && name.value !== 'include')) return true
    const isSet = value.kind === Kind.VARIABLE ? isTrue(value.name.value) : value.kind === Kind.BOOLEAN && value.value
    return isSet === (name.value === 'include')
  })
}
