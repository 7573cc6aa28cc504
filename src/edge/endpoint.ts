/** What a route is, declared once: the router, the hints for wrong paths and the OpenAPI description are made from it. */
import type { z } from 'zod'

export type Method = 'get' | 'post' | 'delete'

/**
 * Who may ask: `key` demands a key before anything of the request is read, `open` does not; `probe` does not even look for
 * one, so that it answers whatever else is broken.
 */
export type Access = 'key' | 'open' | 'probe'

/** Which contract's shape the faults of a route have. */
export type FaultShape = 'openai' | 'anthropic' | 'scanner' | 'mcp'

/** What callers may send. Only `path`, `query` and `body` are read here: headers are the domain's to read. */
export interface Inputs {
  readonly path?: z.ZodObject
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
}

interface Content {
  readonly schema: z.ZodType
  /** What each event of a stream holds. */
  readonly itemSchema?: z.ZodType
}

export interface Answer {
  readonly description: string
  /** The JSON body. */
  readonly body?: z.ZodType
  /** Bodies by media type, where JSON is not the only one. */
  readonly content?: Readonly<Record<string, Content>>
  readonly headers?: Readonly<Record<string, z.ZodType>>
}

export interface Endpoint {
  readonly method: Method
  /** As RFC 6570 writes it: `/v1/gpu/rentals/{rental_id}`, and `{+id}` for a value that may hold slashes. */
  readonly path: string
  readonly access: Access
  readonly faultShape: FaultShape
  /** The name of the operation in the OpenAPI description. */
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly input: Inputs
  /** By status; a status may stand here that is also a fault. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of faults besides those that follow from the rest: see `faultStatuses`. */
  readonly faults?: readonly number[]
}

/** Every status with which this route may answer a fault. */
export function faultStatuses({ access, input, faults = [] }: Endpoint): readonly number[] {
  if (access === 'probe') return []
  const ofKey = access === 'key' ? [401] : []
  const ofInput = [...(input.query || input.body ? [400] : []), ...(input.body ? [413, 415] : [])]
  return [...new Set([...ofKey, ...ofInput, ...faults, 500, 503])].toSorted((a, b) => a - b)
}

const VARIABLE = /\{(\+?)(\w+)\}/g

/** `/v1/models/{id}`. */
export const openApiPath = (path: string): string => path.replace(VARIABLE, '{$2}')

/** `/v1/models/*id`, `/v1/gpu/rentals/:rental_id`. */
export const expressPath = (path: string): string =>
  path.replace(VARIABLE, (_, plus: string, name: string) => `${plus === '' ? ':' : '*'}${name}`)

/** The methods that a path takes, in capitals. */
export const methodsOf = (endpoints: readonly Endpoint[], path: string): string[] =>
  endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method.toUpperCase())
