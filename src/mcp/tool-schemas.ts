/** Parameters of the five tools: those of /api, in the words of this edge. Results are in src/edge/scan/scan-output.ts. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { scanInputs, standardFilter } from '../edge/scan/scan-input.js'

/**
 * Languages as clients see them: an enumeration. Short forms such as "ts" are accepted as well, and what is none of them is
 * refused by the scanner in the contract's words, so here it is any text.
 */
const language = (languages: readonly string[]) =>
  z.string().meta({ description: 'The language of the code.', enum: [...languages] })

export const inputSchemas = (languages: readonly string[]) => ({
  ...scanInputs(language(languages)),
  getConfig: z.object({}),
  getRules: z.object({ standard: standardFilter.nullish() }),
  healthCheck: z.object({}),
})

/** A tool's schema is whole in itself: names of components are for documents that hold several. */
const unnamed = new (class extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...said } = z.globalRegistry.get(schema) ?? {}
    return said as never
  }
})()

/**
 * Without `additionalProperties: false`: a client that has an older list of tools must take what a newer server adds. What
 * may be left out may also be null, but clients whose dialect has one type for each field need not hear of that.
 */
export const toolSchema = (schema: z.ZodObject): Tool['inputSchema'] =>
  withoutNull(z.toJSONSchema(schema, { io: 'input', metadata: unnamed })) as Tool['inputSchema']

function withoutNull(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutNull)
  const { anyOf = [], ...schema } = value as { anyOf?: readonly { readonly type?: unknown }[]; type?: unknown }
  const [only, ...more] = anyOf.filter(({ type }) => type !== 'null')
  const fields: object = only && more.length === 0 ? { ...only, ...schema } : value
  const { type } = fields as { type?: unknown }
  const single = Array.isArray(type) ? { ...fields, type: (type as unknown[]).find((name) => name !== 'null') } : fields
  return Object.fromEntries(Object.entries(single).map(([name, part]) => [name, withoutNull(part)]))
}
