/** A document for a root field that can be run as it stands: what it needs as variables, what it answers a level deep. */
import {
  getNamedType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLUnionType,
} from 'graphql'

export interface GraphqlExample {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** How many values of an object are enough to understand it, and how deep a document goes at most. */
const MAX_VALUES = 6
const MAX_DEPTH = 5
/** The two other ways to read a list, and its places: a list is read by what it holds. */
const BESIDES: ReadonlySet<string> = new Set(['edges', 'pageInfo'])

/** What a thing is called comes first; everything else stays in its order. */
const rankOf = (name: string) => (name === 'id' ? 0 : name === 'name' ? 1 : 2)

const indent = (depth: number) => '  '.repeat(depth)

type Field = GraphQLField<unknown, unknown>

const isFree = (field: Field) => !field.args.some(isRequiredArgument) && !field.deprecationReason

/**
 * The braces behind a field, with what is in them; empty where there is nothing to choose.
 *
 * @param room for how many more objects in objects there is
 */
function selectionOf(type: GraphQLOutputType, depth: number, room: number): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  return braced(isUnionType(named) ? partsOf(named, depth + 1, room) : linesOf(named, depth + 1, room), depth)
}

/** A part for each type of the union. What has one name and several types in them can be asked of the first only. */
function partsOf(union: GraphQLUnionType, depth: number, room: number): string[] {
  const asked = new Map<string, string>()
  return union.getTypes().map((type) => {
    const isAlike = ({ name, type: own }: Field) => (asked.get(name) ?? String(own)) === String(own)
    const lines = linesOf(type, depth + 1, room, isAlike)
    for (const { name, type: own } of Object.values(type.getFields())) asked.set(name, asked.get(name) ?? String(own))
    return `${indent(depth)}... on ${type.name}${braced(lines, depth)}`
  })
}

const braced = (lines: readonly string[], depth: number) => ` {\n${lines.join('\n')}\n${indent(depth)}}`

function linesOf(
  type: GraphQLObjectType | GraphQLInterfaceType,
  depth: number,
  room: number,
  fits: (field: Field) => boolean = () => true,
): string[] {
  const free = Object.values(type.getFields()).filter((field) => isFree(field) && !BESIDES.has(field.name) && fits(field))
  const values = free
    .filter((field) => isLeafType(getNamedType(field.type)))
    .toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
    .slice(0, MAX_VALUES)
  const objects = free.filter((field) => !isLeafType(getNamedType(field.type)))
  // What only wraps another object, such as a payload or a list, is not what was asked for.
  const isWrapper = values.length < 2 && objects.length > 0
  const left = isWrapper ? room : room - 1
  const followed = depth < MAX_DEPTH && (isWrapper || left >= 0) ? objects.slice(0, 1) : []
  const lines = [...values, ...followed].map((field) => `${indent(depth)}${field.name}${selectionOf(field.type, depth, left)}`)
  return lines.length > 0 ? lines : [`${indent(depth)}__typename`]
}

/** By the name of a field or an argument: values that a server takes. */
const VALUES: Readonly<Record<string, unknown>> = {
  api: 'CHAT_COMPLETIONS',
  body: { model: 'light', messages: [{ role: 'user', content: 'Hello' }] },
  model: 'light',
  modelId: 'llama-3.1-8b-instruct',
  code: 'import hashlib\nhashlib.md5(password)\n',
  content: 'Hello',
  filename: 'a.py',
  gpuModel: 'L4',
  name: 'example',
  amount: '10.00',
  idempotencyKey: 'order-1',
  accountId: 'acc_...',
  language: 'python',
  label: 'python',
}

/** Of operations whose fields have the same names and mean other things, or that need more than the schema can say. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  account: { id: 'acc_...' },
  createApiKey: { input: { name: 'example', scopes: ['CHAT'] } },
  gpuQuote: { input: { gpuModel: 'L4', dockerImage: 'ubuntu:24.04' } },
  model: { id: 'llama-3.1-8b-instruct' },
  node: { id: 'acc_...' },
  nodes: { ids: ['acc_...'] },
  rentGpu: { input: { gpuModel: 'L4', dockerImage: 'ubuntu:24.04' } },
}

function valueOf(name: string, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(name, type.ofType)
  if (isListType(type)) return [valueOf(name, type.ofType)]
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField)
    return Object.fromEntries(fields.map((field) => [field.name, valueOf(field.name, field.type)]))
  }
  if (isEnumType(type)) return type.getValues().find((one) => one.name === VALUES[name])?.name ?? type.getValues()[0]?.name
  if (name in VALUES) return VALUES[name]
  const scalars: Readonly<Record<string, unknown>> = { Boolean: true, Int: 1, Float: 1, Decimal: '0.10', JSONObject: {} }
  return scalars[getNamedType(type).name] ?? '...'
}

export function exampleOf(kind: string, field: Field): GraphqlExample {
  const needed = field.args.filter(isRequiredArgument)
  const declared = needed.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const given = needed.map(({ name }) => `${name}: $${name}`).join(', ')
  const head = `${kind}${declared && ` (${declared})`} {\n  ${field.name}${given && `(${given})`}`
  return {
    query: `${head}${selectionOf(field.type, 1, 1)}\n}`,
    variables: INPUTS[field.name] ?? Object.fromEntries(needed.map(({ name, type }) => [name, valueOf(name, type)])),
  }
}
