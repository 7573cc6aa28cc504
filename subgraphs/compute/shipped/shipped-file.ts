/** Reads the catalogue files that ship with this subgraph, from the package's own folder in source and compiled runs alike. */
import { join } from 'node:path'
import { packageRoot } from '#platform/package-root.js'
import { readYaml } from '#platform/yaml-file.js'

/** The parsed content of `subgraphs/compute/shipped/<name>`. */
export function readShippedFile(name: 'offers.yaml' | 'recipes.yaml'): unknown {
  return readYaml(join(packageRoot, 'subgraphs', 'compute', 'shipped', name))
}
