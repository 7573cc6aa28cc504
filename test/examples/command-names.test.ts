/** Every `sluice ...` that a text names, with the command line that is there: its commands, its options, and what they take. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { blocksOf, commandsOf } from './blocks.js'

const FILES = ['README.md', 'SECURITY.md', ...globSync('docs/*.md', { cwd: packageRoot })]

/** The program with nothing behind its commands: it reads what is typed and does nothing. */
function reader(): Command {
  const program = createProgram()
  const quiet = (command: Command): void => {
    command.action(() => undefined).exitOverride()
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    for (const below of command.commands) quiet(below)
  }
  for (const command of program.commands) quiet(command)
  return program
}

/** As a shell takes a line apart, up to where it goes to a file or another command. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ (?:[>|;]|&&) .*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(<[^>]+>|\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  )

/** Words up to the first that is no command, and the command that they lead to. */
function commandAt(program: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const below = program.commands.find((one) => one.name() === words[0])
  return below ? commandAt(below, words.slice(1)) : { command: program, rest: words }
}

describe('a command', () => {
  const typed = FILES.flatMap((file) => blocksOf(file).filter(({ language }) => language === 'sh'))
    .flatMap(commandsOf)
    .filter((line) => /^(?:npx )?sluice /.test(line))

  it('in a block is taken by the command line as it stands', async () => {
    expect(typed.length).toBeGreaterThan(25)
    for (const line of typed) {
      const words = wordsOf(line.replace(/^(?:npx )?sluice /, ''))
      const fault = await reader()
        .parseAsync(['node', 'sluice', ...words])
        .then(() => null, String)
      expect({ line, fault }).toEqual({ line, fault: null })
    }
  })

  it('that is not there, or has other options, is not taken', async () => {
    await expect(reader().parseAsync(['node', 'sluice', 'scan', '.', '--nothing'])).rejects.toThrow(/unknown option/)
    await expect(reader().parseAsync(['node', 'sluice', 'scan', '.', '--format', 'pdf'])).rejects.toThrow(/pdf/)
  })

  it('in a sentence exists, with the options that it is named with', () => {
    const named = FILES.flatMap((file) =>
      [
        ...readFileSync(join(packageRoot, file), 'utf8')
          .replaceAll(/^```[^]*?^```$/gm, '')
          .matchAll(/`(?:npx )?sluice ([a-z][^`]*)`/g),
      ].map(([, text]) => ({ file, text: text! })),
    )
    expect(named.length).toBeGreaterThan(30)
    const missing = named.filter(({ text }) => {
      const { command, rest } = commandAt(createProgram(), wordsOf(text.replaceAll(/\|\w+/g, '')))
      const options = new Set([...command.options, ...createProgram().options].map(({ long }) => long))
      const isNone = command.name() === 'sluice'
      return isNone || rest.some((word) => word.startsWith('--') && !options.has(word))
    })
    expect(missing).toEqual([])
  })
})
