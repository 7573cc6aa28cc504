/** Everything that the analysis of one file shares. */
import type { Rulebook } from '../rulebook/compile.js'
import type { Rule, Severity } from '../rulebook/schema.js'
import type { Call, Catch, ClassIr, Ir, Lambda, Loop, ShapeIr } from '../syntax/ir.js'
import type { LanguageTable } from '../syntax/lowering/shapes.js'
import type { Environment } from './environment.js'
import type { Habits } from './habits.js'
import type { Declaration } from './prepare.js'
import type { Asked, Question, Questions } from './questions.js'
import type { Place, SinkHit, SinkHits } from './sink-hits.js'
import type { FlowStep } from './values/trail.js'
import type { Origin, Value } from './values/value.js'

export interface Finding {
  readonly rule: Rule
  readonly severity: Severity
  readonly start: number
  readonly end: number
  /** Where the data came from, when dataflow found it. */
  readonly source?: { readonly at: number; readonly label: string }
  /** From the source to the sink; empty when dataflow has no part in it. */
  readonly steps: readonly FlowStep[]
  readonly confidence: Rule['confidence']
  readonly functionName: string
}

/** A function that was passed in is called with these values; `block` is Ruby's block. */
export interface ParameterCall {
  readonly parameter: number | 'block'
  readonly args: readonly Value[]
}

export interface Summary {
  readonly result: Value
  /** What it left in the fields of its object. */
  readonly self: ReadonlyMap<string, Value>
  /** Its result is its object. */
  readonly returnsSelf: boolean
  readonly parameterCalls: readonly ParameterCall[]
  /** Every way through it ends in exit, abort or throw. */
  readonly neverReturns: boolean
  readonly hits: readonly SinkHit[]
  readonly questions: ReadonlyMap<Asked, ReadonlySet<Question>>
  /** Parameters that are in the result. */
  readonly givesBack: readonly number[]
  /** What the function put into the objects it was given: parameter index -> value. */
  readonly effects: ReadonlyMap<number, Value>
  /** Kinds that a parameter is clean for when the function returned, returned true, returned false. */
  readonly validated: ValidatedParameters
  /** Marks that every way through it leaves on a parameter. */
  readonly marks: ParameterMarks
}

export type ParameterMarks = ReadonlyMap<number, ReadonlySet<string>>

export interface ValidatedParameters {
  readonly always: ReadonlyMap<number, ReadonlySet<string>>
  readonly whenTrue: ReadonlyMap<number, ReadonlySet<string>>
  readonly whenFalse: ReadonlyMap<number, ReadonlySet<string>>
}

/** Per parameter, what one way out of a function guarantees. */
export interface Exit {
  readonly whenTrue: ReadonlyMap<number, ReadonlySet<string>> | null
  readonly whenFalse: ReadonlyMap<number, ReadonlySet<string>> | null
  /** The marks of the parameters; `null` for one that is null on this way. */
  readonly marks: ReadonlyMap<number, ReadonlySet<string> | null>
}

export interface ClassInfo {
  readonly ir: ClassIr
  readonly methods: Map<string, Lambda>
  readonly fieldTypes: Map<string, string>
  /** Taint and constants of `this.x` between methods. */
  fields: Map<string, Value>
  /** What a new object has in its fields before any constructor runs. */
  readonly defaults: Map<string, Value>
  readonly scope: Environment
}

/** One function under evaluation, or the module's top level. */
export interface Frame {
  readonly lambda: Lambda | null
  readonly className: string | null
  env: Environment
  result: Value | null
  readonly breaks: Environment[]
  readonly continues: Environment[]
  readonly hits: SinkHits
  readonly exits: Exit[]
  /** What parameters held in the beginning, and where the function changed them and returned, by their names. */
  readonly left: Map<string, { readonly begun: Value; changed: Value | null }>
  readonly parameterCalls: ParameterCall[]
  /** The function whose parameters are symbols here: `lambda`, or the one that looks at it with its own values. */
  readonly symbolic: Lambda | null
  readonly questions: Questions
  readonly loopDepth: number
  /** The innermost loop. */
  readonly loop: Loop | null
  readonly callbackOf: string | null
  /** The anonymous function that is running; `lambda` is the one around it that has a name. */
  readonly closure: Lambda | null
  /** Where the caller stands whose values are looked at. */
  readonly calledAt: Place | null
  /** The outermost callback of code that stands in no function, or a handler that a function registers: what `inside` looks at there. */
  readonly outermost: Lambda | null
  readonly inCatch: boolean
  /** The conditions of the branches that are running, outermost first. */
  readonly tests: Ir[]
  /** Globals that the function has assigned: they are in its environment, and stay everybody's. */
  readonly globals: Set<string>
}

