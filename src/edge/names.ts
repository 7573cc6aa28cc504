/** Names of fields between the graph, which writes `gpuModel`, and REST, which writes `gpu_model`. */

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? Letter extends Lowercase<Letter>
    ? `${Letter}${Snake<Rest>}`
    : `_${Lowercase<Letter>}${Snake<Rest>}`
  : Name

export type CamelNamed<T> = { [Name in keyof T as Name extends string ? Camel<Name> : Name]: T[Name] }
export type SnakeNamed<T> = { [Name in keyof T as Name extends string ? Snake<Name> : Name]: T[Name] }

/** `gpu_model` as `gpuModel`. */
export const camelName = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** `{ gpu_model: 'L4' }` as `{ gpuModel: 'L4' }`; what the fields hold stays as it is. */
export const camelNamed = <T extends object>(fields: T): CamelNamed<T> => renamed(fields, camelName) as CamelNamed<T>

/** `{ gpuModel: 'L4' }` as `{ gpu_model: 'L4' }`; what the fields hold stays as it is. */
export const snakeNamed = <T extends object>(fields: T): SnakeNamed<T> =>
  renamed(fields, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as SnakeNamed<T>

const renamed = (fields: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value as unknown]))

/** The words of an enumeration of the graph as REST and the command line write them. */
export const wordsOf = <Word extends string>(enumeration: Readonly<Record<string, Word>>): Lowercase<Word>[] =>
  Object.values(enumeration).map(lowerCase)

/** `running` as the graph writes it: `RUNNING`. */
export const upperCase = <Word extends string>(word: Word): Uppercase<Word> => word.toUpperCase() as Uppercase<Word>

/** An enumeration's value as REST writes it. */
export const lowerCase = <Word extends string>(word: Word): Lowercase<Word> => word.toLowerCase() as Lowercase<Word>
