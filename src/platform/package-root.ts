/** Where the package lies, from the compiled file and from its source alike. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json is not above the program.')
  return findRoot(parent)
}

/** The folder of package.json, schema/ and the shipped data. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The version in package.json: one number for the program, the scanner and the documentation. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version