export interface Flow {
  readonly book: Rulebook
  readonly table: LanguageTable | null
  readonly text: string
  readonly root: Ir
  readonly findings: Map<string, Finding>
  readonly classes: Map<string, ClassInfo>
  readonly shapes: ReadonlyMap<string, ShapeIr>
  /** Calls that are statements of their own. */
  readonly unusedCalls: ReadonlySet<Ir>
  /** Calls in a branch that does not leave, where other work follows behind it. */
  readonly goingOn: ReadonlySet<Ir>
  readonly implementers: ReadonlyMap<string, readonly ClassInfo[]>
  readonly methodsByName: Map<string, { className: string; lambda: Lambda }[]>
  readonly summaries: Map<Lambda, Summary | 'busy'>
  /** Names of the variables that functions without a name are assigned to. */
  readonly lambdaNames: Map<Lambda, string>
  readonly scopes: Map<Lambda, { scope: Environment; className: string | null }>
  readonly evaluated: Set<Lambda>
  /** Names that appear as callees anywhere in the file, with the most arguments that a call gives. */
  readonly calledNames: ReadonlyMap<string, number>
  readonly calledOwn: ReadonlyMap<string, number>
  /** How often each name or member is assigned in the file. */
  readonly assignments: ReadonlyMap<string, number>
  /** Names of all calls inside of each function, for `has_call` and `lacks_call`. */
  readonly callsInside: Map<Lambda, Ir[]>
  /** Functions, classes and imports, in source order. */
  readonly declarations: readonly Declaration[]
  /** What the functions among the arguments of calls are given to, by its last name. */
  readonly givenTo: ReadonlyMap<Ir, string>
  /** The variable and the keys of the maps that functions stand in: `resolvers.Query.search`. */
  readonly keyPaths: ReadonlyMap<Ir, string>
  /** What was found out about parameters: whether they are other parts of the program. */
  readonly collaborators: Map<string, boolean>
  readonly globals: Environment
  /** `Base x = new Derived()`: a constructed class and the types that it was declared as. */
  readonly declaredTypes: Map<string, Set<string>>
  hasTaintedGlobals: boolean
  /** What the functions of the file test before they use it (habits.ts). */
  readonly habits: Habits
  /** What functions have stored in globals: branches of the top level work on copies that may be older. */
  readonly sharedGlobals: Map<string, readonly Origin[]>
  /** Conditions are looked at again while they are narrowed; calls in them then keep their results and do not run again. */
  narrowing: number
  readonly callResults: Map<Call, Value>
  /** Tests that variables hold and that are being narrowed. */
  readonly openTests: Set<Ir>
  /** Accesses whose index cannot be too large, as `start:end`. */
  readonly within: ReadonlySet<string>
  /** Some condition cleaned a call by its text: `if (get('x') in LIST) use(get('x'))`. */
  hasCleanCalls: boolean
  /** Some condition cleaned a piece of a source that no variable holds. */
  hasCleanPieces: boolean
  steps: number
  readonly maxSteps: number
  isTruncated: boolean
  depth: number
  /** Functions that are looked at again with a caller's values, from the outside in, and the steps that this took. */
  readonly inlined: Lambda[]
  inlinedSteps: number
  /** The calls for which they are, and the functions that these stand in. */
  readonly lookedFrom: (Place & { readonly lambda: Lambda | null })[]
  checkLimit(): void
  trace: ((message: string, at: number) => void) | null
  evaluate(frame: Frame, ir: Ir): Value
  /** The callee of a call: in Ruby its name alone would call it too. */
  readCallee(frame: Frame, ir: Ir): Value
  /** Applies what holds when a condition turned out so. */
  narrow(frame: Frame, test: Ir, truth: boolean): void
  /** A catch clause was entered. */
  onCatch(frame: Frame, clause: Catch, tried: Ir): void
}

/** The analysis ends here: even without following calls the file needs too many steps. */
export class BudgetSpent extends Error {}
