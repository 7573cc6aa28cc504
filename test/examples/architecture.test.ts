import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'

const text = readFileSync(join(packageRoot, 'docs/architecture.md'), 'utf8')

/** Paths in code marks, without those that have a part to be filled in. A path may leave out the folder of the one before it. */
const paths = [...text.matchAll(/`([^`\n]+)`/g)]
  .map((match) => match[1]!)
  .filter((path) => /^[\w.-]+(\/[\w.-]+)*(\.\w+|\/)$/.test(path) || /^(src|subgraphs|test|engine)\/[\w./-]+$/.test(path))

const folders = ['', 'subgraphs/compliance', 'subgraphs/compliance/engine/syntax']
const inWalks = [
  'subgraphs/inference/chat',
  'subgraphs/compute/rentals',
  'subgraphs/compute/reconciler',
  'src/rest/chat-completions',
]

describe('docs/architecture.md', () => {
  it('names files and folders that are there', () => {
    expect(paths.length).toBeGreaterThan(40)
    const exists = (path: string) => [...folders, ...inWalks].some((folder) => existsSync(join(packageRoot, folder, path)))
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })
})
