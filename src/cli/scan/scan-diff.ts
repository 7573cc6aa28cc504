/** Lines that changed since a commit, so that a review sees the violations of the change only. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasLoneReturns } from '../../../subgraphs/compliance/engine/index.js'
import { ConfigError } from '../../config/config-error.js'

/** The changed lines of a file, or `all` for a file that git does not know yet. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number> | 'all'>

/** @throws ConfigError where there is no repository, no git, or no such commit. */
export function changedSince(ref: string, workingDirectory: string): ChangedLines {
  // A ref that begins with a dash would be an option.
  if (ref.startsWith('-')) throw new ConfigError(`"${ref}" is not a commit.`)
  const base = git(['merge-base', ref, 'HEAD'], workingDirectory).trim()
  const diff = git(
    [
      'diff',
      '--unified=0',
      '--no-color',
      '--no-ext-diff',
      '--no-renames',
      '--relative',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      base,
      '--',
    ],
    workingDirectory,
  )
  const untracked = git(['ls-files', '--others', '--exclude-standard', '-z'], workingDirectory)
  const changed = new Map<string, Set<number> | 'all'>(parseDiff(diff))
  for (const name of untracked.split('\0')) if (name !== '') changed.set(name, 'all')
  for (const [name, lines] of changed) {
    if (lines !== 'all' && lines.size > 0 && isCountedOtherwise(join(workingDirectory, name))) changed.set(name, 'all')
  }
  return changed
}

/** To git a carriage return alone ends no line, so its line numbers are not ours. */
const isCountedOtherwise = (path: string): boolean => existsSync(path) && hasLoneReturns(readFileSync(path, 'utf8'))

/** The new lines of each file of a diff without context. */
export function parseDiff(diff: string): Map<string, Set<number>> {
  const files = new Map<string, Set<number>>()
  let current: Set<number> | null = null
  let isHeader = true
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) isHeader = true
    else if (isHeader && line.startsWith('+++ ')) {
      const name = newName(line.slice(4))
      current = name === null ? null : new Set()
      if (name !== null && current) files.set(name, current)
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk === null) continue
    isHeader = false
    const first = Number(hunk[1])
    for (let at = 0; at < Number(hunk[2] ?? 1); at++) current?.add(first + at)
  }
  return files
}

/** Git quotes names with unusual bytes like C strings, and ends names with blanks by a tab. */
function newName(text: string): string | null {
  const name = text.startsWith('"') ? unquote(text) : text.replace(/\t$/, '')
  return name === '/dev/null' ? null : name.replace(/^b\//, '')
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, '"': 34, '\\': 92, a: 7, b: 8, f: 12, v: 11 }

function unquote(text: string): string {
  const parts = text.slice(1, text.lastIndexOf('"')).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)
  return Buffer.concat(
    [...parts].map(([, octal, escape, plain]) => {
      if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)])
      return escape === undefined ? Buffer.from(plain ?? '') : Buffer.from([ESCAPES[escape] ?? 63])
    }),
  ).toString('utf8')
}

const MAX_DIFF_BYTES = 256 * 1024 * 1024

function git(args: readonly string[], workingDirectory: string): string {
  try {
    return execFileSync('git', args, {
      cwd: workingDirectory,
      encoding: 'utf8',
      maxBuffer: MAX_DIFF_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new ConfigError(`git ${args[0]}: ${(stderr || message).trim().split('\n')[0]}`)
  }
}
