/**
 * The common intermediate representation: what all languages are lowered to.
 *
 * It keeps only what rules and dataflow ask about. Anything else becomes `opaque`, whose parts are still visited, so that an
 * unknown construct never hides the calls inside it. Statements and expressions are one type because in half of the languages
 * they are. `start` and `end` are offsets in UTF-16 code units.
 */

interface Base {
  readonly start: number
  readonly end: number
}

export type Constant = string | number | boolean | null

export type Ir =
  | Literal
  | Name
  | Member
  | Index
  | Call
  | Concat
  | Binary
  | Unary
  | Assign
  | Conditional
  | Switch
  | Loop
  | Try
  | Jump
  | Lambda
  | ClassIr
  | ShapeIr
  | Collection
  | Cast
  | Block
  | Import
  | Opaque

interface Literal extends Base {
  readonly op: 'literal'
  readonly value: Constant
  /** `regex` literals keep their pattern as value. */
  readonly kind?: 'regex' | 'char'
}

export interface Name extends Base {
  readonly op: 'name'
  readonly name: string
  /** Shell only: an expansion outside of double quotes. */
  readonly unquoted?: boolean
}

interface Member extends Base {
  readonly op: 'member'
  readonly object: Ir
  readonly property: string
}

interface Index extends Base {
  readonly op: 'index'
  readonly object: Ir
  readonly index: Ir
}

export interface Argument {
  readonly value: Ir
  readonly name?: string
  readonly spread?: boolean
}

export interface Call extends Base {
  readonly op: 'call'
  readonly callee: Ir
  readonly args: readonly Argument[]
  /** C++: the namespace in front of the type that a declaration constructs: `http` of `http::Client c(url)`. */
  readonly scope?: string
  readonly isNew: boolean
  /** Where to report: the method's name in a chain over many lines. */
  readonly at: number
}

/** Interpolated strings, shell words. */
interface Concat extends Base {
  readonly op: 'concat'
  readonly parts: readonly Ir[]
}

export interface Binary extends Base {
  readonly op: 'binary'
  readonly operator: string
  readonly left: Ir
  readonly right: Ir
  /** C: what it counts with, where that is no integer. */
  readonly of?: 'address' | 'fraction'
}

/** The operand itself, by its address or behind it; `&mut` is Rust's. */
export const isReference = (operator: string): boolean => operator === '&' || operator === '*' || operator === '&mut'

interface Unary extends Base {
  readonly op: 'unary'
  readonly operator: string
  readonly operand: Ir
}

export interface Assign extends Base {
  readonly op: 'assign'
  readonly target: Ir
  /** Go: which of several results the target gets. */
  readonly result?: number
  /** Go: the variable that gets the error beside it. */
  readonly failure?: string
  /** `null` for a declaration without an initial value. */
  readonly value: Ir | null
  /** '=' or the operator of a compound assignment without its '=': '+', '.', '||'. */
  readonly operator: string
  readonly declares: boolean
  readonly type?: string
  /** C: the number of elements of a declared array. */
  readonly size?: Ir
  readonly decorators?: readonly Ir[]
  readonly modifiers?: readonly string[]
}

export interface Conditional extends Base {
  readonly op: 'if'
  readonly test: Ir
  readonly then: Ir
  readonly otherwise: Ir | null
}

export interface Case {
  /** Empty for the default case. */
  readonly tests: readonly Ir[]
  readonly guard?: Ir
  readonly body: Ir
}

export interface Switch extends Base {
  readonly op: 'switch'
  readonly subject: Ir | null
  readonly cases: readonly Case[]
  /** C-like: a case without `break` runs into the next one. */
  readonly fallsThrough: boolean
}

export interface Loop extends Base {
  readonly op: 'loop'
  readonly init: Ir | null
  readonly test: Ir | null
  readonly update: Ir | null
  /** for-each: the target is bound to the elements of `iterable`. */
  readonly target: Ir | null
  readonly iterable: Ir | null
  readonly body: Ir
  /** do-while: the body runs at least once. */
  readonly bodyFirst: boolean
}

