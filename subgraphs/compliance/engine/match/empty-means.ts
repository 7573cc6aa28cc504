/**
 * Means of what may hold nothing: `sum / list.size()`, where nobody asks whether there is an element.
 *
 * What is divided has to come from the list itself, or from a loop up to the number, because only then a list without elements is one
 * that reaches the division.
 */
import type { Flow } from '../flow/state.js'
import type { Assign, Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { isOfType } from './declared-types.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface EmptyMean {
  /** Last words of what counts the elements of a list. */
  readonly sizes: string
  /** Text and types of numbers that may be divided by zero. */
  readonly real?: string | undefined
  /** Text and types of those that may not; without it all others. */
  readonly whole?: string | undefined
}

interface Walk {
  readonly flow: Flow
  readonly lambda: Lambda
  readonly wanted: EmptyMean
  readonly nodes: readonly Ir[]
}

/** A list, or the number of elements, by its last name. */
interface Counted {
  readonly name: string
  /** Names that stand for it or for its size. */
  readonly also: readonly string[]
}

type Binary = Extract<Ir, { op: 'binary' }>

export function emptyMeans(flow: Flow, lambda: Lambda, wanted: EmptyMean): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  const walk: Walk = { flow, lambda, wanted, nodes }
  return nodes.filter((ir) => {
    if (ir.op !== 'binary' || ir.operator !== '/') return false
    const counted = countedBy(walk, withoutCast(ir.right))
    if (counted === null || !isOfIt(walk, ir.left, counted) || mayBeZero(walk, ir)) return false
    return !isAsked(walk, ir, counted) && !isAskedByCallers(walk)
  })
}

const textOf = ({ text }: Flow, { start, end }: Pick<Ir, 'start' | 'end'>): string => text.slice(start, end)
const says = (text: string, names: readonly string[]): boolean =>
  names.some((name) => new RegExp(`(?<![\\w$])${name.replaceAll('$', String.raw`\$`)}(?![\\w])`).test(text))

/** `(int) n`, `int64(n)` */
function withoutCast(ir: Ir): Ir {
  if (ir.op === 'cast') return withoutCast(ir.value)
  const [first, second] = ir.op === 'call' && ir.callee.op === 'name' ? ir.args : []
  const isCast = first !== undefined && second === undefined && /int|long|decimal|^[ui](?:8|16|32|64|size)$/i.test(calledAs(ir))
  return isCast ? withoutCast(first.value) : ir
}

const calledAs = (ir: Ir): string => (ir.op === 'call' ? (writtenName(ir.callee)?.segment ?? '') : '')

function countedBy(walk: Walk, ir: Ir): Counted | null {
  const list = sizedList(walk, ir)
  if (list !== null) return mayBeEmpty(walk, list) ? { name: list, also: [list] } : null
  if (ir.op !== 'name') return null
  if (walk.lambda.declares && walk.lambda.parameters.some(({ name }) => name === ir.name))
    return roundsOf(walk, ir.name) ? { name: ir.name, also: [ir.name] } : null
  const [made, again] = assignsOf(walk, ir.name)
  if (made?.value == null || again !== undefined) return null
  const held = sizedList(walk, withoutCast(made.value))
  return held !== null && mayBeEmpty(walk, held) ? { name: held, also: [held, ir.name] } : null
}

/** The list of `list.size()`, `len(list)`. */
function sizedList({ wanted }: Walk, ir: Ir): string | null {
  const [only, more] = ir.op === 'call' ? ir.args : []
  const isFunction = ir.op === 'call' && ir.callee.op === 'name'
  if (isFunction)
    return only !== undefined && more === undefined && matchesText(wanted.sizes, calledAs(ir)) ? nameOfList(only.value) : null
  const member = ir.op === 'call' && only === undefined ? ir.callee : ir
  return member.op === 'member' && matchesText(wanted.sizes, member.property) ? nameOfList(member.object) : null
}

const nameOfList = (ir: Ir): string | null => (ir.op === 'name' ? ir.name : null)

const assignsOf = ({ nodes }: Walk, name: string): readonly Assign[] =>
  nodes.filter((ir): ir is Assign => ir.op === 'assign' && ir.target.op === 'name' && ir.target.name === name)

/** What a function is given, and what somebody answered. */
function mayBeEmpty(walk: Walk, name: string): boolean {
  if (/loader|dataset|epoch|folds?$/i.test(name)) return false
  const { flow, lambda } = walk
  const assigns = assignsOf(walk, name)
  if (assigns.length === 0) {
    const given = lambda.declares ? lambda.parameters.find((parameter) => parameter.name === name) : undefined
    return given !== undefined && !given.rest && !/non_?empty|\barray\s*<|;\s*\w+\s*\]/i.test(textOf(flow, given))
  }
  return assigns.every(({ value, operator }) => value?.op === 'call' && operator === '=' && !alwaysFull.test(calledAs(value)))
}

