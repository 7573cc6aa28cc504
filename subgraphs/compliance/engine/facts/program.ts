/**
 * What the analysis of facts runs on: functions of statements and expressions with static types.
 *
 * The common representation leaves out what memory is about (types, casts, `->` or `.`, labels), so languages with pointers are lowered to
 * this one beside it. Offsets are UTF-16 code units of the file.
 */
import type { Macro } from '../syntax/tables/c-macros.js'

export interface Place {
  readonly start: number
  readonly end: number
}

export interface Type {
  readonly kind: 'integer' | 'float' | 'pointer' | 'array' | 'record' | 'void' | 'other'
  /** As it is written, without qualifiers and declarators. */
  readonly name: string
  /** Size of one value, when it is known. */
  readonly bytes: number | null
  readonly isSigned: boolean
  /** What a pointer points to, what an array holds. */
  readonly of: Type | null
  /** Number of elements of an array. */
  readonly count: Expr | null
  readonly isReference: boolean
}

export type Expr = Place & { readonly type: Type | null } & (
    | { readonly op: 'number'; readonly value: number }
    | { readonly op: 'text'; readonly value: string; readonly width: number }
    | { readonly op: 'null' }
    | { readonly op: 'variable'; readonly name: string; readonly isLocal: boolean }
    | { readonly op: 'field'; readonly base: Expr; readonly name: string; readonly isArrow: boolean }
    | { readonly op: 'index'; readonly base: Expr; readonly index: Expr }
    | { readonly op: 'dereference'; readonly base: Expr }
    | { readonly op: 'address'; readonly base: Expr }
    | { readonly op: 'binary'; readonly operator: string; readonly left: Expr; readonly right: Expr }
    | { readonly op: 'unary'; readonly operator: string; readonly operand: Expr }
    | { readonly op: 'assign'; readonly operator: string; readonly target: Expr; readonly value: Expr }
    | { readonly op: 'step'; readonly by: 1 | -1; readonly isBefore: boolean; readonly target: Expr }
    | { readonly op: 'choice'; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr }
    | {
        readonly op: 'call'
        readonly name: string
        readonly receiver: Expr | null
        readonly args: readonly Expr[]
        readonly callee: Expr | null
      }
    | { readonly op: 'cast'; readonly value: Expr }
    | { readonly op: 'new'; readonly count: Expr | null; readonly args: readonly Expr[]; readonly mayBeNull: boolean }
    | { readonly op: 'delete'; readonly value: Expr; readonly isArray: boolean }
    | { readonly op: 'sizeof'; readonly of: Expr | null; readonly measured: Type | null }
    | { readonly op: 'list'; readonly items: readonly Expr[] }
    | { readonly op: 'sequence'; readonly items: readonly Expr[] }
    /** A function value: what it mentions may be used at any time. */
    | { readonly op: 'lambda'; readonly mentions: readonly Expr[] }
    | { readonly op: 'opaque'; readonly parts: readonly Expr[] }
  )

export type ExprOf<K extends Expr['op']> = Extract<Expr, { op: K }>

export interface Variable {
  readonly name: string
  readonly type: Type | null
  /** Gives back what it holds where its block ends. */
  readonly endsItself?: boolean
}

/** What `#if` asks (c/conditionals.ts). */
export interface Asked {
  readonly text: string
  /** Asks whether it is not so. */
  readonly isNegated: boolean
}

export type Statement = Place &
  (
    | { readonly op: 'expression'; readonly value: Expr }
    | { readonly op: 'declare'; readonly variable: Variable; readonly value: Expr | null; readonly isStatic: boolean }
    | { readonly op: 'block'; readonly body: readonly Statement[]; readonly declared: readonly string[] }
    | { readonly op: 'if'; readonly test: Expr; readonly then: Statement; readonly otherwise: Statement | null }
    /** `#if` and `#else`: all are taken, those that ask the same in the same way. */
    | { readonly op: 'either'; readonly branches: readonly Statement[]; readonly asked: Asked | null }
    | { readonly op: 'switch'; readonly subject: Expr; readonly cases: readonly Case[] }
    | Loop
    | { readonly op: 'return'; readonly value: Expr | null }
    | { readonly op: 'throw'; readonly value: Expr | null }
    | { readonly op: 'try'; readonly body: Statement; readonly handlers: readonly Statement[] }
    | { readonly op: 'break' }
    | { readonly op: 'continue' }
    | { readonly op: 'goto'; readonly label: string }
    | { readonly op: 'label'; readonly label: string; readonly body: Statement }
  )