export interface Catch {
  readonly parameter: string | null
  readonly types: readonly string[]
  readonly body: Ir
  readonly start: number
  readonly end: number
}

export interface Try extends Base {
  readonly op: 'try'
  readonly resources: readonly Ir[]
  readonly body: Ir
  readonly catches: readonly Catch[]
  readonly finalizer: Ir | null
}

export interface Jump extends Base {
  readonly op: 'jump'
  readonly kind: 'return' | 'throw' | 'break' | 'continue' | 'yield'
  readonly value: Ir | null
  /** Shell: what a function answers to a condition, beside what it prints. */
  readonly status?: Ir
}

export interface Parameter extends Base {
  readonly name: string
  /** Swift: what a call writes before the argument; `_` for nothing. */
  readonly label?: string
  /** A destructuring pattern instead of a plain name. */
  readonly pattern?: Ir
  readonly type?: string
  readonly fallback?: Ir
  readonly decorators: readonly Ir[]
  /** Rust: the type in the brackets of another, `Filter` of `Query<Filter>`. */
  readonly held?: string
  readonly rest: boolean
  /** Shell: all arguments, also those that have names of their own. */
  readonly whole?: boolean
}

/** The modifier of functions that reading a property calls: `val x get() = ...`, `var x: T { ... }`, `X => ...`. */
export const getterModifier = 'getter'

/** The modifier of functions that are called on a value of a type that they do not belong to: `fun Call.page(title: String)`. */
export const extensionModifier = 'extension'

/** Any function: named functions and methods are `declares`, all others are values. */
export interface Lambda extends Base {
  readonly op: 'function'
  readonly name: string
  readonly declares: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Ir
  readonly decorators: readonly Ir[]
  readonly modifiers: readonly string[]
  readonly returnType?: string
  /** A body that is one expression is its result. */
  readonly isExpressionBody: boolean
  /** Go, Rust, C++: the type that a method outside of a class body belongs to. */
  readonly owner?: string
  readonly receiver?: Parameter
  readonly isConstructor: boolean
}

/** A function without decorators, modifiers and types. */
export const plainFunction = (
  parts: Pick<Lambda, 'name' | 'declares' | 'parameters' | 'body' | 'isExpressionBody' | 'start' | 'end'>,
): Lambda => ({ op: 'function', decorators: [], modifiers: [], isConstructor: false, ...parts })

export interface ClassIr extends Base {
  readonly op: 'class'
  readonly name: string
  readonly bases: readonly string[]
  readonly decorators: readonly Ir[]
  readonly members: readonly Ir[]
}

/** The fields of a type that is declared apart from its functions: structs of Go and Rust, interfaces of TypeScript. */
export interface ShapeIr extends Base {
  readonly op: 'shape'
  readonly name: string
  readonly fields: readonly ShapeField[]
}

export interface ShapeField extends Base {
  readonly name: string
  readonly type: string
}

export interface Entry {
  /** `null` in lists; the spread of another collection has no key either. */
  readonly key: Ir | null
  readonly value: Ir
  readonly spread: boolean
}

export interface Collection extends Base {
  readonly op: 'collection'
  readonly kind: 'list' | 'map'
  readonly entries: readonly Entry[]
}

interface Cast extends Base {
  readonly op: 'cast'
  readonly type: string
  readonly value: Ir
}

interface Block extends Base {
  readonly op: 'block'
  readonly body: readonly Ir[]
}

export interface Import extends Base {
  readonly op: 'import'
  readonly module: string
  /** `path` is the resolved qualified name that `local` stands for. */
  readonly bindings: readonly { readonly local: string; readonly path: string }[]
}

/** The kind of opaque parts that are compiled for tests alone; only their place is kept. */
export const testCode = 'test_code'

interface Opaque extends Base {
  readonly op: 'opaque'
  /** The grammar's node type, for rules that match on syntax. */
  readonly kind: string
  readonly parts: readonly Ir[]
}

/** What `...` of C stands for has no name; `va_start` gives it one. */
export const restName = '...'
