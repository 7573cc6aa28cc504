/** Which rules are about an option with a given name. Names repeat, so that each is read once. */
import { wordsOf } from './data-names.js'
import type { Matcher } from './matcher-schema.js'
import { Remembered } from './remembered.js'
import type { Rule } from './schema.js'
import { compileRegex } from './safe-regex.js'

interface OptionRule {
  readonly rule: Rule
  readonly matcher: Matcher
}

interface OptionTest {
  readonly one: OptionRule
  readonly pattern: RegExp | null
  readonly words: readonly (readonly string[])[]
  readonly without: ReadonlySet<string>
}

const isNamed = ({ pattern, words, without }: OptionTest, given: readonly string[]): boolean =>
  (pattern === null || pattern.test(given.join(' '))) &&
  words.every((some) => some.some((word) => given.includes(word))) &&
  !given.some((word) => without.has(word))

const nothing: readonly OptionRule[] = []

export class OptionNames {
  readonly #rules: readonly OptionTest[]
  readonly #known = new Remembered<readonly OptionRule[]>()

  constructor(rules: readonly OptionRule[]) {
    this.#rules = rules.map((one) => {
      const { name, words, without } = one.matcher.option ?? {}
      return { one, pattern: name === undefined ? null : compileRegex(name), words: words ?? [], without: new Set(without) }
    })
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  named(name: string): readonly OptionRule[] {
    if (this.#rules.length === 0 || name.length > maxNameLength) return nothing
    return this.#known.of(name, () => {
      const words = wordsOf(name)
      return this.#rules.filter((test) => isNamed(test, words)).map(({ one }) => one)
    })
  }
}

const maxNameLength = 60
