/** Conditions that a function asks twice: `if (need) p = malloc(n); ... if (need) free(p);` has one answer. */
import { numberValue } from '../numbers/arithmetic.js'
import { constant, isConstant } from '../numbers/linear.js'
import type { Expr, FunctionIr, Statement } from '../program.js'
import { type Branches, type Run, step } from '../run.js'
import type { State } from '../state.js'

type If = Extract<Statement, { op: 'if' }>

const MOST_CHARACTERS = 60

interface Question {
  readonly text: string
  /** The variables and fields that it is about. */
  readonly names: readonly string[]
  readonly isNegated: boolean
}

/** The question without `!` and blanks; `null` for what may answer otherwise the next time it is asked. */
function questionOf(text: string, test: Expr): Question | null {
  if (test.op === 'cast') return questionOf(text, test.value)
  if (test.op === 'unary' && test.operator === '!') {
    const inner = questionOf(text, test.operand)
    return inner === null ? null : { ...inner, isNegated: !inner.isNegated }
  }
  const names = test.end - test.start > MOST_CHARACTERS ? null : askedAbout(test)
  if (names === null) return null
  // Variables of the same name are told apart.
  return { text: [text.slice(test.start, test.end).replaceAll(/\s+/g, ''), ...names].join(' '), names, isNegated: false }
}

/** `null` where a call or a change is in it. */
function askedAbout(expr: Expr): readonly string[] | null {
  switch (expr.op) {
    case 'variable':
      return [expr.name]
    case 'number':
    case 'null':
    case 'sizeof':
      return []
    case 'field':
      return both([expr.name], askedAbout(expr.base))
    case 'dereference':
      return askedAbout(expr.base)
    case 'index':
      return both(askedAbout(expr.base), askedAbout(expr.index))
    case 'cast':
      return askedAbout(expr.value)
    case 'unary':
      return askedAbout(expr.operand)
    case 'binary':
      return both(askedAbout(expr.left), askedAbout(expr.right))
    case 'call':
      return expr.receiver === null && askingMacro.test(expr.name)
        ? expr.args.reduce<readonly string[] | null>((names, one) => both(names, askedAbout(one)), [expr.name])
        : null
    default:
      return null
  }
}

/** `F_ISSET(t, FIXED)`, `IS_OPEN(s)`: a macro that only looks. */
const askingMacro = /^(?:[A-Z0-9]+_)*(?:IS|HAS|ISSET|TEST|FLAGS?|CAN)(?:_?[A-Z0-9_]+)?$/

const both = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null =>
  a === null || b === null ? null : [...a, ...b]

/** Calls are taken to leave alone what they are not given; what the function itself writes is another answer. */
function isChanged(run: Run, { names }: Question, since: number, until: number): boolean {
  const text = run.text.slice(since, until)
  step(run, text.length >> 6)
  return names.some((one) => {
    const name = one.replace(/'.*/, '')
    // `operator++` of C++ is a name as well.
    if (!/^\w+$/.test(name)) return true
    const written = `\\b${name}(?:\\s*\\[[^\\]]{0,60}\\])?\\s*(?:(?:[-+*/|&^%]|<<|>>)?=(?!=)|\\+\\+|--)`
    const steppedOrGiven = `(?:\\+\\+|--|&)\\s*(?:\\w+\\s*(?:->|\\.)\\s*){0,4}${name}\\b`
    return new RegExp(`${written}|${steppedOrGiven}`).test(text)
  })
}

/** Questions that statements outside of loops ask more than once. */
function repeated(text: string, fn: FunctionIr): ReadonlySet<string> {
  const [once, twice] = [new Set<string>(), new Set<string>()]
  const look = (statement: Statement | null): void => {
    switch (statement?.op) {
      case 'if': {
        const question = questionOf(text, statement.test)?.text
        if (question !== undefined) (once.has(question) ? twice : once).add(question)
        look(statement.then)
        look(statement.otherwise)
        return
      }
      case 'block':
        for (const one of statement.body) look(one)
        return
      case 'either':
        for (const one of statement.branches) look(one)
        return
      case 'label':
        look(statement.body)
        return
      default:
    }
  }
  look(fn.body)
  return twice
}

const known = new WeakMap<FunctionIr, ReadonlySet<string>>()

/** The branches of an `if`, where it was asked before only the one that was taken then. */
export function askedAgain(run: Run, state: State, { test }: If): Branches {
  const { fn, loops } = run.frame
  const twice = known.get(fn) ?? repeated(run.text, fn)
  known.set(fn, twice)
  const question = twice.size === 0 || loops.length > 0 ? null : questionOf(run.text, test)
  if (question === null || !twice.has(question.text)) return run.branch(state, test)
  const place = `asked ${question.text}`
  const before = state.value(place)
  const since = state.value(`${place} at`)?.number?.constant ?? test.start
  const isKnown = before?.number != null && isConstant(before.number) && !isChanged(run, question, since, test.start)
  const answer = isKnown ? before.number.constant : null
  const branches = run.branch(state, test)
  const [yes, no] = question.isNegated ? [branches.no, branches.yes] : [branches.yes, branches.no]
  const note = (states: readonly State[], is: number): void => {
    for (const one of states) {
      one.set(place, numberValue(constant(is)))
      one.set(`${place} at`, numberValue(constant(test.start)))
    }
  }
  note(yes, 1)
  note(no, 0)
  if (answer === 1 && yes.length > 0) no.length = 0
  else if (answer === 0 && no.length > 0) yes.length = 0
  return branches
}

/** `int bad = n > sizeof b;`: what the variable says, for `if (bad)` as long as nothing in it has changed. */
export function noteTruth({ frame: { truths } }: Run, expr: Expr): void {
  if (truths.size < MOST_TRUTHS && askedAbout(expr) !== null) truths.set(`truth ${expr.start}`, expr)
}

const MOST_TRUTHS = 100

export function truthOf({ frame: { truths, fn } }: Run, state: State, test: Expr): Expr | null {
  if (test.op !== 'variable' || !test.isLocal) return null
  const number = state.value(`&${test.name}`)?.number
  const [only] = number?.terms ?? []
  const expr = number?.constant === 0 && number.terms.length === 1 && only?.[1] === 1 ? truths.get(only[0]) : undefined
  if (expr === undefined || expr.start > test.start) return null
  const isSame = (name: string): boolean => fn.assigned.get(name)?.every((at) => at < expr.start || at > test.start) !== false
  return askedAbout(expr)?.every((name) => isSame(name)) === true ? expr : null
}
