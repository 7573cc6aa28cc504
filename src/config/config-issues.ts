/** What is wrong with a configuration, one line each: the path, the reason, and for an unknown key the one that was probably meant. */
import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'

/** The parts of a JSON Schema that say which keys an object may have. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly oneOf?: readonly SchemaNode[]
}

export function describeIssues(error: z.ZodError, schema: z.ZodType, source: string): string {
  const known = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as SchemaNode
  const lines = flat(error.issues).map(({ path, message, unknown }) => {
    const place = path.join('.') || '(top)'
    return unknown === undefined
      ? `  ${place}: ${message}`
      : `  ${[...path, unknown].join('.')}: ${unknownKey(known, path, unknown)}`
  })
  return [`The configuration in ${source} is wrong:`, ...lines].join('\n')
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly unknown?: string
}

const flat = (issues: readonly z.core.$ZodIssue[]): Issue[] =>
  issues.flatMap((issue): Issue[] => {
    const { path, message } = issue
    return issue.code === 'unrecognized_keys' ? issue.keys.map((unknown) => ({ path, message, unknown })) : [{ path, message }]
  })

function unknownKey(schema: SchemaNode, path: readonly PropertyKey[], key: string): string {
  const candidates = [...keysAt([schema], path)]
  if (candidates.length === 0) return `"${key}" is not a setting.`
  const nearest = closest(key, candidates)
  // Two slips, or a third of a long word: more is another word.
  if (distance(key, nearest) <= Math.max(2, key.length / 3)) return `"${key}" is not a setting. Did you mean "${nearest}"?`
  return `"${key}" is not a setting. Here are: ${candidates.toSorted().join(', ')}.`
}

/** A union contributes the keys of all its members. */
function keysAt(nodes: readonly SchemaNode[], path: readonly PropertyKey[]): Set<string> {
  const members = nodes.flatMap((node) => [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])])
  const [step, ...rest] = path
  if (step === undefined) return new Set(members.flatMap(({ properties }) => Object.keys(properties ?? {})))
  const next = members.flatMap(({ properties, items }) => (typeof step === 'number' ? items : properties?.[String(step)]) ?? [])
  return keysAt(next, rest)
}
