/** What languages and libraries call things is data: the engine knows meanings, and packs say the names. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolder, loadPacks } from '../../subgraphs/compliance/engine/rulebook/load.js'
import { packSchema } from '../../subgraphs/compliance/engine/rulebook/model-schema.js'
import { foldKeys, wordKeys } from '../../subgraphs/compliance/engine/rulebook/word-keys.js'
import { compileWords } from '../../subgraphs/compliance/engine/rulebook/words.js'

const files = readdirSync(join(dataFolder, 'flow')).filter((name) => name.endsWith('.ts'))

/** What looks like a call, but belongs to the language. */
const constructs = new Set(['isset', 'eql?'])

/** Names of several words, such as `strpos` and `startsWith`, are a library's; `get` is anybody's. */
const isOfLibrary = (name: string): boolean =>
  /[a-z][A-Z]|[a-z]_[a-z]|[?!]$|^(?:str(?!ing)|mb_|is)[a-z]{3,}/.test(name) && !constructs.has(name)

const literalsOf = (code: string): string[] =>
  [...code.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '').matchAll(/'([^'\n]{1,400})'/g)].flatMap(([, text = '']) => text.split(/[ |]/))

describe('the engine', () => {
  const packs = loadPacks()
  const words = packs.flatMap(({ words: lists }) =>
    Object.entries(lists ?? {}).flatMap(([, one]) =>
      Array.isArray(one) ? one : Object.entries(one).flatMap(([name, names]) => (Array.isArray(names) ? names : [name])),
    ),
  )
  const meanings = new Set<string>([...wordKeys, ...foldKeys])
  const known = new Set(words.filter((word) => isOfLibrary(word) && !meanings.has(word)).map((word) => word.toLowerCase()))

  it.each(files)('has no name of a library in flow/%s', (file) => {
    const literals = literalsOf(readFileSync(join(dataFolder, 'flow', file), 'utf8'))
    const named = literals.filter((text) => known.has(text.toLowerCase()))
    expect(named).toEqual([])
  })

  it('has no list of names in a regular expression', () => {
    const long = files.filter((file) =>
      /\/\^\(\?:(?:[a-z_]{3,}\|){6}/i.test(readFileSync(join(dataFolder, 'flow', file), 'utf8')),
    )
    expect(long).toEqual([])
  })
})

describe('words of packs', () => {
  const compiled = compileWords([packSchema.parse({ pack: 'p', languages: ['go'], words: { ends: ['Fatal', 'panic*'] } })])

  it('match in any letter case', () => expect(compiled.ends.has('FATAL')).toBe(true))

  it('match by their beginning where they end in *', () => {
    expect(compiled.ends.has('panicf')).toBe(true)
    expect(compiled.ends.has('span')).toBe(false)
  })

  it('are refused under a key that has no meaning', () => {
    const parsed = packSchema.safeParse({ pack: 'p', languages: ['go'], words: { finishes: ['Fatal'] } })
    expect(parsed.success).toBe(false)
  })

  it('are those of the language: Go has no strpos', () => {
    const go = compileWords(packs('go'))
    const php = compileWords(packs('php'))
    expect([go, php].map((one) => one.searches.has('strpos'))).toEqual([false, true])
  })
})

const packs = (language: string) => loadPacks().filter((pack) => (pack.languages as readonly string[]).includes(language))
