/**
 * What a function wants to know of its parameters.
 *
 * Its summary is made with symbols. Where a condition fails only because a symbol stands there (a sink that wants data of a request, a
 * text that was built, an option that is a constant, a function that is called), the caller has the answer: the function is then
 * looked at again with the caller's values.
 */
import type { Constraint } from '../rulebook/matcher-schema.js'
import type { Sink } from '../rulebook/model-schema.js'
import type { Flow, Frame } from './state.js'
import { deepOrigins, type Value } from './values/value.js'

/** Where its data came from, whether from nowhere, which constant it is, which function it is, of what type it is. */
export type Question = 'data' | 'clean' | 'constant' | 'function' | 'type'

/** By the index of the parameter. Ruby's block has none; `around` stands for the parameters of the functions around a closure. */
export type Asked = number | 'block' | 'around'
export type Questions = Map<Asked, Set<Question>>

const dataKeys: readonly (keyof Constraint)[] = ['tainted', 'untested', 'concat']
const constantKeys: readonly (keyof Constraint)[] = ['is', 'in', 'string', 'starts', 'number', 'constant', 'empty']

const known = new WeakMap<Constraint, ReadonlySet<Question>>()

function questionsOf(constraint: Constraint): ReadonlySet<Question> {
  const before = known.get(constraint)
  if (before !== undefined) return before
  const questions = new Set<Question>()
  known.set(constraint, questions)
  if (dataKeys.some((key) => constraint[key] !== undefined)) questions.add('data')
  if (constraint.tainted === false) questions.add('clean')
  if (constantKeys.some((key) => constraint[key] !== undefined)) questions.add('constant')
  const inner = [
    ...(constraint.any ?? []),
    ...(constraint.all ?? []),
    ...(constraint.not === undefined ? [] : [constraint.not]),
    ...(constraint.element === undefined ? [] : [constraint.element]),
    ...Object.values(constraint.keys ?? {}),
  ]
  for (const one of inner) for (const question of questionsOf(one)) questions.add(question)
  return questions
}

/** Notes that `value` did not meet the constraint, where a parameter is in it. */
export function askAbout(frame: Frame, constraint: Constraint | undefined, value: Value): void {
  if (constraint === undefined || frame.symbolic === null || deepOrigins(value).length === 0) return
  for (const question of questionsOf(constraint)) ask(frame, question, value)
}

/** Whether a constraint is about data that comes from somewhere, not only about what stands at the place. */
export const isAboutData = (constraint: Constraint | undefined): boolean =>
  constraint !== undefined && questionsOf(constraint).has('data')

/** The same as `askAbout`, of what matches a place: a constant that a caller gives does not stand there. */
export function askAboutData(frame: Frame, constraint: Constraint, value: Value | undefined): void {
  // Most values carry nothing, and this is asked of every node.
  if (frame.symbolic === null || value === undefined || deepOrigins(value).length === 0) return
  if (isAboutData(constraint)) ask(frame, 'data', value)
  if (questionsOf(constraint).has('clean')) ask(frame, 'clean', value)
}

/** Notes a question about the parameters that are in a value. */
export function ask({ symbolic, questions }: Frame, question: Question, value: Value): void {
  if (symbolic === null) return
  for (const { parameter } of deepOrigins(value)) {
    if (parameter === null) continue
    const asked = parameter.of === symbolic ? parameter.index : 'around'
    questions.set(asked, (questions.get(asked) ?? new Set()).add(question))
  }
}

/** Notes that data of a function around a closure arrived somewhere in it. */
export const askAround = ({ symbolic, questions }: Frame, question: Question): void => {
  if (symbolic !== null) questions.set('around', (questions.get('around') ?? new Set()).add(question))
}

/** Whether an argument says something about what the function asks of its parameter. */
export function answers(questions: ReadonlySet<Question> | undefined, argument: Value | undefined): boolean {
  if (questions === undefined || argument === undefined) return false
  if (questions.has('function') && argument.func !== undefined) return true
  if (questions.has('type') && argument.type !== undefined) return true
  if (questions.has('data') && deepOrigins(argument).length > 0) return true
  if (questions.has('clean') && deepOrigins(argument).length === 0) return true
  return questions.has('constant') && hasConstant(argument)
}

const hasConstant = ({ constant, fields }: Value, depth = 2): boolean =>
  constant !== undefined || (depth > 0 && fields !== undefined && [...fields.values()].some((one) => hasConstant(one, depth - 1)))

/** Whether the data of a value is that of parameters alone, as they were given. */
export const isGiven = (frame: Frame, value: Value): boolean =>
  frame.symbolic !== null && deepOrigins(value).some(({ parameter, built }) => parameter?.of === frame.symbolic && !built)

const excusing = new WeakMap<object, boolean>()

/** Whether what has certain entries is no sink: a list of words that begins with a program. */
export function excusesParts(sink: Pick<Sink, 'args' | 'receiver'>): boolean {
  let answer = excusing.get(sink)
  if (answer === undefined) {
    const constraints = [...Object.values(sink.args ?? {}), ...(sink.receiver === undefined ? [] : [sink.receiver])]
    answer = constraints.some(({ not }) => not !== undefined && [not, ...(not.any ?? [])].some(({ keys }) => keys !== undefined))
    excusing.set(sink, answer)
  }
  return answer
}

/** The functions that are being looked at with their caller's values; recursion goes no deeper. */
const maxNesting = 4

/** Steps for second looks that any file may take, and their part of all others beyond that. */
const freeSteps = 4000
const maxShare = 0.12

export const mayLookAgain = ({ inlined, inlinedSteps, steps, isTruncated }: Flow): boolean =>
  inlined.length < maxNesting && !isTruncated && inlinedSteps < freeSteps + steps * maxShare
