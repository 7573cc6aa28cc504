/**
 * Results of files that have not changed since the last `sluice scan`. The key covers everything that a result depends on: the
 * code, its name and language, the standards, the configuration, and the engine with its rules.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileResult } from '../../../subgraphs/compliance/engine/index.js'
import { DAY_MS } from '#platform/clock.js'
import { packageRoot, packageVersion } from '#platform/package-root.js'

export interface ScanCache {
  /** The stored result, or null. */
  find(key: string): FileResult | null
  store(key: string, result: FileResult): void
  /** Writes what was used in the last 30 days; a folder that cannot be written costs time on the next run, nothing else. */
  save(): void
}

interface Entry {
  readonly usedAt: number
  readonly result: FileResult
}

const KEEP_MS = 30 * DAY_MS
const FILE_NAME = 'scan-cache.json'

/** Remembers nothing. */
export const noCache: ScanCache = { find: () => null, store: () => undefined, save: () => undefined }

/** What is kept in the folder; a file of it that cannot be read counts as empty. `now` in epoch milliseconds. */
export function openScanCache(folder: string, now: number): ScanCache {
  const file = join(folder, FILE_NAME)
  const entries = readEntries(file)
  return {
    find(key) {
      const entry = entries.get(key)
      if (!entry) return null
      entries.set(key, { ...entry, usedAt: now })
      return entry.result
    },
    store(key, result) {
      // A file that failed may succeed the next time.
      if (result.error === null && !result.isTruncated) entries.set(key, { usedAt: now, result })
    },
    save() {
      const kept = [...entries].filter(([, { usedAt }]) => now - usedAt < KEEP_MS)
      try {
        mkdirSync(folder, { recursive: true })
        const draft = `${file}.${process.pid}`
        writeFileSync(draft, JSON.stringify(kept))
        renameSync(draft, file)
      } catch {
        return
      }
    },
  }
}

function readEntries(file: string): Map<string, Entry> {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as [string, Entry][])
  } catch {
    return new Map()
  }
}

/** `node_modules/.cache` of the project, where tools keep such things; else the user's cache folder. */
export function cacheFolder(workingDirectory: string, env: Readonly<Record<string, string | undefined>>): string {
  const modules = join(workingDirectory, 'node_modules')
  if (existsSync(modules)) return join(modules, '.cache', 'sluice')
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sluice')
}

/** What all files of one run share. `setting` is the standards and the configuration. */
export const runKey = (setting: unknown): string => hash(packageVersion(), engineState(), JSON.stringify(setting))

export const fileKey = (run: string, name: string, language: string, code: string): string => hash(run, name, language, code)

const hash = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\0')).digest('base64url')

/** Names, sizes and times of the engine's files: a development copy changes without a new version. */
function engineState(): string {
  const folders = [join(packageRoot, 'subgraphs', 'compliance'), join(packageRoot, 'dist', 'subgraphs', 'compliance')]
  return folders
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []))
    .filter((entry) => entry.isFile() && /\.(?:js|yaml)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(path)
      return `${dirname(path)}/${entry.name}:${size}:${mtimeMs}`
    })
    .toSorted()
    .join('\n')
}
