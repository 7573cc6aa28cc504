/** Versions of the program that others may still run, built from this repository's history with the libraries of today. */
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.js'

/**
 * Until there is a release: the commit whose last migration is the last one that the rule of decision 0044 does not cover. What
 * runs beside it ran beside everything since.
 */
export const OLDEST_VERSION = 'dd5f652262f0bece18a6a7c6feaa60dd48b5d62d'

/** False in a checkout without history. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: packageRoot, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Builds a version in an empty folder; returns its main file. */
export function buildVersion(commit: string, folder: string): string {
  const sources = execFileSync('git', ['archive', commit], { cwd: packageRoot, maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', folder], { input: sources })
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck')
  run('dist/src/graph/emit-graphiql.js')
  return join(folder, 'dist/src/main.js')
}
