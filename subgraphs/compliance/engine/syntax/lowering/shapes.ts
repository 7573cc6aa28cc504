/**
 * The vocabulary of lowering tables: how a grammar's node type maps onto the intermediate representation.
 *
 * A table is data. Selectors name children: `field`, `%type|type2`, `#0` (n-th named child), each with `*` for all of them;
 * `a/b` descends, `a,b` takes the first that finds something. `.` is the node itself.
 */
import { type Assign, getterModifier, type Ir, type Lambda, type Parameter } from '../ir.js'

export type Selector = string

/** A property whose value is made at each read: a function that the read calls. */
export const getterOf = (property: Assign, body: Ir): Lambda => ({
  op: 'function',
  name: property.target.op === 'name' ? property.target.name : '',
  declares: true,
  parameters: [],
  body,
  decorators: [],
  modifiers: [getterModifier],
  returnType: property.type,
  isExpressionBody: true,
  isConstructor: false,
  start: property.start,
  end: property.end,
})

/** What a hand-written part of a table may ask of the lowering. */
export interface Lowering {
  readonly source: string
  typeOf(node: number): string
  text(node: number): string
  startOf(node: number): number
  endOf(node: number): number
  /** Named children without comments. */
  children(node: number): number[]
  all(node: number, selector: Selector): number[]
  first(node: number, selector: Selector): number | undefined
  lower(node: number): Ir
  lowerAll(nodes: readonly number[], owner: number): Ir
  string(node: number, isRaw: boolean): Ir
  parameters(list: readonly number[]): Parameter[]
  name(node: number): string
  typeName(node: number | undefined): string | undefined
  make: {
    name(node: number, name: string): Ir
    literal(node: number, value: string | number | boolean | null): Ir
    member(node: number, object: Ir, property: string): Ir
    call(node: number, callee: Ir, args: readonly Ir[]): Ir
    block(node: number, body: readonly Ir[]): Ir
    opaque(node: number, parts: readonly Ir[]): Ir
  }
}

export type Custom = (lowering: Lowering, node: number) => Ir

export type Shape =
  | 'name'
  | 'skip'
  | 'number'
  | 'true'
  | 'false'
  | 'null'
  | 'self'
  | 'symbol'
  | 'string'
  | 'raw-string'
  | 'char'
  | 'regex'
  | 'block'
  | 'through'
  | 'args'
  | 'break'
  | 'continue'
  | { readonly is: 'through'; readonly of: Selector }
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  | {
      readonly is: 'call'
      readonly callee?: Selector
      readonly object?: Selector
      readonly method?: Selector
      /** A fixed callee name for syntax that acts like a call: `echo`, `print`, backticks. */
      readonly named?: string
      readonly args?: Selector
      readonly block?: Selector
      readonly isNew?: boolean
      readonly body?: Selector
      readonly initializer?: Selector
    }
  | { readonly is: 'member'; readonly object: Selector; readonly property: Selector }
  | { readonly is: 'index'; readonly object: Selector; readonly index: Selector }
  | { readonly is: 'binary'; readonly left: Selector; readonly right: Selector }
  /**
   * `tight`: the grammar gives the operator all that follows, the language only what stands next to it. `unless`: behind this the last
   * child is the whole, as behind the annotation of a statement.
   */
  | { readonly is: 'unary'; readonly operand: Selector; readonly tight?: true; readonly unless?: Selector }
  | {
      readonly is: 'assign'
      readonly target: Selector
      readonly value?: Selector
      readonly type?: Selector
      readonly operator?: string
      readonly declares?: boolean
      readonly decorators?: Selector
      readonly modifiers?: Selector
    }
  /** A declaration list: the type is on the outer node, names and values on each inner one. */
  | {
      readonly is: 'declarations'
      readonly items: Selector
      readonly type?: Selector
      readonly target: Selector
      readonly value: Selector
      readonly decorators?: Selector
      readonly modifiers?: Selector
    }
  | {
      readonly is: 'if'
      readonly test: Selector
      readonly then: Selector
      readonly otherwise?: Selector
      readonly init?: Selector
      readonly negate?: boolean
    }
  | { readonly is: 'switch'; readonly subject?: Selector; readonly cases: Selector; readonly fallsThrough?: boolean }
  | { readonly is: 'case'; readonly tests?: Selector; readonly guard?: Selector; readonly body: Selector }
  | {
      readonly is: 'loop'
      readonly init?: Selector
      readonly test?: Selector
      readonly update?: Selector
      readonly target?: Selector
      readonly iterable?: Selector
      readonly body: Selector
      readonly bodyFirst?: boolean
    }
  | {
      readonly is: 'try'
      readonly body: Selector
      readonly resources?: Selector
      readonly catches?: Selector
      readonly finalizer?: Selector
    }
  | { readonly is: 'catch'; readonly parameter?: Selector; readonly types?: Selector; readonly body: Selector }
  | { readonly is: 'jump'; readonly kind: 'return' | 'throw' | 'yield'; readonly value?: Selector }
  | {
      readonly is: 'function'
      readonly name?: Selector
      readonly params?: Selector
      readonly body: Selector
      readonly type?: Selector
      readonly decorators?: Selector
      readonly modifiers?: Selector
      readonly receiver?: Selector
      readonly isConstructor?: boolean
      /** Lambdas and anonymous functions do not declare. */
      readonly declares?: boolean
    }
  | {
      readonly is: 'param'
      readonly label?: Selector
      readonly name: Selector
      readonly held?: Selector
      readonly type?: Selector
      readonly value?: Selector
      readonly decorators?: Selector
      /** Takes all arguments that are left: always, or where this is found in it. */
      readonly rest?: boolean | Selector
    }
  | {
      readonly is: 'class'
      readonly name?: Selector
      readonly bases?: Selector
      readonly body: Selector
      readonly params?: Selector
      readonly decorators?: Selector
    }
  /** `holes`: a comma without anything before it leaves its place out. */
  | { readonly is: 'list'; readonly items: Selector; readonly holes?: true }
  | { readonly is: 'map'; readonly entries: Selector }
  | { readonly is: 'pair'; readonly key: Selector; readonly value: Selector }
  | { readonly is: 'argument'; readonly name?: Selector; readonly value: Selector }
  | { readonly is: 'spread'; readonly value: Selector }
  | { readonly is: 'cast'; readonly value: Selector; readonly type: Selector }
  | Custom

