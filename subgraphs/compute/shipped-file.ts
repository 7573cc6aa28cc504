/** Reads the catalogue files that ship with this subgraph, from the package's own folder in source and compiled runs alike. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** The package root is the nearest folder upwards that holds package.json; `dist` has none of its own. */
function packageRoot(from: string): string {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`No package.json above ${from}.`)
  }
}

/** The parsed content of `subgraphs/compute/shipped/<name>`. */
export function readShippedFile(name: 'offers.yaml' | 'recipes.yaml'): unknown {
  const root = packageRoot(fileURLToPath(import.meta.url))
  return parse(readFileSync(join(root, 'subgraphs', 'compute', 'shipped', name), 'utf8'))
}
