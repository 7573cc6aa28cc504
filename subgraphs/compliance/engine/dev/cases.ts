/**
 * The development set: annotated source files that rules are measured on.
 *
 * A case is a file under `test/engine/cases/<language>/`, named `<name>.<extension>.txt` so that no other tool takes it for code of
 * ours. `expect: CWE-89` in a comment marks its own line as one that must be
 * reported; `expect-next: CWE-89` marks the next line; `expect-file: CWE-89` marks the file without a line. Several are separated by
 * commas. A file without marks must stay without findings of medium or higher.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Language, parseLanguage } from '../languages.js'

export interface Expectation {
  readonly cwe: number
  /** `null` for the file as a whole. */
  readonly line: number | null
}

export interface Case {
  readonly path: string
  readonly language: Language
  readonly code: string
  readonly expected: readonly Expectation[]
}

const mark = /\bexpect(-next|-file)?:\s*((?:CWE-\d+[,\s]*){1,10})/i

export function parseExpectations(code: string): Expectation[] {
  return code.split('\n').flatMap((text, at): Expectation[] => {
    const match = mark.exec(text.slice(0, 2000))
    if (match === null) return []
    const line = match[1] === '-file' ? null : at + 1 + (match[1] === '-next' ? 1 : 0)
    return [...(match[2] ?? '').matchAll(/\d+/g)].map((number) => ({ cwe: Number(number[0]), line }))
  })
}

export function loadCases(folder: string): Case[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .flatMap((path): Case[] => {
      const top = relative(folder, path).split(/[/\\]/)[0] ?? basename(dirname(path))
      const language = parseLanguage(top)
      if (language === undefined) return []
      const code = readFileSync(path, 'utf8')
      return [{ path: relative(folder, path), language, code, expected: parseExpectations(code) }]
    })
}

/** CWEs that stand for the same weakness at different depths: a finding of one satisfies an expectation of the other. */
const families: readonly (readonly number[])[] = [
  [77, 78, 88],
  [79, 80, 83],
  [89, 564],
  [22, 23, 36, 73],
  [94, 95, 96],
  [917, 1336, 94],
  [119, 120, 121, 122, 131, 193, 242, 787, 805],
  [125, 126, 127],
  [129, 125, 787],
  [190, 191, 680],
  [259, 321, 798],
  [295, 297],
  [326, 327],
  [328, 327, 916],
  [330, 338, 335],
  [415, 416],
  [476, 690],
  [502, 915],
  [532, 200, 359],
  [400, 1333, 770, 789],
  [276, 732],
  [284, 285, 862, 863, 639],
  [287, 306],
  [311, 312, 319],
  [134],
  [611, 776],
  [643, 91],
]

export const isSameWeakness = (a: number, b: number): boolean =>
  a === b || families.some((family) => family.includes(a) && family.includes(b))
