/** schema/openapi.yaml as a judge: does this answer of a server fit its description? */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { packageRoot } from '../../src/platform/package-root.js'

interface Described {
  readonly headers?: Record<string, { required?: boolean; schema: object; $ref?: string }>
  readonly content?: Record<string, { schema: object; 'x-event-data'?: object }>
  readonly $ref?: string
}

interface Operation {
  readonly operationId: string
  readonly security?: object[]
  readonly responses: Record<string, Described>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, { enum?: unknown[]; properties?: Record<string, { enum?: unknown[] }> }>
    readonly responses: Record<string, Described>
    readonly headers: Record<string, { required?: boolean; schema: object }>
  }
}

export const METHODS = ['get', 'post', 'delete', 'put', 'patch'] as const

export const openApi = parse(readFileSync(join(packageRoot, 'schema', 'openapi.yaml'), 'utf8')) as OpenApiDocument

/** One HTTP answer, as text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, validateFormats: false })
ajv.addVocabulary(['paths', 'components', 'info', 'openapi', 'servers', 'security', 'tags', 'jsonSchemaDialect'])
ajv.addSchema({ $id: 'openapi', ...openApi })
const compiled = new Map<string, ValidateFunction>()

/** Why `value` does not fit the schema at `pointer` of the document; empty when it does. */
function misfits(pointer: string, value: unknown): string[] {
  let validate = compiled.get(pointer)
  if (!validate) compiled.set(pointer, (validate = ajv.compile({ $ref: `openapi#${pointer}` })))
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Whether a value fits the schema of that name, which comes with it. */
export const validatorOf = (name: string) =>
  Object.assign((value: unknown) => misfits(`/components/schemas/${name}`, value).length === 0, {
    schema: openApi.components.schemas[name] as { readonly properties: Readonly<Record<string, object>> },
  })

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const pointerOf = (...parts: string[]) => parts.map((part) => `/${escaped(part)}`).join('')

/** A canonical model id may hold slashes; no other parameter may. */
const toPattern = (template: string) => new RegExp(`^${template.replace('{id}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`)

export interface FoundOperation {
  readonly template: string
  readonly operation: Operation
}

export function operationFor(method: string, path: string): FoundOperation | null {
  const plain = path.split('?')[0]!
  const templates = Object.keys(openApi.paths)
  const template =
    templates.find((candidate) => candidate === plain) ?? templates.find((candidate) => toPattern(candidate).test(plain))
  const operation = template === undefined ? undefined : openApi.paths[template]![method.toLowerCase()]
  return operation ? { template: template!, operation } : null
}

/** Everything in which an answer departs from the description; empty when it fits. */
export function departures(method: string, path: string, answer: Answer): string[] {
  const found = operationFor(method, path)
  if (!found)
    return answer.status === 404 || answer.status === 405
      ? errorDepartures(answer, /^\/(api|mcp)\b/.test(path) ? 'ScanError' : 'Error')
      : [`${answer.status} of an unknown operation`]
  const status = String(answer.status)
  const declared = found.operation.responses[status]
  if (!declared) return [`the status ${status} is not described`]
  const base = declared.$ref
    ? declared.$ref.slice(1)
    : pointerOf('paths', found.template, method.toLowerCase(), 'responses', status)
  const described = declared.$ref ? openApi.components.responses[declared.$ref.split('/').at(-1)!]! : declared
  return [...headerDepartures(described, answer), ...bodyDepartures(described, base, answer)]
}

function errorDepartures({ headers, text }: Answer, shape: 'Error' | 'ScanError'): string[] {
  const missing = headers.get('x-request-id') ? [] : ['x-request-id is missing']
  return [...missing, ...misfits(`/components/schemas/${shape}`, JSON.parse(text))]
}

function headerDepartures(described: Described, { headers }: Answer): string[] {
  return Object.entries(described.headers ?? {}).flatMap(([name, header]) => {
    const { required, schema } = header.$ref ? openApi.components.headers[header.$ref.split('/').at(-1)!]! : header
    const value = headers.get(name)
    if (value === null) return required ? [`the header ${name} is missing`] : []
    const fits: boolean = ajv.validate(schema, value)
    return fits ? [] : [`the header ${name} is "${value}"`]
  })
}

function bodyDepartures(described: Described, base: string, { headers, text }: Answer): string[] {
  if (!described.content) return text === '' ? [] : ['there is a body that is not described']
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const content = described.content[type]
  if (!content) return [`the content type "${type}" is not described`]
  const pointer = `${base}${pointerOf('content', type)}`
  if (/\bjson$/.test(type)) return misfits(`${pointer}/schema`, JSON.parse(text))
  if (!content['x-event-data']) return misfits(`${pointer}/schema`, text)
  const data = text.startsWith('event: ') ? namedEvents(text) : streamData(text)
  return data.flatMap((each) => misfits(`${pointer}/x-event-data`, each))
}

/** The data of events that have names, each of which must be the type that its data says. */
function namedEvents(text: string): unknown[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'))
  return frames.map((frame) => {
    const [, name, json] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? []
    const data = JSON.parse(json ?? 'null') as { type?: string } | null
    if (data?.type !== name) throw new Error(`An event has another name than its type: ${frame}`)
    return data
  })
}

/** The data of each event before `[DONE]`, which must be there and be the last. */
export function streamData(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  const strange = lines.find((line) => !line.startsWith('data: '))
  if (strange !== undefined) throw new Error(`A line of the stream is no data: ${strange}`)
  if (lines.at(-1) !== 'data: [DONE]') throw new Error('The stream does not end with [DONE].')
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}
