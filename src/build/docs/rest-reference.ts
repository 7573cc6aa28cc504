/** schema/openapi.yaml as two chapters: the operations, and the objects that they take and answer. */
import { exampleCall } from './rest-examples.js'
import {
  cell,
  fieldTable,
  limitsOf,
  METHODS,
  nameOf,
  typeOf,
  type Answer,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
} from './openapi-shapes.js'

/** Our descriptions name files of the repository. */
const withLinks = (text: string) => text.replaceAll(/\bdocs\/([\w-]+)\.md\b/g, '[docs/$1.md](/docs/$1.md)').trim()

export function restReference(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation, shared: item.description ?? '' }] : []
    }),
  )
  const sections = api.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === name)
    const texts = own.map(({ path, method, operation, shared }) => operationText(api, path, method, operation, shared))
    const title = name === 'gpu' ? 'GPUs' : `${name[0]?.toUpperCase()}${name.slice(1)}`
    return [`## ${title}`, description, ...texts].join('\n\n')
  })
  return [
    '# REST reference',
    withLinks(api.info.description),
    'The same as an OpenAPI 3.1 document is at `/openapi.json` of every server. The objects are in [REST objects](/docs/rest-schemas.md), what to do about an error in [Error codes](/docs/error-codes.md).',
    'In the examples `SLUICE_API_KEY` is your key.',
    ...sections,
  ].join('\n\n')
}

function operationText(api: OpenApi, path: string, method: string, operation: Operation, shared: string): string {
  const isOpen = operation.security?.length === 0
  return [
    `### ${method.toUpperCase()} ${path}`,
    operation.summary ?? '',
    withLinks(operation.description ?? shared),
    isOpen ? 'Needs no key.' : '',
    parameterTable(operation.parameters ?? []),
    bodyText(api, operation),
    answerTable(api, operation),
    '**Example**',
    `\`\`\`sh\n${exampleCall(operation.operationId, method, path, isOpen)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const lines = parameters.map(({ name, in: place, required, description = '', schema = {} }) => {
    const text = [description, limitsOf(schema)].filter(Boolean).join(' ')
    return `| \`${name}\` | ${place} | ${cell(typeOf(schema))} | ${required ? 'yes' : ''} | ${cell(text)} |`
  })
  return ['**Parameters**\n', '| name | in | type | required | meaning |', '|---|---|---|---|---|', ...lines].join('\n')
}

function bodyText(api: OpenApi, { requestBody }: Operation): string {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(requestBody?.content ?? {})
  if (type === '') return ''
  const known = schema.$ref ? api.components.schemas[nameOf(schema.$ref)] : schema
  const name = schema.$ref ? `, ${typeOf(schema)}` : ''
  const table = fieldTable(known ?? {}).replace('| always there |', '| required |')
  return [`**Body** (\`${type}\`${name})`, withLinks(known?.description ?? ''), table].filter(Boolean).join('\n\n')
}

const answerOf = (api: OpenApi, answer: Answer): Answer =>
  answer.$ref ? (api.components.responses[nameOf(answer.$ref)] ?? {}) : answer

function answerTable(api: OpenApi, { responses }: Operation): string {
  const lines = Object.entries(responses).map(([status, given]) => {
    const { description = '', content = {} } = answerOf(api, given)
    const bodies = Object.entries(content).map(([type, { schema, 'x-event-data': event }]) => {
      const inside = event ?? (schema?.$ref || schema?.oneOf || schema?.anyOf ? schema : undefined)
      return `\`${type}\`${inside ? `: ${typeOf(inside)}` : ''}`
    })
    return `| ${status} | ${cell(withLinks(description))} | ${cell(bodies.join('; '))} |`
  })
  return ['**Answers**\n', '| status | when | body |', '|---|---|---|', ...lines].join('\n')
}

export function restSchemas(api: OpenApi): string {
  const texts = Object.entries(api.components.schemas).map(([name, schema]) => schemaText(name, schema))
  return [
    '# REST objects',
    'What the [REST API](/docs/rest.md) takes and answers. Fields that are not always there may be left out by who sends the object.',
    ...texts,
  ].join('\n\n')
}

function schemaText(name: string, schema: Schema): string {
  const variants = schema.oneOf ?? schema.anyOf ?? []
  const inline = variants.filter(({ $ref, properties }) => !$ref && properties)
  const tables = inline.map((variant, at) => `**Variant ${at + 1}.** ${variant.description ?? ''}\n\n${fieldTable(variant)}`)
  const table = fieldTable(schema)
  const isNamed = table === '' || (schema.allOf?.some(({ $ref }) => $ref) ?? false)
  return [
    `## ${name}`,
    withLinks(schema.description ?? ''),
    isNamed && tables.length === 0 ? `${typeOf(schema)}.` : '',
    table === '' ? limitsOf(schema) : '',
    table,
    ...tables,
  ]
    .filter(Boolean)
    .join('\n\n')
}
