/**
 * YAML files that ship with the program. To parse them takes a hundred times as long as JSON does, at every start of the server
 * and of every command, so the parsed form is kept in `dist`, under the hash of the text that it was made from.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from './package-root.js'

/** The content of a YAML file; dates stay text. */
export function readYaml(path: string, keptIn = join(packageRoot, 'dist', 'yaml')): unknown {
  const text = readFileSync(path, 'utf8')
  const kept = join(keptIn, `${createHash('sha256').update(text).digest('hex')}.json`)
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as unknown
  } catch {
    // Nobody has read this text before.
  }
  // `core` keeps dates as text; every other schema of the library turns 2025-03-13 into a Date in local time.
  const content: unknown = parse(text, { schema: 'core' })
  try {
    mkdirSync(keptIn, { recursive: true })
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify(content))
    renameSync(`${kept}.${process.pid}`, kept)
  } catch {
    // A read-only installation parses it each time.
  }
  return content
}
