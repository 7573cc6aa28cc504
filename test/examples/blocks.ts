/** The fenced blocks of the guide, and what in them is a command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.js'

export interface Block {
  /** In the repository. */
  readonly file: string
  /** That it stands under. */
  readonly heading: string
  readonly language: string
  readonly text: string
}

export function blocksOf(file: string): Block[] {
  const text = readFileSync(join(packageRoot, file), 'utf8')
  let heading = ''
  return [...text.matchAll(/^#+ ([^\n]+)$|^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, title, language = '', code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ file, heading, language, text: code.trimEnd() }]
  })
}

/** A line of a shell each, with lines that go on joined and without the comments behind them. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
