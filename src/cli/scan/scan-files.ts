/** Which files `sluice scan` reads: everything below the given paths that is source code and not ignored. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  detectLanguage,
  headerLanguage,
  type ComplianceConfig,
  type Language,
} from '../../../subgraphs/compliance/engine/index.js'
import { ConfigError } from '../../config/config-error.js'
import type { Ignore } from 'ignore'
import { parseIgnoreFile, pathMatcher, verdict } from './scan-ignore.js'

export interface SourceFile {
  /** Relative to the working directory, with slashes; as reports name it. */
  readonly name: string
  readonly language: Language
}

/** Other people's code and caches, ignored or not; `.pc` is what quilt keeps of files before its patches. */
const NEVER_ENTERED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.pc', 'node_modules'])

interface IgnoreFolder {
  readonly folder: string
  readonly rules: Ignore
}

/**
 * The source files below `paths`, sorted. A file that is named itself is read even if it is ignored.
 *
 * @throws ConfigError for a path that does not exist.
 */
export function listSourceFiles(
  paths: readonly string[],
  workingDirectory: string,
  config: Pick<ComplianceConfig, 'include' | 'exclude'> | undefined,
): SourceFile[] {
  const found = new Map<string, SourceFile>()
  const isWanted = configFilter(config)
  const add = (path: string, isNamed: boolean): void => {
    const name = relative(workingDirectory, path).split(sep).join('/')
    if (!isNamed && !isWanted(name)) return
    const language = languageOf(path)
    if (language !== undefined) found.set(name, { name, language })
  }
  for (const path of paths.map((given) => resolve(workingDirectory, given))) {
    if (!existsSync(path)) throw new ConfigError(`There is no file or folder ${relative(workingDirectory, path) || path}.`)
    if (statSync(path).isDirectory()) walk(path, ignoreFilesAbove(path), (file) => add(file, false))
    else add(path, true)
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function configFilter(config: Pick<ComplianceConfig, 'include' | 'exclude'> | undefined): (name: string) => boolean {
  const { include = [], exclude = [] } = config ?? {}
  const isIncluded = pathMatcher(include)
  const isExcluded = pathMatcher(exclude)
  return (name) => (include.length === 0 || isIncluded(name)) && !isExcluded(name)
}

/** Iterative, because a folder tree can be deeper than the stack. Links are not followed: they could lead out, or in circles. */
function walk(root: string, above: readonly IgnoreFolder[], onFile: (path: string) => void): void {
  const waiting = [{ folder: root, ignores: above }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder } = next
    const ignores = withIgnoreFile(next.ignores, folder)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if ((!isFolder && !entry.isFile()) || (isFolder && NEVER_ENTERED.has(entry.name)) || isIgnored(ignores, path, isFolder))
        continue
      if (isFolder) waiting.push({ folder: path, ignores })
      else onFile(path)
    }
  }
}

function isIgnored(ignores: readonly IgnoreFolder[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of ignores.toReversed()) {
    const decided = verdict(rules, relative(folder, path).split(sep).join('/'), isFolder)
    if (decided !== undefined) return decided
  }
  return false
}

/** Ignore files also hold for folders below theirs: from the root of the repository down to the folder. */
function ignoreFilesAbove(path: string): IgnoreFolder[] {
  const folders: string[] = []
  for (let at = path; ; at = dirname(at)) {
    if (at !== path) folders.unshift(at)
    if (existsSync(join(at, '.git'))) break
    if (dirname(at) === at) return []
  }
  return folders.reduce<IgnoreFolder[]>((all, folder) => withIgnoreFile(all, folder), [])
}

function withIgnoreFile(ignores: readonly IgnoreFolder[], folder: string): IgnoreFolder[] {
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) return [...ignores]
  return [...ignores, { folder, rules: parseIgnoreFile(readFileSync(file, 'utf8')) }]
}

/** The content decides only where the extension does not: scripts are called `status.cgi` or `backup.daily` too. */
function languageOf(path: string): Language | undefined {
  if (/\.h$/i.test(path)) return headerLanguage(beginningOf(path, 100_000))
  const byExtension = detectLanguage(path)
  if (byExtension !== undefined) return byExtension
  const [firstLine = ''] = beginningOf(path, 200).split(/[\r\n]/)
  return firstLine.startsWith('#!') ? detectLanguage(path, firstLine) : undefined
}

/** Nothing of a file that cannot be read: whether that matters is said when it is scanned. */
function beginningOf(path: string, bytes: number): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, bytes, 0))
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
