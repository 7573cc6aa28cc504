/**
 * What C's conditions and accesses say about pointers and numbers.
 *
 * `if (p == NULL) return;` checks `p`, `if (n > 0)` bounds `n` from below, `p->x` reads through `p`. The lowering writes these as helper calls in the
 * branches where they hold: `#checked(p)`, `#bounded(n)`, `#nonzero(n)`, `#short(text)`, `#deref(p)`, `#index(a, bytes)`, `#store(a, bytes)`.
 */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { isSimple } from './c-memory.js'
import { operatorIn } from './c-operators.js'
import { bare, helper, isOwning, knownName, mapsOf, scaled, scopeOf } from './c-scope.js'

const operatorOf = (lowering: Lowering, left: number, right: number): string =>
  operatorIn(lowering.source.slice(lowering.endOf(left), lowering.startOf(right)))

const isZero = (text: string): boolean => /^(?:NULL|nullptr|0|0L|0\.0f?|\(void\s*\*\)\s*0)$/.test(text.trim())

/** Helper calls that hold in a branch where `test` turned out `truth`. */
export function factsOf(lowering: Lowering, test: number, truth: boolean): Ir[] {
  const facts = new TestFacts(lowering)
  facts.visit(test, truth, true)
  return facts.facts
}

/** Of a sum. */
const MOST_PARTS = 8

/** What one test says, gathered. `isSure`: not only one of several that may have decided. */
class TestFacts {
  readonly facts: Ir[] = []

  constructor(private readonly lowering: Lowering) {}

  visit(node: number, holds: boolean, isSure: boolean): void {
    const { lowering } = this
    const at = bare(lowering, node)
    const type = lowering.typeOf(at)
    if (type === 'condition_clause') return this.visit(lowering.first(at, 'value,#-1') ?? at, holds, isSure)
    if (type === 'declaration') return this.visit(lowering.first(at, 'declarator/declarator,declarator') ?? at, holds, isSure)
    if (type === 'unary_expression' && lowering.text(at).startsWith('!'))
      return this.visit(lowering.first(at, 'argument') ?? at, !holds, isSure)
    if (type === 'binary_expression') return this.#visitBinary(at, holds, isSure)
    if (type === 'assignment_expression') return this.visit(lowering.first(at, 'left') ?? at, holds, isSure)
    if (isSimple(lowering, at)) this.#nullness(at, !holds, isSure)
    if (type === 'identifier' && holds && isSure) this.facts.push(helper(lowering, at, '#nonzero', [lowering.lower(at)]))
  }

  #nullness(node: number, isNull: boolean, isSure: boolean): void {
    const { lowering } = this
    if (!/^(?:identifier|field_expression)$/.test(lowering.typeOf(node))) return
    if (!isOwning(lowering)) return
    this.facts.push(helper(lowering, node, '#checked', [lowering.lower(node)]))
    if (!isNull && isSure) this.facts.push(helper(lowering, node, '#nonnull', [lowering.lower(node)]))
    const known = knownName(lowering, node)
    if (!isNull || !isSure || known?.kind !== 'pointer') return
    const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
    this.facts.push({
      op: 'assign',
      target: lowering.lower(node),
      value: lowering.make.literal(node, null),
      operator: '=',
      declares: false,
      ...span,
    })
  }

  #visitBinary(at: number, holds: boolean, isSure: boolean): void {
    const { lowering } = this
    const [leftNode, rightNode] = [lowering.first(at, 'left'), lowering.first(at, 'right')]
    if (leftNode === undefined || rightNode === undefined) return
    const operator = operatorOf(lowering, leftNode, rightNode)
    if (operator === '&&' || operator === '||') {
      const both = isSure && (operator === '&&') === holds
      this.visit(leftNode, holds, both)
      return this.visit(rightNode, holds, both)
    }
    const [left, right] = [bare(lowering, leftNode), bare(lowering, rightNode)]
    if (operator === '==' || operator === '!=') {
      for (const [value, other] of [
        [left, right],
        [right, left],
      ] as const) {
        if (!isZero(lowering.text(other))) continue
        this.#visitZero(value, (operator === '==') === holds, isSure)
      }
      return
    }
    if (!/^[<>]=?$/.test(operator) || !isSure) return
    const isGreater = operator.startsWith('>') === holds
    const [high, low] = isGreater ? [left, right] : [right, left]
    this.#bound(high, '#bounded')
    const isNamed = /(?:len|length|size|cap|capacity|max|limit)$/i.test(lowering.text(high))
    if (lowering.typeOf(high) === 'sizeof_expression' || (isNamed && knownName(lowering, high)?.kind === 'scalar'))
      this.#bound(low, '#capped')
    const isStrict = (operator.length === 1) === holds
    if (isStrict) this.#bound(high, '#nonzero')
    this.#shortTexts(low)
  }

  /** `strlen(a) + strlen(b) < sizeof room`: each of them is short. */
  #shortTexts(low: number, parts = 0): void {
    const { lowering } = this
    if (lowering.typeOf(low) === 'binary_expression' && parts < MOST_PARTS) {
      const [left, right] = [lowering.first(low, 'left'), lowering.first(low, 'right')]
      if (left === undefined || right === undefined || operatorOf(lowering, left, right) !== '+') return
      for (const one of [left, right]) this.#shortTexts(bare(lowering, one), parts + 1)
      return
    }
    const measured = measuredText(lowering, low)
    if (measured !== null) this.facts.push(helper(lowering, low, '#short', [lowering.make.name(low, measured)]))
    if (lowering.typeOf(low) === 'call_expression' && /^(?:strlen|wcslen|strnlen)\b/.test(lowering.text(low)))
      for (const text of lowering.all(low, 'arguments/#0'))
        if (isSimple(lowering, text)) this.facts.push(helper(lowering, text, '#short', [lowering.lower(text)]))
  }

  #visitZero(value: number, isEqual: boolean, isSure: boolean): void {
    const { lowering } = this
    const inner = lowering.typeOf(value) === 'assignment_expression' ? (lowering.first(value, 'left') ?? value) : value
    if (isSimple(lowering, inner)) this.#nullness(inner, isEqual, isSure)
    if (!isEqual && isSure) this.#bound(inner, '#nonzero')
  }

  #bound(node: number, name: string): void {
    const { lowering } = this
    const inner = lowering.typeOf(node) === 'call_expression' ? lowering.first(node, 'arguments/#0') : node
    if (inner !== undefined && isSimple(lowering, inner)) this.facts.push(helper(lowering, inner, name, [lowering.lower(inner)]))
  }
}