export interface Case {
  /** Empty for the default. */
  readonly tests: readonly Expr[]
  readonly body: readonly Statement[]
}

export interface Loop extends Place {
  readonly op: 'loop'
  readonly test: Expr | null
  readonly update: Expr | null
  readonly body: Statement
  readonly bodyFirst: boolean
  /** For-each: the variable, the names of its parts, and what is walked. */
  readonly each: { readonly variable: Variable; readonly pieces: readonly string[]; readonly over: Expr } | null
  readonly writes: Writes
}

/** What the statements of a loop assign. */
export interface Writes {
  /** By variable: the amount of each step, `null` when it is also assigned in another way. */
  readonly variables: ReadonlyMap<string, number | null>
  /** Bytes of one step of a pointer. */
  readonly steps: ReadonlyMap<string, number>
  readonly fields: ReadonlySet<string>
  /** What methods are called on (`v.push_back`), and what calls get (`v`). */
  readonly called: ReadonlySet<string>
  /** Those of them whose address a call gets (`&n`). */
  readonly filled: ReadonlySet<string>
  /** Variables in comparisons anywhere in the loop. */
  readonly compared: ReadonlySet<string>
  /** The condition of the loop compares by size. */
  readonly isCounted: boolean
}

export interface OwnCall extends Place {
  readonly name: string
  readonly args: readonly Expr[]
}

export interface FunctionIr extends Place {
  readonly name: string
  /** The class of a method, also outside of its body. */
  readonly owner: string | null
  readonly parameters: readonly Variable[]
  readonly returns: Type | null
  readonly body: Statement
  /** Variables in comparisons anywhere. */
  readonly compared: ReadonlySet<string>
  /** Calls of functions by name, with what they are given. */
  readonly calls: readonly OwnCall[]
  /** Fields that it counts up. */
  readonly steppedFields: ReadonlySet<string>
  /** Where it may jump to. */
  readonly labels: ReadonlySet<string>
  /** Where each variable is assigned. */
  readonly assigned: ReadonlyMap<string, readonly number[]>
  /** Conditions of the preprocessor that it asks more than once. */
  readonly conditions: ReadonlySet<string>
  /** The grammar could not read all of it. */
  readonly hasErrors: boolean
}

export interface ClassIr extends Place {
  readonly name: string
  readonly fields: ReadonlyMap<string, Type | null>
}

export interface ProgramIr {
  readonly functions: readonly FunctionIr[]
  readonly classes: ReadonlyMap<string, ClassIr>
  /** Function-like macros of the file: nobody sees what they do with their arguments. */
  readonly macros: ReadonlySet<string>
  /** Names in comparisons anywhere in the file. */
  readonly compared: ReadonlySet<string>
  /** What those with one definition stand for. */
  readonly expansions: ReadonlyMap<string, Macro>
  /** Functions that are declared never to return. */
  readonly endings: ReadonlySet<string>
  /** What those without parentheses name, where they stand for statements. */
  readonly plainMacros: ReadonlyMap<string, ReadonlySet<string>>
  /** Words in the bodies of macros: what they name may be set by them. */
  readonly macroWords: ReadonlySet<string>
  /** How fields are allocated anywhere in the file, by their names: heap, new, new[]. */
  readonly makers: ReadonlyMap<string, ReadonlySet<string>>
  /** Arrays of the file by how many elements their definition lists. */
  readonly tables: ReadonlyMap<string, number>
  /** C and not C++: a type that the file does not declare may well be a pointer by another name. */
  readonly isPlain: boolean
}
