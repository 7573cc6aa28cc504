/** The supergraph as `npm run schema` wrote it. Composing it anew would be half of a second of every start. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'

/** The text of schema/supergraph.graphql; that it says what the subgraphs say is tested. */
export const readSupergraph = (): string => readFileSync(join(packageRoot, 'schema', 'supergraph.graphql'), 'utf8')