/** Calls whose answer holds something, or that take a list which was looked at under its own name. */
const alwaysFull =
  /split|range|^%|^(?:new|make|list|array|vec|sorted|sort\w*|tolist|toarray|values|of|fill|repeat|copy|clone)$|chunk|lines|group/i

/** A loop up to the number. */
const roundsOf = ({ nodes }: Walk, name: string): boolean =>
  nodes.some(
    (ir) =>
      ir.op === 'loop' &&
      ir.test?.op === 'binary' &&
      ir.test.operator === '<' &&
      ir.test.right.op === 'name' &&
      ir.test.right.name === name,
  )

/** `sum(list)`, or what a loop over the list adds up. */
function isOfIt(walk: Walk, left: Ir, { name, also }: Counted): boolean {
  const { flow, nodes } = walk
  if (says(textOf(flow, left), [name])) return left.op !== 'name'
  return nodesOf(left).some((part) => {
    if (part.op !== 'name') return false
    const [first] = assignsOf(walk, part.name)
    if (first?.value != null && first.value.op !== 'literal' && says(textOf(flow, first.value), [name])) return true
    return nodes.some(
      (loop) =>
        loop.op === 'loop' &&
        [loop.iterable, loop.test].some((one) => one !== null && says(textOf(flow, one), also)) &&
        nodesOf(loop.body).some(
          (ir) => ir.op === 'assign' && ir.operator === '+' && writtenName(ir.target)?.segment === part.name,
        ),
    )
  })
}

/** Numbers with a point have an answer for it. */
function mayBeZero(walk: Walk, { left, right }: Binary): boolean {
  const { flow, lambda, wanted } = walk
  const names = nodesOf(left).flatMap((part) => (part.op === 'name' ? [part.name] : []))
  const values = names.flatMap((name) => assignsOf(walk, name).flatMap(({ value }) => value ?? []))
  const given = lambda.parameters.filter(({ name }) => says(textOf(flow, left), [name]))
  const texts = [left, right, ...values, ...given].map((ir) => textOf(flow, ir))
  const { real, whole } = wanted
  if (real === undefined) return false
  if (texts.some((text) => matchesText(real, text)) || names.some((name) => isOfType(flow, real, name))) return true
  if (whole === undefined) return false
  const isWhole =
    texts.some((text) => matchesText(whole, text)) ||
    names.some((name) => isOfType(flow, whole, name)) ||
    values.some((value) => value.op === 'literal' && /^\d+L?$/.test(textOf(flow, value))) ||
    matchesText(whole, lambda.returnType ?? '')
  return !isWhole
}

/** A condition in front of it, a loop around it, or somebody who hears of it. */
function isAsked({ flow, nodes }: Walk, division: Ir, { also }: Counted): boolean {
  return nodes.some((ir) => {
    if (ir.start > division.start || ir === division) return false
    const isAround = ir.end >= division.end
    if (ir.op === 'if') return says(textOf(flow, ir.test), also)
    if (ir.op === 'switch') return ir.subject !== null && says(textOf(flow, ir.subject), also)
    if (ir.op === 'try') return isAround && ir.catches.length > 0
    if (ir.op === 'loop') return isAround && [ir.iterable, ir.test].some((one) => one !== null && says(textOf(flow, one), also))
    if (ir.op === 'binary' && /^(?:&&|\|\||\?\?|\?:|and|or)$/.test(ir.operator)) return says(textOf(flow, ir.left), also)
    return ir.op === 'call' && (asks.test(calledAs(ir)) || adds.test(calledAs(ir))) && says(textOf(flow, ir), also)
  })
}

const asks = /assert|require|check|ensure|precondition|verify|valid|expect|abort|raise|fail|guard|not_?empty|is_?empty|any\??$/i
const adds = /^(?:push|append|add|insert|prepend|unshift|push_back|emplace_back)$/i

/** Who calls it in this file looks first. */
const isAskedByCallers = ({ flow, lambda }: Walk): boolean =>
  lambda.name !== '' &&
  [...flow.scopes.keys()].some((caller) => {
    if (caller === lambda || (caller.start <= lambda.start && caller.end >= lambda.end)) return false
    const text = textOf(flow, caller)
    // `use: handler` hands it on and asks nothing.
    return (
      says(text.replaceAll(/:\s?\w+/g, ''), [lambda.name]) &&
      /empty|blank|any\?|len\b|size|count|length|\bnot\b|>\s?0|[<>=]=?\s?[01]\b/i.test(text)
    )
  })
