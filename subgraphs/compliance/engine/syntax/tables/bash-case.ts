/** Shell scripts: `case`. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** `case ${pair%%=*} in`: what the piece is says nothing of the whole. */
const pieceOf = (ir: Ir): Ir => ({ op: 'concat', parts: [ir], start: ir.start, end: ir.end })

/** In front of what may follow stands a host or a folder. */
const isPlace = (text: string): boolean => /^(?:https?:\/\/[^/*?]+\/|\/[\w.-]+\/)/.test(text)

/** `Subject:*` is met by any text that begins so; `start`, `[0-9]` and `@(a|b)` by harmless ones only. */
function isOpen(text: string): boolean {
  if (isPlace(text)) return false
  const bare = text.replaceAll(/"[^"]*"|'[^']*'|\\./g, '').replaceAll(/[@+?*]\([^()*!^]*\)/g, '')
  return /[*]|!\(|\[[!^]/.test(bare)
}

/** `*"/"*`, `*..*`, `*..\/*`: any text that leaves the folder it is put into. */
export const isOfFolders = (text: string): boolean => /^\*(?:\.\.|(?:\.\.)?\/)\*$/.test(text.replaceAll(/["'\\]/g, ''))

/** An arm for texts with a quote: those of the arms behind it have none. */
const takesQuotes = (text: string): boolean => /\\'|"'"|\[[!^]/.test(text)

function testsOf(lowering: Lowering, item: number, isHandled: boolean): Ir[] {
  const tests = lowering.all(item, 'value*')
  if (!isHandled && tests.some((at) => lowering.text(at) === '*')) return []
  return tests.map((at) => (!isHandled && isOpen(lowering.text(at)) ? lowering.make.opaque(at, []) : lowering.lower(at)))
}

const bodyOf = (lowering: Lowering, item: number): Ir =>
  lowering.lowerAll(lowering.all(item, '!word|extglob_pattern|regex|string|raw_string|concatenation|number*'), item)

const leaves = /\b(?:exit|return|continue|die|usage|fail|abort|error)\b/

/** A `case` that ends the script for characters outside of a set leaves harmless values, `#validated($x)`; for `..` or `/`, names: `#named($x)`. */
export const caseStatement: Custom = (lowering, node) => {
  const subject = lowering.first(node, 'value')
  const isPiece = subject !== undefined && /^\$\{\w+(?:\[[^\]]*\])?(?:[%#]|:\d)/.test(lowering.text(subject))
  const items = lowering.all(node, '%case_item*')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const quotes = items.findIndex((item) => lowering.all(item, 'value*').some((at) => takesQuotes(lowering.text(at))))
  const cases = items.map((item, at) => ({
    tests: testsOf(lowering, item, quotes !== -1 && at > quotes),
    body: bodyOf(lowering, item),
  }))
  const made: Ir = {
    op: 'switch',
    subject: subject === undefined ? null : isPiece ? pieceOf(lowering.lower(subject)) : lowering.lower(subject),
    cases,
    fallsThrough: false,
    ...span,
  }
  const refuses = items.some((item) => {
    const text = lowering.text(item)
    return /^[^)]*(?:\[!|\[\^)[^)]*\)/.test(text) && leaves.test(text)
  })
  const isNamed =
    !isPiece &&
    items.some(
      (item) => leaves.test(lowering.text(item)) && lowering.all(item, 'value*').some((at) => isOfFolders(lowering.text(at))),
    )
  if (subject === undefined || (!refuses && !isNamed)) return made
  return lowering.make.block(node, [
    made,
    lowering.make.call(node, lowering.make.name(node, refuses ? '#validated' : '#named'), [lowering.lower(subject)]),
  ])
}
