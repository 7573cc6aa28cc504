/** The tokens of a statement, one after the other. */
import type { SqlToken } from './sql-tokens.js'

export class Reader {
  at = 0
  /** How many branches are read that stand in one another. */
  depth = 0
  /** Names of variables that hold rows of tables. */
  readonly rows = new Set<string>()

  constructor(readonly tokens: readonly SqlToken[]) {}

  peek(ahead = 0): SqlToken | undefined {
    return this.tokens[this.at + ahead]
  }

  next(): SqlToken | undefined {
    return this.tokens[this.at++]
  }

  is(...words: string[]): boolean {
    return words.every((word, ahead) => this.peek(ahead)?.text.toUpperCase() === word)
  }

  take(...words: string[]): boolean {
    if (!this.is(...words)) return false
    this.at += words.length
    return true
  }

  get isDone(): boolean {
    return this.at >= this.tokens.length
  }
}

export const variableName = (token: SqlToken): string => token.text.toLowerCase()