type DataShape = Exclude<Shape, Custom | string>

/** The shape of one kind. */
export type ShapeOf<K extends DataShape['is']> = Extract<DataShape, { is: K }>

export interface LanguageTable {
  readonly nodes: Readonly<Record<string, Shape>>
  /** Node types inside of strings: text, escapes, and what to ignore; all else is interpolated. */
  readonly strings: {
    readonly content: readonly string[]
    readonly escape?: readonly string[]
    readonly ignore?: readonly string[]
    /** The text between interpolations has no nodes. */
    readonly gaps?: boolean
  }
  /** What the parser reads instead of a text, in as many characters. */
  readonly readable?: (text: string) => string
  /** Names of the receiver inside of methods, all called `this` in the representation. */
  readonly self: readonly string[]
  readonly constructors: readonly string[]
  /** How a declared type becomes a name that rules use: the last segment, or with its package (Go). */
  readonly typeNames?: 'last' | 'package'
  /** Other names of types: group 1 is the name, group 2 the type that it stands for. With the flags `gm`. */
  readonly typeAliases?: RegExp
  /** Pattern-matching languages bind names in case labels. */
  readonly casesBind?: boolean
  /** `false`: what is read of an object is a field of it, and no method that may make it of others. */
  readonly hasMethods?: boolean
  /** Calls in a class body that declare methods which answer with a field: `attr_reader :name`. */
  readonly fieldReaders?: readonly string[]
  /** The value of a function is its last expression. */
  readonly lastIsResult?: boolean
  /** What is defined in a block belongs to the class around it: `helpers do def user ...`. */
  readonly definesInBlocks?: boolean
  /** Targets that a multiple assignment from one value skips: Go's `err` and `ok`. */
  readonly ignoredTargets?: readonly string[]
  /** What an import binds is a package: a function of it changes no object (`options.Set(source, target)`). */
  readonly importsPackages?: boolean
  /** An undeclared name in a method may be a field of `this`. */
  readonly implicitThis?: boolean
  /** The parameter for all further arguments has no node of its own. */
  readonly hasLooseRest?: boolean
  /** A variable that a function assigns without declaring it is one of the whole program. */
  readonly assignsGlobals?: boolean
  /** Functions that return the module that their argument names. */
  readonly loaders?: readonly string[]
  /** Function names are compared without letter case (PHP, SQL). */
  readonly ignoreCase?: boolean
}
