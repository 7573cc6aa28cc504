/** The composed graph as `npm run schema` wrote it. Composing it anew would be half of a second of every start. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'

/** The text of schema/supergraph.graphql; that it says what the subgraphs say is tested. */
export const readSupergraph = (): string => readSchema('supergraph.graphql')

/** The text of schema/api.graphql, what clients see of it; tested likewise. */
export const readApi = (): string => readSchema('api.graphql')

const readSchema = (file: string): string => readFileSync(join(packageRoot, 'schema', file), 'utf8')
