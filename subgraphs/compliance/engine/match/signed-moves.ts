/**
 * Amounts of a request that are taken from a balance after a test that there is enough, with no test that they are more than nothing:
 * less than nothing passes the test, and what is taken away adds up.
 */
import { wordsOf } from '../rulebook/data-names.js'
import type { Flow } from '../flow/state.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'

export interface SignedMove {
  /** What is taken from, by the words of its name. */
  readonly counted: string
  /** Names of parameters and calls by which a function gets what a client sent. */
  readonly requests: string
  /** What a function says that asks for more than nothing, or a type that has nothing below it. */
  readonly asks: string
}

/** The places where such an amount is taken away. */
export function signedMoves(flow: Flow, lambda: Lambda, wanted: SignedMove): readonly Ir[] {
  const text = flow.text.slice(lambda.start, lambda.end)
  if (text.split('\n').some((line) => matchesText(wanted.asks, line))) return []
  const nodes = nodesOf(lambda.body, true)
  const amounts = amountsOf(flow, lambda, nodes, wanted)
  const asked = new Set(nodes.flatMap((ir) => testedAmount(flow, ir, wanted)))
  const places = nodes.flatMap((ir): Ir[] => {
    const isMoved = takenFrom(ir, wanted).some(({ amount, isAsked }) => {
      const name = written(flow, amount)
      return amounts(amount) && (isAsked || asked.has(name)) && !hasBound(flow, nodes, name)
    })
    return isMoved ? [ir] : []
  })
  return places.slice(0, 1)
}

const written = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, end).replaceAll(/\s/g, '')

/** Whether a value is what the client sent: a part of what holds the request, or a variable that was made of one. */
function amountsOf(flow: Flow, lambda: Lambda, nodes: readonly Ir[], { requests }: SignedMove): (ir: Ir) => boolean {
  const isAsked = (ir: Ir): boolean => matchesText(requests, flow.text.slice(ir.start, Math.min(ir.end, ir.start + 300)))
  const made = new Set(
    nodes.flatMap((ir) =>
      ir.op === 'assign' && ir.target.op === 'name' && ir.value !== null && isAsked(ir.value) ? [ir.target.name] : [],
    ),
  )
  const bound = lambda.parameters.filter(({ decorators }) => decorators.length > 0).map(({ name }) => name)
  return (ir) => (ir.op === 'name' ? made.has(ir.name) || bound.includes(ir.name) : isAsked(ir))
}

interface Taken {
  readonly amount: Ir
  /** The database is asked whether there is enough. */
  readonly isAsked: boolean
}

/** `balance - amount`, `balance -= amount`, `decrement('balance', amount)`, `set balance = balance - ?`: what may be the amount. */
function takenFrom(ir: Ir, wanted: SignedMove): Taken[] {
  const whole = (amount: Ir | null | undefined): Taken[] =>
    amount != null && isPlace(amount) ? [{ amount, isAsked: false }] : []
  if (ir.op === 'binary') return ir.operator === '-' && isCounted(wanted, ir.left) ? whole(ir.right) : []
  if (ir.op === 'assign') return ir.operator === '-' && isCounted(wanted, ir.target) ? whole(ir.value) : []
  if (ir.op !== 'call') return []
  const [first, second] = ir.args
  const isCountedText = first?.value.op === 'literal' && isCountedName(wanted, String(first.value.value))
  if (ir.callee.op === 'member' && /^decrement!?$/.test(ir.callee.property)) return isCountedText ? whole(second?.value) : []
  const texts = ir.args.flatMap(({ value }) => (value.op === 'literal' && typeof value.value === 'string' ? [value.value] : []))
  return texts.flatMap((text) => {
    const [, column = ''] = /\bset\s+(\w+)\s*=\s*\1\s*-\s*(?:[?]|[$:@%]\w+)/i.exec(text.slice(0, 1000)) ?? []
    if (!isCountedName(wanted, column)) return []
    const isAsked = new RegExp(`\\b${column}\\s*>`, 'i').test(text.slice(0, 1000))
    const given = ir.args.flatMap(({ value }) => nodesOf(value).filter(isPlace))
    return given.map((amount) => ({ amount, isAsked }))
  })
}

const isPlace = (ir: Ir): boolean => ir.op === 'name' || ir.op === 'member' || ir.op === 'index' || ir.op === 'call'

/** `if balance < amount`: what is compared with the balance. */
function testedAmount(flow: Flow, ir: Ir, wanted: SignedMove): string[] {
  if (ir.op !== 'binary' || !/^[<>]=?$/.test(ir.operator)) return []
  if (isCounted(wanted, ir.left)) return [written(flow, ir.right)]
  return isCounted(wanted, ir.right) ? [written(flow, ir.left)] : []
}

/** `amount <= 0`, `1 <= amount`, `amount.positive?`, `max(amount, 0)`. */
const hasBound = (flow: Flow, nodes: readonly Ir[], name: string): boolean =>
  nodes.some((ir) => {
    if (ir.op === 'binary' && /^(?:[<>]=?|<=>)$/.test(ir.operator))
      return (
        (written(flow, ir.left) === name && ir.right.op === 'literal') ||
        (written(flow, ir.right) === name && ir.left.op === 'literal')
      )
    if (ir.op !== 'call') return false
    const object = ir.callee.op === 'member' ? ir.callee : null
    const said = object?.property ?? (ir.callee.op === 'name' ? ir.callee.name : '')
    return (
      bounding.test(said) &&
      ((object !== null && written(flow, object.object) === name) ||
        ir.args.some(({ value }) => written(flow, value).includes(name)))
    )
  })

const bounding = /posit|negat|abs|clamp|between|range|max$|signum|compareTo|valid|check|require|ensure|assert|unsigned/i

const isCountedName = ({ counted }: SignedMove, name: string): boolean => {
  const words = wordsOf(name).filter((word, at) => at > 0 || word !== 'get')
  return words.length > 0 && matchesText(counted, words.join(' '))
}

function isCounted(wanted: SignedMove, ir: Ir): boolean {
  // Django: `F('balance')`; `row.getInt("balance")`.
  const key = ir.op === 'call' && ir.args.length === 1 ? ir.args[0]?.value : undefined
  if (key?.op === 'literal' && typeof key.value === 'string') return isCountedName(wanted, key.value)
  const place = ir.op === 'call' ? ir.callee : ir
  const name =
    place.op === 'name'
      ? place.name
      : place.op === 'member'
        ? place.property
        : place.op === 'index' && place.index.op === 'literal'
          ? String(place.index.value)
          : ''
  return isCountedName(wanted, name)
}