/** `n` where it is the length of a text: `size_t n = strlen(name); if (n >= sizeof kept) return;` */
function measuredText(lowering: Lowering, node: number): string | null {
  const { inside } = scopeOf(lowering)
  if (inside === null || lowering.typeOf(node) !== 'identifier') return null
  const before = inside.text.slice(0, lowering.startOf(node) - inside.start)
  const name = lowering.text(node)
  const set = before.lastIndexOf(`${name} = `)
  if (set < 0 || /[\w.>]/.test(before[set - 1] ?? '')) return null
  return /^\w+ = (?:\(\w{1,20}\)\s?)?(?:str|wcs)n?len\((\w{1,60})[,)]/.exec(before.slice(set, set + 160))?.[1] ?? null
}

interface Access {
  readonly node: number
  readonly base: number
  readonly index: number | null
  readonly isStore: boolean
}

/** Accesses through pointers that surely happen when the expression is evaluated. */
function accessesOf(lowering: Lowering, root: number): Access[] {
  const found: Access[] = []
  const stack: { node: number; isStore: boolean }[] = [{ node: root, isStore: false }]
  for (let place = stack.pop(); place !== undefined && found.length < 20; place = stack.pop()) {
    const { node, isStore } = place
    const type = lowering.typeOf(node)
    if (['sizeof_expression', 'lambda_expression', 'compound_statement', 'alignof_expression'].includes(type)) continue
    let inner = lowering.children(node)
    if (type === 'binary_expression' && /^(?:&&|\|\|)$/.test(operatorOf(lowering, inner[0] ?? node, inner[1] ?? node)))
      inner = inner.slice(0, 1)
    if (type === 'conditional_expression') inner = inner.slice(0, 1)
    if (type === 'pointer_expression' && lowering.text(node).startsWith('&')) continue
    const base = lowering.first(node, 'argument,#0')
    const isArrow =
      type === 'field_expression' &&
      lowering.source
        .slice(lowering.endOf(base ?? node), lowering.endOf(node))
        .trim()
        .startsWith('->')
    if (base !== undefined && (isArrow || type === 'pointer_expression')) found.push({ node, base, index: null, isStore })
    if (base !== undefined && type === 'subscript_expression')
      found.push({ node, base, index: lowering.first(node, 'index,indices/#0,#1') ?? null, isStore })
    const target = type === 'assignment_expression' ? lowering.first(node, 'left') : undefined
    for (const child of inner)
      stack.push({ node: child, isStore: child === target || (isStore && type === 'parenthesized_expression') })
  }
  return found
}

/** Helper calls for the accesses of an expression, to stand before it. */
export function accesses(lowering: Lowering, root: number): Ir[] {
  const calls = new Map<string, Ir>()
  for (const { node, base, index, isStore } of accessesOf(lowering, root)) {
    if (isOwning(lowering) && knownName(lowering, base)?.isLocal === true)
      calls.set(`* ${lowering.text(base)}`, helper(lowering, base, '#deref', [lowering.lower(base)]))
    if (index === null || !isSimple(lowering, index) || !isSimple(lowering, base)) continue
    const known = knownName(lowering, base)
    const bytes = known?.bytes
    // What is neither array nor pointer is a container: its own index says what it asks for. A class may declare it below.
    const isContainer = known === undefined ? mapsOf(lowering).has(lowering.text(base)) : known.kind === 'scalar'
    if (bytes === undefined && (!isStore || isContainer)) continue
    const name = isStore ? '#store' : '#index'
    const place = scaled(lowering, base, lowering.lower(index), bytes ?? 1)
    const args = bytes === undefined ? [lowering.make.opaque(base, []), place] : [lowering.lower(base), place]
    calls.set(`${name} ${lowering.text(base)} ${lowering.text(index)}`, helper(lowering, node, name, args))
  }
  return [...calls.values()]
}
