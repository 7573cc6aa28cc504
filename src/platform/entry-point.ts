/** Where the compiled form of a worker thread's or child process's entry file is. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from './package-root.js'

/** Where V8's form of a child process's program is kept: `NODE_COMPILE_CACHE` of its environment. The server's own is there too. */
export const compileCacheFolder = join(packageRoot, 'dist', 'compile-cache')

/**
 * The path of `file` (a relative specifier ending in .js) beside the module at `moduleUrl`.
 *
 * Node cannot run our decorated TypeScript directly, so when the caller itself runs from source (a test runner), the path
 * points into `dist`, which the test command builds first.
 */
export function entryPoint(file: `./${string}.js`, moduleUrl: string): string {
  const path = fileURLToPath(new URL(file, moduleUrl))
  if (moduleUrl.endsWith('.js')) return path
  return path.replace(/\/(src|subgraphs)\/(?!.*\/(?:src|subgraphs)\/)/, '/dist/$1/')
}
