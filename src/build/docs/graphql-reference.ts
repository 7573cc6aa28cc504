/** schema/api.graphql as chapters: how to begin, the operations, the types. */
import {
  getNamedType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  Kind,
  parse,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'
import { EXAMPLES } from '../../graph/graphiql/examples.js'
import { exampleOf } from './graphql-example.js'
import { cell } from './openapi-shapes.js'

/** A type as it is written in GraphQL, with a link to ours. */
function typeLink(type: GraphQLType): string {
  const named = getNamedType(type)
  if (isSpecifiedScalarType(named)) return String(type)
  return String(type).replace(named.name, `[${named.name}](/docs/graphql-types.md#${named.name.toLowerCase()})`)
}

const fence = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

export function graphqlStart(schema: GraphQLSchema): string {
  const examples = EXAMPLES.map(({ query, variables }) => {
    const [, comment = '', name = ''] = /^# (.+)\n\w+ (\w+)/.exec(query) ?? []
    const given = variables ? [`Variables:`, fence('json', JSON.stringify(variables, null, 2))] : []
    return [`### ${name}`, comment, fence('graphql', query.replace(/^# .+\n/, '')), ...given].join('\n\n')
  })
  const kinds = rootsOf(schema).map(({ title, fields }) => {
    const names = fields.map(({ name }) => `[${name}](/docs/graphql-operations.md#${name.toLowerCase()})`)
    return `**${title}**: ${names.join(', ')}`
  })
  return [
    '# GraphQL reference',
    'One endpoint, `/graphql`: queries and mutations over HTTP, subscriptions over server-sent events. In a browser the same address is GraphiQL, with the operations below in its first tabs. Send `Authorization: Bearer <API_KEY>`.',
    `[Operations](/docs/graphql-operations.md) are all ${kinds.length} kinds with an example each, [types](/docs/graphql-types.md) what they take and answer, [GraphQL clients](/docs/graphql-clients.md) programs that ask. Errors have a code in \`extensions.code\`: [Error codes](/docs/error-codes.md).`,
    '## Ask',
    fence('sh', askWithCurl),
    '## Examples',
    ...examples,
    '## All operations',
    ...kinds,
  ].join('\n\n')
}

const askWithCurl = `curl http://127.0.0.1:8787/graphql \\
  -H "Authorization: Bearer $SLUICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"query": "{ viewer { balance available } models(limit: 3) { models { id availability } } }"}'`

const rootsOf = (schema: GraphQLSchema) =>
  [
    { kind: 'query', title: 'Queries', type: schema.getQueryType() },
    { kind: 'mutation', title: 'Mutations', type: schema.getMutationType() },
    { kind: 'subscription', title: 'Subscriptions', type: schema.getSubscriptionType() },
  ].map(({ kind, title, type }) => ({ kind, title, fields: Object.values(type?.getFields() ?? {}) }))

export function graphqlOperations(schema: GraphQLSchema): string {
  const sections = rootsOf(schema).map(({ kind, title, fields }) =>
    [`## ${title}`, ...fields.map((field) => operationText(kind, field))].join('\n\n'),
  )
  return [
    '# GraphQL operations',
    'Every example can be run as it stands where its variables name things that are there. Which fields of a type there are besides is in [GraphQL types](/docs/graphql-types.md).',
    ...sections,
  ].join('\n\n')
}

/** The first field of an operation. */
function rootFieldOf(query: string): string | undefined {
  const selection = getOperationAST(parse(query))?.selectionSet.selections[0]
  return selection?.kind === Kind.FIELD ? selection.name.value : undefined
}

function operationText(kind: string, field: GraphQLField<unknown, unknown>): string {
  const known = EXAMPLES.find(({ query }) => query.includes(`\n${kind} `) && rootFieldOf(query) === field.name)
  const { query, variables } = known
    ? { query: known.query.replace(/^# .+\n/, ''), variables: known.variables ?? {} }
    : exampleOf(kind, field)
  const given = Object.keys(variables).length > 0 ? [fence('json', JSON.stringify(variables, null, 2))] : []
  return [
    `### ${field.name}`,
    field.description ?? '',
    field.deprecationReason ? `Deprecated: ${field.deprecationReason}` : '',
    `Answers ${typeLink(field.type)}.`,
    field.args.length > 0 ? table('argument', field.args) : '',
    fence('graphql', query),
    ...given,
  ]
    .filter(Boolean)
    .join('\n\n')
}

type Row = GraphQLArgument | GraphQLInputField | GraphQLField<unknown, unknown>

function table(what: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const args = 'args' in row && row.args.length > 0 ? ` (${row.args.map(({ name }) => `\`${name}\``).join(', ')})` : ''
    const left =
      'defaultValue' in row && row.defaultValue !== undefined ? ` \`${JSON.stringify(row.defaultValue)}\` when left out.` : ''
    const old = row.deprecationReason ? ` Deprecated: ${row.deprecationReason}` : ''
    return `| \`${row.name}\`${args} | ${typeLink(row.type)} | ${cell(`${row.description ?? ''}${left}${old}`)} |`
  })
  return [`| ${what} | type | meaning |`, '|---|---|---|', ...lines].join('\n')
}

export function graphqlTypes(schema: GraphQLSchema): string {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type?.name))
  const own = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type) && !roots.has(type.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const kinds: readonly (readonly [string, (type: GraphQLNamedType) => boolean])[] = [
    ['Objects', isObjectType],
    ['Inputs', isInputObjectType],
    ['Enums', isEnumType],
    ['Unions and interfaces', (type) => isUnionType(type) || isInterfaceType(type)],
    ['Scalars', isScalarType],
  ]
  const sections = kinds.map(([title, fits]) => [`## ${title}`, ...own.filter(fits).map(typeText)].join('\n\n'))
  return [
    '# GraphQL types',
    'What [operations](/docs/graphql-operations.md) take and answer. `!` is never null; `[X]` is a list. Arguments of a field stand in brackets behind it.',
    ...sections,
  ].join('\n\n')
}

function typeText(type: GraphQLNamedType): string {
  return [`### ${type.name}`, type.description ?? '', membersOf(type)].filter(Boolean).join('\n\n')
}

function membersOf(type: GraphQLNamedType): string {
  if (isUnionType(type)) return `One of ${type.getTypes().map(typeLink).join(', ')}.`
  if (isEnumType(type)) {
    const lines = type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description ?? '')} |`)
    return ['| value | meaning |', '|---|---|', ...lines].join('\n')
  }
  if (isInputObjectType(type) || isObjectType(type) || isInterfaceType(type))
    return table('field', Object.values(type.getFields()))
  return ''
}
