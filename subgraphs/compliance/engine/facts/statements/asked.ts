/** Conditions that a function asks twice: `if (need) p = malloc(n); ... if (need) free(p);` has one answer. */
import { numberValue } from '../numbers/arithmetic.js'
import { constant, isConstant } from '../numbers/linear.js'
import type { Expr, FunctionIr, Statement } from '../program.js'
import { type Branches, type Run, step } from '../run.js'
import type { State } from '../state.js'

type If = Extract<Statement, { op: 'if' }>

const MOST_CHARACTERS = 60

/** The question without `!` and blanks; `null` for what may answer otherwise the next time it is asked. */
function questionOf(text: string, test: Expr): { readonly text: string; readonly isNegated: boolean } | null {
  if (test.op === 'cast') return questionOf(text, test.value)
  if (test.op === 'unary' && test.operator === '!') {
    const inner = questionOf(text, test.operand)
    return inner === null ? null : { ...inner, isNegated: !inner.isNegated }
  }
  if (test.end - test.start > MOST_CHARACTERS || !isPlain(test)) return null
  // Variables of the same name are told apart.
  return { text: [text.slice(test.start, test.end).replaceAll(/\s+/g, ''), ...namesIn(test)].join(' '), isNegated: false }
}

function isPlain(expr: Expr): boolean {
  switch (expr.op) {
    case 'variable':
    case 'number':
    case 'null':
      return true
    case 'field':
    case 'dereference':
      return isPlain(expr.base)
    case 'index':
      return isPlain(expr.base) && isPlain(expr.index)
    case 'cast':
      return isPlain(expr.value)
    case 'unary':
      return isPlain(expr.operand)
    case 'binary':
      return isPlain(expr.left) && isPlain(expr.right)
    default:
      return false
  }
}

function namesIn(expr: Expr): string[] {
  switch (expr.op) {
    case 'variable':
      return [expr.name]
    case 'field':
      return [expr.name, ...namesIn(expr.base)]
    case 'dereference':
      return namesIn(expr.base)
    case 'index':
      return [...namesIn(expr.base), ...namesIn(expr.index)]
    case 'cast':
      return namesIn(expr.value)
    case 'unary':
      return namesIn(expr.operand)
    case 'binary':
      return [...namesIn(expr.left), ...namesIn(expr.right)]
    default:
      return []
  }
}

/** Calls are taken to leave alone what they are not given; what the function itself writes is another answer. */
function isChanged(run: Run, test: Expr, since: number): boolean {
  const text = run.text.slice(since, test.start)
  step(run, text.length >> 6)
  return namesIn(test).some((one) => {
    const name = one.replace(/'.*/, '')
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
  const isKnown = before?.number != null && isConstant(before.number) && !isChanged(run, test, since)
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
