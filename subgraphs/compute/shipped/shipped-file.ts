/** Reads the catalogue files that ship with this subgraph, from the package's own folder in source and compiled runs alike. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'
import { parse } from 'yaml'

/** The parsed content of `subgraphs/compute/shipped/<name>`. */
export function readShippedFile(name: 'offers.yaml' | 'recipes.yaml'): unknown {
  return parse(readFileSync(join(packageRoot, 'subgraphs', 'compute', 'shipped', name), 'utf8'))
}
